# SPDX-License-Identifier: MIT
# Recipe for Spack 0.23 and later.  The source is the tarball that make dist writes, in the folder
# where spack runs; spack dev-build takes a checkout.  A release with an address gets its url and
# sha256 here.
import os

from spack.package import *

try:
    from spack_repo.builtin.build_systems.cuda import CudaPackage
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:  # before Spack 1.0 they are in spack.package
    pass


class Libg6gpu(MakefilePackage, CudaPackage):
    """GRAPE-6 interface on GPUs and CPUs: gravity for N-body codes.  Codes written for GRAPE-6 or
    GRAPE-5, computers for gravity, run by relinking.  Drivers are looked for at run time."""

    url = f"file://{os.getcwd()}/libg6gpu-1.0.0.tar.gz"
    manual_download = True

    license("MIT")
    version("1.0.0")

    variant("opencl", default=True, description="Build the backend for OpenCL")
    variant(
        "mpi",
        default=False,
        description="Build the backend for the GPUs of several machines, and use g6worker",
    )
    variant("g6run", default=True, description="Build the N-body program g6run, which needs HDF5")
    variant("python", default=True, description="Install the Python module g6gpu")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cli11", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("opencl", when="+opencl")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5~mpi", when="+g6run")
    extends("python", when="+python")
    depends_on("py-numpy@1.20:", type="run", when="+python")

    @property
    def settings(self):
        """make's settings.  What is not asked for is left out, also where the system has it."""
        spec = self.spec
        settings = [f"PREFIX={self.prefix}", f"LIBDIR={self.prefix.lib}", "COMPAT="]
        settings += [f"PYTHON={spec['python'].command.path}"]
        if spec.satisfies("+cuda"):
            architectures = spec.variants["cuda_arch"].value
            one = len(architectures) == 1 and architectures[0] != "none"
            settings += [
                f"NVCC={spec['cuda'].prefix.bin.nvcc}",
                f"NVARCH={'sm_' + architectures[0] if one else 'all-major'}",
            ]
        else:
            settings += ["NVCC="]
        if spec.satisfies("+g6run"):
            hdf5 = spec["hdf5"]
            settings += [
                f"HDF5_CFLAGS={hdf5.headers.include_flags}",
                f"HDF5_LIBS={hdf5.libs.ld_flags}",
            ]
        else:
            settings += ["HAVE_HDF5="]
        settings += [f"MPICXX={spec['mpi'].mpicxx}"] if spec.satisfies("+mpi") else ["MPI="]
        settings += [] if spec.satisfies("+opencl") else ["OPENCL="]
        return settings

    # make leaves out what it cannot build; what was asked for must be there.
    @property
    def sanity_check_is_file(self):
        wanted = {
            "+g6run": "bin/g6run",
            "+opencl": "lib/g6gpu/g6_opencl.so",
            "+mpi": "lib/g6gpu/g6_mpi.so",
            "+cuda": "lib/g6gpu/g6_cuda.so",
        }
        return ["bin/g6bench"] + [
            file for variant, file in wanted.items() if self.spec.satisfies(variant)
        ]

    @property
    def build_targets(self):
        return self.settings + ["all"]

    @property
    def install_targets(self):
        return self.settings + ["install"]

    # The whole test suite takes a quarter of an hour and looks for GPUs; the examples check their
    # own results.  Those in Fortran are left out: Spack's compiler wrapper refuses a language that
    # the package does not depend on.
    def check(self):
        make(*self.settings, "FC=", "run-examples")

    @run_after("install")
    def install_python(self):
        if self.spec.satisfies("+python"):
            make(*self.settings, "BUNDLE=0", f"PY_ROOT={python_platlib}", "python")

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.set("G6GPU_LIBRARY", join_path(self.prefix.lib, "libg6gpu.so"))
