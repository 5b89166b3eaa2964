# SPDX-License-Identifier: MIT
# Tests.  g6test is one GoogleTest binary for everything that runs in one process; four more
# programs are for the rest:
#   g6test-fake     loads the fake backends of tests/fake
#   g6test-threads  only tests/threads, without OpenMP, whose locks ThreadSanitizer does not see
#   g6test-probe    a client of the shared library that tests/process starts with G6_* variables
#   g6test-faults   a client of the shared library under a malloc that refuses (tests/faults)

TEST_ALL := $(shell find tests -name '*.cpp')
# The parts of g6run and of the OpenCL backend exist only where these are built.
TEST_RUN := $(if $(filter g6run,$(TOOL_NAMES)),,tests/tools/g6run_%)
TEST_CL := $(if $(OPENCL_LIB),,tests/opencl/shapes_test.cpp)
TEST_SRC := $(filter-out tests/cuda/few_protocol.cpp tests/driver_faults/% tests/fake/% tests/faulty/% tests/faults/% tests/fuzz/% tests/mpi/% tests/probe/% $(TEST_RUN) $(TEST_CL),$(TEST_ALL))
TEST_OBJ := $(TEST_SRC:%.cpp=$(O)/%.o)
TEST_RUN_OBJ := $(if $(filter g6run,$(TOOL_NAMES)),$(call tool_obj,g6run))
TEST_CL_OBJ := $(if $(OPENCL_LIB),$(O)/backends/opencl/shapes.o)
TEST_CHECK_OBJ := $(addprefix $(O)/tools/g6check/session_,check.o cluster.o)
TEST_TOOL_OBJ := $(TEST_CL_OBJ) $(TOOL_COMMON_OBJ) $(TEST_CHECK_OBJ) $(filter-out $(O)/tools/g6run/main.o $(O)/tools/g6run/huge_pages.o,$(TEST_RUN_OBJ))
TEST_TOOL_LIBS := $(if $(TEST_RUN_OBJ),$(HDF5_LIBS))
# Objects of every test program, and the long-double sums for programs that compute forces.
TEST_ENV_OBJ := $(O)/tests/environment.o
TEST_SUMS_OBJ := $(O)/tests/reference.o
TEST_FAKE_OBJ := $(patsubst %.cpp,$(O)/%.o,$(wildcard tests/fake/*.cpp))
# Parts of make check-long alone: other compilers and processors, and packages, which a release needs.
TEST_LONG_SH := tests/cpu/processors.sh tests/install/clang.sh tests/install/package.sh
TEST_SH := $(filter-out tests/run.sh tests/in_shards.sh tests/names.sh tests/contract.sh tests/abi.sh tests/install/bare_roots.sh $(TEST_LONG_SH),$(sort $(shell find tests -name '*.sh')))
GTEST_LIBS := -lgtest -lgtest_main

# Some tests are clients with OpenMP regions of their own.
TEST_OPENMP := $(if $(HAVE_OPENMP),-fopenmp)
# -I.: tests name the parts they look into from the top of the tree.  -Og: the compiler needs a quarter less time than with
# -O1.  A test spends its time in the library, in the long-double sums and in the fuzzer's model, which get -O1.
TEST_FLAGS := -I. $(TEST_OPENMP) $(if $(findstring -O3,$(OPT)),-Og)
$(O)/tests/%.o: EXTRA_FLAGS += $(TEST_FLAGS)
$(O)/tests/reference.o $(O)/tests/fuzz/%.o: EXTRA_FLAGS += $(if $(findstring -O3,$(OPT)),-O1)
# GoogleTest, the containers and the clients of the physics tests are compiled once.  Where the compiler takes no such
# header, it reads the text.
TEST_HEADER := $(O)/tests/precompiled.h
$(TEST_HEADER): tests/precompiled.h $(FLAGS)
	@mkdir -p $(@D); cp $< $@
$(TEST_HEADER).gch: EXTRA_FLAGS = $(TEST_FLAGS)
$(TEST_HEADER).gch: $(TEST_HEADER)
	$(compiling)
	$(CXX) $(ALL_CXXFLAGS) $(EXTRA_FLAGS) -x c++-header -c $< -o $@
TEST_GTEST_OBJ := $(filter-out $(TEST_SUMS_OBJ) $(TEST_ENV_OBJ),$(TEST_OBJ)) $(TEST_FAKE_OBJ)
$(TEST_GTEST_OBJ): $(TEST_HEADER).gch
$(TEST_GTEST_OBJ): EXTRA_FLAGS += -include $(TEST_HEADER)
$(O)/tests/opencl/%.o: EXTRA_FLAGS += $(OPENCL_FLAGS)

$(BIN)/g6test: $(TEST_OBJ) $(TEST_TOOL_OBJ) $(ARLIB)
	@mkdir -p $(@D)
	$(CXX) $(TEST_OPENMP) $(ALL_LDFLAGS) $^ -o $@ $(GTEST_LIBS) $(TEST_TOOL_LIBS) $(LIBS)

TEST_THREADS_OBJ := $(patsubst %.cpp,$(O)/%.o,$(wildcard tests/threads/*.cpp)) $(TEST_ENV_OBJ) $(TEST_SUMS_OBJ)
$(BIN)/g6test-threads: $(TEST_THREADS_OBJ) $(ARLIB)
	@mkdir -p $(@D)
	$(CXX) $(ALL_LDFLAGS) $^ -o $@ $(GTEST_LIBS) $(LIBS)

TEST_PROBE_OBJ := $(patsubst %.cpp,$(O)/%.o,$(wildcard tests/probe/*.cpp)) $(TEST_SUMS_OBJ)
$(BIN)/g6test-probe: $(TEST_PROBE_OBJ) $(SHLIB)
	@mkdir -p $(@D)
	$(CXX) $(TEST_OPENMP) $(ALL_LDFLAGS) $(filter %.o,$^) -o $@ -L$(L) -lg6gpu \
	  -Wl,-rpath,'$$ORIGIN/../lib' $(LIBS)

# ---- fake backends: each source tests/fake/backends/NAME.cpp becomes g6_NAME.so ------------------
FAKE_DIR := $(B)/test-backends/fakes
FAKE_SRC := $(wildcard tests/fake/backends/*.cpp)
FAKE_OBJ := $(FAKE_SRC:%.cpp=$(O)/%.o)
FAKE_LIBS := $(patsubst tests/fake/backends/%.cpp,$(FAKE_DIR)/g6_%.so,$(FAKE_SRC))
$(FAKE_DIR)/g6_%.so: $(O)/tests/fake/backends/%.o
	@mkdir -p $(@D)
	$(CXX) -shared $(ALL_LDFLAGS) $< -o $@
# Those that the setting "auto" takes are in a folder of their own: tests/fake/ranked/NAME.cpp.
RANKED_DIR := $(B)/test-backends/ranked
RANKED_SRC := $(wildcard tests/fake/ranked/*.cpp)
RANKED_LIBS := $(patsubst tests/fake/ranked/%.cpp,$(RANKED_DIR)/g6_%.so,$(RANKED_SRC))
$(RANKED_DIR)/g6_%.so: $(O)/tests/fake/ranked/%.o
	@mkdir -p $(@D)
	$(CXX) -shared $(ALL_LDFLAGS) $< -o $@
$(FAKE_DIR)/g6probe: $(PROBE)
	@mkdir -p $(@D)
	ln -sf "$(abspath $<)" $@
# Not a shared object at all: a refused file must not end the search.
$(FAKE_DIR)/g6_text.so:
	@mkdir -p $(@D)
	echo 'not a shared object' > $@

$(BIN)/g6test-fake: $(TEST_FAKE_OBJ) $(TEST_ENV_OBJ) $(TEST_SUMS_OBJ) $(ARLIB) $(FAKE_LIBS) $(RANKED_LIBS) $(FAKE_DIR)/g6_text.so $(FAKE_DIR)/g6probe
	@mkdir -p $(@D)
	$(CXX) $(ALL_LDFLAGS) $(filter %.o %.a,$^) -o $@ $(GTEST_LIBS) $(LIBS)

# What the tests of tests/process start and load lies beside g6test.
$(BIN)/g6test: | $(BIN)/g6test-probe $(FAKE_LIBS) $(RANKED_LIBS) $(FAKE_DIR)/g6_text.so $(FAKE_DIR)/g6probe

# ---- calls without memory: a malloc that refuses comes before all other libraries ---------------
SHORTAGE_LIB := $(B)/test-faults/libg6shortage.so
# NVIDIA's runtime, which g6_cuda.so brings, crashes when it is loaded and memory is short.
ifneq ($(OPENCL_LIB),)
SHORTAGE_OPENCL := $(B)/test-faults/opencl/g6_opencl.so
$(SHORTAGE_OPENCL): $(OPENCL_LIB)
	@mkdir -p $(@D)
	ln -sf "$(abspath $<)" $@
endif
$(SHORTAGE_LIB): $(O)/tests/faults/shortage/shortage.o
	@mkdir -p $(@D)
	$(CXX) -shared $(LDFLAGS) $< -o $@ $(LIBS)
$(BIN)/g6test-faults: $(patsubst %.cpp,$(O)/%.o,$(wildcard tests/faults/*.cpp)) $(TEST_SUMS_OBJ) $(SHORTAGE_LIB) $(SHORTAGE_OPENCL) $(SHLIB) $(FAKE_LIBS)
	@mkdir -p $(@D)
	$(CXX) $(ALL_LDFLAGS) $(filter %.o,$^) -o $@ -L$(dir $(SHORTAGE_LIB)) -lg6shortage -L$(L) -lg6gpu \
	  -Wl,-rpath,'$$ORIGIN/../test-faults:$$ORIGIN/../lib' $(LIBS)

# ---- a small GRAPE-6 library with faults, and one that lacks names, for g6check ------------------
FAULTY_LIBS := $(B)/test-faulty/libg6faulty.so $(B)/test-faulty/libg6minimal.so
$(FAULTY_LIBS): tests/faulty/g6.cpp
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -shared -fPIC -fvisibility=hidden $(WARN) -O1 -g $(if $(findstring minimal,$@),-DG6_MINIMAL) $< -o $@

include tests/driver_faults/rules.mk
include tests/fuzz/rules.mk

# A sanitizer has a malloc of its own: no g6test-faults with it.
TEST_BINS := $(addprefix $(BIN)/g6test,-probe -threads -fake $(if $(SAN),,-faults)) $(BIN)/g6test $(BIN)/g6fuzz
.PHONY: test test-bins test-sanitized test-threads need-gtest
.SECONDARY: $(TEST_OBJ) $(TEST_FAKE_OBJ) $(FAKE_OBJ) $(RANKED_SRC:%.cpp=$(O)/%.o)

need-gtest:
	@$(if $(HAVE_GTEST),:,echo "tests need GoogleTest (Debian: libgtest-dev)"; exit 1)
test-bins: $(if $(HAVE_GTEST),$(TEST_BINS) $(FAULTY_LIBS) backends) $(DRIVER_FAULTS_BIN) $(DRIVER_FAULTS_CL) $(DRIVER_FAULTS_CUDA)

# A user's own settings must not reach the tests: they start without any G6_ variable.
# Compiled kernels of the tests stay in the build folder.  PoCL optimises them in make check-long alone (tests/environment.cpp).
clean_env = unset $$(env | sed -n 's/^\(G6_[A-Z0-9_]*\)=.*/\1/p'); export XDG_CACHE_HOME="$(abspath $(B))/cache$(if $(LONG),-long)" \
  $(if $(LONG),,POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable)
script_env = LONG='$(LONG)' B=$(B) CC='$(CC)' CXX='$(CXX)' SAN='$(SAN)' ARCHIVE_LIBS='$(ARCHIVE_LIBS)'
HAVE_EXAMPLES := $(wildcard examples/rules.mk)
# make -n runs a line that names MAKE: it must only print there.
DRY_RUN = $(findstring n,$(firstword -$(MAKEFLAGS)))
test: need-gtest test-bins lib tools $(if $(HAVE_EXAMPLES),examples) ## build and run the tests
	@$(clean_env); $(if $(DRY_RUN),echo,exec env $(script_env) MAKE='$(MAKE)') sh tests/run.sh $(if $(HAVE_EXAMPLES),make:run-examples) \
	  $(TEST_SH) $(if $(LONG),$(TEST_LONG_SH)) $(BIN)/g6test-fake $(BIN)/g6test

# What depends on no device and starts no other program: the host core, the contract on the cpu, fake devices, layers, words.
QUICK_SH := tests/contract.sh tests/exports.sh tests/layers.sh tests/docs/links.sh tests/docs/pages.sh
QUICK_FILTER := -*opencl*:*OpenCl*:*cuda*:*Cuda*:*/cpu_*_*:HostOf*:Process*
.PHONY: check-quick
check-quick: need-gtest $(BIN)/g6test $(BIN)/g6test-fake $(BIN)/g6fuzz tools lib ## the tests of a minute or two, after a build
	@$(clean_env); $(if $(DRY_RUN),echo,exec env $(script_env) TIMES=$(B)/quick-times.txt TESTS='$(QUICK_FILTER)' MAKE='$(MAKE)') \
	  sh tests/run.sh $(QUICK_SH) $(BIN)/g6test-fake $(BIN)/g6test

.PHONY: check-processors
check-processors: need-gtest $(BIN)/g6test ## the cpu backend under QEMU as on SSE2, AVX2 and arm64 (Debian: qemu-user g++-aarch64-linux-gnu)
	@$(clean_env); $(script_env) MAKE='$(MAKE)' sh tests/cpu/processors.sh

.PHONY: faults faults-host
faults: faults-host faults-drivers ## refuse each request for memory in turn (half an hour)
faults-host: need-gtest $(BIN)/g6test-faults backends
	@$(clean_env); $(BIN)/g6test-faults

test-sanitized: need-gtest test-bins
	@$(clean_env); failed=0; $(BIN)/g6test-fake || failed=1; $(BIN)/g6test || failed=1; B=$(B) SAN=1 sh tests/contract.sh || failed=1; exit $$failed

test-threads: need-gtest $(BIN)/g6test-threads
	@$(clean_env); $(BIN)/g6test-threads

# PARTS, MIRROR, KEEP: see the script.
.PHONY: bare-roots
bare-roots: ## the README's first hour on bare Debian roots, with times (as root; ROOTS='12 13', PARTS='demo install deb')
	@B=$(B) PARTS='$(PARTS)' MIRROR='$(MIRROR)' KEEP='$(KEEP)' sh tests/install/bare_roots.sh $(ROOTS)

# N, SEED: how many mutants, and which.  MUTANTS: other options (python3 tests/mutants/mutants.py --help).
N    ?= 300
SEED ?= 1
.PHONY: mutants
mutants: need-gtest ## random changes of the sources, which the tests must notice (N=300 SEED=1; hours)
	@CXX='$(CXX)' $(PYTHON) tests/mutants/mutants.py -n $(N) --seed $(SEED) $(MUTANTS)

.PHONY: abi
abi: ## compare the calls and structures with those of an earlier version (OLD=COMMIT; the newest tag)
	@CXX='$(CXX)' sh tests/abi.sh $(OLD)
