# SPDX-License-Identifier: MIT
# The OpenCL backend, where headers and loader (libOpenCL) are found: in the system or in a CUDA
# toolkit.  Only g6_opencl.so is linked with the loader.  OPENCL= leaves it out.
OPENCL ?= 1
OPENCL_HOME   ?= $(firstword $(patsubst %/include/CL/cl.h,%,$(wildcard /usr/local/cuda/include/CL/cl.h)))
OPENCL_FLAGS  := $(if $(call have_header,CL/cl.h),,$(if $(OPENCL_HOME),-isystem $(OPENCL_HOME)/include))
OPENCL_HEADER := $(call have_header,CL/cl.h,$(OPENCL_FLAGS))
# Links a program to find out whether there is a loader: the linker knows its folders.
opencl_links   = $(shell echo 'int main() { return 0; }' | $(CXX) -x c++ - -o /dev/null $(1) -lOpenCL 2>/dev/null && echo yes)
OPENCL_LIBS   := $(if $(and $(OPENCL),$(OPENCL_HEADER)),$(if $(call opencl_links),-lOpenCL,$(if $(OPENCL_HOME),$(if $(call opencl_links,-L$(OPENCL_HOME)/lib64),-L$(OPENCL_HOME)/lib64 -lOpenCL))))

ifneq ($(OPENCL_LIBS),)
OPENCL_LIB  := $(L)/g6gpu/g6_opencl.so
OPENCL_OBJ  := $(patsubst %.cpp,$(O)/%.o,$(wildcard backends/opencl/*.cpp)) $(O)/libg6gpu/base/error.o \
  $(patsubst %.cpp,$(O)/%.o,$(wildcard libg6gpu/particles/*.cpp libg6gpu/tree/*.cpp))
OPENCL_TEXT := $(O)/backends/opencl/text.inc
OPENCL_MAIN := $(addprefix backends/opencl/,check.cl support.cl predict.cl force.cl walk_group.cl \
  nearest.cl lists.cl)
BACKEND_LIBS += $(OPENCL_LIB)

$(OPENCL_TEXT): backends/opencl/embed.awk $(wildcard backends/opencl/*.cl backends/opencl/walk_layout.h backends/opencl/few.h backends/gpu/root_mean.h backends/gpu/list_search.h backends/gpu/nearest_key.h libg6gpu/formulas/*.h)
	@mkdir -p $(@D)
	awk -f backends/opencl/embed.awk $(OPENCL_MAIN) > $@.new && mv $@.new $@
$(O)/backends/opencl/text.o: $(OPENCL_TEXT)
$(O)/backends/opencl/text.o: EXTRA_FLAGS += -I$(dir $(OPENCL_TEXT))
$(O)/backends/opencl/%.o: EXTRA_FLAGS += $(OPENCL_FLAGS)
$(OPENCL_LIB): $(OPENCL_OBJ) $(BACKEND_MAP)
	@mkdir -p $(@D)
	$(CXX) -shared $(ALL_LDFLAGS) $(OPENCL_OBJ) -o $@ -Wl,-z,defs -Wl,--version-script=$(BACKEND_MAP) $(OPENCL_LIBS) $(LIBS)
else
report: report-opencl
.PHONY: report-opencl
report-opencl:
	@echo "left out: OpenCL backend ($(if $(OPENCL),$(if $(OPENCL_HEADER),libOpenCL,CL/cl.h) not found,OPENCL is empty); Debian: ocl-icd-opencl-dev opencl-headers)"
endif
