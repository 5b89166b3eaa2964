# SPDX-License-Identifier: MIT
"""Packs build/python as a wheel.  pip calls build_wheel() (PEP 517) or build_editable() (PEP 660), which first build the
package by make; make wheel runs this file as a program.  It needs nothing but Python, so that pip needs no network.

usage: build_wheel.py PACKAGE-ROOT FOLDER

Make takes its settings from the environment, too: NVCC= pip install . leaves CUDA out, BUNDLE=0 pip install . makes
a wheel without the library.  Where auditwheel and patchelf are found, the program puts the libraries that not every
system has (HDF5's) into the wheel.  Drivers are never packed: the backends look for them at run time.
"""
from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
DRIVERS = ("libOpenCL.so.1", "libcuda.so.1")
METADATA = """Metadata-Version: 2.1
Name: g6gpu
Version: {version}
Summary: GRAPE-6 interface on GPUs and CPUs: gravity for N-body codes
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy>=1.20
Provides-Extra: all
Requires-Dist: h5py; extra == "all"
Requires-Dist: matplotlib; extra == "all"
Requires-Dist: tqdm; extra == "all"
Description-Content-Type: text/markdown

{description}"""
WHEEL = """Wheel-Version: 1.0
Generator: g6gpu
Root-Is-Purelib: {pure}
Tag: {tag}
"""


def metadata() -> tuple[str, bytes]:
    """The version, and the text of METADATA."""
    header = (TOP / "include" / "g6lib.h").read_text()
    version = ".".join(re.findall(r"#define G6_VERSION_\w+ (\d+)", header))
    description = (TOP / "docs" / "python.md").read_text()
    return version, METADATA.format(version=version, description=description).encode()


def pack(root: Path, folder: Path, editable: bool = False) -> Path:
    """Writes a wheel of the package in root, or a wheel that links to root; equal packages give equal bytes."""
    package = root / "g6gpu"
    version, about = metadata()
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform()) if (package / "lib").exists() else "any"
    info = f"g6gpu-{version}.dist-info"
    files = {} if editable else {str(path.relative_to(root)): path for path in sorted(package.rglob("*")) if path.is_file()}
    content = {name: path.read_bytes() for name, path in files.items() if "__pycache__" not in name}
    if editable:
        content["g6gpu.pth"] = f"{root}\n".encode()
    content[f"{info}/METADATA"] = about
    content[f"{info}/WHEEL"] = WHEEL.format(pure=str(platform == "any").lower(), tag=f"py3-none-{platform}").encode()
    content[f"{info}/LICENSE"] = (TOP / "LICENSE").read_bytes()
    # Without programs of its own the package uses those of the system, which have commands.
    programs = [path.name for path in sorted(package.glob("bin/*"))]
    commands = [f"{name} = g6gpu._programs:{name}\n" for name in [*programs, "g6plot"] if programs]
    if commands:
        content[f"{info}/entry_points.txt"] = "".join(["[console_scripts]\n", *commands]).encode()
    record = f"{info}/RECORD"
    lines = [f"{name},sha256={_hash(data)},{len(data)}\n" for name, data in content.items()]
    content[record] = "".join([*lines, f"{record},,\n"]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"g6gpu-{version}-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # pip keeps the bit that says that a file is a program.
            mode = 0o755 if name in files and os.access(files[name], os.X_OK) else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data)
    return wheel


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def repaired(wheel: Path) -> Path:
    """The wheel with the libraries in it that not every system has, where the tools for that are found."""
    if wheel.name.endswith("-any.whl"):
        return wheel
    if not (shutil.which("auditwheel") and shutil.which("patchelf")):
        print("not repaired for other systems: that needs auditwheel and patchelf")
        return wheel
    excluded = [word for driver in DRIVERS for word in ("--exclude", driver)]
    folder = wheel.parent
    subprocess.run(["auditwheel", "repair", *excluded, "--wheel-dir", folder, wheel], check=True)
    wheel.unlink()
    return next(folder.glob("*.whl"))


def _make(*settings: str) -> Path:
    """Builds the package with make, and returns the build folder."""
    build = os.environ.get("B", "build")
    # Within make the jobs are make's own.
    jobs = [] if os.environ.get("MAKEFLAGS") else [f"-j{os.cpu_count() or 1}"]
    command = [os.environ.get("MAKE", "make"), *jobs, f"B={build}", f"PYTHON={sys.executable}", *settings, "python"]
    subprocess.run(command, cwd=TOP, check=True)
    return TOP / build


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517 for pip install .: returns the name of the wheel."""
    return pack(_make() / "python", Path(wheel_directory)).name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 660 for pip install -e .: a package in the build folder whose modules are links to the sources."""
    root = TOP / os.environ.get("B", "build") / "editable"
    _make(f"PY_ROOT={root}", "PY_COPY=ln -s")
    return pack(root, Path(wheel_directory), editable=True).name


def build_sdist(sdist_directory, config_settings=None):
    """The hook for a source tarball: the files that git knows, or, in an unpacked tarball, its files."""
    version, about = metadata()
    name = f"g6gpu-{version}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) \
        if (TOP / ".git").exists() else None  # fmt: skip
    if listed:
        files = [TOP / path for path in listed.stdout.decode().split("\0")]
    else:
        files = [path for path in TOP.rglob("*") if path.relative_to(TOP).parts[0] not in ("build", "config.mk", "PKG-INFO")]
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(path for path in files if path.is_file()):
            archive.add(path, f"{name}/{path.relative_to(TOP)}")
        entry = tarfile.TarInfo(f"{name}/PKG-INFO")
        entry.size = len(about)
        archive.addfile(entry, io.BytesIO(about))
    return f"{name}.tar.gz"


if __name__ == "__main__":
    print(repaired(pack(Path(sys.argv[1]), Path(sys.argv[2]))))
