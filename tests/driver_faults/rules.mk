# SPDX-License-Identifier: MIT
# Driver calls that fail: the program, the wrapper of OpenCL's calls (for LD_PRELOAD), and
# g6_cuda.so with the wrapper of the CUDA runtime's calls.
DRIVER_FAULTS_DIR := $(B)/test-backends/driver_faults
DRIVER_FAULTS_OBJ := $(addprefix $(O)/tests/,driver_faults/main.o driver_faults/reserve.o faults/session.o) $(TEST_SUMS_OBJ)
DRIVER_FAULTS_BIN := $(BIN)/g6test-driver-faults
DRIVER_FAULTS_CL  := $(if $(OPENCL_LIB),$(DRIVER_FAULTS_DIR)/libopencl_calls.so)
DRIVER_FAULTS_CUDA := $(if $(CUDA_LIB),$(DRIVER_FAULTS_DIR)/g6_cuda.so)

$(O)/tests/driver_faults/opencl_calls.o: EXTRA_FLAGS += $(OPENCL_FLAGS)
$(O)/tests/driver_faults/cuda_calls.o: EXTRA_FLAGS += -isystem $(CUDA_HOME)/include

$(DRIVER_FAULTS_BIN): $(DRIVER_FAULTS_OBJ) $(SHLIB)
	@mkdir -p $(@D)
	$(CXX) $(ALL_LDFLAGS) $(filter %.o,$^) -o $@ -L$(L) -lg6gpu -Wl,-rpath,'$$ORIGIN/../lib' $(LIBS)

# The loader must stand behind the wrapper in the program's own scope, where RTLD_NEXT looks.
$(DRIVER_FAULTS_DIR)/libopencl_calls.so: $(patsubst %,$(O)/tests/driver_faults/%.o,opencl_calls faults)
	@mkdir -p $(@D)
	$(CXX) -shared $(ALL_LDFLAGS) $^ -o $@ -Wl,--no-as-needed $(OPENCL_LIBS) $(LIBS)

# Names that are wrapped; driver_faults.sh compares them with those that the backend calls.
CUDA_CALLS = $(shell sed -E -n 's/^(CALL|MAKE|RELEASE).([A-Za-z_0-9]+),.*/\2/p' tests/driver_faults/cuda_calls.cpp) \
  cudaGetLastError cudaPeekAtLastError
$(DRIVER_FAULTS_DIR)/g6_cuda.so: $(CUDA_OBJ) $(patsubst %,$(O)/tests/driver_faults/%.o,cuda_calls faults)
	@mkdir -p $(@D)
	$(NVCC) -shared $(ARCH_FLAGS) -cudart static $^ -o $@ -Xlinker -z,defs \
	  $(CUDA_CALLS:%=-Xlinker --wrap=%)

.PHONY: faults-drivers
faults-drivers: $(DRIVER_FAULTS_BIN) $(DRIVER_FAULTS_CL) $(DRIVER_FAULTS_CUDA) backends ## sessions with each driver call of OpenCL and CUDA failing (FAULT_STRIDE=N: every N-th)
	@$(clean_env); FAULT_STRIDE=$(or $(FAULT_STRIDE),1) B=$(B) sh tests/driver_faults/driver_faults.sh
