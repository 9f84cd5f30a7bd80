"""Files of interrupted work."""

from __future__ import annotations

import json
import os
from pathlib import Path


def check_path(name, path) -> Path:
    """A path, from text or a path."""
    if not isinstance(path, (str, os.PathLike)) or "\x00" in os.fsdecode(path):
        raise ValueError(f"{name} must be a path, such as 'folder/file'; got {path!r}.")
    return Path(os.fsdecode(path))


def check_folder_of(name, file):
    """The folder that a file is to be in is there."""
    if not file.parent.is_dir() or file.is_dir():
        raise ValueError(f"{name} must be a file in a folder that is there; got {str(file)!r}. Make the folder first.")


def check_checkpoint(file, form, identity) -> dict:
    """The content of a checkpoint that was written for the same settings and data."""
    try:
        content = json.loads(file.read_bytes())
        known = content["format"] == form and {"settings", "data", "seed", "records"} <= content.keys()
    except (ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise ValueError(
            f"checkpoint must be a whole file of this version of tamis; {file} is not. Remove it to start anew."
        )
    given, now = content["settings"], identity["settings"]
    other = next((name for name in sorted({*given, *now}) if given.get(name) != now.get(name)), None)
    if other is not None:
        raise ValueError(
            f"checkpoint must have been written with the same settings; {file} was with {other}={given.get(other)}, "
            f"now it is {now.get(other)}. Use the settings of then, or another file."
        )
    if content["data"] != identity["data"]:
        raise ValueError(
            f"checkpoint must have been written for the same data; {file} was for others. Use another file; with "
            "labels that are estimated, give a random_state."
        )
    return content
