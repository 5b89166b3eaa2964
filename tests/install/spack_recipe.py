# SPDX-License-Identifier: MIT
"""Runs packaging/spack/package.py without Spack: the names that Spack gives a recipe are stand-ins which note what they
are told, make is the real one.  It installs the default variants and prints what their environment sets, then prints
make's settings of other variants.

usage: spack_recipe.py FOLDER      FOLDER: becomes the prefix
"""
import subprocess
import sys
import types
from pathlib import Path

PREFIX = Path(sys.argv[1])


class Place(str):
    """A folder with its parts as attributes, as Spack's Prefix has them."""

    def __getattr__(self, name):
        return Place(f"{self}/{name}")


class Spec(dict):
    """Variants that are on, and dependencies."""

    def __init__(self, on, architectures=("none",)):
        super().__init__(
            python=types.SimpleNamespace(command=types.SimpleNamespace(path=sys.executable)),
            cuda=types.SimpleNamespace(prefix=Place("/cuda")),
            mpi=types.SimpleNamespace(mpicxx="/mpi/mpicxx"),
            hdf5=types.SimpleNamespace(
                headers=types.SimpleNamespace(include_flags="-I/hdf5/include"), libs=types.SimpleNamespace(ld_flags="-L/hdf5/lib -lhdf5")
            ),
        )
        self.on = on
        self.variants = {"cuda_arch": types.SimpleNamespace(value=architectures)}

    def satisfies(self, text):
        return (text[1:] in self.on) == (text[0] == "+")


class Base:
    pass


def run_make(*words):
    subprocess.run([*MAKE, *words], check=True, stdout=sys.stderr)


def note(kind):
    return lambda *words, **more: NOTED.setdefault(kind, []).append((words, more))


MAKE = sys.argv[2:]
NOTED = {}
AFTER = []


def run_after(_phase):
    return lambda method: AFTER.append(method) or method


package = types.ModuleType("spack.package")
for kind in ("license", "version", "variant", "depends_on", "extends"):
    setattr(package, kind, note(kind))
package.make, package.run_after = run_make, run_after
package.join_path = lambda *parts: "/".join(parts)
package.python_platlib = f"{PREFIX}/python"
systems = "spack_repo.builtin.build_systems"
for name, base in (("cuda", "CudaPackage"), ("makefile", "MakefilePackage")):
    module = types.ModuleType(f"{systems}.{name}")
    setattr(module, base, type(base, (Base,), {}))
    sys.modules[module.__name__] = module
for name in ("spack_repo", "spack_repo.builtin", systems, "spack"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["spack.package"] = package

source = Path("packaging/spack/package.py")
names = {"__name__": "package"}
exec(compile(source.read_text(), source, "exec"), names)


def recipe(on, *architectures):
    made = names["Libg6gpu"]()
    made.prefix = Place(PREFIX)
    made.spec = Spec(on, architectures or ("none",))
    return made


defaults = [words[0] for words, more in NOTED["variant"] if more["default"]]
first = recipe(defaults)
run_make(*first.build_targets)
run_make(*first.install_targets)
for step in AFTER:
    step(first)
first.setup_run_environment(types.SimpleNamespace(set=lambda name, value: print(f"environment {name}={value}")))
print("version", *[words[0] for words, _ in NOTED["version"]])
print("address", names["Libg6gpu"].url)
print("files", *recipe(["g6run", "mpi"]).sanity_check_is_file)
for on, architectures in ((["g6run"], ()), (["mpi"], ()), (["cuda"], ("90",)), (["cuda"], ("80", "90")), (["cuda"], ())):
    print("settings", *on, *architectures, ":", *recipe(on, *architectures).settings)
