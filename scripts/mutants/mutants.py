#!/usr/bin/env python3
"""Breaks the sources on purpose, one line at a time, to see whether the tests notice.

    mutants.py BUILD [--count N] [--seed N] [--again] [TARGET …]

Each mutant is one small change of one line in a copy of the sources; the work tree is only read.
Of each target, the tests named after it have to notice, built with nothing else than what they
need. What has none is left out: C, and programs that only put parts together. So are the tests of
the whole, which take minutes.
What passes has survived: a missing test, code that nobody needs, or a change that nobody can
observe. It is a sample for people to read; exits with 1 only where a target could not be tested.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections import namedtuple

import switches
from changes import ROOT, mutants, named, read, swift_files
from scratch import SWIFT, Limits, Scratch

# Tests that take long. What is left finds most mutants in seconds.
SLOW = {
    "Browsing": ["RandomSessionTests"],
    # Those with a daemon, a shell or a terminal of its own.
    "crate": ["ArtworkTests", "BrowseTests", "BrowsedLibraryTests", "CompletionTests", "EditTests",
              "ExitStatusTests", "FindTests", "ForgetAskingTests", "ImportAskingTests",
              "ImportTests", "LiveBarTests", "ManualTests", "MatchTests", "NameTests",
              "OddTerminalTests", "ShowTests", "TerminalListingTests", "TranscriptTests",
              "UndoTests"],
    "LibraryModel": ["Exhaustive", r"\.HistoryTests", "PositionsRandomTests", "PurityTests",
                     "RewritingTests"],
    "LibraryStore": ["DamageTests", "FaultTests", r"\.HistoryTests", "PastChangesTests",
                     "PowerLossTests"],
}
# Programs that have no tests of their name, and the tests that run them.
RUN_BY = {"crate-tag-reader": "TagReadingTests"}
# Targets with code in programs that get an environment of their own, which chooses no mutant.
ALONE = {"TagReading", "crate-tag-reader"}
# Of each target, in a sample of all; more by its length.
LEAST = 2
# What tests may take that pass.
AMPLE = Limits(1200, 3600)

# A target with tests of its own: their name, where both are, and how many lines it has.
Group = namedtuple("Group", "name tests folder tests_folder lines")


def described(scratch):
    """What Package.swift says."""
    return json.loads(subprocess.run(
        [SWIFT, "package", "--package-path", ROOT, "--scratch-path", f"{scratch}/.build",
         "dump-package"], check=True, stdout=subprocess.PIPE).stdout)


def groups(package):
    """What has tests of its own, in the order of Package.swift."""
    targets = {one["name"]: one for one in package["targets"]}
    for tests in package["targets"]:
        own = [name for name in targets if tests["name"].lower() in
               (f"{name}Tests".lower(), RUN_BY.get(name, "").lower())]
        for name in own if tests["type"] == "test" else []:
            folder = targets[name]["path"]
            lines = sum(read(path).count("\n") for path in swift_files(folder))
            if lines:
                yield Group(name, tests["name"], folder, tests["path"], lines)


def shares(asked, count):
    """How many mutants of each: some of all, and the more the more lines."""
    least = min(LEAST, count // len(asked))
    rest, total, passed = count - least * len(asked), sum(one.lines for one in asked), 0
    for one in asked:
        before, passed = rest * passed // total, passed + one.lines
        yield one, least + rest * passed // total - before


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
        self.caught, self.survived, self.seconds, self.fault = 0, [], 0, None

    def tried(self):
        return self.caught + len(self.survived)

    def add(self, one, how, began):
        fate = f"caught: {how}" if how else "SURVIVED"
        print(f"{one.path}:{one.number + 1}: {one.old}  →  {one.new}\n    {fate}"
              f" ({time.monotonic() - began:.0f} s)", flush=True)
        if how:
            self.caught += 1
        else:
            self.survived.append(one)

    def __str__(self):
        if self.fault:
            return self.fault
        count = self.tried()
        return (f"caught {self.caught} of {count} ({100 * self.caught // max(count, 1)} %)"
                f", {self.seconds / max(count, 1):.0f} s each")


def try_mutants(group, wanted, count, scratch):
    """So many of a target, of those that compile: most in one program, the others each alone."""
    tally, began = Tally(), time.monotonic()
    scratch.choose(group)
    try:
        together = build_together(
            [] if group.name in ALONE else wanted[:count], group, scratch)
        built = time.monotonic()
        tests = list(stages(group, scratch))
    except Unfit as unfit:
        tally.fault = str(unfit)
        print(f"\n{group.name}: {unfit}", flush=True)
        return tally
    print(f"\n{group.name}: {count} mutants, {len(together)} of them in one program; built in"
          f" {built - began:.0f} s, tests pass in {time.monotonic() - built:.0f} s", flush=True)

    began = time.monotonic()
    for number, one in together.items():
        first = time.monotonic()
        tally.add(one, scratch.test_all(tests, number), first)
    scratch.restore()
    done = set(together.values())
    for one in (one for one in wanted if one not in done):
        if tally.tried() == count:
            break
        first = time.monotonic()
        with scratch.changed(one, group):
            if scratch.build():
                continue
            how = scratch.test_all(tests)
            if not how:
                # The build after one that failed was seen to leave out what had changed.
                scratch.touch(group.folder)
                if scratch.build():
                    continue
                how = scratch.test_all(tests)
        tally.add(one, how, first)
    tally.seconds = time.monotonic() - began
    return tally


def build_together(wanted, group, scratch):
    """Builds one program with all of these mutants that have a form in which they can be chosen,
    and compile so. They, by their number."""
    numbered = dict(enumerate(wanted, 1))
    while True:
        for path in {one.path for one in wanted}:
            lines, taken = switches.switched(
                scratch.original(path).split("\n"),
                [(number, one) for number, one in numbered.items() if one.path == path])
            scratch.write(path, "\n".join(lines))
            numbered = {number: one for number, one in numbered.items()
                        if one.path != path or number in taken}
        scratch.write(f"{group.folder}/ChosenMutant.swift", switches.CHOOSER)
        failure = scratch.build()
        if not failure:
            return numbered
        if not numbered:
            raise Unfit(f"it can't be built: {failure}")
        for number in switches.to_leave_out(failure, list(numbered.items())):
            del numbered[number]


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

    wanted = {one.name: mutants(one.folder, seed) for one in everything}
    chosen = [one for one in everything if one.name in (asked.targets or names)]
    counts = shares(chosen, asked.count)
    if asked.again:
        again = read(last).split("\n")
        wanted = {name: [one for one in those if repr(named(one)) in again]
                  for name, those in wanted.items()}
        counts = ((one, len(wanted[one.name])) for one in chosen)
    count = sum(map(len, wanted.values()))
    print(f"{count} mutants, of which a sample is taken by seed {seed}", flush=True)
    scratch = Scratch(folder, package)
    scratch.fill()
    tallies = {
        group.name: try_mutants(group, wanted[group.name], count, scratch)
        for group, count in counts if count}

    whole = Tally()
    print()
    for name, tally in tallies.items():
        print(f"{name}: {tally}")
        whole.caught += tally.caught
        whole.survived += tally.survived
        whole.seconds += tally.seconds
    with open(last, "w", encoding="utf-8") as file:
        for one in whole.survived:
            print(repr(named(one)), file=file)
    for one in whole.survived:
        print(f"\nSurvived: {one.path}:{one.number + 1}\n- {one.old}\n+ {one.new}")
    print(f"\n{whole}; seed {seed}")
    are_fit = not any(tally.fault for tally in tallies.values())
    sys.exit(0 if are_fit else 1)


if __name__ == "__main__":
    main()
