# SPDX-License-Identifier: MIT
# Source tarball and Debian package.

TARBALL := $(B)/libg6gpu-$(VERSION).tar.gz
DEB_LIBDIR = /usr/lib/$(shell dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || $(CC) -print-multiarch)
DEB_ROOT := $(B)/deb/root

.PHONY: dist distcheck deb
# The files of the last commit: owners, order and times are those of the commit, so the bytes repeat.
dist: ## source tarball of the last commit, in build/
	@prefix=$$(git rev-parse --show-prefix 2>/dev/null) && test -z "$$prefix" || \
	  { echo "make dist needs git and a checkout"; exit 1; }
	@mkdir -p $(B)
	git archive --format=tar --prefix=libg6gpu-$(VERSION)/ HEAD | gzip -9n > $(TARBALL)
	@echo "$(TARBALL)"
distcheck: dist ## build and test from the tarball alone
	rm -rf $(B)/distcheck && mkdir -p $(B)/distcheck
	tar -xzf $(TARBALL) -C $(B)/distcheck
	$(MAKE) -C $(B)/distcheck/libg6gpu-$(VERSION) B=build all
	$(MAKE) -C $(B)/distcheck/libg6gpu-$(VERSION) B=build test

deb: ## Debian package with library, headers, backends, tools, in build/deb
	@command -v dpkg-deb >/dev/null || { echo "make deb needs dpkg-deb"; exit 1; }
	@command -v dpkg-shlibdeps >/dev/null || { echo "make deb needs dpkg-shlibdeps (Debian: dpkg-dev): it finds the libraries that the package depends on"; exit 1; }
	rm -rf $(DEB_ROOT)
	$(MAKE) --no-print-directory install PREFIX=/usr LIBDIR=$(DEB_LIBDIR) DESTDIR=$(abspath $(DEB_ROOT)) COMPAT= $(if $(NVCC),NVARCH=$(PACKAGE_NVARCH))
	sh tools/packaging/deb.sh $(abspath $(DEB_ROOT)) $(VERSION) $(abspath $(B)/deb)
