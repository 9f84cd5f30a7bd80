"""Tables, arguments and checkpoints as bad luck leaves them: small good ones, and what can happen to them."""

import gzip
import io
import json
import random
import string

import numpy as np
import pandas as pd

ODD_CELLS = (
    *("", " ", "NA", "?", "-", "+", "nan", "inf", "-inf", "1e308", "-1e308", "1e400", "5e-324", "-0.0", "1e-320"),
    *("9" * 30, "9" * 400, "0x1F", "1_000", "١٢", "true", "False", "12 %", "€ 1,234", "1,234", "1 234,5", "$5.00"),
    *("2024-01-31", "31.12.2024", "12/31/2024 08:15", "=1+1", "@x", "ä", "\u202e", "\x1b[31m", "a\nb", '"', "'", "\\"),
    *("<b>x</b>", "{{ x }}", "%s", "0/1", "x" * 5000, "🌷", "\ufeff", "null", "None", "[]", "{}"),
)
ODD_WORDS = (
    *("", " ", "-", "--", "*", "?", "[", "kind", "x", "y", "z", "KIND", "k*", "nothing", "ä", "🌷", "a\nb", "x" * 300),
    *("-1", "0", "1", "2", "1.5", "0.5", "nan", "inf", "1e9", "9" * 30, "auto", "true", "t.csv", ".", "nowhere/x"),
    *("paths", "hard", "noisy", "soft", "crowd", "multilabel", "ranking", "blanket", "forward", "drop-rows", "median"),
    *("use", "indicator", "error", "days", "parts", "when"),
    *("mutual_information", "bayes_risk", "laplacian", "weighted_laplacian", "chi2", "kl", "wasserstein", "\udcff"),
)
_OPTIONS = (
    *("--target", "-t", "--labels", "--search", "--criterion", "--features", "--alpha", "--require", "--drop"),
    *("--categorical", "--group-prefix", "--class-distance", "--missing", "--seed", "--jobs", "--out", "--checkpoint"),
    *("--max-time", "--weight", "--rows-by", "--time", "--dates"),
)
_SIGNS = (b"\0", b'"', b"'", b"\xff\xfe", b"\n", b",", b"\x1a", b"{", b"%", b"\xef\xbb\xbf")
_STUBS = (b"", b"\n", b" ", b"x", b"kind\n", b"x,kind\n", b"PAR1", b"@relation r\n", b"<x/>")
_FLAGS = ("--force", "--resume", "--json", "--quiet", "-q", "--help", "--version", "--colour", "-x")


def good_table(rng: random.Random) -> pd.DataFrame:
    """Some rows of three numbers, and a column or two of others."""
    n = rng.choice([8, 12, 24])
    kind = list("aabb") * (n // 4)
    rng.shuffle(kind)
    table = pd.DataFrame({"x": [rng.gauss(k == "a", 1) for k in kind], "y": [rng.randint(0, 5) for _ in kind]})
    table["z"] = [rng.choice(["low", "high"]) for _ in kind] if rng.random() < 0.5 else [rng.random() for _ in kind]
    if rng.random() < 0.3:
        table["when"] = [f"2024-01-{1 + i % 28:02}" for i in range(n)]
    table["kind"] = kind
    if rng.random() < 0.4:  # gaps: a few, a column, of one class
        gone = rng.choice([lambda k: rng.random() < 0.2, lambda k: True, lambda k: k == "a"])
        table["x"] = [None if gone(k) else x for k, x in zip(kind, table["x"], strict=True)]
    return table.round(4)


def csv_file(rng: random.Random) -> tuple[str, bytes]:
    """A table of text in which something went wrong: cells, columns, then bytes."""
    table = good_table(rng).astype(object)
    for _ in range(rng.choice([0, 0, 0, 1, 2, 6])):
        table.iloc[rng.randrange(len(table)), rng.randrange(table.shape[1])] = rng.choice(ODD_CELLS)
    change = rng.randrange(15)
    if change == 0:
        table = table.drop(columns=rng.choice(list(table.columns)))
    elif change == 1:
        table = pd.concat([table, table[[rng.choice(list(table.columns))]]], axis=1)
    elif change == 2:
        table = table.rename(columns={rng.choice(list(table.columns)): rng.choice(ODD_CELLS)})
    elif change == 3:
        table[rng.choice(list(table.columns))] = rng.choice(ODD_CELLS)
    elif change == 4:
        table = table[[rng.choice(list(table.columns))]]
    delimiter = rng.choice(",,,;\t|")
    text = table.to_csv(index=rng.random() < 0.1, sep=delimiter, quoting=rng.choice([0, 0, 1]))
    if delimiter == ";" and rng.random() < 0.5:
        text = text.replace(".", ",")
    if rng.random() < 0.2:
        text = text.replace("\n", rng.choice(["\r\n", "\r", "\n\n", "\n\r"]))
    if rng.random() < 0.1:
        text = text.replace(delimiter, rng.choice(",;\t| :#"))
    encoding = rng.choice(["utf-8"] * 6 + ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252"])
    return "t.csv", damaged(text.encode(encoding, "replace"), rng)


def arff_file(rng: random.Random) -> tuple[str, bytes]:
    table, lines = good_table(rng), ["@relation r"]
    for name in table.columns:
        nominal = "{" + ",".join(sorted(set(map(str, table[name])))) + "}"
        is_number = pd.api.types.is_numeric_dtype(table[name])
        lines.append(
            f"@attribute {name} {rng.choice(['numeric', 'real']) if is_number else rng.choice([nominal, 'string'])}"
        )
    lines.append("@data")
    sparse = rng.random() < 0.3
    for row in table.itertuples(index=False):
        cells = [str(cell) if rng.random() > 0.01 else rng.choice(ODD_CELLS) for cell in row]
        if sparse:
            lines.append("{" + ", ".join(f"{place} {cell}" for place, cell in enumerate(cells)) + "}")
        else:
            lines.append(",".join(cells))
    return "t.arff", damaged("\n".join(lines).encode("utf-8", "replace"), rng)


def parquet_file(rng: random.Random) -> tuple[str, bytes]:
    table = good_table(rng)
    extra = rng.randrange(7)
    if extra == 0:
        table["when"] = pd.date_range("2024-01-01", periods=len(table))
    elif extra == 1:
        table["z"] = table["z"].astype("category")
    elif extra == 2:
        table["z"] = [[1, 2]] * len(table)
    elif extra == 3:
        table["z"] = [b"\x00\xff"] * len(table)
    elif extra == 4:
        table["z"] = pd.to_timedelta(np.arange(len(table)), unit="s")
    elif extra == 5:
        table["z"] = [rng.choice([True, None]) for _ in range(len(table))]
    stream = io.BytesIO()
    table.to_parquet(stream)
    return "t.parquet", damaged(stream.getvalue(), rng)


def labels_file(rng: random.Random) -> bytes:
    """Mulan's list of labels, for the file beside it."""
    names = rng.sample(["x", "y", "z", "kind", "nothing"], rng.randint(0, 3))
    inside = "".join(f'<label name="{name}"/>' for name in names)
    return damaged(f'<?xml version="1.0"?><labels xmlns="http://mulan">{inside}</labels>'.encode(), rng)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Nothing, often; or bytes changed, cut, repeated, packed."""
    content = bytearray(data)
    kind = rng.randrange(20)
    place = rng.randrange(len(content) + 1) if content else 0
    if kind == 0:
        for _ in range(rng.choice([1, 3, 20])):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        del content[place:]
    elif kind == 2:
        del content[place : place + rng.choice([1, 5, 50])]
    elif kind == 3:
        content[place:place] = rng.choice(
            [b"\0", b'"', b"'", b"\xff\xfe", b"\n", b",", b"\x1a", b"{", b"%", b"\xef\xbb\xbf"]
        )
    elif kind == 4:
        content[place:place] = rng.randbytes(rng.choice([1, 10, 100]))
    elif kind == 5:
        content[place:place] = content[: rng.randrange(len(content) + 1)]
    elif kind == 6:
        content[place:place] = rng.choice(string.printable).encode() * rng.choice([100, 70_000])
    elif kind == 7:
        packed = bytearray(gzip.compress(bytes(content), mtime=0))
        if rng.random() < 0.6:
            packed[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
        content = packed[: rng.randrange(len(packed))] if rng.random() < 0.3 else packed
    elif kind == 8 and rng.random() < 0.2:
        content = bytearray(
            rng.choice([b"", b"\n", b" ", b"x", b"kind\n", b"x,kind\n", b"PAR1", b"@relation r\n", b"<x/>"])
        )
    return bytes(content)


def arguments(rng: random.Random) -> list[str]:
    """Arguments of a command, most of them good, mixed up."""
    command = rng.choice(["select", "select", "select", "audit"])
    args = [command, "t.csv", "-t", "kind"]
    if command == "select":
        args += ["--search", "ranking", "--features", "1"]
    for _ in range(rng.randint(0, 3)):
        args += [rng.choice(_OPTIONS), rng.choice(ODD_WORDS)] if rng.random() < 0.8 else [rng.choice(_FLAGS)]
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        place = rng.randrange(len(args))
        if rng.random() < 0.5:
            del args[place]
        else:
            args[place] = rng.choice([*ODD_WORDS, *args])
        if not args:
            break
    return args


def other_value(value, rng: random.Random):
    """A JSON value in which one thing is another."""
    odd = [None, True, -1, 0, 5, 99, 10**400, 0.5, float("nan"), float("inf"), "", "x", [], {}, [[]], [None] * 5]
    if isinstance(value, list) and value and rng.random() < 0.9:
        place, value = rng.randrange(len(value)), list(value)
        change = rng.randrange(6)
        if change == 0:
            del value[place]
        elif change == 1:
            value.insert(place, value[rng.randrange(len(value))])
        else:
            value[place] = other_value(value[place], rng)
        return value
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        return {**value, name: other_value(value[name], rng)}
    if isinstance(value, float) and rng.random() < 0.5:
        return value * 1.5
    return rng.choice(odd)


def strict_json(text: str):
    """The value of JSON that every reader takes."""

    def refuse(word):
        raise ValueError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)
