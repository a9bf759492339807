#!/usr/bin/env python3
"""Breaks store and rules on purpose, one line at a time, to see whether the tests notice.

    mutants.py BUILD [--count N] [--seed N] [--again]

Each mutant is one small change of one line in a copy of the sources; the work tree is only read.
What passes all tests has survived: a missing test, code that nobody needs, or a change that nobody
can observe, which explained.txt then says. Exits with 1 where fewer than 95 of 100
were caught, not counting those explained.
"""

import argparse
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MODEL = [f"Sources/LibraryModel/{name}" for name in ("Changes", "Edits", "Merging", "Positions")]
STORE = ["Sources/LibraryStore"]
# Tests that take long. What is left finds most mutants in seconds.
SLOW = [
    "DamageTests", "Exhaustive", "FaultTests", "HistoryTests", "PastChangesTests",
    "PositionsRandomTests", "PowerLossTests", "PurityTests", "RewritingTests",
]
NEEDED = 0.95

FOLDERS = ["Documentation"] + [
    f"Sources/{name}"
    for name in (
        "CLinuxShims", "CUnicode", "CXXHash", "LibraryModel", "LibraryStore", "NameFolding",
        "Platform")
] + [f"Tests/{name}" for name in ("LibraryModelTests", "LibraryStoreTests", "TestSupport")]

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
NO_CODE = re.compile(r'//|import |package import |precondition|\+ "|case .*:$|@|$|.*[cC]apacity')
CONTINUED = (",", "(", "[", "=", "?", ":", "&&", "||", "->")

# `old` and `new` are the line without its indent; `nth` counts those that are alike in a file.
Mutant = namedtuple("Mutant", "path number nth old new")


def mutants():
    """Every mutant there is, in the order of the sources."""
    for folder in MODEL + STORE:
        for parent, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
            for name in sorted(name for name in names if name.endswith(".swift")):
                yield from mutants_of(os.path.relpath(os.path.join(parent, name), ROOT))


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
    # Texts and comments blanked, so that places stay.
    plain = re.sub(r'"(?:[^"\\]|\\.)*"', lambda text: f'"{"_" * (len(text[0]) - 2)}"', line)
    plain = re.sub(r"//.*", lambda text: " " * len(text[0]), plain).rstrip()
    found = []
    for pattern, change in FLIPS:
        for match in re.finditer(pattern, plain):
            start, end = match.span()
            new = change(line[start:end]) if callable(change) else change
            found.append(line[:start] + new + line[end:])
    if STATEMENT.match(plain) and plain.count("(") == plain.count(")") and not continues:
        found.append("do {}")
    return dict.fromkeys(found)


def named(one):
    """What tells a mutant from others, wherever its line stands."""
    return one.path, one.nth, one.old, one.new


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def explained():
    """Why survivors survive, by path, line and change."""
    reasons = {}
    path = old = new = None
    for line in read(os.path.join(HERE, "explained.txt")).split("\n"):
        if line.startswith("Sources/"):
            path, old, new = line, None, None
        elif line.startswith("- "):
            old, new = line[2:], None
        elif line.startswith("+ "):
            new = line[2:]
        elif line.startswith("  ") and new is not None:
            reasons[path, old, new] = reasons.get((path, old, new), "") + " " + line.strip()
    return reasons


class Scratch:
    """A package with the library and its tests, beside the work tree."""

    def __init__(self, folder):
        self.folder = folder

    def fill(self):
        for folder in FOLDERS:
            copy = os.path.join(self.folder, folder)
            shutil.rmtree(copy, ignore_errors=True)
            # Keeps times, so that only what is new is built.
            shutil.copytree(os.path.join(ROOT, folder), copy)
        shutil.copy2(os.path.join(HERE, "Package.swift"), self.folder)

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def build(self):
        """What the compiler says where it fails; None where it doesn't."""
        done = subprocess.run(
            [os.environ.get("SWIFT", "swift"), "build", "--build-tests", "-j", "2",
             "--package-path", self.folder],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return None if done.returncode == 0 else done.stdout

    def test(self, arguments, seconds):
        """How the tests fail: the first line about it; None where they pass."""
        def limit():
            # Of the processor, so that a busy machine makes no difference.
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

        run = subprocess.Popen(
            [os.path.join(self.folder, ".build/debug/cratedPackageTests.xctest"),
             "--testing-library", "swift-testing"] + arguments,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            env=dict(
                os.environ, NO_COLOR="1", SWIFT_BACKTRACE="enable=no", CRATED_TEST_STATES="1000"),
            start_new_session=True, preexec_fn=limit)
        # Of one that waits for ever.
        timer = threading.Timer(20 * seconds, end, [run])
        timer.start()
        try:
            for line in run.stdout:
                if "recorded an issue" in line:
                    return line.strip()[:160]
            status = run.wait()
        finally:
            timer.cancel()
            end(run)
            run.stdout.close()
            run.wait()
        return {0: None, -signal.SIGXCPU: "endless", -signal.SIGKILL: "endless"}.get(status, "trap")


def end(run):
    """Ends the tests and what they started, which are a session of their own."""
    try:
        os.killpg(run.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def stages(path):
    """Which tests run, and how many seconds of the processor they may take."""
    own, other = "LibraryModelTests", "LibraryStoreTests"
    if path.startswith(tuple(STORE)):
        own, other = other, own
    quick = [word for name in SLOW for word in ("--skip", name)]
    return [
        (["--filter", own] + quick, 40),
        (["--filter", rf"{own}\..*({'|'.join(SLOW)})"], 200),
        (["--filter", other], 200),
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", help="where to build; kept for the next time")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="0: another sample each time")
    parser.add_argument("--again", action="store_true", help="what survived the last time")
    asked = parser.parse_args()
    seed = asked.seed or random.SystemRandom().randrange(1, 1 << 32)
    scratch = Scratch(os.path.abspath(asked.build))
    last = os.path.join(scratch.folder, "survivors.txt")

    # By a hash of its own, a mutant is in the sample of a seed whatever else changes.
    everything = sorted(mutants(), key=lambda one: hashlib.blake2b(
        repr((seed, *named(one))).encode()).digest())
    reasons = explained()
    for stale in reasons.keys() - {(one.path, one.old, one.new) for one in everything}:
        sys.exit("explained, but not there: " + "\n".join(stale))
    if asked.again:
        again = read(last).split("\n")
        everything = [one for one in everything if repr(named(one)) in again]
    print(f"{len(everything)} mutants; a sample of {asked.count} with seed {seed}", flush=True)
    os.makedirs(scratch.folder, exist_ok=True)
    scratch.fill()
    if fault := scratch.build():
        sys.exit(fault)
    for target in MODEL[0], STORE[0]:
        for arguments, seconds in stages(target)[:2]:
            if fault := scratch.test(arguments, seconds):
                sys.exit(f"the tests fail without any mutant: {fault}")

    caught, survivors, told = 0, [], []
    for one in everything:
        if caught + len(survivors) == asked.count:
            break
        text, start = read(os.path.join(scratch.folder, one.path)), time.monotonic()
        lines = text.split("\n")
        lines[one.number] = lines[one.number].replace(one.old, one.new)
        scratch.write(one.path, "\n".join(lines))
        try:
            if scratch.build():
                continue
            built = time.monotonic()
            how = next(filter(None, (scratch.test(*stage) for stage in stages(one.path))), None)
        finally:
            scratch.write(one.path, text)
        reason = reasons.get((one.path, one.old, one.new))
        fate = f"caught: {how}" if how else "EXPLAINED:" + reason if reason else "SURVIVED"
        print(f"{one.path}:{one.number + 1}: {one.old}  →  {one.new}\n    {fate}"
              f" ({built - start:.0f} + {time.monotonic() - built:.0f} s)", flush=True)
        if how:
            caught += 1
        else:
            (told if reason else survivors).append(one)

    with open(last, "w", encoding="utf-8") as file:
        for one in survivors:
            print(repr(named(one)), file=file)
    for name, those in ("Survived", survivors), ("Explained", told):
        for one in those:
            print(f"\n{name}: {one.path}:{one.number + 1}\n- {one.old}\n+ {one.new}")
    count = caught + len(survivors)
    print(f"\ncaught {caught} of {count} ({100 * caught // max(count, 1)} %)"
          f", {len(told)} explained; seed {seed}")
    sys.exit(0 if caught >= NEEDED * count else 1)


main()
