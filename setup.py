"""Say which folder is which package, and what machine code a wheel carries.

Everything else stands in pyproject.toml.

The packages lie side by side in the repository and install under one name, since bare names such as
`reports` would collide with other distributions.
"""

import gzip
import os
import tarfile
import time
from pathlib import Path
from typing import Any

from setuptools import Distribution, find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

PACKAGE_DIR = {
    "ethnos_sim": "cli",
    "ethnos_sim.simulator": "simulator",
    "ethnos_sim.strategies": "strategies",
    "ethnos_sim.experiments": "experiments",
    "ethnos_sim.reports": "reports",
}


class SameBytes(sdist):
    """A source distribution that is equal, byte by byte, for equal files and SOURCE_DATE_EPOCH."""

    def make_archive(
        self, base_name: str, kind: str, root_dir: Any = None, base_dir: Any = None, **_: Any
    ) -> str:
        """Pack the files in the order of their names, all of one moment and of nobody."""
        moment = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))

        def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.mtime, member.uid, member.gid = moment, 0, 0
            member.uname = member.gname = ""
            return member

        path = f"{base_name}.tar.gz"
        with (
            open(path, "wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=moment) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            archive.add(base_dir, filter=plain)
        return path


#: A folder of machine code, of which a wheel for one kind of processor is made (`make dist`).
MACHINE_CODE = os.environ.get("ETHNOS_SIM_MACHINE_CODE")


class Carrying(build_py):
    """Lays machine code where simulator/compiler/code_cache.py looks for it."""

    def run(self) -> None:
        """Build the packages."""
        super().run()
        if MACHINE_CODE:
            target = Path(self.build_lib, "ethnos_sim", "simulator/compiler/machine_code")
            self.mkpath(str(target))
            for file in sorted(Path(MACHINE_CODE).glob("*.code")):
                self.copy_file(str(file), str(target / file.name))


class ForOneProcessor(Distribution):
    """What carries machine code is for one platform."""

    def has_ext_modules(self) -> bool:
        """Whether a wheel's name has to say the platform."""
        return MACHINE_CODE is not None


setup(
    cmdclass={"sdist": SameBytes, "build_py": Carrying},
    distclass=ForOneProcessor,
    package_dir=PACKAGE_DIR,
    packages=[
        package + found.removeprefix(folder)
        for package, folder in PACKAGE_DIR.items()
        for found in find_packages(include=[folder, f"{folder}.*"])
    ],
)
