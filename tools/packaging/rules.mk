# SPDX-License-Identifier: MIT
# Shell completion, files for CMake, a modulefile, source tarball, Debian's packages.  packaging/ has the recipes of distributions.

COMPLETION := $(B)/completion
COMPLETIONS := $(TOOL_NAMES:%=$(COMPLETION)/bash/%) $(TOOL_NAMES:%=$(COMPLETION)/zsh/_%)
COMPLETION_AWK := tools/packaging/completion.awk
BASH_FOLDER ?= $(PREFIX)/share/bash-completion/completions
ZSH_FOLDER  ?= $(PREFIX)/share/zsh/site-functions
INSTALLED_COMPLETIONS = $(TOOL_NAMES:%=$(DESTDIR)$(BASH_FOLDER)/%) $(TOOL_NAMES:%=$(DESTDIR)$(ZSH_FOLDER)/_%)
COMPLETION_FOLDERS = $(foreach f,$(BASH_FOLDER) $(ZSH_FOLDER),$(f) $(patsubst %/,%,$(dir $(f))))

define completion_rule
$(COMPLETION)/$(1): $(BIN)/% $(COMPLETION_AWK)
	@mkdir -p $$(@D)
	env -i PATH="$$$$PATH" $$< --help > $$@.help
	awk -v shell=$(2) -v tool=$$(<F) -f $(COMPLETION_AWK) $$@.help > $$@ && rm $$@.help
endef
$(eval $(call completion_rule,bash/%,bash))
$(eval $(call completion_rule,zsh/_%,zsh))

.PHONY: completion install-completion
completion: $(COMPLETIONS) ## completion of the tools' options for bash and zsh, in build/completion
install-completion: completion
	install -d $(DESTDIR)$(BASH_FOLDER) $(DESTDIR)$(ZSH_FOLDER)
	install -m 644 $(filter $(COMPLETION)/bash/%,$(COMPLETIONS)) $(DESTDIR)$(BASH_FOLDER)
	install -m 644 $(filter $(COMPLETION)/zsh/%,$(COMPLETIONS)) $(DESTDIR)$(ZSH_FOLDER)

# What find_package(g6gpu) of CMake reads.
CMAKE_FOLDER = $(LIBDIR)/cmake/g6gpu
CMAKE_FILES  := g6gpuConfig.cmake g6gpuConfigVersion.cmake
CMAKE_VALUES  = -e 's|@UP@|$(shell realpath -m --relative-to=$(CMAKE_FOLDER) $(PREFIX))|' -e 's|@VERSION@|$(VERSION)|' \
  -e 's|@MAJOR@|$(MAJOR)|' -e 's|@SONAME@|$(SONAME)|' -e 's|@ARCHIVE_LIBS@|$(subst $(eval) ,;,$(strip $(ARCHIVE_LIBS)))|'
.PHONY: install-cmake
install-cmake:
	install -d $(DESTDIR)$(CMAKE_FOLDER)
	for f in $(CMAKE_FILES); do sed $(CMAKE_VALUES) tools/packaging/cmake/$$f > $(DESTDIR)$(CMAKE_FOLDER)/$$f || exit 1; done

# What module load g6gpu reads, where a computing centre has modules.  What lies in /usr needs none.
MODULES_FOLDER ?= $(PREFIX)/share/modulefiles
MODULEFILE = $(DESTDIR)$(MODULES_FOLDER)/g6gpu/$(VERSION)
.PHONY: install-module
install-module:
	install -d $(dir $(MODULEFILE))
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@MODULES@|$(MODULES_FOLDER)|' -e 's|@MANDIR@|$(MANDIR)|' \
	  tools/packaging/modulefile > $(MODULEFILE)

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

deb: ## Debian package with library, headers, backends, tools, Python module, in build/deb
	@command -v dpkg-deb >/dev/null || { echo "make deb needs dpkg-deb"; exit 1; }
	@command -v dpkg-shlibdeps >/dev/null || { echo "make deb needs dpkg-shlibdeps (Debian: dpkg-dev): it finds the libraries that the package depends on"; exit 1; }
	rm -rf $(DEB_ROOT)
	$(MAKE) --no-print-directory install PREFIX=/usr LIBDIR=$(DEB_LIBDIR) DESTDIR=$(DEB_ROOT) COMPAT= ZSH_FOLDER=/usr/share/zsh/vendor-completions $(if $(NVCC),NVARCH=$(PACKAGE_NVARCH)) CUDA_CHOICE=
	$(if $(HAVE_PYTHON),$(MAKE) --no-print-directory BUNDLE=0 PY_ROOT=$(DEB_ROOT)/usr/lib/python3/dist-packages python)
	sh tools/packaging/deb.sh $(VERSION) $(B)/deb

# The distribution's packages, without CUDA: packaging/debian.  DEBFULLNAME and DEBEMAIL name another maintainer.
DEB_SOURCE := $(B)/debian/libg6gpu-$(VERSION)
.PHONY: debian-source debian-packages
debian-source: dist ## source package for Debian, of the last commit, in build/debian
	@command -v dpkg-source >/dev/null || { echo "make debian-source needs dpkg-source (Debian: dpkg-dev)"; exit 1; }
	rm -rf $(B)/debian && mkdir -p $(B)/debian
	cp $(TARBALL) $(B)/debian/libg6gpu_$(VERSION).orig.tar.gz
	tar -xzf $(TARBALL) -C $(B)/debian
	cp -r $(DEB_SOURCE)/packaging/debian $(DEB_SOURCE)/debian
	$(if $(DEBEMAIL),sed -i 's/The libg6gpu developers <.*>/$(or $(DEBFULLNAME),The libg6gpu developers) <$(DEBEMAIL)>/' $(DEB_SOURCE)/debian/control $(DEB_SOURCE)/debian/changelog)
	cd $(B)/debian && dpkg-source --build $(notdir $(DEB_SOURCE))
# The build is a packager's, without this make's settings.
debian-packages: debian-source ## its packages, and what lintian says of them (minutes)
	@command -v dh >/dev/null || { echo "make debian-packages needs Debian's tools (apt install debhelper dh-python lintian)"; exit 1; }
	cd $(DEB_SOURCE) && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc
	cd $(B)/debian && lintian --fail-on error $(if $(filter 0,$(shell id -u)),--allow-root) *.changes
