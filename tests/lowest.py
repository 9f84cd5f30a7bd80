"""Print the lowest version of every dependency that pyproject.toml declares, as constraints for pip."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())["project"]
declared = project["dependencies"] + [d for extra in project["optional-dependencies"].values() for d in extra]
for name, version in sorted(set(re.findall(r"^([\w-]+)(?:\[.*])?>=([\d.]+)$", "\n".join(declared), re.MULTILINE))):
    print(f"{name}=={version}")
