"""Say which folder is which package; everything else stands in pyproject.toml.

The rooms lie side by side in the repository and install under one name, since bare names such as
`reports` would collide with other distributions.
"""

from setuptools import find_packages, setup

PACKAGE_DIR = {
    "ethnos_sim": "cli",
    "ethnos_sim.simulator": "simulator",
    "ethnos_sim.strategies": "strategies",
    "ethnos_sim.experiments": "experiments",
    "ethnos_sim.reports": "reports",
}

setup(
    package_dir=PACKAGE_DIR,
    packages=[
        package + found.removeprefix(folder)
        for package, folder in PACKAGE_DIR.items()
        for found in find_packages(include=[folder, f"{folder}.*"])
    ],
)
