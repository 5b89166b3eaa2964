# SPDX-License-Identifier: MIT
# g6plot is a Python program: bin/g6plot starts the modules of share/g6plot, in the build folder as where it is
# installed.  PYTHON is the interpreter that it names in its first line.

PLOT_SRC   := $(filter-out tools/g6plot/launcher.py,$(wildcard tools/g6plot/*.py))
PLOT_SHARE := share/g6plot/g6plot
# Beside them, as in the source: the names that g6run reads too.
PLOT_NAMES := tools/common/snapshot_names.inc
PLOT_COMMON := share/g6plot/common

$(BIN)/g6plot: $(PLOT_SRC) $(PLOT_NAMES) tools/g6plot/launcher.py tools/g6plot/rules.mk include/g6lib.h
	@mkdir -p $(@D) $(B)/$(PLOT_SHARE) $(B)/$(PLOT_COMMON)
	rm -f $(B)/$(PLOT_SHARE)/*.py
	cp $(PLOT_SRC) $(B)/$(PLOT_SHARE)
	cp $(PLOT_NAMES) $(B)/$(PLOT_COMMON)
	echo 'VERSION = "$(VERSION)"' > $(B)/$(PLOT_SHARE)/version.py
	sed '1s|.*|#!/usr/bin/env $(PYTHON)|' tools/g6plot/launcher.py > $@.part && chmod 755 $@.part && mv $@.part $@

.PHONY: install-plot
install-plot: $(BIN)/g6plot
	install -d $(DESTDIR)$(PREFIX)/$(PLOT_SHARE) $(DESTDIR)$(PREFIX)/$(PLOT_COMMON)
	install -m 644 $(PLOT_NAMES) $(DESTDIR)$(PREFIX)/$(PLOT_COMMON)
	install -m 644 $(PLOT_SRC) $(B)/$(PLOT_SHARE)/version.py $(DESTDIR)$(PREFIX)/$(PLOT_SHARE)
