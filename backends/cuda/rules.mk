# SPDX-License-Identifier: MIT
# The CUDA backend, where nvcc is found.  NVARCH=sm_90 builds for one architecture,
# NVARCH="sm_80 sm_90" for some, NVARCH=all-major, as for a package, for every major one from 7.0 on
# that the toolkit knows.  The last one also gets PTX, for later GPUs.  The default is that of the
# GPUs in this machine, or else the two that computing centres have most: A100 and H100.
#
# The first make in a build folder writes its choice there, which holds until make clean or another
# choice on the command line: login nodes, compute nodes and make install then build the same.
CUDA_CHOICE ?= $(B)/cuda-choice.txt
CHOSEN      := $(if $(wildcard $(CUDA_CHOICE)),$(file <$(CUDA_CHOICE)))
CHOSEN_ARCH := $(patsubst nvarch=%,%,$(filter nvarch=%,$(CHOSEN)))
NVCC_ORIGIN := $(firstword $(origin NVCC))
CHOSEN_NVCC := $(patsubst nvcc=%,%,$(filter-out nvarch=%,$(CHOSEN)))
ifeq ($(NVCC_ORIGIN),undefined)
NVCC := $(if $(filter nvcc=,$(CHOSEN)),,$(or $(if $(call have_tool,$(CHOSEN_NVCC)),$(CHOSEN_NVCC)),$(call have_tool,nvcc),\
  $(wildcard /usr/local/cuda/bin/nvcc)))
endif
GPU_ARCH  := $(if $(NVCC),$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n 's/^\([0-9][0-9]*\)\.\([0-9]\)$$/sm_\1\2/p' | sort -u))
# NVIDIA's containers have a variable of this name that means the processor.
ifneq ($(filter environment%,$(origin NVARCH)),)
NVARCH := $(filter sm_% compute_% all all-major native,$(NVARCH))
endif
PACKAGE_NVARCH := $(or $(NVARCH),all-major)
ifeq ($(NVARCH),)
NVARCH := $(or $(CHOSEN_ARCH),$(GPU_ARCH),sm_80 sm_90)
ifeq ($(or $(CHOSEN_ARCH),$(GPU_ARCH)),)
CUDA_NOTE := CUDA backend for $(NVARCH), since this machine shows no GPU; NVARCH=sm_75 and the like, or all-major, for others
endif
endif
# Kernels take their arguments as __grid_constant__, which the compiler has from compute capability
# 7.0 on.  CUDA 12 also knows 5.0 and 6.0, and nvcc's own all-major has code for these, so that the
# major architectures are named one by one.
NV_MAJOR   := $(if $(and $(NVCC),$(filter all-major,$(NVARCH))),$(shell { $(NVCC) --list-gpu-arch; } 2>/dev/null | sed -n 's/^compute_//p' | \
  sort -n | awk '$$1 >= 70 && !seen[int($$1 / 10)]++ { print "sm_" $$1 }'))
NV_CODE    := $(or $(NV_MAJOR),$(NVARCH))
ARCH_FLAGS := $(if $(word 2,$(NV_CODE)),$(foreach a,$(NV_CODE:sm_%=%),-gencode=arch=compute_$(a),code=sm_$(a)) \
  $(foreach a,$(lastword $(NV_CODE:sm_%=%)),-gencode=arch=compute_$(a),code=compute_$(a)),-arch=$(NV_CODE))
# Two things are not recorded: a choice in a file such as config.mk, which lasts anyway, and that no
# nvcc was found.
CUDA_CHOICE_TEXT := $(if $(or $(NVCC),$(filter command environment,$(NVCC_ORIGIN))),nvcc=$(NVCC) $(if $(NVCC),$(NVARCH:%=nvarch=%)))
CUDA_CHOICE_TEXT := $(if $(filter file,$(NVCC_ORIGIN)),,$(or $(CUDA_CHOICE_TEXT),$(CHOSEN)))
ifneq ($(and $(CUDA_CHOICE),$(CUDA_CHOICE_TEXT)),)
$(CUDA_CHOICE): $(call unless_text,$(CUDA_CHOICE),$(CUDA_CHOICE_TEXT)) | need-nvcc
	@mkdir -p $(@D); echo '$(strip $(CUDA_CHOICE_TEXT))' >$@
report backends: $(CUDA_CHOICE)
endif
CUDA_HOME := $(if $(NVCC),$(abspath $(dir $(NVCC))..))

ifneq ($(NVCC),)
CUDA_LIB := $(L)/g6gpu/g6_cuda.so
CUDA_OBJ := $(patsubst %,$(O)/backends/cuda/%.o,receive predict force tensor tensor_factors reduce few lists tree_build tree_cells tree_moments tree_walk tree_search deliver context device i_particles j_particles results neighbour_lists few_step direct_step walk_step cuda)
# -fmad=false: a*b+c is fused only where the source says so.  No fast-math: float conversions must
# keep denormals.
NVFLAGS  := -std=c++17 -O3 $(ARCH_FLAGS) -fmad=false -lineinfo -Iinclude -Xcompiler -fPIC,-fvisibility=hidden
BACKEND_LIBS += $(CUDA_LIB)

NVCC_FLAGS := $(O)/nvcc-flags.txt
$(NVCC_FLAGS): $(call unless_text,$(NVCC_FLAGS),$(NVCC) $(NVFLAGS)) | need-nvcc
	@mkdir -p $(@D); echo '$(NVCC) $(NVFLAGS)' >$@
$(O)/backends/cuda/%.o: backends/cuda/%.cu $(NVCC_FLAGS)
	$(compiling)
	@mkdir -p $(@D)
	$(NVCC) $(NVFLAGS) -MD -MP -MF $(@:.o=.d) -c $< -o $@
$(O)/backends/cuda/%.o: EXTRA_FLAGS += -isystem $(CUDA_HOME)/include
# The CUDA runtime is linked statically and finds the driver at run time: without one the backend
# refuses itself.
$(CUDA_LIB): $(CUDA_OBJ) $(BACKEND_MAP)
	@mkdir -p $(@D)
	$(NVCC) -shared $(ARCH_FLAGS) -cudart static $(CUDA_OBJ) -o $@ -Xlinker -z,defs -Xlinker --version-script=$(BACKEND_MAP)
endif
report: report-cuda
.PHONY: report-cuda need-nvcc
need-nvcc:
	$(if $(NVCC),$(if $(shell $(NVCC) --version >/dev/null 2>&1 && echo yes),,@echo "no nvcc: $(NVCC) cannot be started (NVCC=FILE names another, NVCC= leaves CUDA out)"; exit 1))
report-cuda: need-nvcc
	@$(if $(NVCC),$(if $(CUDA_NOTE),echo "$(CUDA_NOTE)",:),echo "left out: CUDA backend (nvcc not found; set NVCC or install the CUDA toolkit)")
