# SPDX-License-Identifier: MIT
# The MPI backend, where an MPI compiler is found.  Only g6_mpi.so is linked with MPI.  MPI= leaves
# it out; MPICXX names the compiler of another MPI.
MPI    ?= 1
MPICXX ?= mpicxx
# Open MPI and MPICH both let a variable name the compiler that theirs calls.
MPI_CXX := OMPI_CXX='$(CXX)' MPICH_CXX='$(CXX)' $(MPICXX)
HAVE_MPI := $(if $(MPI),$(shell echo 'int main() { return MPI_Finalize(); }' | $(MPI_CXX) -include mpi.h -x c++ - -o /dev/null 2>/dev/null && echo yes))

ifneq ($(HAVE_MPI),)
MPI_LIB := $(L)/g6gpu/g6_mpi.so
MPI_OBJ := $(patsubst %.cpp,$(O)/%.o,$(wildcard backends/mpi/*.cpp))
BACKEND_LIBS += $(MPI_LIB)

# Changes when the MPI compiler does.
MPI_KIND := $(O)/backends/mpi/kind.txt
$(MPI_KIND): $(call unless_text,$(MPI_KIND),$(MPICXX))
	@mkdir -p $(@D); echo '$(MPICXX)' >$@
$(O)/backends/mpi/%.o: backends/mpi/%.cpp $(FLAGS) $(MPI_KIND)
	$(compiling)
	@mkdir -p $(@D)
	$(MPI_CXX) $(ALL_CXXFLAGS) -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -c $< -o $@
$(MPI_LIB): $(MPI_OBJ) $(BACKEND_MAP)
	@mkdir -p $(@D)
	$(MPI_CXX) -shared $(ALL_LDFLAGS) $(MPI_OBJ) -o $@ -Wl,-z,defs -Wl,--version-script=$(BACKEND_MAP) $(LIBS)
else
report: report-mpi
.PHONY: report-mpi
report-mpi:
	@echo "left out: MPI backend ($(if $(MPI),$(MPICXX) cannot build a program,MPI is empty); Debian: libopenmpi-dev openmpi-bin)"
endif
