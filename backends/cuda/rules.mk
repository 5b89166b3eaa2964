# SPDX-License-Identifier: MIT
# The CUDA backend, where nvcc is found.  NVARCH=sm_90 builds for one architecture.  The default is that of the GPUs in
# this machine; with none, or several kinds, machine code for every major architecture that the toolkit knows, and PTX
# for later ones, as for a package (all-major).
NVCC      ?= $(firstword $(call have_tool,nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
GPU_ARCH  := $(if $(NVCC),$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n 's/^\([0-9][0-9]*\)\.\([0-9]\)$$/sm_\1\2/p' | sort -u))
# NVIDIA's containers have a variable of this name that means the processor.
ifneq ($(filter environment%,$(origin NVARCH)),)
NVARCH := $(filter sm_% compute_% all all-major native,$(NVARCH))
endif
PACKAGE_NVARCH := $(or $(NVARCH),all-major)
ifeq ($(NVARCH),)
NVARCH    := $(if $(filter 1,$(words $(GPU_ARCH))),$(GPU_ARCH),all-major)
endif
CUDA_HOME := $(if $(NVCC),$(abspath $(dir $(NVCC))..))

ifneq ($(NVCC),)
CUDA_LIB := $(L)/g6gpu/g6_cuda.so
CUDA_OBJ := $(patsubst %,$(O)/backends/cuda/%.o,receive copy_slots predict force tensor tensor_factors reduce few lists fault tree_build tree_cells tree_moments tree_walk tree_search deliver context peer device device_tree i_particles j_particles results neighbour_lists few_step direct_step walk_step cuda)
# -fmad=false: a*b+c is fused only where the source says so.  No fast-math: float conversions must keep denormals.
NVFLAGS  := -std=c++17 -O3 -arch=$(NVARCH) -fmad=false -lineinfo -Iinclude -Xcompiler -fPIC,-fvisibility=hidden
BACKEND_LIBS += $(CUDA_LIB)

NVCC_FLAGS := $(O)/nvcc-flags.txt
$(NVCC_FLAGS): $(call unless_text,$(NVCC_FLAGS),$(NVCC) $(NVFLAGS))
	@mkdir -p $(@D); echo '$(NVCC) $(NVFLAGS)' >$@
$(O)/backends/cuda/%.o: backends/cuda/%.cu $(NVCC_FLAGS)
	$(compiling)
	@mkdir -p $(@D)
	$(NVCC) $(NVFLAGS) -MD -MP -MF $(@:.o=.d) -c $< -o $@
$(O)/backends/cuda/%.o: EXTRA_FLAGS += -isystem $(CUDA_HOME)/include
# The CUDA runtime is linked statically and finds the driver at run time: without one the backend refuses itself.
$(CUDA_LIB): $(CUDA_OBJ)
	@mkdir -p $(@D)
	$(NVCC) -shared -arch=$(NVARCH) -cudart static $^ -o $@ $(OPENMP_LIBS) -Xlinker -z,defs
else
report: report-cuda
.PHONY: report-cuda
report-cuda:
	@echo "left out: CUDA backend (nvcc not found; set NVCC or install the CUDA toolkit)"
endif
