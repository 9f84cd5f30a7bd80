"""What a case of the fuzzer is drawn with: one generator, and a note of everything that was drawn."""

import numpy as np


class Draw:
    """Draws by the number of the case, and notes what came.

    Half of the cases are lawful: however ugly, nothing in them is wrong by itself.
    """

    def __init__(self, number, threads=1):
        self.rng = np.random.default_rng(number)
        self.notes = []
        self.threads = threads
        self.lawful = self.chance(0.5)
        self.classes, self.width = 3, 3

    def wrong(self, share):
        """Whether something is wrong: never in lawful cases, the more often in others."""
        return self.chance(2 * share) and not self.lawful

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
        """One of some values, or of functions that make one for the numbers of classes and columns."""
        value = self.among(options)
        value = value(self) if callable(value) and not isinstance(value, type) else value
        self.notes.append(f"{what}={shown(value)}")
        return value


def shown(value):
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
