// SPDX-License-Identifier: MIT
// Text tables of other programs: names of columns, first lines that are no bodies, and files that
// are not text.
#include "g6run_systems.h"
#include "tools/g6run/foreign_file.h"
#include "tools/g6run/hints.h"
#include "tools/g6run/run_units.h"

#include <cstring>

namespace {

using namespace g6run;
using namespace g6runtest;

TEST(TextTable, NamesThatLackAColumnAreRefused)
{
    const std::string among = ", among which each of m x y z vx vy vz must be once";
    EXPECT_EQ(refusal("id,x,y\n1,2,3\n"), ":1: names of columns ('id', 'x', 'y')" + among);
    expect_in("'vz', 'mass')", refusal("m x y z vx vy vz mass\n1 2 3 4 5 6 7 1\n"));
    EXPECT_EQ(refusal("# x y z vx vy vz weight\n1 2 3 4 5 6 7\n"),
              ":2: names of columns ('x', 'y', 'z', 'vx', 'vy', 'vz', 'weight')" + among);
    EXPECT_EQ(refusal("# id x y z vx vy vz\n1 2 3 4 5 6 7\n"),
              ":2: names of columns ('id', 'x', 'y', 'z', 'vx', 'vy', 'vz')" + among);
    expect_in("'vy', 'vz')" + among, refusal("# x y z vx vy vz\n1 2 3 4 5 6 7\n"));
    for (const char *names : {"# id m x y z vx vy vz\n", "# m x[pc] y z vx vy vz pot\n"})
        EXPECT_EQ(refusal(std::string(names) + "1 2 3 4 5 6 7\n"),
                  ":2: 7 columns, but 8 names above them");
    EXPECT_EQ(refusal("# m x y z u v w\n0 0 0 0 0 0 0\n"), ": the masses sum to zero");
    EXPECT_EQ(refusal("id m x y z vx vy vz\n1 2 3 4\n"),
              ":2: 4 columns, expected 8, as the line of names has");
    EXPECT_EQ(refusal("id m x y z vx vy vz\n1 2 3 4 5 6 seven 8\n"),
              ":2: column 7 (vy): 'seven' is not a number, as 0.5, 1e-3 or 1d-3 are");
}

TEST(TextTable, NamesMayBeNumberedOrIntroduced)
{
    for (const std::string names :
         {"# x y z vx vy vz\n# columns: vx vy vz x y z m",
          "# The columns are: vx, vy, vz, x, y, z, m", "# 1:vx 2:vy 3:vz 4:x 5:y 6:z 7:m",
          "1_vx,2_vy,3_vz,4_x,5_y,6_z,7_m", "# $v_{x}$ $v_{y}$ $v_{z}$ $x$ $y$ $z$ $m$",
          "# (1) vx (2) vy (3) vz (4) x (5) y (6) z (7) m",
          "// (1)vx (2)vy (3)vz (4)x (5)y (6)z (7)m\n // a line",
          "[1] vx [2] vy [3] vz [4] x [5] y [6] z [7] m", "# 1 vx 2 vy 3 vz 4 x 5 y 6 z 7 m",
          "# v1 v2 v3 x1 x2 x3 mass", "vel1,vel2,vel3,pos_1,pos_2,pos_3,m",
          "# v_x_km_s v_y_km_s v_z_km_s x_pc y_pc z_pc m_msun"}) {
        EXPECT_EQ(table_of(names + "\n5 6 7 2 3 4 1\n").bodies[0].x[0], 2) << names;
    }
    // A star without rv whose name has a blank.
    const std::string tabbed = "name\tm\tx\ty\tz\tvx\tvy\tvz\trv\nHD 1\t2\t3\t0\t0\t0\t0\t0\t\n";
    EXPECT_EQ(table_of(tabbed).bodies[0].mass, 2);
}

TEST(TextTable, NamesInAnotherOrderAmongWordsAreRefused)
{
    const std::string row = "1 2 3 4 5 6 7\n";
    for (const char *names :
         {"# The columns are: x y z vx vy vz m\n", "# | pos_x | y | z | vx | vy | vz | Mass |\n",
          "# ('x', 'y', 'z', 'vx', 'vy', 'vz', 'm')\n", "# columns = x y z vx vy vz m\n",
          "# position x y z, velocity vx vy vz, mass m\n", "# pos vel mass\n",
          "# code v1: x y z vx vy vz m\n", "# positions (3), velocities (3) and masses in m\n",
          "# col1: x\n# col2: y\n# col3: z\n# col4: vx\n# col5: vy\n# col6: vz\n# col7: m\n"})
        expect_in("in the order x y z vx vy vz m among", refusal(names + row));
    // Names in the usual order, and words that are no list of names.
    for (const char *words : {"# mass m, position x y z, velocity vx vy vz\n", "# x, m\n",
                              "# mass pos vel\n", "# m x y z vx vy vz\n# of x = 3 in m\n"}) {
        EXPECT_EQ(table_of(words + row).bodies[0].mass, 1) << words;
    }
}

TEST(TextTable, IdsOfAColumnStay)
{
    // E1 is a name, too.
    const Snapshot snapshot =
        table_of("m,x,y,z,vx,vy,vz,ID,E1\n1,2,3,4,5,6,7,18446744073709551615,0\n"
                 "1,2,3,4,5,6,7,4.2e+01,0\n1,0,0,0,0,0,0,42,0\n");
    EXPECT_EQ(snapshot.bodies[0].id, 18446744073709551615u);
    EXPECT_EQ(snapshot.bodies[1].id, 42u);
    EXPECT_EQ(snapshot.bodies[2].id, 42u);
    // Where one is no such number, as a name, rows are counted.
    for (const std::string id : {"-1", "Sirius", "1.5", "18446744073709551616", "nan"}) {
        const Snapshot counted =
            table_of("id m x y z vx vy vz\n7 1 2 3 4 5 6 7\n" + id + " 1 2 3 4 5 6 7\n");
        EXPECT_EQ(counted.bodies[0].id, 0u) << id;
        EXPECT_EQ(counted.bodies[1].id, 1u) << id;
    }
}

TEST(TextTable, OfSeveralSnapshotsIsRefused)
{
    const std::string row = "1 0 0 0 0 0 0\n";
    EXPECT_EQ(
        refusal("# time 0\n" + row + "# time 1\n" + row),
        ":3: another time among the bodies: the file has several snapshots; give one of them");
    EXPECT_EQ(table_of(row + "# time 3\n").time, 3);
    // Without times equal parts are a hint.
    for (const auto &[text, parts] :
         {std::pair(row + row + "\n\n" + row + row + "\n", 2u),
          std::pair("# 1\n" + row + row + "# 2\n" + row + row + "# 3\n" + row + row, 3u),
          std::pair(row + row + "\n" + row, 1u), std::pair(row + "# b\n" + row, 1u),
          std::pair("\n" + row + row + row, 1u)}) {
        const Snapshot s = table_of(text);
        EXPECT_EQ(s.parts, parts) << text;
        EXPECT_EQ(model_hints(s, {}).size(), parts > 1 ? 1u : 0u);
    }
}

TEST(TextTable, ATimeMayHaveAnEqualsSign)
{
    const auto time = [](const std::string &comment) {
        return table_of("#" + comment + "\n1 2 3 4 5 6 7 # t = 9\n").time;
    };
    for (const char *comment :
         {"time = 3.5", "t=3.5", " t = 35d-1", "time 35d-1", "Time: 3.5", "t = 3.5, N = 1",
          "t: 3.5; e = 1", "t = 3.5 N = 1", "#time 3.5", "%# t = 3.5"})
        EXPECT_EQ(time(comment), 3.5) << comment;
    for (const char *comment : {" t 3.5", "t = now", "dt = 3.5", "x = t = 3.5", "time soon",
                                "Time: 12:30", "Time: 2026 Nov 28", "time 10 stars", "T = 3.5"})
        EXPECT_EQ(time(comment), 0) << comment;
    const std::string row = "1 0 0 0 0 0 0\n";
    expect_in("several snapshots", refusal("# t = 0\n" + row + "# t = 1\n" + row));
}

// 1 pc, 1 Msun and G = 1 make a unit of time of 14.9096 Myr, and pc and km/s one of 0.977792 Myr.
TEST(TextTable, ATimeMayHaveAUnit)
{
    Options o;
    o.input = "a.txt";
    for (const std::string comment :
         {"time 3.5 Myr", "t = 3.5Myr, N = 1", "Time [Myr]: 3.5", "t/Myr = 3.5", "time = 3.5 (Myr)",
          "time: 3.5 Myr since birth"}) {
        const auto time = [&](const char *units, const char *input_units) {
            o.units = units;
            o.input_units = input_units;
            use_units(o, nullptr);
            Snapshot s = table_of("# " + comment + "\n1 2 3 4 5 6 7\n");
            convert_input(o, s);
            return s.time;
        };
        EXPECT_NEAR(time("1pc,1Msun", ""), 3.5 / 14.9096, 1e-6) << comment;
        EXPECT_NEAR(time("", "pc,Msun,km/s"), 3.5 / 0.977792, 1e-6) << comment;
        expect_error("a.txt: its time is 3.5 Myr: the run has no units; give --input-units",
                     [&] { time("", ""); });
    }
    o.units = o.input_units = "";
    Snapshot years = table_of("# t = 3.5 years\n1 2 3 4 5 6 7\n");
    expect_error("its time is 3.5 years, which is none of the units s, day, yr, kyr, Myr, "
                 "Gyr; give --t-begin",
                 [&] { convert_input(o, years); });
    EXPECT_EQ(table_of("# t = 0 years\n1 2 3 4 5 6 7\n").time_unit, "");
}

// AMUSE writes the names, sorted, and below them the units.
TEST(TextTable, NamesMayHaveOtherCommentsBelowThem)
{
    for (const std::string below :
         {"# one of 7 stars\n", "# made by hand\n# in a minute\n",
          "# --- --- --- --- --- --- ---\n", "#none,none,none,none,none,none,none\n",
          "#mass,length / time,length / time,length / time,length,length,length\n"}) {
        const Snapshot snapshot = table_of("#mass,vx,vy,vz,x,y,z\n" + below + "1 5 6 7 2 3 4\n");
        EXPECT_EQ(snapshot.bodies[0].x[0], 2) << below;
        EXPECT_EQ(snapshot.bodies[0].v[2], 7) << below;
        EXPECT_EQ(snapshot.needs_gravity, below[1] == 'm' && below[5] == ',') << below;
    }
}

// With units that are not read, G does not follow.
TEST(TextTable, NamesWithUnitsNeedGravity)
{
    for (const std::string head :
         {"# m[Msun] x[pc] y[pc] z[pc] vx[km/s] vy[km/s] vz[km/s]\n",
          "m (Msun),x (pc),y (pc),z (pc),vx (km/s),vy,vz\n", "# m [Msun] x [pc] y z vx vy vz\n",
          "# m x_ly y_ly z_ly vx vy vz\n", "# units: Msun, pc, km/s\n", "# Units:\n# KPC\n",
          "# Units: mass [Msun], length [pc], velocity [km/s]\n", "# units: 1 pc, 1e4Msun\n",
          "# masses in MSUN, positions in parsec\n", "# SI units\n",
          "m,x,y,z,vx,vy,vz\n#Msun,pc,pc,pc,km/s,km/s,km/s\n",
          "# %ECSV 1.0\n# - {name: m, unit: Msun, datatype: float64}\nm x y z vx vy vz\n"})
        EXPECT_TRUE(table_of(head + "1 2 3 4 5 6 7\n").needs_gravity) << head;
    for (const std::string head :
         {"# a cluster of 1e4 Msun and 3 pc\n", "# units: G = 1, m = 1\n",
          "# N-body units; 1 pc and 1 Msun\n", "# g6run Units 1pc,1Msun\n", "# x in pc\n",
          "# G = 1, units 1pc and 1Msun\n", "m,x,y,z,vx,vy,vz,x_err,m_g\n1,2,3,4,5,6,7,8,9\n#"}) {
        const Snapshot s = table_of(head + "1 2 3 4 5 6 7\n");
        EXPECT_TRUE(!s.needs_gravity || s.gravity == 1) << head;
    }
}

TEST(TextTable, UnitsOfSeveralWordsBelongToTheirNames)
{
    const Snapshot snapshot =
        table_of("# vx [km / s] vy [km / s] vz [km / s] x (1e3 pc) y (1e3 pc) "
                 "z (1e3 pc) m\n5 6 7 2 3 4 1\n");
    EXPECT_EQ(snapshot.bodies[0].x[0], 2);
    expect_in("names of columns",
              refusal("# x [pc] y [pc] z [pc] vx [km / s] vy [km / s] vz [km / s] w\n"
                      "1 2 3 4 5 6 7\n"));
}

TEST(TextTable, NamesWithKnownUnitsTellThem)
{
    const auto units = [](const std::string &head) {
        return table_of(head + "\n1 2 3 4 5 6 7\n").units;
    };
    for (const char *head :
         {"# m[Msun] x[pc] y[pc] z[pc] vx[km/s] vy[km/s] vz[km/s]",
          "# m x y z vx vy vz\n# Msun pc pc pc km/s km/s km/s",
          "# vx vy vz x y z m\n# [km/s] [km/s] [km/s] [pc] [pc] [pc] [Msun]",
          "# m x y z vx vy vz\n# [MSun] [pc] [pc] [pc] [km s-1] [km s-1] [km s-1]",
          "m x y z vx vy vz\n# Msun pc pc pc km/s km/s km/s",
          "m_msun,x_pc,y_pc,z_pc,vx_km_s,vy_km_s,vz_km_s",
          "# x/pc y/pc z/pc vx/kms vy/kms vz/kms m/Msun",
          "# m/Msun x/pc y/pc z/pc vx/(km/s) vy/(km/s) vz/(km/s)",
          "#mass,vx,vy,vz,x,y,z\n#MSun,kms,kms,kms,parsec,parsec,parsec"})
        EXPECT_EQ(units(head), "pc,Msun,km/s") << head;
    EXPECT_EQ(units("vx (km/s),vy,vz,x (2AU),y,z,m (Msun)"), "2AU,Msun,km/s");
    EXPECT_EQ(units("# vx [km / s] vy [km / s] vz [km / s] x [pc] y [pc] z [pc] m [1e3 solMass]"),
              "pc,1e3Msun,km/s");
    for (const char *head :
         {"# m x y z vx vy vz", "# m[Msun] x[pc] y z vx vy vz",
          "# m[Msun] x[pc] y[parsec] z vx[km/s] vy vz[kms]", "# m[Msun] x[ly] y z vx[km/s] vy vz",
          "# m[pc] x[Msun] y z vx[km/s] vy vz"})
        EXPECT_EQ(units(head), "") << head;
    for (const char *head :
         {"m x_kpc y z_pc vx vy vz", "m x y z vx vy vz\n# - kpc kpc pc m/s m/s m/s"})
        expect_in("x is in kpc, but z in pc", refusal(head + std::string("\n1 2 3 4 5 6 7\n")));
    expect_in("but vz in m/s", refusal("# m x y z vx[km/s] vy vz[m/s]\n1 2 3 4 5 6 7\n"));
}

TEST(TextTable, AFirstLineWithCountsIsNamed)
{
    const std::string row = "1 0 0 0 0 0 0\n", more = "1 0 0 0 0 0 0 12\n";
    const auto says = [](const std::string &text, const std::string &line) {
        EXPECT_EQ(text, ":1: '" + line +
                            "' is a first line with counts, and no body: delete it, or begin it "
                            "with #");
    };
    says(refusal("0 2 0\n" + row + row), "0 2 0");
    says(refusal("2\n" + row + row), "2");
    says(refusal("2,0.5\n" + row + row), "2 0.5");
    says(refusal("2\n3\n0.0\n" + row + row), "2");
    says(refusal("0 2 0\n" + more + more), "0 2 0");
    says(refusal("0 2 0 0 0 0 0 0 0\n" + row + row), "0 2 0 0 0 0 0 0 0");
    EXPECT_EQ(refusal("1 0 0 0 0 0\n" + row), ":1: 6 columns, expected 7 (m x y z vx vy vz)");
    EXPECT_EQ(refusal("1 2 3\n4 5 6\n"), ":1: 3 columns, expected 7 (m x y z vx vy vz)");
}

// ---- files that are no text ---------------------------------------------------------------------

template <class T> void append(std::string &to, T value, bool turned = false)
{
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (turned) std::reverse(bytes, bytes + sizeof(T));
    to.append(bytes, sizeof(T));
}

// Tipsy's header, by its manual: double time; int nbodies, ndim, nsph, ndark, nstar.
std::string tipsy(bool turned)
{
    std::string file;
    append(file, 0.5, turned);
    for (std::int32_t n : {7, 3, 0, 5, 2}) append(file, n, turned);
    for (int k = 0; k < 100; k++) append(file, 0.1f * static_cast<float>(k), turned);
    return file;
}

// A record of Fortran.
std::string record(const std::string &content, bool turned)
{
    std::string file;
    append(file, static_cast<std::int32_t>(content.size()), turned);
    file += content;
    append(file, static_cast<std::int32_t>(content.size()), turned);
    return file;
}

TEST(BinaryFile, IsNamedWithTheWayToConvertIt)
{
    const std::string zeros(256, '\0');
    const auto named = [](const std::string &content, const std::string &name) {
        const std::string text = refusal(content);
        EXPECT_EQ(text.rfind(": a binary file, " + name +
                                 "; g6run reads text tables m x y z vx vy "
                                 "vz and Gadget-style HDF5 files: ",
                             0),
                  0u)
            << name << ": " << text;
        return text;
    };
    for (bool turned : {false, true}) {
        expect_in("pynbody.load()", named(tipsy(turned), "a snapshot of Tipsy"));
        named(record(zeros, turned), "a snapshot of Gadget in its binary format 1");
        std::string head = "HEAD";
        append(head, std::int32_t{264}, turned);
        named(record(head, turned) + record(zeros, turned),
              "a snapshot of Gadget in its binary format 2");
        named(record(zeros.substr(0, 24), turned), "unformatted records of Fortran");
    }
    expect_in("gunzip", named("\x1f\x8b\b" + zeros, "packed by gzip"));
    expect_in("numpy.load()", named("\x93NUMPY\1" + zeros, "an array of NumPy (npy)"));
    expect_in("snapprint", named("\x92\t" + zeros, "a snapshot of NEMO"));
    expect_in("iconv", named(std::string("\xff\xfe") + "1\0 \0", "a text in UTF-16"));
    named("BZh91AY" + zeros, "packed by bzip2");
    expect_in("HDF5 in a pipe; ", foreign_kind("\x89HDF\r\n"));
    named("PK\3\4" + zeros, "a zip archive, as npz of NumPy and xlsx are");
    named("SIMPLE  =                    T", "a FITS file");
    named(std::string("\x89\0\x01", 3), "of no kind that g6run knows");
}

TEST(BinaryFile, IsNoTextWithAFewStrangeBytes)
{
    EXPECT_EQ(foreign_kind(""), "");
    EXPECT_EQ(foreign_kind("# \xe6\x98\x9f\xe5\x9b\xa2 \xc3\xa9toiles\n1 0 0 0 0 0 0\n"), "");
    EXPECT_EQ(foreign_kind("# Sternhaufen f\xfcr Tests\n1 0 0 0 0 0 0\n"), "");
    EXPECT_EQ(foreign_kind(std::string("1 2 3 4 5 6 0.12\0\n", 18)), "");
    // The first and the last characters of each length in UTF-8, and bytes beside them that begin
    // none.
    for (const char *text : {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xef\xbf\xbd",
                             "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
        EXPECT_EQ(foreign_kind(text), "") << text;
    for (const char *bytes : {"\x80\x80", "\xc1\xbf", "\xf5\x80\x80\x80"})
        EXPECT_NE(foreign_kind(bytes), "");
}

}  // namespace
