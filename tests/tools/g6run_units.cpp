// SPDX-License-Identifier: MIT
// Snapshots for other programs: the box around the bodies, and the units.
#include "g6run_systems.h"
#include "tools/g6run/run_units.h"
#include "tools/g6run/units.h"

namespace {

using namespace g6run;
using namespace g6runtest;
using Hdf5Snapshot = InFolder;

// Writes `snapshot` and calls look(file, the group of its type 1).
template <class Look> void look_at(const Snapshot &snapshot, Look &&look)
{
    const Folder folder;
    const std::string path = folder / "a.hdf5";
    write_snapshot(path, Format::kHdf5, snapshot);
    const Group file = open_hdf5(path);
    look(file, file.group("PartType1"));
}

Snapshot one_body_at(double x, double y)
{
    Snapshot s;
    s.bodies = {body(1, {x, y, 0}, {0, 0, 0})};
    s.types = {0, 1, 0, 0, 0, 0};
    return s;
}

// The box is 2^(e+1), where 2^e is the next power of two above 1.01 times the farthest coordinate.
TEST_F(Hdf5Snapshot, ABoxFromZeroOnEnclosesTheBodies)
{
    const struct {
        double x, y, box;
    } cases[] = {{0, 0, 2},
                 {3, -5, 16},
                 {-0.3, 0.1, 1},
                 {1, 0, 4},
                 {7.99, 0, 32},
                 {-7.99, 0, 32},
                 {1e-300, 0, std::ldexp(1, -995)}};
    for (const auto &c : cases) {
        SCOPED_TRACE(testing::Message() << c.x << ", " << c.y);
        look_at(one_body_at(c.x, c.y), [&](const Group &file, const Group &type) {
            EXPECT_EQ(file.group("Header").number("BoxSize"), c.box);
            const std::vector<double> boxed = type.read("Coordinates", 1, 3);
            EXPECT_EQ(boxed, (std::vector<double>{c.x + c.box / 2, c.y + c.box / 2, c.box / 2}));
            for (double x : boxed) EXPECT_TRUE(x >= 0 && x < c.box) << x;
            EXPECT_EQ(type.read("Position", 1, 3), (std::vector<double>{c.x, c.y, 0}));
        });
    }
}

TEST_F(Hdf5Snapshot, WithChangedCoordinatesIsRefused)
{
    write_snapshot(path, Format::kHdf5, one_body_at(3, -5));
    overwrite(path, "PartType1/Coordinates", {1, 2, 3});
    expect_error("Coordinates is not Position + BoxSize/2", [&] { read_snapshot(path); });
    ASSERT_GE(H5Ldelete(reopened(path), "PartType1/Position", H5P_DEFAULT), 0);
    EXPECT_EQ(read_snapshot(path).bodies[0].x[1], 2);
}

// 1 pc and 1e4 solar masses: v = sqrt(G M / R) = sqrt(0.00430091 * 1e4) km/s = 6.55813 km/s, and
// t = 1 pc / v = 3.08568e13 km / 6.55813 km/s = 4.70512e12 s.
TEST_F(Hdf5Snapshot, TellsTheUnits)
{
    Snapshot s = one_body_at(3, -5);
    s.time = 1.0 / 3;
    s.state = RunState();
    s.state->settings.units = "pc,1e4Msun";
    look_at(s, [&](const Group &file, const Group &type) {
        const Group units = file.group("Units");
        const auto near = [](double value, double expected) {
            EXPECT_NEAR(value / expected, 1, 1e-5) << expected;
        };
        near(units.number("UnitLength_in_cm"), 3.0856776e18);
        near(units.number("UnitMass_in_g"), 1.98841e37);
        near(units.number("UnitVelocity_in_cm_per_s"), 6.55813e5);
        near(units.number("UnitTime_in_s"), 4.70512e12);
        EXPECT_EQ(units.text("Description"), "pc,1e4Msun (--units), G = 1");
        near(file.group("Header").number("Time_GYR"), s.time * 4.70512e12 / 3.15576e16);
        near(type.data("Masses").number("CGSConversionFactor"), 1.98841e37);
        near(type.data("Velocities").number("CGSConversionFactor"), 6.55813e5);
        near(type.data("Jerk").number("CGSConversionFactor"),
             6.55813e5 / (4.70512e12 * 4.70512e12));
        EXPECT_EQ(type.data("Jerk").text("VarDescription"), "Jerk [U_L U_T^-3 ]");
        EXPECT_EQ(type.data("Coordinates").number("h-scale-exponent"), 0);
    });
    s.state->settings.units = "";
    look_at(s, [&](const Group &file, const Group &) {
        EXPECT_EQ(file.group("Units").text("Description"),
                  "N-body units, G = 1; their physical size was not given, and 1pc,1Msun stands "
                  "for it");
    });
}

TEST(Units, AreAPositiveLengthAndMass)
{
    EXPECT_EQ(units_of("2AU,g").length, 2 * 1.495978707e13);
    EXPECT_EQ(units_of("2AU,0.5kg").mass, 500);
    for (const char *bad : {"", "pc", "pc,", ",Msun", "Msun,pc", "-1pc,Msun", "0pc,Msun",
                            "pc,nanMsun", "1e400pc,Msun", "ly,Msun", "pc,Msun,km"})
        EXPECT_THROW(units_of(bad), Error) << bad;
}

// 1 pc and 1e4 solar masses: a unit of time is sqrt(pc^3 / GM), the root of
// 3.0856776e18^3 / 1.3271244e30 s^2, which is 0.149096014 Myr.
TEST(Units, MakeNumbersOfTimesAndLengths)
{
    const Units u = units_of("1pc,1e4Msun");
    EXPECT_NEAR(in_units("10Myr", Dimension::kTime, u), 10 / 0.149096014, 1e-6);
    EXPECT_DOUBLE_EQ(in_units("10Myr", Dimension::kTime, u),
                     in_units("1e4kyr", Dimension::kTime, u));
    EXPECT_DOUBLE_EQ(in_units("0.125pc", Dimension::kLength, u), 0.125);
    EXPECT_DOUBLE_EQ(in_units("1kpc", Dimension::kLength, u), 1000);
    EXPECT_FALSE(size_of("10", Dimension::kTime));
    EXPECT_FALSE(size_of("10pc", Dimension::kTime));
    EXPECT_FALSE(size_of("1/2Myr", Dimension::kTime));
    EXPECT_EQ(size_of("-2km/s", Dimension::kVelocity), -2e5);
    // Of the Earth, in Gauss's constant and in km/s.
    EXPECT_NEAR(*size_of("0.01720209895AU/day", Dimension::kVelocity), 29.7847e5, 10);
}

TEST(Units, OfAListHaveTheirDimensions)
{
    EXPECT_EQ(unit_list("--x", "km/s,pc,Msun"), (UnitList{"pc", "Msun", "", "km/s"}));
    EXPECT_EQ(unit_list("--x", "Myr"), (UnitList{"", "", "Myr", ""}));
    for (const char *bad : {"", "pc,kpc", "ly", "pc,,Msun", "0pc", "-1Myr"})
        EXPECT_THROW(unit_list("--x", bad), Error) << bad;
    EXPECT_NE(error_of([] { unit_list("--x", "pc,kpc"); }).find("both units of length"),
              std::string::npos);
}

// AMUSE has MSun, parsec and kms, astropy solMass, "km / s" and "km s-1", pynbody Msol and
// "km s**-1".
TEST(Units, HaveOtherSpellings)
{
    EXPECT_EQ(usual_spelling("1parsec,1e4 MSun"), "1pc,1e4Msun");
    EXPECT_EQ(usual_spelling("au,solMass,km s-1"), "AU,Msun,km/s");
    EXPECT_EQ(usual_spelling("kpc,1e10 Msol,km s**-1"), "kpc,1e10Msun,km/s");
    for (const char *text : {"", ",", ",Msun", "pc,,Msun", "ly,mSUN,km/h", "1/256"})
        EXPECT_EQ(usual_spelling(text), text);
    EXPECT_EQ(size_of("2 km / s", Dimension::kVelocity), 2e5);
    EXPECT_EQ(size_of("2parsec", Dimension::kLength), size_of("2pc", Dimension::kLength));
    EXPECT_FALSE(size_of("2MSun", Dimension::kLength));
    Options o;
    o.input_units = "parsec,MSun,kms";
    use_units(o, nullptr);
    EXPECT_EQ(o.input_units, "pc,Msun,km/s");
    EXPECT_EQ(o.units.rfind("pc,232.5", 0), 0u) << o.units;  // of mass 1 / 0.00430091
}

// pc/Myr is 3.0856776e13 km / 3.15576e13 s = 0.977792 km/s.  With G = 1 the mass that goes with pc
// and pc/Myr is 0.977792^2 / 0.00430091 = 222.296 solar masses, and positions, velocities and times
// stay.
TEST(Units, OfAnInputMayHaveATime)
{
    Snapshot s;
    s.bodies = {body(1, {3, -5, 0}, {2, 0, -1})};
    s.time = 4;
    Options o;
    o.input_units = "pc,Msun,Myr";
    use_units(o, nullptr);
    convert_input(o, s);
    EXPECT_NEAR(s.bodies[0].mass * 222.296, 1, 1e-5);
    EXPECT_NEAR(s.bodies[0].x[1], -5, 1e-12);
    EXPECT_NEAR(s.bodies[0].v[0], 2, 1e-12);
    EXPECT_NEAR(s.bodies[0].v[2], -1, 1e-12);
    EXPECT_NEAR(s.time, 4, 1e-12);
}

// In kpc, 1e10 Msun and km/s G is 43009.
TEST(Units, OfAnInputThatTellsItsOwnMustAgree)
{
    Snapshot s;
    const auto convert = [&](const char *units) {
        Options o;
        o.input_units = units;
        use_units(o, nullptr);
        return error_of([&] { convert_input(o, s); });
    };
    s.gravity = 43007.1;
    EXPECT_EQ(convert("kpc,1e10Msun,km/s"), "");
    s.gravity = 43007.1;
    expect_in("is 4.30091727e-06, and in the input 43007.1", convert("kpc,Msun,km/s"));
    s.gravity = 43007.1;
    expect_in("is 1, and in the input 43007.1", convert("kpc,1e10Msun"));
    s.gravity.reset();
    s.units = "kpc,1e10Msun,km/s";
    EXPECT_EQ(convert("1000pc,1e10Msun,1e5cm/s"), "");
    s.gravity.reset();
    expect_in("input names: kpc,1e10Msun,km/s", convert("pc,1e10Msun,km/s"));
}

// Numbers in units with another G than 1 are in these units alone.
TEST(Units, OfARunAreThoseThatTheInputNames)
{
    Snapshot s;
    const auto with = [&](const char *units) {
        Options o;
        o.input = "a.hdf5";
        o.units = units;
        return error_of([&] { convert_input(o, s); });
    };
    EXPECT_EQ(with("pc,Msun"), "");
    s.units = "3.0857e+21cm,1.9884e+43g,100000cm/s";
    EXPECT_EQ(with("1000pc,1e10Msun"), "");
    expect_in("are not those that the input names: 3.0857e+21cm,", with("1pc,1e10Msun"));
    expect_in("are not those that the input names: 3.0857e+21cm,", with("1kpc,1e9Msun"));
    s.units = "3.0857e+18cm,1.9884e+37g,655814cm/s";  // 1 pc, 1e4 Msun, G = 1
    EXPECT_EQ(with("1kpc,1e9Msun"), "");
}

// A unit of energy of 1pc,1e4Msun is 1e4 Msun (6.55814 km/s)^2.
TEST(Units, OfATableAreThoseAskedFor)
{
    const TableUnits t = table_units("Myr,AU,Msun,km/s", "1pc,1e4Msun");
    EXPECT_NEAR(t.time, 0.149096014, 1e-9);
    EXPECT_NEAR(t.length, 206264.806, 1e-3);
    EXPECT_NEAR(t.energy / (1e4 * 6.55814 * 6.55814), 1, 1e-5);
    EXPECT_EQ(t.line, "units of this table: time Myr, length AU, energy Msun (km/s)^2");
    EXPECT_EQ(t.time_text(2 / t.time), "2 Myr");
    EXPECT_EQ(t.length_text(3 / t.length), "3 AU");
    EXPECT_EQ(table_units("10Myr", "1pc,1e4Msun").time_text(0), "0 * 10Myr");
    EXPECT_EQ(table_units("pc", "1pc,1e4Msun").time_text(0.5), "0.5");
    EXPECT_EQ(table_units("pc", "1pc,1e4Msun").time, 1);
    EXPECT_EQ(table_units("", "").line, "");
    EXPECT_THROW(table_units("Myr", ""), Error);
    EXPECT_THROW(table_units("Msun", "1pc,1e4Msun"), Error);
}

}  // namespace
