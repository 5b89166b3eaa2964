# SPDX-License-Identifier: MIT
# Manual pages (made from --help, the header and the settings), the documentation as a site, and the parts of
# docs/*.md that are made: the table of settings, tables and plots of measurements.

MAN_PAGES := $(TOOL_NAMES:%=$(B)/man/%.1) $(B)/man/g6lib.3
MAN_SRC   := docs/man.sh docs/man.awk include/g6lib.h

.PHONY: man html
man: $(MAN_PAGES) ## manual pages of the tools and of the library, in build/man
$(B)/man/%.1: $(BIN)/% $(MAN_SRC)
	@mkdir -p $(@D)
	sh docs/man.sh $(@F) $(VERSION) $(BIN) > $@.part && mv $@.part $@
$(B)/man/%.3: $(BIN)/g6info $(MAN_SRC)
	@mkdir -p $(@D)
	sh docs/man.sh $(@F) $(VERSION) $(BIN) > $@.part && mv $@.part $@

# Sphinx stops at a page that is in no list of docs/site, and at a link to nowhere.
html: ## the documentation as a site, in build/html (needs Sphinx and MyST; looks best with Furo)
	@mkdir -p $(B)
	@for python in $(PYTHON) /usr/bin/python3; do \
	  $$python -c 'import sphinx, myst_parser' 2>/dev/null || continue; \
	  G6_VERSION=$(VERSION) $$python -m sphinx -q -W --keep-going -c docs/site -d $(B)/html-trees . $(B)/html; exit; \
	done; echo "make html needs Sphinx and MyST (Debian: python3-sphinx python3-myst-parser furo)"; exit 1
	@echo '<meta http-equiv="refresh" content="0; url=docs/site/index.html">' > $(B)/html/index.html
	@echo "$(B)/html/index.html"

.PHONY: figures
figures: ## tables and plots of docs/measurements from the CSV files there (python3; plots need matplotlib)
	$(PYTHON) docs/measurements/figures.py

.PHONY: settings-page
settings-page: $(BIN)/g6info ## the table of docs/settings.md from what the library says of its settings
	sh docs/settings.sh $(BIN) docs/settings.md > $(B)/settings.md && cp $(B)/settings.md docs/settings.md
