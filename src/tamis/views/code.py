"""Python that repeats a run, written from its summary."""

from __future__ import annotations

import ast
import builtins
import inspect
import pprint
from collections.abc import Mapping
from typing import Any

_UNKNOWN = {"python": "..."}
_READ_SO = {"missing": "use", "dates": "drop"}
"""How `read_table` reads unless it is told otherwise."""
_OF_ROWS = ("weight", "rows_by", "time")
"""What `read_table` may be told of the rows; it returns the arguments of `fit`."""
_NUMPY = {"array", "inf", "nan"}


def python_code(summary: Mapping[str, Any]) -> tuple[str, str, str]:
    """Code up to the number of features in its last line, that number, and the rest of the line.

    What was read from a file is read again; else X and y are those at hand, and so are classes that no module has. The
    parts joined can be run.
    """
    asked, reading = summary["asked"], summary["data"]["reading"]
    audits = "labels" in asked
    fitted, name = ("model", asked["labels"]) if audits else ("selector", asked["selector"])
    arguments = _arguments(asked, bool(_class_distance(summary)))
    imports = _imports(summary, arguments.values())
    X = "P" if audits and arguments.get("estimator") == "'precomputed'" else "X"
    alone = audits and (summary["labels"] or {}).get("predicted_from", X) is None
    lines = [f"from {module} import {', '.join(names)}" for module, names in imports]
    if reading is not None:
        if audits and X == "X" and not alone:
            lines.append("from tamis.cli.auditing import coordinates")
        lines.append("from tamis.cli.preparing import read_table")
        given_rows = ["**rows"] if any(reading.get(name) for name in _OF_ROWS) else []
        lines += ["", f"{X}, y, {'rows' if given_rows else '_'} = read_table({_how_read(reading)})"]
    else:
        what, at_hand = "table" if X == "X" else "probabilities", _known_of_rows(summary)
        given_rows = [f"{name}={name}" for name in at_hand]
        given = "y: the answers" if alone else f"{X} and y: the {what} and the labels"
        lines += ["", f"# {given} of this run"]
        lines += [f"# {', '.join(at_hand)}: as in this run"] if at_hand else []
    lines += [f"# {other}: as in this run" for other in sorted(_at_hand(imports, arguments.values()))]
    if not isinstance(asked["parameters"].get("random_state", 0), int):
        lines.append(
            "# random_state was left open: folds and estimated labels may differ, and with them the number of features"
        )
    lines += [*_class_distance(summary), f"{fitted} = {name}({_written(arguments)})"]
    if audits:
        given = "None" if alone else X if reading is None or X == "P" else "coordinates(X)"
        show = "annotators()" if name == "CrowdLabels" else "suspects(20)"
        fit = f"{fitted}.fit({', '.join([given, 'y', *given_rows])})"
        return "\n".join([*lines, fit, f"print({fitted}.{show})\n"]), "", ""
    y = [] if summary["classes"] is None else ["y"]
    lines.append(f"{fitted}.fit({', '.join(['X', *y, *given_rows])})")
    before, after = ("X.columns[", "]") if reading is not None else ("", "")
    last = f"print({before}{fitted}.path_.subset("
    return "\n".join([*lines, last]), str(summary["search"]["n_selected"]), f"){after})\n"


def _how_read(reading) -> str:
    """Arguments of `read_table`."""
    told = {name: value for name, value in reading.items() if name != "file" and value and value != _READ_SO.get(name)}
    return ", ".join([repr(reading["file"]), *(f"{name}={value!r}" for name, value in told.items())])


def _known_of_rows(summary) -> list[str]:
    """What `fit` was told of the rows."""
    data, has_order = summary["data"], summary.get("drift") is not None
    known = {"sample_weight": data["weights"] is not None, "groups": data["n_groups"] is not None, "order": has_order}
    has_gold = "labels" in summary["asked"] and (summary["labels"] or {}).get("rows_gold")
    known["gold"] = bool(has_gold) and summary["asked"]["parameters"].get("expert") is None
    return [name for name, is_known in known.items() if is_known]


def python_text(value) -> str:
    """A parameter of a summary as it is written in Python."""
    return value["python"] if isinstance(value, Mapping) and "python" in value else repr(value)


def _imports(summary, texts):
    found = {(i["module"], i["name"]) for i in summary["asked"]["imports"] if i["name"] != "ClassDistance"}
    if _class_distance(summary):
        found.add(("tamis", "ClassDistance"))
    found |= {("numpy", name) for name in _names(texts) & _NUMPY}
    modules = sorted({module for module, _ in found} - {"__main__"})
    return [(module, sorted(name for one, name in found if one == module)) for module in modules]


def _at_hand(imports, texts) -> set[str]:
    """Names that come from nowhere: of classes of a notebook, say."""
    known = {name for _, names in imports for name in names} | {"distance"} | set(dir(builtins))
    return _names(texts) - known


def _names(texts) -> set[str]:
    nodes = [node for text in texts for node in ast.walk(ast.parse(text, mode="eval"))]
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _arguments(asked, has_distance) -> dict[str, str]:
    """Parameters that are not what they are by default; `...` for what cannot be written."""
    given = {}
    for name, value in asked["parameters"].items():
        if name == "class_distance" and has_distance:
            given[name] = "distance"
        elif name == "random_state" and not isinstance(value, int):
            continue
        elif value != _defaults(asked).get(name, _UNKNOWN):
            text = python_text(value)
            given[name] = text if _is_expression(text) else "..."
    return given


def _is_expression(text) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _written(arguments) -> str:
    """One to a line if they are many."""
    told = [f"{name}={value}" for name, value in arguments.items()]
    if len(told) > 3:
        return "\n    " + ",\n    ".join(told) + ",\n"
    return ", ".join(told)


def _defaults(asked):
    """Of a class of tamis; of others nothing is known, and everything is told."""
    import tamis

    name = asked.get("labels", asked.get("selector"))
    if name not in tamis.__all__:
        return {}
    return {p.name: p.default for p in inspect.signature(getattr(tamis, name)).parameters.values()}


def _class_distance(summary) -> list[str]:
    """The distances between the classes, as far as they are known."""
    known = summary.get("class_distance")
    if not known or known["tree"] is None:
        return []
    if not known["is_tree"]:
        if known["matrix"] is None:
            return ["distance = ...  # the distances of this run: too many to be written here"]
        return [f"distance = ClassDistance({_literal(known['matrix'])}, classes={_literal(known['classes'])})"]
    nodes, classes = known["tree"], known["classes"]
    names = [f"node {i}" if node["class"] is None else classes[node["class"]] for i, node in enumerate(nodes)]
    if len(set(map(str, names))) < len(names):  # a class is called like one of our nodes
        names = [("node", i) if node["class"] is None else classes[node["class"]] for i, node in enumerate(nodes)]
    edges = [(names[node["parent"]], names[i], node["length"]) for i, node in enumerate(nodes) if i]
    return [
        f"edges = {_literal(edges)}",
        f"distance = ClassDistance.from_tree(edges, classes={_literal(classes)})",
    ]


def _literal(value) -> str:
    return pprint.pformat(value, width=110, compact=True, sort_dicts=False)
