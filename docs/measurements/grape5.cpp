// SPDX-License-Identifier: MIT
// Times the g5 calls of several libraries as FDPS makes them, and their errors: see grape5.md.
//     c++ -O2 grape5.cpp -ldl -o grape5 && ./grape5 [NAME=VALUE] LIBRARY.so ...
// A variable is set before the libraries behind it are opened; EPS=0 is the softening, 1/32
// without. Each round times every library once with the same lists; medians of the rounds are
// printed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <random>
#include <string>
#include <vector>

using Rows = double (*)[3];

struct Library {
    std::string name;
    void (*open)();
    void (*set_eps)(double);
    void (*set_xmj)(int, int, int, Rows, double *);
    void (*set_n)(int, int);
    void (*calculate)(int, Rows, Rows, double *, int);
};

template <class F> void find(void *file, const char *name, F &function)
{
    function = reinterpret_cast<F>(dlsym(file, name));
}

struct List {
    std::vector<double> xj, mj, xi, a, p;
    int nj, ni;
    Rows rows(std::vector<double> &v) { return reinterpret_cast<Rows>(v.data()); }
};

// A group of ni bodies in a box of 0.2, and nj bodies in the box of 2 around it.
List make_list(int nj, int ni, double origin, std::mt19937 &random)
{
    std::uniform_real_distribution<double> u(-1, 1);
    List l{{}, {}, {}, std::vector<double>(3 * ni), std::vector<double>(ni), nj, ni};
    for (int k = 0; k < 3 * nj; k++) l.xj.push_back(origin + (k < 3 * ni ? 0.1 : 1) * u(random));
    l.mj.assign(nj, 1.0 / nj);
    l.xi.assign(l.xj.begin(), l.xj.begin() + 3 * ni);
    return l;
}

void compute(const Library &g, List &l)
{
    g.set_xmj(0, 0, l.nj, l.rows(l.xj), l.mj.data());
    g.set_n(0, l.nj);
    g.calculate(0, l.rows(l.xi), l.rows(l.a), l.p.data(), l.ni);
}

double g_eps = 1.0 / 32;

void add_errors(List &l, std::vector<double> &acc, std::vector<double> &pot)
{
    for (int i = 0; i < l.ni; i++) {
        long double a[3] = {}, p = 0, miss = 0, size = 0;
        for (int j = 0; j < l.nj; j++) {
            long double r[3], s2 = static_cast<long double>(g_eps) * g_eps;
            for (int d = 0; d < 3; d++) {
                r[d] = static_cast<long double>(l.xj[3 * j + d]) - l.xi[3 * i + d];
                s2 += r[d] * r[d];
            }
            if (s2 == 0) continue;  // the body itself, without softening
            const long double s = std::sqrt(s2);
            p += l.mj[j] / s;
            for (int d = 0; d < 3; d++) a[d] += l.mj[j] * r[d] / (s * s2);
        }
        for (int d = 0; d < 3; d++) {
            miss += (l.a[3 * i + d] - a[d]) * (l.a[3 * i + d] - a[d]);
            size += a[d] * a[d];
        }
        acc.push_back(static_cast<double>(std::sqrt(miss / size)));
        pot.push_back(static_cast<double>(std::fabs(l.p[i] / p - 1)));
    }
}

double median(std::vector<double> v)
{
    std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v[v.size() / 2];
}

double seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

int main(int argc, char **argv)
{
    std::vector<Library> libraries;
    for (int k = 1; k < argc; k++) {
        if (std::strchr(argv[k], '=')) {
            putenv(argv[k]);
            continue;
        }
        void *file = dlopen(argv[k], RTLD_NOW | RTLD_LOCAL);
        if (!file) return std::fprintf(stderr, "%s\n", dlerror()), 1;
        Library g{argv[k], nullptr, nullptr, nullptr, nullptr, nullptr};
        find(file, "g5_open", g.open), find(file, "g5_set_eps_to_all", g.set_eps);
        find(file, "g5_set_xmjMC", g.set_xmj), find(file, "g5_set_nMC", g.set_n);
        find(file, "g5_calculate_force_on_xMC", g.calculate);
        if (const char *eps = std::getenv("EPS")) g_eps = std::atof(eps);
        g.open(), g.set_eps(g_eps);
        libraries.push_back(g);
    }
    std::mt19937 random(1);
    for (double origin : {0.0, 100.0})
        for (const auto &[nj, ni] : {std::pair{70, 12},
                                     {150, 25},
                                     {400, 12},
                                     {400, 25},
                                     {400, 43},
                                     {730, 43},
                                     {4000, 100}}) {
            constexpr int kLists = 20, kRounds = 31;
            std::vector<List> lists;
            for (int k = 0; k < kLists; k++) lists.push_back(make_list(nj, ni, origin, random));
            const int repeats = 1 + static_cast<int>(4e6 / (static_cast<double>(nj) * ni * kLists));
            std::vector<std::vector<double>> times(libraries.size());
            for (int round = 0; round < kRounds; round++)
                for (size_t g = 0; g < libraries.size(); g++) {
                    const double start = seconds();
                    for (int r = 0; r < repeats; r++)
                        for (List &l : lists) compute(libraries[g], l);
                    times[g].push_back((seconds() - start) / (repeats * kLists));
                }
            for (size_t g = 0; g < libraries.size(); g++) {
                std::vector<double> acc, pot;
                for (List &l : lists) compute(libraries[g], l), add_errors(l, acc, pot);
                const double time = median(times[g]);
                std::printf("%s,%g,%d,%d,%.2f,%.2f,%.2g,%.2g,%.2g\n", libraries[g].name.c_str(),
                            origin, nj, ni, 1e6 * time, static_cast<double>(nj) * ni / time / 1e9,
                            median(acc), *std::max_element(acc.begin(), acc.end()), median(pot));
            }
        }
    return 0;
}
