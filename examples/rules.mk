# SPDX-License-Identifier: MIT
# Examples: short clients that check their own result.  They are built against the library of this
# tree, as an application would be.

E := $(B)/examples
EXAMPLES := $(E)/two_body $(E)/own_names $(E)/own_names_static
FORTRAN_EXAMPLES := $(E)/two_body_f $(E)/cluster
FFLAGS ?= -O2 -g
EXAMPLE_LINK = $(SAN) $(LDFLAGS) -L$(L) -lg6gpu -Wl,-rpath,'$$ORIGIN/../lib' -lm

.PHONY: examples run-examples
examples: $(EXAMPLES) $(if $(HAVE_FC),$(FORTRAN_EXAMPLES)) ## build the C, C++ and Fortran examples

run-examples: examples ## run the examples; each checks its own result
	@$(if $(HAVE_FC),:,echo "left out: Fortran examples (gfortran not found; Debian: gfortran)")
	@set -e; for e in $(EXAMPLES) $(if $(HAVE_FC),$(FORTRAN_EXAMPLES)); do $$e; done

$(E)/two_body: examples/two_body.c $(SHLIB)
	@mkdir -p $(@D)
	$(CC) -std=c99 -Iinclude $(WARN) $(OPT) $< -o $@ $(EXAMPLE_LINK)
$(E)/own_names: examples/own_names.cpp $(SHLIB)
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(WARN) $(OPT) $< -o $@ $(EXAMPLE_LINK)
$(E)/own_names_static: examples/own_names.cpp $(ARLIB)
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(WARN) $(OPT) $< -o $@ $(ARLIB) $(ALL_LDFLAGS) $(LIBS)

# Fixed form: a calling code of old, so no module.
$(E)/two_body_f: examples/two_body.f $(SHLIB)
	@mkdir -p $(@D)
	$(FC) $(FFLAGS) -Wall -ffixed-form $< -o $@ $(EXAMPLE_LINK)
$(E)/cluster: fortran/g6lib.f90 examples/cluster.f90 $(SHLIB)
	@mkdir -p $(@D)/modules
	$(FC) $(FFLAGS) -Wall -J$(@D)/modules $(filter %.f90,$^) -o $@ $(EXAMPLE_LINK)
