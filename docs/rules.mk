# SPDX-License-Identifier: MIT
# Manual pages (made from --help, the header and the settings), HTML of the header, and the parts of
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

html: ## HTML of g6lib.h, in build/html (needs doxygen)
	@command -v doxygen >/dev/null || { echo "make html needs doxygen (Debian: doxygen)"; exit 1; }
	@mkdir -p $(B)
	{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $(B)"; echo "PROJECT_NUMBER = $(VERSION)"; } | doxygen -
	@echo "$(B)/html/g6lib_8h.html"

.PHONY: figures
figures: ## tables and plots of docs/measurements from the CSV files there (python3; plots need matplotlib)
	$(PYTHON) docs/measurements/figures.py

.PHONY: settings-page
settings-page: $(BIN)/g6info ## the table of docs/settings.md from what the library says of its settings
	sh docs/settings.sh $(BIN) docs/settings.md > $(B)/settings.md && cp $(B)/settings.md docs/settings.md
