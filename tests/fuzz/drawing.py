"""What a case of the fuzzer is drawn with: one generator, and a note of everything that was drawn."""

import numpy as np


class Draw:
    """Draws by the number of the case, and notes what came."""

    def __init__(self, number):
        self.rng = np.random.default_rng(number)
        self.notes = []

    def chance(self, share):
        return self.rng.random() < share

    def among(self, options):
        return options[self.rng.integers(len(options))]

    def form(self, what, forms, *data):
        """One of the functions in `forms`, applied."""
        name = self.among(sorted(forms))
        self.notes.append(f"{what}={name}")
        return forms[name](*data)

    def value(self, what, options):
        """One of some values, or of functions that make one."""
        value = self.among(options)
        value = value() if callable(value) and not isinstance(value, type) else value
        self.notes.append(f"{what}={shown(value)}")
        return value


def shown(value):
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
