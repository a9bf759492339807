"""Medians, percentiles, side-by-side measuring, and the rows of the table."""
import math
import time
from dataclasses import dataclass


def percentile(values, share):
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def median(values):
    return percentile(values, 0.5)


def alternating(rounds, **works):
    """Runs each of the works once in each round, one after the other, so that all of them see the
    same machine. A work gives seconds, or is timed. None: it takes no part.

    Returns the seconds of each, by name."""
    taken = {name: [] for name, work in works.items() if work}
    for _ in range(rounds):
        for name in taken:
            begin = time.perf_counter()
            seconds = works[name]()
            taken[name].append(time.perf_counter() - begin if seconds is None else seconds)
    return taken


def seconds(value):
    """A time for people."""
    if value is None:
        return ""
    if value >= 100:
        return f"{value:.0f} s"
    if value >= 1:
        return f"{value:.2f} s"
    if value >= 0.01:
        return f"{value * 1e3:.1f} ms"
    if value >= 0.0001:
        return f"{value * 1e3:.3f} ms"
    return f"{value * 1e6:.1f} µs"


def megabytes(value):
    return "" if value is None else f"{value / (1 << 20):.1f} MiB"


def times(value):
    return f"× {value:.2f}"


@dataclass
class Row:
    """A line of the table. The verdict is None where nothing can be said."""

    what: str
    figure: str = ""
    bar: str = ""
    peer: str = ""
    limit: str = ""
    ratio: str = ""
    met: bool | None = None
    # Shown below the table.
    notes: tuple = ()

    @property
    def verdict(self):
        return {True: "met", False: "NOT MET", None: ""}[self.met]


def unmeasured(what, why, bar=""):
    return Row(what, figure=f"not measured: {why}", bar=bar)


def table(rows):
    """The rows as text."""
    head = ("what", "figure", "bar", "peer", "limit", "ratio", "")
    lines = [head] + [
        (row.what, row.figure, row.bar, row.peer, row.limit, row.ratio, row.verdict)
        for row in rows
    ]
    # What is long because it is an excuse must not widen the column for all.
    widths = [
        max(len(line[column]) for line in lines if not line[column].startswith(("not ", "failed")))
        for column in range(len(head))
    ]
    text = []
    for number, line in enumerate(lines):
        cells = (cell.ljust(width) for cell, width in zip(line, widths))
        text.append("  ".join(cells).rstrip())
        if number == 0:
            text.append("  ".join("-" * width for width in widths).rstrip())
    for row in rows:
        if row.notes:
            text += ["", f"{row.what}:", *(f"    {note}" for note in row.notes)]
    return "\n".join(text) + "\n"
