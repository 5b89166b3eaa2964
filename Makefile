# SPDX-License-Identifier: MIT
# libg6gpu.  `make help` lists the targets.  Site settings (CXX, PREFIX, NVARCH ...) go into an untracked config.mk.
-include config.mk
# Without this make would try to link each included .d file from an object.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

# ---- settings ------------------------------------------------------------------------------------------------
CXX      ?= g++
FC       := $(if $(filter default,$(origin FC)),gfortran,$(FC))
PYTHON   ?= python3
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
# Build folder; each sanitizer target has its own.
B        ?= build
$(foreach v,PREFIX LIBDIR DESTDIR B,$(if $(word 2,$($(v))),$(error $(v)="$($(v))": make knows no path with spaces)))
# As PREFIX=$X gives where X is not set: root would write into /bin and /lib.
$(foreach v,PREFIX B,$(if $($(v)),,$(error $(v) is empty: name a folder, or leave $(v)= out)))
# Absolute paths, because the .pc files and the archive contain them.  Not every shell replaces the ~ of
# PREFIX=~/FOLDER, and in config.mk nothing does.
override PREFIX := $(abspath $(patsubst ~/%,$(HOME)/%,$(PREFIX)))
override LIBDIR := $(abspath $(patsubst ~/%,$(HOME)/%,$(LIBDIR)))
$(foreach v,DESTDIR MANDIR MODULES_FOLDER BASH_FOLDER ZSH_FOLDER,$(if $(filter ~/%,$($v)),$(eval override $v := $(patsubst ~/%,$(HOME)/%,$($v)))))
# Optimisation: -O3, because the pair loops call functions that must be inlined.
OPT      ?= -O3
WARN     ?= -Wall -Wextra -Wno-unknown-pragmas
SAN      ?=

header_number = $(shell sed -n 's/^\#define G6_VERSION_$(1) //p' include/g6lib.h)
MAJOR   := $(call header_number,MAJOR)
VERSION := $(MAJOR).$(call header_number,MINOR).$(call header_number,PATCH)

L := $(B)/lib
O := $(B)/obj
BIN := $(B)/bin

# ---- what this machine has: each absent optional part is left out with one line ---------------------------------
# The preprocessor looks for the header and does not read it, which takes half a second for some.
hash := \#
have_header = $(shell printf '$(hash)if !__has_include(<$(1)>)\n$(hash)error\n$(hash)endif\n' | $(CXX) -E -x c++ $(CPPFLAGS) $(2) - >/dev/null 2>&1 && echo yes)
have_tool   = $(shell command -v $(1) 2>/dev/null)

# Debian keeps the serial HDF5 under its own name, other systems under the plain one.
HDF5_CFLAGS := $(if $(wildcard /usr/include/hdf5/serial/hdf5.h),-I/usr/include/hdf5/serial,)
HDF5_LIBS   := $(if $(HDF5_CFLAGS),$(firstword $(wildcard /usr/lib/*/libhdf5_serial.so)),-lhdf5)
HAVE_HDF5   := $(call have_header,hdf5.h,$(HDF5_CFLAGS))
HAVE_CLI11  := $(call have_header,CLI/CLI.hpp)
HAVE_GTEST  := $(call have_header,gtest/gtest.h)
HAVE_FC     := $(call have_tool,$(FC))
HAVE_PYTHON := $(call have_tool,$(PYTHON))
MACHINE     := $(shell { $(CXX) -dumpmachine; } 2>/dev/null)
ARCH        := $(firstword $(subst -, ,$(MACHINE)))
# What the compiler says when it links a program of C++.  After status 127, that of a program which is not there, make
# prints what it should read.
LINK_TRIAL  := $(subst ",,$(shell echo 'int main() { return 0; }' | $(CXX) -v -x c++ - -o /dev/null 2>&1 || :))
# Tests with a client that has OpenMP regions of its own.
IS_CLANG    := $(filter clang,$(LINK_TRIAL))
HAVE_OPENMP := $(shell echo 'int main() { return 0; }' | $(CXX) -fopenmp -include omp.h -x c++ - -o /dev/null 2>/dev/null && echo yes)

# ---- flags -----------------------------------------------------------------------------------------------------
# -fvisibility=hidden: only names marked G6_API leave the library.
COMMON_FLAGS := -MMD -MP -fPIC -fvisibility=hidden -Iinclude $(WARN) $(OPT) $(SAN)
# They come last, because they undo -Ofast and -ffast-math, with which NaN is not refused and sums lose digits.
# -ffp-contract=off: a*b+c is fused only where the source says so, so that host, CPU and GPU predictors agree.
# -fno-math-errno: sqrt becomes one instruction.
FLOAT_FLAGS  := -fno-fast-math -ffp-contract=off -fno-math-errno
ALL_CXXFLAGS := -std=c++17 -fvisibility-inlines-hidden $(COMMON_FLAGS) $(CPPFLAGS) $(CXXFLAGS) $(FLOAT_FLAGS)
ALL_CFLAGS   := -std=c99 $(COMMON_FLAGS) $(CPPFLAGS) $(CFLAGS) $(FLOAT_FLAGS)
ALL_LDFLAGS  := $(SAN) $(LDFLAGS)
LIBS         := -ldl -lpthread
# The compiler's own library of C++, for whoever links the archive with another compiler.
ARCHIVE_LIBS := $(firstword $(filter -lstdc++ -lc++,$(LINK_TRIAL))) $(LIBS) -lm

# ---- what make shows -------------------------------------------------------------------------------------------
# A line as "12 of 70, 2 min left  libg6gpu/core/cluster.cpp" for each file that is compiled; with V=1 the commands.
V ?=
ifeq ($(V),)
.SILENT:
endif
# A dry run of the same goals counts the files, once where a recipe calls make for them, too.  It begins with the first of
# them, when the files of flags are written.
FILES_TOTAL = $(eval FILES_TOTAL := $(shell env -u MAKEFLAGS -u MFLAGS $(MAKE) -n $(MAKECMDGOALS) $(MAKEOVERRIDES) 2>/dev/null | grep '^: compiling ' | sort -u | wc -l))$(FILES_TOTAL)
FILES_BEGIN = $(eval FILES_BEGIN := $(shell date +%s))$(FILES_BEGIN)
FILES_DONE  :=
# Options of make without a dash are in its first word: n, q and s.
make_option = $(findstring $(1),$(firstword -$(MAKEFLAGS)))
only_asked  = $(or $(call make_option,n),$(call make_option,q))
count_file  = $(eval FILES_DONE += x)sh tools/progress.sh $(words $(FILES_DONE)) $(FILES_TOTAL) $(FILES_BEGIN) $<
# The first line of a recipe that compiles its first prerequisite.
compiling   = @$(if $(only_asked),: compiling $@,$(if $(or $(V),$(call make_option,s)),:,$(count_file)))

# ---- the library -----------------------------------------------------------------------------------------------
KERNEL_SRC := $(addprefix backends/cpu/,kernels.cpp list_entries.cpp list_kernels.cpp point_kernels.cpp)
CORE_SRC := $(wildcard libg6gpu/*/*.cpp fortran/*.cpp) $(filter-out $(KERNEL_SRC),$(wildcard backends/cpu/*.cpp))
# The same kernel source once per instruction set; cpu.cpp chooses at run time.
ISAS := generic $(if $(filter x86_64,$(ARCH)),avx2 avx512)
# GCC 12's own AVX-512 header trips -Wmaybe-uninitialized (its _mm512_undefined_*), which clang does not know.  With
# OPT='-O3 -march=native' all kernels include it.
AVX512_WARN := $(if $(IS_CLANG),,-Wno-maybe-uninitialized -Wno-uninitialized)
MARCH_WARN  := $(if $(and $(filter x86_64,$(ARCH)),$(findstring -march=,$(ALL_CXXFLAGS))),$(AVX512_WARN))
ISA_generic := $(MARCH_WARN)
ISA_avx2    := -mavx2 -mfma $(MARCH_WARN)
ISA_avx512  := -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mprefer-vector-width=512 $(AVX512_WARN)
KERNEL_OBJ := $(foreach s,$(KERNEL_SRC:%.cpp=$(O)/%),$(ISAS:%=$(s).%.o))
CPU_OBJ  := $(patsubst %.cpp,$(O)/%.o,$(filter backends/cpu/%,$(CORE_SRC))) $(KERNEL_OBJ)
LIB_OBJ  := $(patsubst %.cpp,$(O)/%.o,$(filter-out backends/cpu/%,$(CORE_SRC))) $(CPU_OBJ)

SONAME := libg6gpu.so.$(MAJOR)
SHLIB  := $(L)/libg6gpu.so.$(VERSION)
ARLIB  := $(L)/libg6gpu.a
# The same library under another name: a program linked with it loads libsapporo.so, and so gets the profile gpu.
SAPPORO_LIB := $(B)/compat/libsapporo.so

# ---- tools -----------------------------------------------------------------------------------------------------
TOOL_NAMES := g6info $(if $(HAVE_CLI11),g6bench g6check g6worker) $(if $(and $(HAVE_CLI11),$(HAVE_HDF5),$(wildcard tools/g6run/main.cpp)),g6run) $(if $(HAVE_PYTHON),g6plot)
TOOLS      := $(TOOL_NAMES:%=$(BIN)/%)
TOOL_COMMON_OBJ := $(patsubst %.cpp,$(O)/%.o,$(wildcard tools/common/*.cpp))
tool_obj = $(patsubst %.cpp,$(O)/%.o,$(wildcard tools/$(1)/*.cpp))

.PHONY: all help lib tools check check-long demo deps test install uninstall clean asan ubsan tsan report
.DEFAULT_GOAL := all

all: report lib tools $(SAPPORO_LIB) man completion ## build library and tools, and all else that install needs
lib: need-compiler $(SHLIB) $(ARLIB) backends ## build the library and the loadable backends
tools: $(TOOLS) ## build g6info, g6run, g6bench, g6check, g6worker, g6plot

help: ## list the targets
	@sed -n 's/^\([a-z][a-z0-9_-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20
	@echo "  Settings (config.mk or command line): CXX FC PYTHON NVCC NVARCH MPICXX OPT PREFIX LIBDIR DESTDIR COMPAT B; V=1 shows the commands"

.PHONY: need-compiler report-run
need-compiler:
	$(if $(MACHINE),,@echo "no C++ compiler: $(CXX) cannot be started (Debian: apt install g++)"; exit 1)
report: need-compiler report-run
	@$(if $(HAVE_CLI11),:,echo "left out: g6bench, g6check, g6worker (CLI11 not found; Debian: libcli11-dev)")
	@$(if $(HAVE_FC),:,echo "left out: Fortran examples ($(FC) not found; Debian: gfortran)")
	@$(if $(HAVE_PYTHON),:,echo "left out: g6plot ($(PYTHON) not found; Debian: python3)")
	@$(if $(HAVE_GTEST),:,echo "left out: tests (GoogleTest not found; Debian: libgtest-dev)")
# The demo needs no more.
report-run: need-compiler
	@$(if $(HAVE_CLI11),:,echo "left out: g6run (CLI11 not found; Debian: libcli11-dev)")
	@$(if $(HAVE_HDF5),:,echo "left out: g6run (HDF5 not found; Debian: libhdf5-dev)")

# Every object depends on this file, so that other flags or another compiler compile it again.
FLAGS := $(O)/flags.txt
FLAGS_TEXT := $(CXX) $(ALL_CXXFLAGS) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(foreach i,$(ISAS),$(ISA_$(i)))
# FORCE unless the file has this text: a build that is up to date writes nothing.
unless_text = $(if $(findstring <$(strip $(2))>,<$(strip $(file <$(1)))>),,FORCE)
$(FLAGS): $(call unless_text,$(FLAGS),$(FLAGS_TEXT)) | need-compiler
	@mkdir -p $(@D); echo '$(subst ','\'',$(FLAGS_TEXT))' >$@
.PHONY: FORCE
FORCE:

$(O)/%.o: %.cpp $(FLAGS)
	$(compiling)
	@mkdir -p $(@D)
	$(CXX) $(ALL_CXXFLAGS) $(EXTRA_FLAGS) -c $< -o $@
$(O)/%.o: %.c $(FLAGS)
	$(compiling)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@
define kernel_rule
$(O)/backends/cpu/%.$(1).o: backends/cpu/%.cpp $(FLAGS)
	$$(compiling)
	@mkdir -p $$(@D)
	$(CXX) $(ALL_CXXFLAGS) -DG6_ISA=$(1) $(ISA_$(1)) -c $$< -o $$@
endef
$(foreach i,$(ISAS),$(eval $(call kernel_rule,$(i))))

# nodelete: dlclose() leaves the library in the process.  Its threads and those of drivers go on running, and would crash
# without their code.
link_library = $(CXX) -shared -Wl,-soname,$(1) -Wl,-z,defs -Wl,-z,nodelete -Wl,--version-script=libg6gpu/exports.map $(ALL_LDFLAGS) \
  $(LIB_OBJ) -o $@ $(LIBS)
$(SHLIB): $(LIB_OBJ) libg6gpu/exports.map
	@mkdir -p $(@D)
	$(call link_library,$(SONAME))
	ln -sf $(notdir $@) $(L)/$(SONAME)
	ln -sf $(SONAME) $(L)/libg6gpu.so
$(SAPPORO_LIB): $(LIB_OBJ) libg6gpu/exports.map
	@mkdir -p $(@D)
	$(call link_library,libsapporo.so)
$(ARLIB): $(LIB_OBJ)
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

# ---- backends that are loaded at run time ------------------------------------------------------------------------
# Each folder's rules.mk adds to BACKEND_LIBS.
BACKEND_FOLDERS ?= $(patsubst %/rules.mk,%,$(sort $(wildcard backends/*/rules.mk)))
BACKEND_LIBS :=
BACKEND_MAP  := libg6gpu/backend.map
-include $(BACKEND_FOLDERS:%=%/rules.mk)
# g6probe starts a driver in a process of its own before the library starts it; it lies beside the backends.
PROBE := $(L)/g6gpu/g6probe
.PHONY: backends
backends: $(BACKEND_LIBS) $(PROBE)
$(PROBE): $(addprefix $(O)/,tools/g6probe/main.o libg6gpu/core/backend_file.o)
	@mkdir -p $(@D)
	$(CXX) $(ALL_LDFLAGS) $^ -o $@ $(LIBS)
$(O)/tools/g6probe/%.o: EXTRA_FLAGS += -I.

# Tools see g6lib.h and single headers that need no part of the library (tests/layers.sh), and run from the build folder
# and from where they are installed.  --as-needed: g6bench and g6check open their libraries themselves; if libg6gpu were linked, calls of another library to its own g6_ names would end up in libg6gpu.
# -rdynamic: the libraries that g6check opens must see the plain g6_ names that g6check defines.
$(O)/tools/g6run/%.o: EXTRA_FLAGS += $(HDF5_CFLAGS)
# Without optimisation, because CLI11's templates take three times as long to compile as the rest of a tool otherwise.
$(O)/tools/g6bench/options.o $(O)/tools/g6check/options.o $(O)/tools/g6run/options.o $(O)/tools/g6worker/main.o: EXTRA_FLAGS += -O0
$(O)/tests/%.o: EXTRA_FLAGS += $(HDF5_CFLAGS)
define tool_rule
$(BIN)/$(1): $(call tool_obj,$(1)) $(TOOL_COMMON_OBJ) $(SHLIB)
	@mkdir -p $$(@D)
	$(CXX) $(ALL_LDFLAGS) $$(filter %.o,$$^) -o $$@ -L$(L) -Wl,--as-needed -lg6gpu -Wl,-rpath,'$$$$ORIGIN/../lib:$$$$ORIGIN/../lib64' $(if $(filter g6run,$(1)),$(HDF5_LIBS)) $(if $(filter g6check,$(1)),-rdynamic) $(LIBS)
endef
$(foreach t,g6info g6bench g6check g6run g6worker,$(eval $(call tool_rule,$(t))))

# ---- tests and examples ------------------------------------------------------------------------------------------
-include tests/rules.mk examples/rules.mk
-include docs/rules.mk tools/g6plot/rules.mk tools/packaging/rules.mk python/rules.mk

# make uses all cores, unless the caller gave a number of jobs.
ALL_CORES = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

deps: ## install all missing packages with apt (needs root or sudo)
	@CXX='$(CXX)' FC='$(FC)' PYTHON='$(PYTHON)' sh tools/setup.sh check

# The demo builds the CUDA backend only where a GPU and nvcc are there, and never the OpenCL backend.
demo: ## install what is missing, build, integrate a star cluster, draw it
	@CXX='$(CXX)' PYTHON='$(PYTHON)' sh tools/setup.sh run
	@$(MAKE) --no-print-directory $(ALL_CORES) demo-parts
	@$(MAKE) --no-print-directory run-demo

check: deps ## install what is missing, build, run the tests
	@$(MAKE) --no-print-directory $(ALL_CORES) all test-bins
	@$(MAKE) --no-print-directory test

# Before a release, and for who changes the build, a driver's calls or a compiler's flags.
check-long: ## check with every case, other compilers and processors, packages (an hour or two)
	@$(MAKE) --no-print-directory check LONG=1

.PHONY: format
format: ## let clang-format 14 write every source file
	@git ls-files '*.h' '*.cpp' '*.c' '*.cu' '*.cuh' '*.cl' | xargs clang-format-14 -i

.PHONY: compile-commands
compile-commands: ## write compile_commands.json for clangd, clang-tidy and editors
	@$(MAKE) -n V=1 B=build/none all test-bins 2>/dev/null | sed 's|build/none|$(B)|g' | sh tools/compile_commands.sh >compile_commands.json

# clang-tidy needs no kernel compiler; the files of MPI need mpi.h, which the wrapper of the compiler finds.
.PHONY: tidy
tidy: compile-commands ## check the C++ sources with clang-tidy (.clang-tidy has the list; half an hour)
	@git ls-files 'libg6gpu/*.cpp' 'backends/c*/*.cpp' 'backends/opencl/*.cpp' 'fortran/*.cpp' 'tools/*.cpp' | \
	  xargs -n1 -P"$$(nproc)" clang-tidy-14 -p . --quiet

.PHONY: demo-parts
demo-parts: report-run $(BIN)/g6run $(PROBE) $(if $(call have_tool,nvidia-smi),report-cuda) $(if $(GPU_ARCH),$(CUDA_CHOICE) $(CUDA_LIB))

# A 4096-body Plummer sphere for one N-body time unit.  g6plot draws it when a Python has numpy, h5py and matplotlib,
# else one line says how to get them.
DEMO_RUN    ?= --plummer 4096 --seed 1 --eps 0.00390625 --t-end 1
DEMO_FOLDER ?= $(B)/demo
.PHONY: run-demo
run-demo: $(BIN)/g6run $(if $(HAVE_PYTHON),$(BIN)/g6plot)
	@echo "g6run $(DEMO_RUN)"
	@$(BIN)/g6run $(DEMO_RUN) --output $(DEMO_FOLDER) --overwrite
	@$(if $(HAVE_PYTHON),$(PYTHON) $(BIN)/g6plot $(DEMO_FOLDER) || :,echo "no picture: g6plot needs Python (Debian: python3-numpy python3-h5py python3-matplotlib)")

asan: ## build and test with AddressSanitizer, in build/asan
	$(MAKE) B=build/asan OPT='-O1 -g' SAN='-fsanitize=address -fno-omit-frame-pointer' test-sanitized
ubsan: ## build and test with UndefinedBehaviorSanitizer, in build/ubsan
	$(MAKE) B=build/ubsan OPT='-O1 -g' SAN='-fsanitize=undefined -fno-sanitize-recover=undefined' test-sanitized
tsan: ## build and test with ThreadSanitizer, in build/tsan
	$(MAKE) B=build/tsan OPT='-O1 -g' SAN='-fsanitize=thread' test-threads

# ---- installation ------------------------------------------------------------------------------------------------
# The linker writes LIBDIR into programs, unless it is a folder that the loader searches by itself.
PC_RPATH = $(if $(filter /usr/lib /usr/lib/%,$(LIBDIR)),, -Wl,-rpath,$${libdir})
PC_LINES = 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$${prefix}/include' '' \
  'Name: libg6gpu' 'Description: GRAPE-6 interface on GPUs and CPUs' 'Version: $(VERSION)' \
  'Cflags: -I$${includedir}' 'Libs: -L$${libdir}$(PC_RPATH) -lg6gpu' \
  'Libs.private: $(ARCHIVE_LIBS)'
MANDIR ?= $(PREFIX)/share/man
# COMPAT=1: the library is also installed under the names of other GRAPE libraries.
COMPAT ?=
# All files that are installed as they were built.
.PHONY: built install-files
built: $(SHLIB) $(ARLIB) $(BACKEND_LIBS) $(PROBE) $(TOOLS) $(MAN_PAGES) $(COMPLETIONS) $(SAPPORO_LIB)
# Root writes nothing into the build folder of another user, whose next make would fail.
OTHERS_BUILD = $(if $(filter 0,$(shell id -u)),$(filter-out root,$(shell stat -c %U $(B) 2>/dev/null)))
# Everybody may read what is installed, whatever the umask.
install: $(if $(OTHERS_BUILD),,all) ## install library, header, Fortran module source, tools (PREFIX, DESTDIR; COMPAT=1: also under other libraries' names)
	@$(if $(OTHERS_BUILD),$(MAKE) --no-print-directory -q built || { echo "make install: $(B) is a build of $(OTHERS_BUILD) and not up to date with these settings; run make as $(OTHERS_BUILD) first"; exit 1; })
	@umask 022; $(MAKE) --no-print-directory V=1 install-files
install-files: built install-completion install-cmake $(if $(filter /usr,$(PREFIX)),,install-module) $(if $(HAVE_PYTHON),install-plot)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(LIBDIR)/g6gpu
	install -d $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man3
	install -m 644 include/g6lib.h fortran/g6lib.f90 $(DESTDIR)$(PREFIX)/include
	sh tools/packaging/compat.sh header $(DESTDIR)$(PREFIX)/include include/gp5util.h
	install -m 755 $(SHLIB) $(DESTDIR)$(LIBDIR)
	ln -sf $(notdir $(SHLIB)) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libg6gpu.so
	install -m 644 $(ARLIB) $(DESTDIR)$(LIBDIR)
	work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	  $(CXX) $(ALL_CXXFLAGS) -DG6_INSTALLED_BACKENDS='"$(LIBDIR)/g6gpu"' -c libg6gpu/core/installed.cpp -o "$$work/installed.o" && \
	  $(AR) r $(DESTDIR)$(LIBDIR)/libg6gpu.a "$$work/installed.o"
	printf '%s\n' $(PC_LINES) > $(DESTDIR)$(LIBDIR)/pkgconfig/libg6gpu.pc
	install -m 755 $(BACKEND_LIBS) $(PROBE) $(DESTDIR)$(LIBDIR)/g6gpu
	install -m 755 $(TOOLS) $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(filter %.1,$(MAN_PAGES)) $(DESTDIR)$(MANDIR)/man1
	install -m 644 $(filter %.3,$(MAN_PAGES)) $(DESTDIR)$(MANDIR)/man3
	$(if $(filter 1,$(COMPAT)),sh tools/packaging/compat.sh install $(DESTDIR)$(LIBDIR) $(DESTDIR)$(PREFIX)/include $(SONAME) $(SAPPORO_LIB))
	@test -n "$(DESTDIR)" || ldconfig 2>/dev/null || true
# uninstall removes these folders when they are empty; it leaves folders of the system alone.
OWN_FOLDERS = $(MODULES_FOLDER)/g6gpu $(CMAKE_FOLDER) $(if $(filter /usr /usr/local,$(PREFIX)),,$(MODULES_FOLDER) $(MANDIR)/man1 \
  $(MANDIR)/man3 $(MANDIR) $(COMPLETION_FOLDERS) $(PREFIX)/share $(LIBDIR)/cmake $(LIBDIR)/pkgconfig $(LIBDIR) $(PREFIX)/include \
  $(PREFIX)/bin $(PREFIX))
# All programs, whether or not this machine can still build them.
ALL_TOOLS := g6info g6run g6bench g6check g6worker g6plot
uninstall: ## remove what install put there
	sh tools/packaging/compat.sh uninstall $(DESTDIR)$(LIBDIR) $(DESTDIR)$(PREFIX)/include
	rm -f $(DESTDIR)$(PREFIX)/include/g6lib.h $(DESTDIR)$(PREFIX)/include/g6lib.f90
	rm -f $(DESTDIR)$(LIBDIR)/libg6gpu.so* $(DESTDIR)$(LIBDIR)/libg6gpu.a $(DESTDIR)$(LIBDIR)/pkgconfig/libg6gpu.pc
	rm -rf $(DESTDIR)$(LIBDIR)/g6gpu
	rm -f $(CMAKE_FILES:%=$(DESTDIR)$(CMAKE_FOLDER)/%)
	rm -f $(ALL_TOOLS:%=$(DESTDIR)$(PREFIX)/bin/%)
	rm -f $(ALL_TOOLS:%=$(DESTDIR)$(MANDIR)/man1/%.1) $(DESTDIR)$(MANDIR)/man3/g6lib.3
	rm -f $(ALL_TOOLS:%=$(DESTDIR)$(BASH_FOLDER)/%) $(ALL_TOOLS:%=$(DESTDIR)$(ZSH_FOLDER)/_%) $(MODULEFILE)
	rm -rf $(DESTDIR)$(PREFIX)/share/g6plot
	@for d in $(OWN_FOLDERS); do rmdir "$(DESTDIR)$$d" 2>/dev/null || true; done
clean: ## remove the build folder (B)
	rm -rf $(if $(filter-out $(abspath / $(CURDIR) $(CURDIR)/..),$(abspath $(B))),$(B),$(error B=$(B) is no folder to remove))

-include $(shell find $(O) -name '*.d' 2>/dev/null)
