# SPDX-License-Identifier: MIT
"""Packs build/python as a wheel.  pip calls build_wheel() (PEP 517), which lets make build the package first; make
wheel calls the program.  It needs nothing but Python, so that pip needs no network.

usage: build_wheel.py PACKAGE-ROOT FOLDER

Make takes its settings from the environment, too: NVCC= pip install . leaves CUDA out, BUNDLE=0 pip install . makes
a wheel without the library.  Where auditwheel and patchelf are found, the program puts the libraries that not every
system has (OpenMP's) into the wheel.  Drivers are never packed: the backends look for them at run time.
"""
from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
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
Description-Content-Type: text/markdown

{description}"""
WHEEL = """Wheel-Version: 1.0
Generator: g6gpu
Root-Is-Purelib: {pure}
Tag: {tag}
"""


def pack(root: Path, folder: Path) -> Path:
    """Writes the wheel of the package in root; equal packages give equal bytes."""
    package = root / "g6gpu"
    version = ".".join(re.findall(r"#define G6_VERSION_\w+ (\d+)", (package / "g6lib.h").read_text()))
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform()) if (package / "lib").exists() else "any"
    info = f"g6gpu-{version}.dist-info"
    description = (TOP / "docs" / "python.md").read_text()
    files = {str(path.relative_to(root)): path for path in sorted(package.rglob("*")) if path.is_file()}
    content = {name: path.read_bytes() for name, path in files.items() if "__pycache__" not in name}
    content[f"{info}/METADATA"] = METADATA.format(version=version, description=description).encode()
    content[f"{info}/WHEEL"] = WHEEL.format(pure=str(platform == "any").lower(), tag=f"py3-none-{platform}").encode()
    content[f"{info}/LICENSE"] = (TOP / "LICENSE").read_bytes()
    record = f"{info}/RECORD"
    lines = [f"{name},sha256={_hash(data)},{len(data)}\n" for name, data in content.items()]
    content[record] = "".join([*lines, f"{record},,\n"]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"g6gpu-{version}-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # g6probe is a program: pip keeps the bit that says so.
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


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517: builds the package with make, and returns the name of the wheel."""
    build = os.environ.get("B", "build")
    # Within make the jobs are make's own.
    jobs = [] if os.environ.get("MAKEFLAGS") else [f"-j{os.cpu_count() or 1}"]
    subprocess.run([os.environ.get("MAKE", "make"), *jobs, f"B={build}", f"PYTHON={sys.executable}", "python"], cwd=TOP, check=True)
    return pack(TOP / build / "python", Path(wheel_directory)).name


def build_sdist(sdist_directory, config_settings=None):
    """The other hook of PEP 517, which pip does not call."""
    raise NotImplementedError("make dist makes the source tarball")


if __name__ == "__main__":
    print(repaired(pack(Path(sys.argv[1]), Path(sys.argv[2]))))
