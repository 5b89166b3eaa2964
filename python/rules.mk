# SPDX-License-Identifier: MIT
# The Python package and its wheel.  The package in build/python is complete: PYTHONPATH=build/python uses it.  It holds
# libg6gpu.so, the backends but MPI's, g6run and g6info; with BUNDLE=0 it holds none and uses what is installed.  It has
# the modules of g6plot in any case.

BUNDLE ?= 1
PY_ROOT := $(B)/python
PY := $(PY_ROOT)/g6gpu
PY_BACKENDS := $(filter-out $(MPI_LIB),$(BACKEND_LIBS))
PY_LIBS := $(if $(filter 1,$(BUNDLE)),$(SHLIB) $(PY_BACKENDS) $(PROBE))
# pip install -e . links the modules: PY_COPY='ln -s'.
PY_COPY ?= install -m 644
PY_PROGRAMS := $(if $(PY_LIBS),$(filter $(BIN)/g6run $(BIN)/g6info,$(TOOLS)))

.PHONY: python wheel
python: need-python $(if $(PY_LIBS),need-compiler) $(PY_LIBS) $(PY_PROGRAMS) $(BIN)/g6plot ## the Python package, in build/python
	rm -rf $(PY)
	install -d $(PY)
	$(PY_COPY) $(foreach f,$(wildcard python/g6gpu/*.py) include/g6lib.h,"$(CURDIR)/$(f)") $(PY)
	$(PYTHON) python/g6gpu/_header.py include/g6lib.h > $(PY)/calls.pyi
	: > $(PY)/py.typed
	cp -r $(B)/share/g6plot/. $(PY)
	$(if $(PY_LIBS),install -d $(PY)/lib/g6gpu && install -m 755 $(PY_BACKENDS) $(PROBE) $(PY)/lib/g6gpu && install -m 755 $(SHLIB) $(PY)/lib/$(SONAME))
	$(if $(PY_PROGRAMS),install -d $(PY)/bin && install -m 755 $(PY_PROGRAMS) $(PY)/bin)

wheel: python ## the Python package as a wheel, in build/wheel (BUNDLE=0: without the library)
	rm -rf $(B)/wheel
	$(PYTHON) python/build_wheel.py $(PY_ROOT) $(B)/wheel

.PHONY: need-python
need-python:
	@$(if $(HAVE_PYTHON),:,echo "the Python package needs $(PYTHON) (Debian: python3)"; exit 1)
