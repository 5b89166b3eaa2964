// SPDX-License-Identifier: MIT
// Reads and writes attributes and data sets by the calls of the HDF5 library.  Particle ids must be
// whole numbers: others are refused, not rounded.
#include "hdf5_file.h"

#include "error.h"

namespace g6run {
namespace {

void check(herr_t status, const std::string &what)
{
    if (status < 0) throw Error(what);
}

// Must be called before any other call of HDF5.  HDF5 would print its error stack, in place of
// which g6run has messages of one line.  At exit HDF5 would close open handles, which ends in a
// segmentation fault (1.10.8) after a write to a full disk; here every handle has an owner.
void start()
{
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

// Refuses negative and fractional numbers, of which HDF5 would read -5 as 0 and 2.5 as 2.
H5T_conv_ret_t refuse(H5T_conv_except_t, hid_t, hid_t, void *, void *, void *)
{
    return H5T_CONV_ABORT;
}

std::string size_text(const std::vector<hsize_t> &sizes)
{
    std::string text;
    for (hsize_t n : sizes) text += (text.empty() ? "" : " x ") + std::to_string(n);
    return text.empty() ? "1" : text;
}

std::vector<hsize_t> sizes_of(hid_t space, const std::string &what)
{
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0) throw Error(what);
    std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
    if (rank) check(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), what);
    return sizes;
}

}  // namespace

Handle::Handle(hid_t id, Close close, const std::string &what) : id_(id), close_(close)
{
    if (id < 0) throw Error(what);
}

Handle::~Handle()
{
    if (id_ >= 0) close_(id_);
}

bool Group::has_data(const std::string &name) const
{
    return H5Lexists(handle_, name.c_str(), H5P_DEFAULT) > 0;
}

bool Group::has_values(const std::string &name) const
{
    if (!has_data(name)) return false;
    const std::string what = where_ + name + ": cannot be read";
    const Handle data(H5Dopen2(handle_, name.c_str(), H5P_DEFAULT), H5Dclose, what);
    return H5Sget_simple_extent_npoints(Handle(H5Dget_space(data), H5Sclose, what)) > 0;
}

bool Group::has_group(const std::string &name) const
{
    return has_data(name);
}

bool Group::has_attribute(const std::string &name) const
{
    return H5Aexists(handle_, name.c_str()) > 0;
}

Group Group::group(const std::string &name) const
{
    const std::string where = where_ + name + "/";
    return Group(Handle(H5Gopen2(handle_, name.c_str(), H5P_DEFAULT), H5Gclose,
                        where_ + " has no group " + name),
                 where);
}

Group Group::create_group(const std::string &name)
{
    const std::string where = where_ + name;
    return Group(Handle(H5Gcreate2(handle_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                        H5Gclose, where + ": cannot be written"),
                 where + "/");
}

Group Group::data(const std::string &name) const
{
    const std::string where = where_ + name;
    return Group(Handle(H5Dopen2(handle_, name.c_str(), H5P_DEFAULT), H5Dclose,
                        where + ": data set is missing"),
                 where + "/");
}

std::vector<double> Group::numbers(const std::string &name) const
{
    const std::string what = where_ + name + ": cannot be read as numbers";
    const Handle attribute(H5Aopen(handle_, name.c_str(), H5P_DEFAULT), H5Aclose,
                           where_ + name + ": attribute is missing");
    const Handle space(H5Aget_space(attribute), H5Sclose, what);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 0) throw Error(what);
    std::vector<double> values(static_cast<std::size_t>(count));
    check(H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()), what);
    return values;
}

double Group::number(const std::string &name) const
{
    const std::vector<double> values = numbers(name);
    if (values.size() != 1) throw Error(where_ + name + ": one number expected");
    return values[0];
}

std::string Group::text(const std::string &name) const
{
    const std::string what = where_ + name + ": cannot be read as text";
    const Handle attribute(H5Aopen(handle_, name.c_str(), H5P_DEFAULT), H5Aclose,
                           where_ + name + ": attribute is missing");
    const Handle stored(H5Aget_type(attribute), H5Tclose, what);
    if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored)) throw Error(what);
    std::string text(H5Tget_size(stored), '\0');
    check(H5Aread(attribute, stored, &text[0]), what);
    return text.c_str();  // up to the padding
}

void Group::put_raw(const std::string &name, hid_t type, hsize_t count, const void *values)
{
    const std::string what = where_ + name + ": cannot be written";
    const Handle space(count ? H5Screate_simple(1, &count, nullptr) : H5Screate(H5S_SCALAR),
                       H5Sclose, what);
    const Handle attribute(H5Acreate2(handle_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose, what);
    check(H5Awrite(attribute, type, values), what);
}

void Group::put(const std::string &name, double value)
{
    put_raw(name, H5T_NATIVE_DOUBLE, 0, &value);
}

void Group::put(const std::string &name, int value)
{
    put_raw(name, H5T_NATIVE_INT, 0, &value);
}

void Group::put(const std::string &name, const std::string &value)
{
    const std::string what = where_ + name + ": cannot be written";
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, what);
    check(H5Tset_size(type, value.size() + 1), what);  // with its end mark: no size of zero
    put_raw(name, type, 0, value.c_str());
}

void Group::put(const std::string &name, const std::vector<double> &values)
{
    put_raw(name, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void Group::put(const std::string &name, const std::array<double, 6> &values)
{
    put_raw(name, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void Group::put(const std::string &name, const std::array<std::uint32_t, 6> &values)
{
    put_raw(name, H5T_NATIVE_UINT32, values.size(), values.data());
}

Handle Group::open_data(const std::string &name, hsize_t rows, hsize_t columns) const
{
    const std::string what = where_ + name + ": cannot be read";
    Handle data(H5Dopen2(handle_, name.c_str(), H5P_DEFAULT), H5Dclose,
                where_ + name + ": data set is missing");
    const Handle space(H5Dget_space(data), H5Sclose, what);
    std::vector<hsize_t> expected{rows};
    if (columns > 1) expected.push_back(columns);
    const std::vector<hsize_t> found = sizes_of(space, what);
    if (found != expected)
        throw Error(where_ + name + ": size is " + size_text(found) + ", expected " +
                    size_text(expected));
    return data;
}

std::vector<double> Group::read(const std::string &name, hsize_t rows, hsize_t columns) const
{
    const Handle data = open_data(name, rows, columns);
    std::vector<double> values(rows * columns);
    check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          where_ + name + ": cannot be read (damaged or not numbers)");
    return values;
}

std::vector<std::uint64_t> Group::read_ids(const std::string &name, hsize_t rows) const
{
    const Handle data = open_data(name, rows, 1);
    const std::string what = where_ + name +
                             ": cannot be read (damaged, or not whole numbers from "
                             "0 on)";
    const Handle exactly(H5Pcreate(H5P_DATASET_XFER), H5Pclose, what);
    check(H5Pset_type_conv_cb(exactly, refuse, nullptr), what);
    std::vector<std::uint64_t> values(rows);
    check(H5Dread(data, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, exactly, values.data()), what);
    return values;
}

void Group::write_raw(const std::string &name, hid_t type, hsize_t rows, hsize_t columns,
                      const void *values)
{
    const std::string what = where_ + name + ": cannot be written (disk full?)";
    const hsize_t sizes[2] = {rows, columns};
    const Handle space(H5Screate_simple(columns > 1 ? 2 : 1, sizes, nullptr), H5Sclose, what);
    // Without a time stamp equal runs give equal files.
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
    check(H5Pset_obj_track_times(properties, false), what);
    const Handle data(
        H5Dcreate2(handle_, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
        H5Dclose, what);
    check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), what);
}

void Group::write(const std::string &name, const std::vector<double> &values, hsize_t columns)
{
    write_raw(name, H5T_NATIVE_DOUBLE, values.size() / columns, columns, values.data());
}

void Group::write(const std::string &name, const std::vector<std::array<double, 3>> &rows)
{
    write_raw(name, H5T_NATIVE_DOUBLE, rows.size(), 3, rows.data());
}

void Group::write(const std::string &name, const std::vector<std::uint64_t> &values)
{
    write_raw(name, H5T_NATIVE_UINT64, values.size(), 1, values.data());
}

void Group::flush()
{
    check(H5Fflush(handle_, H5F_SCOPE_GLOBAL), path() + ": cannot be written (disk full?)");
}

bool is_hdf5(const std::string &path)
{
    start();
    return H5Fis_hdf5(path.c_str()) > 0;
}

Group open_hdf5(const std::string &path)
{
    start();
    return Group(Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                        path + ": cannot be opened as HDF5 (truncated or damaged)"),
                 path + ":/");
}

Group create_hdf5(const std::string &path)
{
    start();
    return Group(Handle(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                        path + ": cannot be created"),
                 path + ":/");
}

}  // namespace g6run
