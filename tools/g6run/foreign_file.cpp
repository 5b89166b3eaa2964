// SPDX-License-Identifier: MIT
// Compares the first bytes of a file with those of known formats, looks for records of Fortran and
// headers of Gadget and Tipsy, which have no fixed bytes, and tells text from binary data.
#include "foreign_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace g6run {
namespace {

constexpr const char *kPynbody =
    "write it as a table with Python's pynbody.load() and numpy.savetxt()";
constexpr const char *kNumpy = "write it as a table with Python's numpy.load() and numpy.savetxt()";
constexpr const char *kUnpack = "unpack it";
constexpr const char *kFortran = "write it as a table by a program that knows its records";

// A kind of file that has fixed bytes at a fixed offset.
struct Magic {
    std::size_t at, size;
    const char *bytes, *name, *remedy;
};
constexpr Magic kMagic[] = {
    {0, 2, "\x1f\x8b", "packed by gzip", "unpack it with gunzip"},
    {0, 3, "BZh", "packed by bzip2", "unpack it with bunzip2"},
    {0, 6, "\xfd\x37zXZ\0", "packed by xz", "unpack it with unxz"},
    {0, 4, "\x28\xb5\x2f\xfd", "packed by zstd", "unpack it with unzstd"},
    {0, 4, "\x04\x22\x4d\x18", "packed by lz4", "unpack it with unlz4"},
    {0, 2, "\x1f\x9d", "packed by compress", "unpack it with uncompress"},
    {0, 6, "7z\xbc\xaf\x27\x1c", "packed by 7z", kUnpack},
    {0, 4, "PK\x03\x04", "a zip archive, as npz of NumPy and xlsx are", kNumpy},
    {257, 5, "ustar", "a tar archive", "unpack it with tar"},
    {0, 6, "\x93NUMPY", "an array of NumPy (npy)", kNumpy},
    {0, 9, "SIMPLE  =", "a FITS file", "write it as a table with Python's astropy"},
    {0, 4, "\x89HDF", "HDF5 in a pipe", "give the name of the file"},
    {0, 3, "CDF", "a netCDF file", "write it as a table with Python's netCDF4"},
    {0, 4, "PAR1", "a Parquet file", "write it as CSV with Python's pandas"},
    {0, 6, "ARROW1", "an Arrow file", "write it as CSV with Python's pandas"},
    {0, 6, "MATLAB", "a file of MATLAB", "write it as a table there"},
    {0, 2, "\x92\x09", "a snapshot of NEMO", "write it as a table with NEMO's snapprint"},
    {0, 2, "\x92\x0b", "a snapshot of NEMO", "write it as a table with NEMO's snapprint"},
    {0, 2, "\x09\x92", "a snapshot of NEMO", "write it as a table with NEMO's snapprint"},
    {0, 2, "\x0b\x92", "a snapshot of NEMO", "write it as a table with NEMO's snapprint"},
    {0, 2, "\xff\xfe", "a text in UTF-16", "convert it with iconv -f UTF-16 -t UTF-8"},
    {0, 2, "\xfe\xff", "a text in UTF-16", "convert it with iconv -f UTF-16 -t UTF-8"},
    {0, 2, "\x80\x02", "a pickle of Python", kNumpy},
    {0, 2, "\x80\x03", "a pickle of Python", kNumpy},
    {0, 2, "\x80\x04", "a pickle of Python", kNumpy},
    {0, 2, "\x80\x05", "a pickle of Python", kNumpy},
};

// The number at an offset; 0 beyond the end.  turned: its byte order is not this machine's.
template <class T> T at(const std::string &head, std::size_t offset, bool turned)
{
    char bytes[sizeof(T)] = {};
    if (offset + sizeof(T) <= head.size()) std::memcpy(bytes, head.data() + offset, sizeof(T));
    if (turned) std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

// Records of Fortran have their length in bytes at both ends.  The header of a Gadget snapshot is a
// record of 256 bytes; in format 2 a record of 8 bytes with the name HEAD comes before it.
const char *record_name(const std::string &head, bool turned)
{
    const auto length = at<std::uint32_t>(head, 0, turned);
    if (length == 8 && head.compare(4, 4, "HEAD") == 0)
        return "a snapshot of Gadget in its binary format 2";
    if (length == 0 || length > head.size() - 8) return nullptr;
    if (at<std::uint32_t>(head, 4 + length, turned) != length) return nullptr;
    return length == 256 ? "a snapshot of Gadget in its binary format 1"
                         : "unformatted records of Fortran";
}

// Tipsy's header: a time, and the numbers of all particles, of dimensions, and of gas, dark and
// star particles.
bool is_tipsy(const std::string &head, bool turned)
{
    if (head.size() < 28) return false;
    std::int64_t n[5];
    for (std::size_t k = 0; k < 5; k++) n[k] = at<std::int32_t>(head, 8 + 4 * k, turned);
    return std::isfinite(at<double>(head, 0, turned)) && n[0] > 0 && n[1] >= 1 && n[1] <= 3 &&
           std::min({n[2], n[3], n[4]}) >= 0 && n[0] == n[2] + n[3] + n[4];
}

// Length in bytes of the UTF-8 character at k, 0 where there is none.
std::size_t utf8_length(const std::string &text, std::size_t k)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(k) < 0x80   ? 1
                               : byte(k) < 0xc2 ? 0
                               : byte(k) < 0xe0 ? 2
                               : byte(k) < 0xf0 ? 3
                               : byte(k) < 0xf5 ? 4
                                                : 0;
    for (std::size_t i = k + 1; i < std::min(k + length, text.size()); i++)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    return length;
}

// Whether more than a tenth of the bytes are no characters.  A text may have a few such bytes:
// zeros that a crash of the machine has left, or an umlaut in an old encoding.
bool is_binary(const std::string &head)
{
    std::size_t strange = 0;
    for (std::size_t k = 0; k < head.size();) {
        const std::size_t length = utf8_length(head, k);
        const bool control = length == 1 && (head[k] < ' ' || head[k] == 0x7f) &&
                             !std::strchr("\t\n\v\f\r", head[k]);
        strange += length == 0 || head[k] == 0 || control;
        k += std::max<std::size_t>(length, 1);
    }
    return 10 * strange > head.size();
}

}  // namespace

std::string foreign_kind(const std::string &head)
{
    const auto text = [](const std::string &name, const std::string &remedy) {
        return "a binary file, " + name +
               "; g6run reads text tables m x y z vx vy vz and Gadget-style HDF5 files: " + remedy;
    };
    for (const Magic &m : kMagic)
        if (head.compare(std::min(m.at, head.size()), m.size, m.bytes, m.size) == 0)
            return text(m.name, m.remedy);
    if (!is_binary(head)) return "";
    for (const bool turned : {false, true}) {
        if (head.size() >= 8)
            if (const char *name = record_name(head, turned))
                return text(name, std::strstr(name, "Gadget") ? kPynbody : kFortran);
        if (is_tipsy(head, turned)) return text("a snapshot of Tipsy", kPynbody);
    }
    return text("of no kind that g6run knows", "write it as a table");
}

}  // namespace g6run
