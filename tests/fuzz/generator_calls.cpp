// SPDX-License-Identifier: MIT
// Generates calls that change settings, and all calls that only ask for something.
#include "generator.h"

#include <climits>

namespace g6fuzz {
namespace {

struct Choice {
    const char *key;
    std::initializer_list<const char *> values;
};

const Choice kChoices[] = {
    {"mode", {"auto", "hermite", "hermite", "treeonly", "treewalk", "treewalk", "TreeWalk"}},
    {"precision", {"mixed", "mixed", "double", "double", "single"}},
    {"theta", {"0", "0", "0.02", "0.1", "0.3", "0.6", "1", "3", "10", "1e-09"}},
    {"mac", {"bh", "bmax", "multipole", "acceleration", "combined"}},
    {"multipole", {"0", "2"}},
    {"direct", {"0", "0", "0", "auto", "5", "2147483647"}},
    {"snap", {"0", "1", "on", "off"}},
    {"nn_none", {"0", "-1"}},
    {"neighbour_self", {"auto", "0", "1", "ON"}},
    {"neighbour_softened", {"auto", "0", "1", "off"}},
    {"stats", {"0"}},
    {"devices", {"", "all", "local", "0", "0,0"}},
};
constexpr int kChoiceCount = int(sizeof kChoices / sizeof *kChoices);

// Pairs of the setting "debug".
const char *const kLeaves[] = {"1", "2", "8", "16", "64", "1024"};
const char *const kRebuilds[] = {"auto", "1", "2", "5", "1000000"};

const char *const kOddKeys[] = {"G6_MODE", "Mode", " mode ", "g6_theta", "SNAP"};

}  // namespace

void Generator::option(Target &t)
{
    address_to(t, Op::set_option);
    if (random_.chance(0.05)) {
        const auto &wrong = wrong_settings();
        const auto &pair = wrong[static_cast<size_t>(random_.below(int(wrong.size())))];
        call_.set_text(0, random_.chance(0.05) ? nullptr : pair[0]);
        call_.set_text(1, random_.chance(0.05) ? nullptr : pair[1]);
        return;
    }
    const int which = random_.weighted({10, 6, 8, 4, 3, 4, 3, 2, 3, 3, 1, 1, 2, 6, 1});
    std::string key, value;
    if (which < kChoiceCount) {
        const Choice &c = kChoices[which];
        key = c.key, value = random_.pick(c.values);
    } else if (which == kChoiceCount) {
        key = "threads";
        value = std::to_string(random_.from(0, 3));
    } else if (which == kChoiceCount + 1) {
        key = "debug";
        const auto isa = static_cast<size_t>(random_.below(int(features_.isas.size())));
        for (const std::string &pair :
             {"leaf=" + std::string(kLeaves[random_.below(int(std::size(kLeaves)))]),
              "rebuild=" + std::string(kRebuilds[random_.below(int(std::size(kRebuilds)))]),
              "isa=" + features_.isas[isa]})
            if (random_.chance(0.5)) value += (value.empty() ? "" : ",") + pair;
    } else {
        key = "backend";
        value = random_.pick({model_.world().backend.c_str(), "cpu", "cpu"});
    }
    if (model_.world().fixed.count(key)) key = "theta", value = "0";
    if (key == "mode" && walks_ && random_.chance(0.5)) value = "treewalk";
    if (key == "mode" && random_.chance(0.3)) {
        const int id = call_.id;
        address_to(t, Op::set_mode);
        call_.id = id;
        call_.set_text(0, random_.chance(0.01) ? nullptr : value.c_str());
        return;
    }
    if (random_.chance(0.03)) {
        const char *odd = kOddKeys[random_.below(int(std::size(kOddKeys)))];
        if (setting_key(odd) == key) key = odd;
    }
    call_.set_text(0, key.c_str());
    call_.set_text(1, value.c_str());
}

// Every call that neither writes nor computes, each as often as the others.
Op Generator::asked()
{
    static const std::vector<Op> ops = [] {
        std::vector<Op> all;
        for (int op = 0; op < kOps; op++)
            if (traits_of(static_cast<Op>(op)) & kAsks) all.push_back(static_cast<Op>(op));
        return all;
    }();
    const auto count = static_cast<int>(ops.size());
    Op op = ops[static_cast<size_t>(queries_++ % count)];
    if (queries_ == 1) queries_ = random_.below(count);
    // What describes a device may ask its driver: seldom.
    const bool slow = op == Op::get_device_info || op == Op::getnjmax || op == Op::open_special ||
                      op == Op::open_special2 || op == Op::backend_name || op == Op::devices_for;
    if (slow && random_.chance(0.8)) op = Op::get_stats;
    return op;
}

void Generator::query(Target &t)
{
    const Op op = asked();
    address_to(t, op);
    const auto size = [&](int full) {
        return random_.chance(0.2) ? random_.pick({0, 7, 8, 16, full + 64}) : full;
    };
    switch (op) {
    case Op::predict: call_.i[0] = random_.below(100); break;
    case Op::set_neighbour_list_sort_mode: call_.i[0] = random_.pick({0, 1, 1, 1}); break;
    case Op::setup_njdata:
        call_.i[0] = random_.chance(0.8) ? random_.below(5000) : -random_.below(5);
        if (may_be_huge(0.01)) call_.i[0] = INT_MAX;
        break;
    case Op::status_text:
    case Op::status_remedy: call_.i[0] = random_.chance(0.1) ? INT_MIN : random_.from(-8, 3); break;
    case Op::get_option: {
        const auto &keys = setting_keys();
        const std::string key = random_.chance(0.05)
                                    ? "nosuch"
                                    : keys[static_cast<size_t>(random_.below(int(keys.size())))];
        call_.set_text(0, random_.chance(0.02) ? nullptr : key.c_str());
        call_.i[0] = random_.chance(0.2) ? random_.pick({0, 1, 2, 3, -1}) : 100;
        call_.i[1] = random_.chance(0.02) ? kNullAcc : 0;
        break;
    }
    case Op::option_row:
        call_.i[0] =
            random_.chance(0.1) ? random_.pick({-1, INT_MIN, INT_MAX, 1000}) : random_.below(25);
        call_.i[1] = random_.chance(0.1) ? random_.below(8) : 0;
        break;
    case Op::set_log:
        call_.i[0] = random_.below(3);
        call_.i[1] = random_.chance(0.05) ? random_.pick({-1, 5, INT_MIN}) : random_.below(5);
        if (call_.i[0] == 0 && call_.i[1] >= 0 && call_.i[1] <= 4) call_.i[1] = 0;
        break;
    case Op::get_backend_info:
        call_.i[0] =
            random_.chance(0.1) ? random_.pick({-1, INT_MIN, INT_MAX, 100}) : random_.below(5);
        call_.i[1] = size(1072);
        break;
    case Op::get_device_info:
        call_.i = {random_.below(4) - (random_.chance(0.1) ? 2 : 0), random_.below(3), size(560),
                   0};
        break;
    case Op::devices_for:
        for (int k : {0, 1})
            call_.i[k] = random_.chance(0.1) ? random_.pick({-1, INT_MIN, INT_MAX, 0})
                                             : random_.below(1 << 21);
        break;
    case Op::get_stats: call_.i[0] = size(120); break;
    case Op::open_special:
    case Op::open_special2: special(); break;
    default: call_.i[0] = random_.from(-1000, 1000);
    }
}

// Device 0 is always there; what others would do is a matter of the machine.
void Generator::special()
{
    const int ngpu = random_.pick({0, 1, 1, -1, -5, INT_MIN});
    call_.i[0] = ngpu;
    if (ngpu == 1) call_.ia[0].v = {random_.chance(0.1) ? random_.pick({-1, 99}) : 0};
    call_.ia[0].null = random_.chance(ngpu == 1 ? 0.1 : 0.5);
    if (call_.op == Op::open_special2) call_.i[1] = random_.chance(0.1) ? -1 : random_.below(5000);
}

}  // namespace g6fuzz
