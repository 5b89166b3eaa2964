// SPDX-License-Identifier: MIT
// Fortran names of the calls, which g6lib.h does not declare, and one way to call any form.
#pragma once

#include "call.h"

#include "g6lib.h"

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
// The rows of the library's tables of names.
#define CALL(name, ...) G6FUZZ_TWINS(name)
#define VOID_CALL(name, ...) G6FUZZ_TWINS(name)
#include "libg6gpu/api/names.h"
G6FUZZ_TWINS(g6_set_neighbour_list_sort_mode)
extern "C" decltype(g6_set_j_particle_multisend_mxfast_) g6_set_j_particle_multisend_mxfast__;

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
