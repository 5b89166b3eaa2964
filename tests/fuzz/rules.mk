# SPDX-License-Identifier: MIT
# g6fuzz: random sequences of public calls, each answer compared with a model.  Linked with the
# static archive, so that a sanitizer sees all of it.

FUZZ_OBJ := $(patsubst %.cpp,$(O)/%.o,$(wildcard tests/fuzz/*.cpp))
FUZZ_SECONDS ?= 60
FUZZ_OUT ?= $(B)/fuzz
$(BIN)/g6fuzz: $(FUZZ_OBJ) $(O)/tools/common/resources.o $(TEST_ENV_OBJ) $(TEST_SUMS_OBJ) $(ARLIB) $(FAKE_LIBS)
	@mkdir -p $(@D)
	$(CXX) $(ALL_LDFLAGS) $(filter-out %.so,$^) -o $@ $(LIBS)

.PHONY: fuzz
test-bins: $(BIN)/g6fuzz
fuzz: $(BIN)/g6fuzz backends ## random calls against a model, FUZZ_SECONDS (60) on each backend
	@mkdir -p $(FUZZ_OUT); $(clean_env); B=$(B) sh tests/fuzz/fuzz.sh $(FUZZ_SECONDS) $(FUZZ_OUT)
