#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the names that libg6gpu.so must export: the names that g6lib.h and gp5util.h declare, and for the calls in the
# tables of libg6gpu/api the names that Fortran compilers write, NAME_ and, with g77's second underscore, NAME__.
cd "$(dirname "$0")/.." || exit 1
{
    # Of the declarations, which end with a semicolon, the name in front of the first bracket.
    printf '#include <g6lib.h>\n#include <gp5util.h>\n' | ${CXX:-g++} -E -P -Iinclude -x c - | tr '\n' ' ' | tr ';{}' '\n\n\n' |
        sed -n 's/__attribute__((visibility("default")))//; s/^[^(]*[ *]\([a-z][A-Za-z0-9_]*\)(.*/\1/p' |
        grep -e '^g[56]' -e '^get_' | sed 's/.*_$/&\n&_/'
    # A compiler's small letters are those of a name with MC, too.
    ${CXX:-g++} -E -P -I. -x c++ - <<'END' | tr ' ' '\n' | grep '^g[56]'
#define CALL(name, ...) name##_ name##__
#define VOID_CALL CALL
#define MC_CALL(name, ...) CALL(name##MC) CALL(name##mc)
#define MC0_CALL(name, ...) CALL(name##MC0) CALL(name##mc0)
#include "libg6gpu/api/grape5_names.h"
#include "libg6gpu/api/names.h"
#include "libg6gpu/api/names_2002.h"
CALL(g6_set_neighbour_list_sort_mode) CALL(g6_preset_i_particle_scales_from_real_value) CALL(g5_get_pcibus_freq)
END
    # get_j_part_data() for clients without g6lib.h, with it in C (8 arguments), and in C++ (11).
    printf '%s\n' get_j_part_data g6_get_j_part_data _Z15get_j_part_dataiiPdS_S_S_S_S_RdS0_Ri
} | LC_ALL=C sort -u
