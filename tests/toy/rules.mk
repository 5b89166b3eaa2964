# SPDX-License-Identifier: MIT
# As backends/NAME/rules.mk: makes g6_NAME.so and adds it to BACKEND_LIBS.
TOY_LIB := $(L)/g6gpu/g6_toy.so
BACKEND_LIBS += $(TOY_LIB)
$(O)/tests/toy/%.o: EXTRA_FLAGS += -I.
$(TOY_LIB): $(O)/tests/toy/toy.o
	@mkdir -p $(@D)
	$(CXX) -shared $(ALL_LDFLAGS) $^ -o $@ $(LIBS)
