# SPDX-License-Identifier: MIT
# g6plot is a Python program: bin/g6plot starts the modules of share/g6plot, in the build folder as where it is
# installed.  PYTHON is the interpreter that it names in its first line.

PLOT_SRC   := $(filter-out tools/g6plot/launcher.py,$(wildcard tools/g6plot/*.py))
PLOT_SHARE := share/g6plot/g6plot

$(BIN)/g6plot: $(PLOT_SRC) tools/g6plot/launcher.py tools/g6plot/rules.mk include/g6lib.h
	@mkdir -p $(@D) $(B)/$(PLOT_SHARE)
	rm -f $(B)/$(PLOT_SHARE)/*.py
	cp $(PLOT_SRC) $(B)/$(PLOT_SHARE)
	echo 'VERSION = "$(VERSION)"' > $(B)/$(PLOT_SHARE)/version.py
	sed '1s|.*|#!/usr/bin/env $(PYTHON)|' tools/g6plot/launcher.py > $@.part && chmod 755 $@.part && mv $@.part $@

.PHONY: install-plot
install-plot: $(BIN)/g6plot
	install -d $(DESTDIR)$(PREFIX)/$(PLOT_SHARE)
	install -m 644 $(PLOT_SRC) $(B)/$(PLOT_SHARE)/version.py $(DESTDIR)$(PREFIX)/$(PLOT_SHARE)
