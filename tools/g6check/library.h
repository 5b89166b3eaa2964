// SPDX-License-Identifier: MIT
// The library under test: all Fortran names of the interface, called through pointers.  A call of
// a name that the library lacks throws NotOffered, so a rule need not list the names that it calls.
#pragma once

#include "verdict.h"

#include "../common/library_log.h"
#include "../common/shared_library.h"

#include <vector>

namespace g6check {

template <class Signature> class Entry;

template <class... Args> class Entry<int(Args...)> {
public:
    Entry(const g6tools::SharedLibrary &library, const char *name) : name_(name)
    {
        library.find(name, function_);
    }
    explicit operator bool() const { return function_ != nullptr; }
    // Where the library's function is void, the value means nothing; only rules about it look.
    int operator()(Args... args) const
    {
        if (!function_) throw NotOffered{std::string("no ") + name_};
        return function_(args...);
    }

private:
    const char *name_;
    int (*function_)(Args...) = nullptr;
};

using Rows = double (*)[3];

class Library {
    g6tools::SharedLibrary file_;

public:
    // Throws g6tools::Failure.
    explicit Library(const std::string &file);

    const g6tools::SharedLibrary &shared() const { return file_; }
    bool has(const std::string &name) const { return file_.symbol(name.c_str()) != nullptr; }
    // The value of a setting; "" where the library has no such setting.
    std::string setting(const char *key) const;
    bool computes_jerk() const { return mode_ != "treeonly"; }
    void need_hermite(const char *what) const;
    // Mode and precision that the library says it has; "" when it has no such settings.
    const std::string &mode() const { return mode_; }
    const std::string &precision() const { return precision_; }
    std::string describe() const;
    // From here on the log takes the library's messages.
    void report_to(g6tools::LibraryLog &log) const;

    using Id = int *;
    Entry<int(Id)> open{file_, "g6_open_"}, close{file_, "g6_close_"};
    Entry<int()> npipes{file_, "g6_npipes_"}, pipelines{file_, "g6_get_number_of_pipelines_"};
    Entry<int(Id)> reset{file_, "g6_reset_"}, reset_fofpga{file_, "g6_reset_fofpga_"},
        reinitialize{file_, "g6_reinitialize_"};
    Entry<int(void *)> set_tunit{file_, "g6_set_tunit_"}, set_xunit{file_, "g6_set_xunit_"};
    Entry<int(Id, double *)> set_ti{file_, "g6_set_ti_"};
    Entry<int(Id, int *address, int *index, double *tj, double *dtj, double *mass, double *k18,
              double *j6, double *a2, double *v, double *x)>
        set_j{file_, "g6_set_j_particle_"};
    Entry<int(Id, int *nj, int *ni, int *index, Rows xi, Rows vi, Rows aold, Rows j6old,
              double *phiold, double *eps2, double *h2)>
        firsthalf{file_, "g6calc_firsthalf_"};
    using Last = Entry<int(Id, int *nj, int *ni, int *index, Rows xi, Rows vi, double *eps2,
                           double *h2, Rows acc, Rows jerk, double *pot)>;
    using Last2 = Entry<int(Id, int *nj, int *ni, int *index, Rows xi, Rows vi, double *eps2,
                            double *h2, Rows acc, Rows jerk, double *pot, int *nearest)>;
    using Last2p =
        Entry<int(Id, int *nj, int *ni, int *index, Rows xi, Rows vi, double *eps2, double *h2,
                  Rows acc, Rows jerk, double *pot, int *nearest, float *distance)>;
    Last lasthalf{file_, "g6calc_lasthalf_"}, lasthalfn{file_, "g6calc_lasthalfn_"};
    Last2 lasthalf2{file_, "g6calc_lasthalf2_"}, lasthalf2n{file_, "g6calc_lasthalf2n_"};
    Last2p lasthalf2p{file_, "g6calc_lasthalf2p_"}, lasthalf2np{file_, "g6calc_lasthalf2np_"};

    Entry<int(Id)> read_list{file_, "g6_read_neighbour_list_"},
        read_list_old{file_, "g6_read_neighbour_list_old_"};
    Entry<int(Id, int *pipe, int *maxlength, int *length, int *list)> get_list{
        file_, "g6_get_neighbour_list_"};
    Entry<int(void *)> set_sort{file_, "g6_set_neighbour_list_sort_mode_"};
    Entry<int()> get_sort{file_, "g6_get_neighbour_list_sort_mode_"};

    Entry<int(Id, void *)> initialize_buffer{file_, "g6_initialize_jp_buffer_"};
    Entry<int(Id)> flush_buffer{file_, "g6_flush_jp_buffer_"};
    Entry<int(Id, int *)> setup_njdata{file_, "g6_setup_njdata_"};
    Entry<int(void *, void *, void *)> overflow_test{file_, "g6_set_overflow_flag_test_mode_"};
    Entry<int(Id)> changed_index{file_, "g6_changed_index_"};
    Entry<int(Id)> chip_status{file_, "g6_print_chip_status_"};

    Entry<int(Id, int *address, int *index, double *mass, double *x)> set_point{
        file_, "g6_set_j_particle_mxonly_"};
    Entry<int(Id, int *clusters, int *address, int *index, double *mass, double *x)>
        set_point_multi{file_, "g6_set_j_particle_multisend_mxfast_"};
    Entry<int(Id, int *clusters)> flush_multi{file_, "g6_flush_jp_buffer_and_multisend_"};

    Entry<int(Id, int *nj, int *ni, int *index, Rows xi, Rows vi, Rows aold, Rows j6old,
              double *phiold, double *eps2, double *h2, int *mode)>
        firsthalf0{file_, "g6calc_firsthalf0_"};
    Entry<int(Id, int *nj, int *ni, int *index, Rows xi, Rows vi, double *eps2, double *h2,
              Rows acc, Rows jerk, double *pot, int *mode)>
        lasthalf0{file_, "g6calc_lasthalf0_"};
    Entry<int(Id, int *)> set_nip{file_, "g6_set_nip_"}, set_njp{file_, "g6_set_njp_"};
    Entry<int(Id, int *address, int *index, double *x, double *v, double *eps2, double *h2)> set_i{
        file_, "g6_set_i_particle_"};
    Entry<int(Id, Rows acc, Rows jerk, double *pot, int *flag)> get_force{file_, "g6_get_force_"};
    Entry<int(Id, Rows acc, Rows jerk, double *pot, int *nearest, int *flag)> get_force_etc{
        file_, "g6_get_force_etc_"};
    Entry<int(Id, int *nj, Rows x, Rows v)> get_predicted{file_, "g6_get_predicted_j_particles_"};
    Entry<int(Id)> njmax{file_, "g6_getnjmax_"};

    Entry<int()> open_all{file_, "g6_open_all_"}, close_all{file_, "g6_close_all_"};
    Entry<int(double *)> set_ti_all{file_, "g6_set_ti_all_"};
    Entry<int(int *address, int *index, double *tj, double *dtj, double *mass, double *k18,
              double *j6, double *a2, double *v, double *x)>
        set_j_all{file_, "g6_set_j_particle_all_"};
    Entry<int(int *nj, int *ni, int *index, Rows xi, Rows vi, Rows aold, Rows j6old, double *phiold,
              double *eps2, double *h2)>
        firsthalf_all{file_, "g6calc_firsthalf_all_"};
    Entry<int(int *nj, int *ni, int *index, Rows xi, Rows vi, double *eps2, double *h2, Rows acc,
              Rows jerk, double *pot)>
        lasthalf_all{file_, "g6calc_lasthalf_all_"};

    // C names that have no Fortran name beside them.
    Entry<int(int, int *)> open_special{file_, "g6_open_special"};
    Entry<int(int, int *, int)> open_special2{file_, "g6_open_special2"};
    Entry<int()> device_count{file_, "get_device_count"};

private:
    std::string mode_, precision_;
};

}  // namespace g6check
