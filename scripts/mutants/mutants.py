#!/usr/bin/env python3
"""Breaks the sources on purpose, one line at a time, to see whether the tests notice.

    mutants.py BUILD [--count N] [--seed N] [--again] [TARGET …]

Each mutant is one small change of one line in a copy of the sources; the work tree is only read.
Of each target, the tests named after it have to notice, built with nothing else than what they
need. What has none is left out: C, and programs that only put parts together. So are the tests of
the whole, which take minutes.
What passes has survived: a missing test, code that nobody needs, or a change that nobody
can observe, which explained.txt then says. Exits with 1 where fewer than 95 of 100
were caught, not counting those explained.
"""

import argparse
import filecmp
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SWIFT = os.environ.get("SWIFT", "swift")
# Tests that take long. What is left finds most mutants in seconds.
SLOW = {
    "Browsing": ["RandomSessionTests"],
    "LibraryModel": ["Exhaustive", "HistoryTests", "PositionsRandomTests", "PurityTests",
                     "RewritingTests"],
    "LibraryStore": ["DamageTests", "FaultTests", "HistoryTests", "PastChangesTests",
                     "PowerLossTests"],
}
NEEDED = 0.95
# Of each target, in a sample of all; more by its length.
LEAST = 2

# Seconds of the processor, and of the clock.
Limits = namedtuple("Limits", "processor clock")
# What tests may take that pass.
AMPLE = Limits(1200, 3600)
# Seconds of the clock in which tests do nothing that wait for ever. None waits so long for time to
# pass, or it would fail without any mutant.
IDLE = 20

# A target with tests of its own: their name, where both are, which targets they need, whether what
# is tested is optimised, and how many lines it has.
Group = namedtuple("Group", "name tests folder needed is_fast lines")


def described(scratch):
    """What Package.swift says."""
    return json.loads(subprocess.run(
        [SWIFT, "package", "--package-path", ROOT, "--scratch-path", f"{scratch}/.build",
         "dump-package"], check=True, stdout=subprocess.PIPE).stdout)


def groups(package):
    """What has tests of its own, in the order of Package.swift."""
    targets = {one["name"]: one for one in package["targets"]}
    for tests in package["targets"]:
        own = [name for name in targets if f"{name}Tests".lower() == tests["name"].lower()]
        if tests["type"] != "test" or not own:
            continue
        folder = targets[own[0]].get("path", f"Sources/{own[0]}")
        lines = sum(read(path).count("\n") for path in swift_files(folder))
        if lines:
            yield Group(own[0], tests["name"], folder, needed(tests["name"], targets),
                        "-O" in json.dumps(targets[own[0]]["settings"]), lines)


def needed(name, targets):
    found, left = set(), [name]
    while left:
        name = left.pop()
        if name in targets and name not in found:
            found.add(name)
            # Of a product of another package the second is the package's name, no target.
            left += [next(iter(one.values()))[0] for one in targets[name]["dependencies"]]
    return sorted(found)


def shares(asked, count):
    """How many mutants of each: some of all, and the more the more lines."""
    least = min(LEAST, count // len(asked))
    rest, total, passed = count - least * len(asked), sum(one.lines for one in asked), 0
    for one in asked:
        before, passed = rest * passed // total, passed + one.lines
        yield one, least + rest * passed // total - before


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
NO_CODE = re.compile(r'//|import |package import |precondition|\+ "|case .*:$|@|$|.*[cC]apacity')
# A program fills its standard descriptors at its start where they are closed: no other is 0.
NEVER_ZERO = re.compile(r"descriptor (?:> 0|>= 1|<= 0|< 1)")
CONTINUED = (",", "(", "[", "=", "?", ":", "&&", "||", "->")

# `old` and `new` are the line without its indent; `nth` counts those that are alike in a file.
Mutant = namedtuple("Mutant", "path number nth old new")


def mutants(group, seed):
    """Every mutant of a target, in the order in which those of a seed are taken: by a hash of its
    own, so that one is among them whatever else changes."""
    everything = (one for path in swift_files(group.folder) for one in mutants_of(path))
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
    return dict.fromkeys(one for one in found if not NEVER_ZERO.search(one))


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
    """The package beside the work tree, of which no more is built than one target's tests need.
    What several need is built once."""

    def __init__(self, folder, package):
        self.folder, self.bundle = folder, f"{package['name']}PackageTests"

    def fill(self):
        for name in os.listdir(ROOT):
            source, copy = os.path.join(ROOT, name), os.path.join(self.folder, name)
            if name in ("Sources", "Tests"):
                mirror(source, copy)
            elif name == "Package.resolved":
                shutil.copy2(source, copy)
            elif name != "Package.swift" and not name.startswith(".") and not os.path.lexists(copy):
                os.symlink(source, copy)
        # What SwiftPM makes by itself looks for tests of XCTest, with an index of all sources.
        self.write("Tests/XCTMain.swift", """import Testing

@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
""")

    def choose(self, group):
        """Has only what the tests of a group need built: the project's own package, from which the
        rest is taken. A mutant may have odd code; and random tests are many."""
        fast = [group.tests, "TestSupport"] if group.is_fast else ["TestSupport"]
        self.write("Package.swift", read("Package.swift") + f"""
package.products = []
package.targets.removeAll {{ !{json.dumps(group.needed)}.contains($0.name) }}
for target in package.targets where target.swiftSettings != nil {{
  target.swiftSettings! += [.unsafeFlags(["-no-warnings-as-errors"])]
  if {json.dumps(fast)}.contains(target.name) {{
    target.swiftSettings! += [.unsafeFlags(["-O"])]
  }}
}}
""")

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def touch(self, folder):
        """Has all of a target's files compiled again."""
        for parent, _, names in os.walk(os.path.join(self.folder, folder)):
            for name in names:
                os.utime(os.path.join(parent, name))

    def build(self):
        """What the compiler says where it fails; None where it doesn't."""
        done = subprocess.run(
            [SWIFT, "build", "--build-tests", "-j", "2", "--package-path", self.folder,
             "--disable-index-store", "-debug-info-format", "none",
             "--disable-automatic-resolution"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return None if done.returncode == 0 else done.stdout

    def test(self, arguments, limits):
        """How the tests fail: the first line about it; None where they pass."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (limits.processor, limits.processor + 5))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

        # What tests leave behind that are ended goes, too. Sockets need a short path.
        with tempfile.TemporaryDirectory(prefix="m", ignore_cleanup_errors=True) as rubbish:
            # Some tests run a program as somebody else.
            os.chmod(rubbish, 0o711)
            run = subprocess.Popen(
                [os.path.join(self.folder, f".build/debug/{self.bundle}.xctest"),
                 "--testing-library", "swift-testing"] + arguments,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, errors="replace", start_new_session=True, preexec_fn=limit,
                env=dict(
                    os.environ, NO_COLOR="1", SWIFT_BACKTRACE="enable=no", TMPDIR=rubbish,
                    CRATED_TEST_STATES="1000"))
            is_over = threading.Event()
            threading.Thread(target=watch, args=(run, limits.clock, is_over)).start()
            try:
                for line in run.stdout:
                    if "recorded an issue" in line:
                        return line.strip()[:160]
                status = run.wait()
            finally:
                is_over.set()
                end(run)
                run.stdout.close()
                run.wait()
        return {0: None, -signal.SIGXCPU: "endless", -signal.SIGKILL: "endless"}.get(status, "trap")


def mirror(source, copy):
    """Leaves alone what is the same, which then isn't built anew."""
    os.makedirs(copy, exist_ok=True)
    names = os.listdir(source)
    for name in set(os.listdir(copy)) - set(names):
        gone = os.path.join(copy, name)
        shutil.rmtree(gone) if os.path.isdir(gone) else os.remove(gone)
    for name in names:
        old, new = os.path.join(copy, name), os.path.join(source, name)
        if os.path.isdir(new):
            mirror(new, old)
        elif not os.path.exists(old) or not filecmp.cmp(old, new, shallow=False):
            shutil.copy(new, old)


def watch(run, seconds, is_over):
    """Ends tests that go on for so long, or do nothing but wait."""
    began = moved = time.monotonic()
    used = 0
    while not is_over.wait(1):
        now, used_by_now = time.monotonic(), ticks(run.pid)
        if abs(used_by_now - used) > 1:
            used, moved = used_by_now, now
        if now - began > seconds or now - moved > IDLE:
            return end(run)


def ticks(session):
    """What the processes of a session used of the processor, in hundredths of a second."""
    used = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            used += sum(map(int, fields[11:15]))
    return used


def end(run):
    """Ends the tests and what they started, which are a session of their own."""
    try:
        os.killpg(run.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def stages(group, scratch):
    """Which tests run one after the other, and within which limits."""
    slow = SLOW.get(group.name, [])
    parts = [[word for name in slow for word in ("--skip", name)]]
    if slow:
        parts.append(["--filter", "|".join(slow)])
    for arguments in parts:
        began, used = time.monotonic(), processor_time()
        if fault := scratch.test(arguments, AMPLE):
            raise Unfit(f"the tests fail without any mutant: {fault}")
        yield arguments, Limits(
            20 + 3 * int(processor_time() - used), 60 + 5 * int(time.monotonic() - began))


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Unfit(Exception):
    """A target whose mutants say nothing. The others go on."""


class Tally:
    def __init__(self):
        self.caught, self.survived, self.told, self.seconds, self.fault = 0, [], [], 0, None

    def __str__(self):
        if self.fault:
            return self.fault
        count = self.caught + len(self.survived)
        each = self.seconds / max(count + len(self.told), 1)
        return (f"caught {self.caught} of {count} ({100 * self.caught // max(count, 1)} %)"
                f", {len(self.told)} explained, {each:.0f} s each")


def try_mutants(group, wanted, count, scratch, reasons):
    """So many of a target, of those that compile."""
    tally, began = Tally(), time.monotonic()
    scratch.choose(group)
    try:
        if fault := scratch.build():
            raise Unfit(f"it can't be built: {fault}")
        built = time.monotonic()
        tests = list(stages(group, scratch))
    except Unfit as unfit:
        tally.fault = str(unfit)
        print(f"\n{group.name}: {unfit}", flush=True)
        return tally
    print(f"\n{group.name}: {count} mutants; built in {built - began:.0f} s, tests pass in"
          f" {time.monotonic() - built:.0f} s", flush=True)
    began = time.monotonic()
    for one in wanted:
        if tally.caught + len(tally.survived) == count:
            break
        text, start = read(os.path.join(scratch.folder, one.path)), time.monotonic()
        lines = text.split("\n")
        lines[one.number] = lines[one.number].replace(one.old, one.new)
        scratch.write(one.path, "\n".join(lines))
        # Of what the tests have inlined, the compiler doesn't see that it changed.
        is_inlined = "@inlinable" in text
        if is_inlined:
            scratch.touch(f"Tests/{group.tests}")
        try:
            if scratch.build():
                continue
            built = time.monotonic()
            how = next(filter(None, (scratch.test(*stage) for stage in tests)), None)
        finally:
            scratch.write(one.path, text)
            if is_inlined:
                scratch.touch(f"Tests/{group.tests}")
        reason = reasons.get((one.path, one.old, one.new))
        fate = f"caught: {how}" if how else "EXPLAINED:" + reason if reason else "SURVIVED"
        print(f"{one.path}:{one.number + 1}: {one.old}  →  {one.new}\n    {fate}"
              f" ({built - start:.0f} + {time.monotonic() - built:.0f} s)", flush=True)
        if how:
            tally.caught += 1
        else:
            (tally.told if reason else tally.survived).append(one)
    tally.seconds = time.monotonic() - began
    return tally


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", help="where to build; kept for the next time")
    parser.add_argument("targets", nargs="*", help="all that have tests of their own, if none")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="0: another sample each time")
    parser.add_argument("--again", action="store_true", help="what survived the last time")
    asked = parser.parse_intermixed_args()
    seed = asked.seed or random.SystemRandom().randrange(1, 1 << 32)
    folder = os.path.abspath(asked.build)
    os.makedirs(folder, exist_ok=True)
    last = os.path.join(folder, "survivors.txt")
    package = described(folder)
    everything = list(groups(package))
    names = [one.name for one in everything]
    for unknown in set(asked.targets) - set(names):
        sys.exit(f"{unknown} has no tests of its own; these have: {' '.join(names)}")

    wanted = {one.name: mutants(one, seed) for one in everything}
    reasons = explained()
    there = {(one.path, one.old, one.new) for those in wanted.values() for one in those}
    for stale in reasons.keys() - there:
        sys.exit("explained, but not there: " + "\n".join(stale))
    chosen = [one for one in everything if one.name in (asked.targets or names)]
    counts = shares(chosen, asked.count)
    if asked.again:
        again = read(last).split("\n")
        wanted = {name: [one for one in those if repr(named(one)) in again]
                  for name, those in wanted.items()}
        counts = ((one, len(wanted[one.name])) for one in chosen)
    print(f"{len(there)} mutants, of which a sample is taken by seed {seed}", flush=True)
    scratch = Scratch(folder, package)
    scratch.fill()
    tallies = {
        group.name: try_mutants(group, wanted[group.name], count, scratch, reasons)
        for group, count in counts if count}

    whole = Tally()
    print()
    for name, tally in tallies.items():
        print(f"{name}: {tally}")
        whole.caught += tally.caught
        whole.survived += tally.survived
        whole.told += tally.told
        whole.seconds += tally.seconds
    with open(last, "w", encoding="utf-8") as file:
        for one in whole.survived:
            print(repr(named(one)), file=file)
    for name, those in ("Survived", whole.survived), ("Explained", whole.told):
        for one in those:
            print(f"\n{name}: {one.path}:{one.number + 1}\n- {one.old}\n+ {one.new}")
    print(f"\n{whole}; seed {seed}")
    are_fit = not any(tally.fault for tally in tallies.values())
    is_enough = whole.caught >= NEEDED * (whole.caught + len(whole.survived))
    sys.exit(0 if are_fit and is_enough else 1)


main()
