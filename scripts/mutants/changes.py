"""Which changes of one line are made on purpose: each is a mutant."""

import hashlib
import os
import re
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def swift_files(folder):
    for parent, folders, names in os.walk(os.path.join(ROOT, folder)):
        folders.sort()
        for name in sorted(name for name in names if name.endswith(".swift")):
            yield os.path.relpath(os.path.join(parent, name), ROOT)


# A pattern in a line of code, and what takes its place.
FLIPS = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > (?!\{)", " >= "), (r" >= ", " > "),
    (r" < ", " >= "), (r" > (?!\{)", " <= "), (r" == ", " != "), (r" != ", " == "),
    (r" && ", " || "), (r" \|\| ", " && "), (r"(?<=[ (])!(?=[a-zA-Z(])", ""),
    (r" \+ ", " - "), (r" - ", " + "), (r" \+= ", " -= "), (r" -= ", " += "),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\.\.\.", "..<"), (r"\.\.<", "..."),
    (r"^continue$", "break"), (r"\bmin\(", "max("), (r"\bmax\(", "min("),
    (r"\bfirst\b(?=[ ({?.]|$)", "last"), (r"\blast\b(?=[ ({?.]|$)", "first"),
    # One more.
    (r"(?<![\w.$])\d+(?![\w.])", lambda number: str(int(number) + 1)),
    # The condition as a whole.
    (r"(?<=\bif )(?!let |var |case |try |#)[^,{]+(?= \{)", "!({})".format),
    (r"(?<=^guard )(?!let |var |case |try )[^,{]+(?= else \{)", "!({})".format),
    (r"(?<= where )(?!case )[^,{]+(?= \{$)", "!({})".format),
    # Nothing, too early.
    (r"(?<=^return )(?!nil|\[\]|true|false|try).+[\w)\]]$", "nil"),
    (r"(?<=^return )(?!nil|\[\]|true|false|try).+[\w)\]]$", "[]"),
]
# A statement that stands on one line: a call, an assignment, a way out.
STATEMENT = re.compile(
    r"(?:(?:_ = )?(?:try\?? )?[a-z][\w.\[\]?]*\(.*\)|[a-z][\w.\[\]?()]* (?:[-+|&]?=) .*[^,({\[]"
    r"|return|continue|break)$")
# No code, or nothing that a test should see: what is said of a bug, room made in advance.
NO_CODE = re.compile(
    r'//|import |package import |precondition|\+ "|case .*:$|@|$|.*[cC]apacity'
    r"|var \w+ = \[UInt8\]\(repeating: 0, count: ")
# A program fills its standard descriptors at its start where they are closed: no other is 0. And
# Swift's sort promises nothing of what is equal.
NEVER_SEEN = re.compile(
    r"descriptor (?:> 0|>= 1|<= 0|< 1)|\b(?:sort(?:ed)?\b|m(?:in|ax)\(by:).*\$0.* <= .*\$1")
CONTINUED = (",", "(", "[", "=", "?", ":", "&&", "||", "->")

# `old` and `new` are the line without its indent; `nth` counts those that are alike in a file.
Mutant = namedtuple("Mutant", "path number nth old new")


def mutants(folder, seed):
    """Every mutant below a folder, in the order in which those of a seed are taken: by a hash of its
    own, so that one is among them whatever else changes."""
    everything = (one for path in swift_files(folder) for one in mutants_of(path))
    return sorted(everything, key=lambda one: hashlib.blake2b(
        repr((seed, *named(one))).encode()).digest())


def mutants_of(path):
    alike = {}
    before, is_text = "", False
    for number, line in enumerate(read(path).split("\n")):
        old = line.strip()
        is_text ^= old.count('"""') % 2
        if not is_text and not NO_CODE.match(old):
            nth = alike[old] = alike.get(old, 0) + 1
            for new in variants(old, before.endswith(CONTINUED)):
                yield Mutant(path, number, nth, old, new)
        before = old


def variants(line, continues):
    plain = blanked(line).rstrip()
    found = []
    for pattern, change in FLIPS:
        for match in re.finditer(pattern, plain):
            start, end = match.span()
            new = change(line[start:end]) if callable(change) else change
            found.append(line[:start] + new + line[end:])
    if STATEMENT.match(plain) and plain.count("(") == plain.count(")") and not continues:
        found.append("do {}")
    return dict.fromkeys(one for one in found if not NEVER_SEEN.search(one))


def blanked(line):
    """A line without its texts and comments, in whose stead as much stands, so that places stay."""
    plain = re.sub(r'"(?:[^"\\]|\\.)*"', lambda text: f'"{"_" * (len(text[0]) - 2)}"', line)
    return re.sub(r"//.*", lambda text: " " * len(text[0]), plain)


def named(one):
    """What tells a mutant from others, wherever its line stands."""
    return one.path, one.nth, one.old, one.new
