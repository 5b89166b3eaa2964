// SPDX-License-Identifier: MIT
// The Fortran twins of g6lib.h, which the header does not declare, and one way to call any form.
#pragma once

#include "call.h"

#include "g6lib.h"
#include "gp5util.h"

#include <type_traits>

namespace g6fuzz {

template <class T>
using Passed = std::conditional_t<std::is_pointer<T>::value, T, std::add_pointer_t<T>>;
template <class F> struct TwinOf;
template <class R, class... A> struct TwinOf<R(A...)> {
    using Type = int(Passed<A>...);
};

}  // namespace g6fuzz

// A function may be declared by its type.
#define G6FUZZ_TWINS(name) extern "C" g6fuzz::TwinOf<decltype(name)>::Type name##_, name##__;
#define G6FUZZ_TWINS_ALL(name) G6FUZZ_TWINS(name) G6FUZZ_TWINS(name##_all)

G6FUZZ_TWINS_ALL(g6_open)
G6FUZZ_TWINS_ALL(g6_close)
G6FUZZ_TWINS(g6_npipes)
G6FUZZ_TWINS(g6_get_number_of_pipelines)
G6FUZZ_TWINS(g6_reset)
G6FUZZ_TWINS(g6_reset_fofpga)
G6FUZZ_TWINS(g6_reinitialize)
G6FUZZ_TWINS(g6_set_tunit)
G6FUZZ_TWINS(g6_set_xunit)
G6FUZZ_TWINS_ALL(g6_set_ti)
G6FUZZ_TWINS_ALL(g6_set_j_particle)
G6FUZZ_TWINS_ALL(g6_set_j_particle_mxonly)
G6FUZZ_TWINS_ALL(g6calc_firsthalf)
G6FUZZ_TWINS_ALL(g6calc_firsthalf0)
G6FUZZ_TWINS_ALL(g6calc_lasthalf)
G6FUZZ_TWINS_ALL(g6calc_lasthalf0)
G6FUZZ_TWINS_ALL(g6calc_lasthalf2)
G6FUZZ_TWINS(g6calc_lasthalfn)
G6FUZZ_TWINS(g6calc_lasthalf2n)
G6FUZZ_TWINS(g6calc_lasthalf2p)
G6FUZZ_TWINS(g6calc_lasthalf2np)
G6FUZZ_TWINS_ALL(g6_read_neighbour_list)
G6FUZZ_TWINS(g6_read_neighbour_list_old)
G6FUZZ_TWINS_ALL(g6_get_neighbour_list)
G6FUZZ_TWINS(g6_set_neighbour_list_sort_mode)
G6FUZZ_TWINS(g6_get_neighbour_list_sort_mode)
G6FUZZ_TWINS(g6_initialize_jp_buffer)
G6FUZZ_TWINS(g6_flush_jp_buffer)
G6FUZZ_TWINS(g6_setup_njdata)
G6FUZZ_TWINS(g6_set_overflow_flag_test_mode)
G6FUZZ_TWINS(g6_print_chip_status)
G6FUZZ_TWINS(g6_flush_jp_buffer_and_multisend)
G6FUZZ_TWINS_ALL(g6_set_nip)
G6FUZZ_TWINS_ALL(g6_set_njp)
G6FUZZ_TWINS_ALL(g6_set_i_particle_scales_from_real_value)
G6FUZZ_TWINS_ALL(g6_set_i_particle)
G6FUZZ_TWINS_ALL(g6_get_force)
G6FUZZ_TWINS_ALL(g6_get_force_etc)
G6FUZZ_TWINS_ALL(g6_get_predicted_j_particles)
G6FUZZ_TWINS_ALL(g6_getnjmax)
extern "C" decltype(g6_set_j_particle_multisend_mxfast_) g6_set_j_particle_multisend_mxfast__;

#define G6FUZZ_TWINS_MC(name) G6FUZZ_TWINS(name) G6FUZZ_TWINS(name##MC)

G6FUZZ_TWINS(g5_open)
G6FUZZ_TWINS(g5_close)
G6FUZZ_TWINS(g5_get_number_of_pipelines)
G6FUZZ_TWINS(g5_get_number_of_pipelines_per_board)
G6FUZZ_TWINS(g5_get_number_of_boards)
G6FUZZ_TWINS(g5_get_firstcluster)
G6FUZZ_TWINS(g5_get_jmemsize)
G6FUZZ_TWINS(g5_set_range)
G6FUZZ_TWINS(g5_set_eta)
G6FUZZ_TWINS(g5_set_eps_to_all)
G6FUZZ_TWINS(g5_set_eps2_to_all)
G6FUZZ_TWINS_MC(g5_set_n)
G6FUZZ_TWINS_MC(g5_set_xmj)
G6FUZZ_TWINS_MC(g5_set_jp)
G6FUZZ_TWINS_MC(g5_set_mj)
G6FUZZ_TWINS_MC(g5_set_xj)
G6FUZZ_TWINS_MC(g5_set_eps)
G6FUZZ_TWINS_MC(g5_set_xi)
G6FUZZ_TWINS_MC(g5_set_xei)
G6FUZZ_TWINS_MC(g5_run)
G6FUZZ_TWINS_MC(g5_get_force)
G6FUZZ_TWINS_MC(g5_calculate_force_on_x)
G6FUZZ_TWINS_MC(g5_calculate_force_on_xe)
G6FUZZ_TWINS(g5_set_xmj0)
G6FUZZ_TWINS(g5_set_xmjMC0)
G6FUZZ_TWINS(g5_set_xiMC0)
G6FUZZ_TWINS(g5_runMC0)
G6FUZZ_TWINS(g5_calculate_force_on_x0)
G6FUZZ_TWINS(g5_calculate_force_on_xMC0)
G6FUZZ_TWINS(g5_set_ip)
G6FUZZ_TWINS(g5_get_number_of_real_pipelines)
G6FUZZ_TWINS(g5_open_special)

namespace g6fuzz {

// The pointer to a scalar argument; a pointer stays one.
template <class T> Passed<T> pass(T &value)
{
    if constexpr (std::is_pointer<T>::value)
        return value;
    else
        return &value;
}

// One call by its plain name or by one of its twins.  null_first: the first scalar's pointer is
// NULL.
template <class R, class... A> struct Caller {
    Form form;
    bool null_first;

    int operator()(R (*plain)(A...), int (*twin1)(Passed<A>...), int (*twin2)(Passed<A>...),
                   A... arguments) const
    {
        if (is_twin(form)) {
            auto *twin = form == Form::kTwin1 || form == Form::kAllTwin1 ? twin1 : twin2;
            return by_pointers(twin, arguments...);
        }
        if constexpr (std::is_void<R>::value)
            return plain(arguments...), 0;
        else
            return plain(arguments...);
    }

private:
    template <class First, class... Rest>
    int by_pointers(int (*twin)(Passed<First>, Passed<Rest>...), First first, Rest... rest) const
    {
        return twin(null_first ? nullptr : pass(first), pass(rest)...);
    }
    int by_pointers(int (*twin)()) const { return twin(); }
};

// Types of the arguments come from the function alone.
template <class T> struct Exactly {
    using Type = T;
};
template <class R, class... A>
int call_form(Form form, bool null_first, R (*plain)(A...), int (*twin1)(Passed<A>...),
              int (*twin2)(Passed<A>...), typename Exactly<A>::Type... arguments)
{
    return Caller<R, A...>{form, null_first}(plain, twin1, twin2, arguments...);
}

}  // namespace g6fuzz

// In a function that has `const Call &c`.  ID: with an id; ALL: with an id, or the form without.
#define G6FUZZ_CALL(name, ...) call_form(c.form, false, name, name##_, name##__, ##__VA_ARGS__)
#define G6FUZZ_CALL_ID(name, ...)                                                                  \
    call_form(c.form, c.null_id, name, name##_, name##__, c.id, ##__VA_ARGS__)
#define G6FUZZ_CALL_ALL(name, ...)                                                                 \
    (is_all(c.form)                                                                                \
         ? call_form(c.form, false, name##_all, name##_all_, name##_all__, ##__VA_ARGS__)          \
         : G6FUZZ_CALL_ID(name, ##__VA_ARGS__))
// A g5 call with a device, or the form without.
#define G6FUZZ_CALL_MC(name, ...)                                                                  \
    (is_all(c.form) ? G6FUZZ_CALL(name, ##__VA_ARGS__) : G6FUZZ_CALL_ID(name##MC, ##__VA_ARGS__))
#define G6FUZZ_CALL_MC0(name, ...)                                                                 \
    (is_all(c.form) ? G6FUZZ_CALL(name##0, ##__VA_ARGS__)                                          \
                    : G6FUZZ_CALL_ID(name##MC0, ##__VA_ARGS__))
