# SPDX-License-Identifier: MIT
# The CUDA backend, where nvcc is found.  NVARCH=sm_90 builds for one architecture; the default is machine code for every
# major architecture that the toolkit knows, and PTX for later ones.
NVCC      ?= $(firstword $(call have_tool,nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
NVARCH    ?= all-major
CUDA_HOME := $(if $(NVCC),$(abspath $(dir $(NVCC))..))

ifneq ($(NVCC),)
CUDA_LIB := $(L)/g6gpu/g6_cuda.so
CUDA_OBJ := $(patsubst %,$(O)/backends/cuda/%.o,force few support tree_build tree_cells tree_moments tree_walk tree_search context device device_block device_lists device_tree cuda)
# -fmad=false: a*b+c is fused only where the source says so.  No fast-math: float conversions must keep denormals.
NVFLAGS  := -std=c++17 -O3 -arch=$(NVARCH) -fmad=false -lineinfo -Iinclude -Xcompiler -fPIC,-fvisibility=hidden
BACKEND_LIBS += $(CUDA_LIB)

$(O)/backends/cuda/%.o: backends/cuda/%.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVFLAGS) -MD -MF $(@:.o=.d) -c $< -o $@
$(O)/backends/cuda/%.o: EXTRA_FLAGS += -isystem $(CUDA_HOME)/include
# The CUDA runtime is linked statically and finds the driver at run time: without one the backend refuses itself.
$(CUDA_LIB): $(CUDA_OBJ)
	@mkdir -p $(@D)
	$(NVCC) -shared -arch=$(NVARCH) -cudart static -Xcompiler -fopenmp $^ -o $@ -Xlinker -z,defs
else
report: report-cuda
.PHONY: report-cuda
report-cuda:
	@echo "left out: CUDA backend (nvcc not found; set NVCC or install the CUDA toolkit)"
endif
