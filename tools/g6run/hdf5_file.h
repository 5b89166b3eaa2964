// SPDX-License-Identifier: MIT
// A thin layer over the HDF5 C library: every handle has an owner, every call is checked, errors
// name the file and the object.  Only what snapshots need.
#pragma once

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace g6run {

class Handle {
public:
    using Close = herr_t (*)(hid_t);
    // Throws Error(what) for the negative id of a failed call.
    Handle(hid_t id, Close close, const std::string &what);
    Handle(Handle &&other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
    Handle &operator=(Handle &&) = delete;
    ~Handle();
    operator hid_t() const { return id_; }

private:
    hid_t id_;
    Close close_;
};

// One group of an open file, or one data set for its attributes.  `where` starts each message.
class Group {
public:
    Group(Handle handle, std::string where) : handle_(std::move(handle)), where_(std::move(where))
    {
    }

    bool has_group(const std::string &name) const;
    bool has_data(const std::string &name) const;
    // Whether there is a data set that is not empty.
    bool has_values(const std::string &name) const;
    bool has_attribute(const std::string &name) const;
    Group group(const std::string &name) const;
    Group create_group(const std::string &name);
    // A data set, for its attributes.
    Group data(const std::string &name) const;
    // "FILE:/GROUP/" for messages.
    const std::string &where() const { return where_; }
    std::string path() const { return where_.substr(0, where_.rfind(":/")); }

    // Attributes: numbers of any numeric type, converted; a scalar is an array of one.
    std::vector<double> numbers(const std::string &name) const;
    double number(const std::string &name) const;
    std::string text(const std::string &name) const;
    void put(const std::string &name, double value);
    void put(const std::string &name, int value);
    void put(const std::string &name, const std::string &value);
    void put(const std::string &name, const std::vector<double> &values);
    void put(const std::string &name, const std::array<double, 6> &values);
    void put(const std::string &name, const std::array<std::uint32_t, 6> &values);

    // Data sets of exactly rows x columns (columns 1: one-dimensional), converted.
    std::vector<double> read(const std::string &name, hsize_t rows, hsize_t columns) const;
    // Refuses negative and fractional numbers.
    std::vector<std::uint64_t> read_ids(const std::string &name, hsize_t rows) const;
    void write(const std::string &name, const std::vector<double> &values, hsize_t columns);
    void write(const std::string &name, const std::vector<std::array<double, 3>> &rows);
    void write(const std::string &name, const std::vector<std::uint64_t> &values);
    // Hands everything to the system: a full disk shows here, not in a destructor.
    void flush();

private:
    Handle open_data(const std::string &name, hsize_t rows, hsize_t columns) const;
    void put_raw(const std::string &name, hid_t type, hsize_t count, const void *values);
    void write_raw(const std::string &name, hid_t type, hsize_t rows, hsize_t columns,
                   const void *values);

    Handle handle_;
    std::string where_;
};

bool is_hdf5(const std::string &path);
Group open_hdf5(const std::string &path);
// A file of this name must not exist.
Group create_hdf5(const std::string &path);

}  // namespace g6run
