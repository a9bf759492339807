#!/usr/bin/env python3
"""Measures the daemon beside its peers and beside what the machine can do at all, in one run, and
prints one table: each figure with its bar, met or not. What fails is a line of the table, too.

    bench.py --programs DIRECTORY --limits DIRECTORY --scratch DIRECTORY --report FILE
             [--songs N | --music FOLDER] [--strict] [--without PEER] [--all-peers]
             [--million] [ROW...]
"""
import argparse
import os
import platform
import signal
import sys
import time
import traceback

import asking
import browsing
import changing
import commands
import growth
import killed
import large
import machines
import memory
import pausing
import resting
import scanning
import together
import traps
from figures import Row, table
from place import Place, say

# In the order of the table. A row that starts over comes first, so that the page cache is warm
# later; the cold one last, because it empties it for everybody.
ROWS = {
    **{name: scanning.ROWS[name] for name in ("first-scan", "full-look", "start")},
    **killed.ROWS, **changing.ROWS, **growth.ROWS, **together.ROWS, **asking.ROWS,
    **pausing.ROWS, **commands.ROWS, **browsing.ROWS, **memory.ROWS, **resting.ROWS, **machines.ROWS,
    **traps.ROWS,
    **large.ROWS,
    "first-scan-cold": scanning.first_scan_cold,
}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, help="where crated and crate are")
    parser.add_argument("--limits", required=True, help="where the programs of Benchmarks are")
    parser.add_argument("--scratch", required=True, help="for music, stores and peers")
    parser.add_argument("--report", required=True, help="the table goes there, too")
    parser.add_argument("--songs", type=int, default=12_000)
    parser.add_argument("--music", help="a music folder; nothing is written there")
    parser.add_argument("--rounds", type=int, help="how often what takes long is measured")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where a bar is missed")
    parser.add_argument("--all-peers", action="store_true", help="beets, too")
    parser.add_argument(
        "--without", action="append", default=[], choices=("mpd", "watchman"), help="not this peer")
    parser.add_argument("--million", action="store_true", help="parts with a million songs, too")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(ROWS)}")
    options = parser.parse_args()
    unknown = [row for row in options.rows if row not in ROWS]
    if unknown:
        parser.error(f"no row is called {unknown[0]}; there are {', '.join(ROWS)}")
    return options


def measured(name, place):
    say(f"measuring {name} …")
    begin = time.monotonic()
    try:
        row = ROWS[name](place)
    except Exception as error:  # A row that fails must not take the others with it.
        traceback.print_exc()
        row = Row(name, figure=f"failed: {type(error).__name__}: {error}")
    say(f"  {row.figure}  {row.verdict}  ({time.monotonic() - begin:.0f} s)")
    return row


def described(place):
    """Under what the figures were taken."""
    load = os.getloadavg()[0]
    return (
        f"{place.songs} songs; {os.cpu_count()} processors, Linux {platform.release()}, load"
        f" {load:.1f} at the beginning\n")


def main():
    options = arguments()
    # So that what was started is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    place = Place(options)
    try:
        head = described(place)
        rows = [measured(name, place) for name in options.rows or ROWS]
    finally:
        place.close()
    text = f"{head}\n{table(rows)}"
    print(f"\n{text}", end="")
    with open(options.report, "w") as file:
        file.write(text)
    missed = [row for row in rows if row.met is not True]
    sys.exit(1 if options.strict and missed else 0)


if __name__ == "__main__":
    main()
