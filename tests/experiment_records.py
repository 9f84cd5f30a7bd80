"""Records of an experiment that a test makes up."""

import json

from experiments.reproduction import Records


def records_of(path, lines):
    """What an experiment would have written to this file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return Records(path)
