"""Random lives of small libraries under real tools, compared by sound with what must be; for as
long as it is told. What fails is shrunk and printed as words that a person can paste."""
import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import history
import judge
import tags
from deeds import DEEDS
from deeds_tags import IN_PLACE
from sounds import Ear

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = (
    "AtomicParsley", "beet", "convmv", "eyeD3", "ffmpeg", "flac", "kid3-cli", "metaflac", "mid3v2",
    "oggdec", "oggenc", "opusenc", "rsync", "sox", "tar", "vorbiscomment", "wavpack", "wvunpack")
# What happens by itself, or by chance at the beginning of a life.
BY_ITSELF = ("drive", "start")
# Deeds that need root.
MOUNTING = ("drive", "cover", "uncover", "blank", "trip")
# How many times as many lives there are until each deed was done.
MORE_LIVES = 4
PRELUDE = """# Paste into bash, as root where it mounts; crated and crate are in PATH.
T={here}
P="/usr/bin/python3 -B"
song() {{ $P $T/sounds.py "$2" "$1" && $P $T/tags.py "$1" "${{@:3}}"; }}
export HOME=$(mktemp -d); cd "$HOME"; mkdir Music shelf run; chmod 700 run
export XDG_RUNTIME_DIR=$HOME/run XDG_CONFIG_HOME=$HOME/config XDG_DATA_HOME=$HOME/data
export XDG_CACHE_HOME=$HOME/cache; mkdir -p config/crated
echo "music_folders = [\\"$HOME/Music\\"]" >config/crated/config.toml"""


class Place:
    """Where lives are lived."""

    def __init__(self, options, can_mount):
        self.programs = os.path.abspath(options.programs)
        self.scratch = tempfile.mkdtemp(prefix="crated-torture-", dir=options.scratch)
        self.pool = os.path.abspath(options.sounds or os.path.join(self.scratch, "sounds"))
        self.ear = Ear(self.scratch)
        self.can_mount = can_mount
        self.wanted = set(options.only or DEEDS) - set(options.without)
        judge.PASSED.update(options.pass_over)
        if options.in_place:
            tags.TOOLS.update(IN_PLACE)
        self.keep = options.keep
        self.stopped = options.stopped
        self.end = float("inf")

    def close(self):
        if not self.keep:
            shutil.rmtree(self.scratch, ignore_errors=True)


def say(words):
    print(words, flush=True)


def own_mounts():
    """Starts this program once more where mounts are its own; whether there can be any."""
    if os.environ.get("CRATED_TORTURE_MOUNTS"):
        return os.environ["CRATED_TORTURE_MOUNTS"] == "yes"
    words = ["unshare", "--mount", "--propagation", "private"]
    tried = subprocess.run(
        [*words, "sh", "-c", "mount -t tmpfs none /mnt && umount /mnt"], capture_output=True)
    if tried.returncode:
        say("Nothing can be mounted here: without " + ", ".join(MOUNTING) + ". As root it can.")
        return False
    os.environ["CRATED_TORTURE_MOUNTS"] = "yes"
    os.execvp(words[0], [*words, sys.executable, *sys.orig_argv[1:]])


def tell(seed, result, program):
    """One failure, as a person reads it."""
    say(f"\n== Life {seed} fails: {result.broken}\n")
    say(PRELUDE.format(here=HERE))
    say("\n".join(result.story))
    say(f"# {result.broken}\n")


def failed(place, options, seed, result):
    """Shrinks what failed, prints it, and keeps the words that do it again."""
    shortest, last = history.shrunk(
        place, seed, result.history, result.broken.kind, options.shrink)
    if last is None:
        say(f"Life {seed} failed, and didn't when it was lived again.")
        last = result
    tell(seed, last, place.programs)
    path = os.path.join(options.reports, f"life-{seed}.json")
    os.makedirs(options.reports, exist_ok=True)
    with open(path, "w") as file:
        json.dump(dict(seed=seed, kind=last.broken.kind, history=last.history), file, indent=1)
        file.write("\n")
    say(f"Once more: {sys.argv[0]} --programs {place.programs} --replay {path}")


def replay(place, options):
    with open(options.replay) as file:
        kept = json.load(file)
    result = history.again(place, kept["seed"], kept["history"])
    if result.fault:
        say(f"A tool failed: {result.fault}")
        return 2
    if result.broken and options.shrink_again:
        failed(place, options, kept["seed"], result)
    elif result.broken:
        tell(kept["seed"], result, place.programs)
    else:
        say("It lives.")
    return 1 if result.broken else 0


def torture(place, options):
    begin = time.monotonic()
    if options.minutes:
        place.end = begin + 60 * options.minutes
    done, unfinished = collections.Counter(), collections.Counter()
    failures, faults, lives = collections.Counter(), 0, 0
    # 0: another one each time, as with the other random tests of the Makefile.
    seed = options.seed = options.seed or random.randrange(1, 10 ** 6)
    while time.monotonic() < place.end and goes_on(place, options, lives, done):
        result = history.random_life(place, seed, options.length)
        done.update(result.done)
        unfinished.update(result.unfinished)
        lives += 1
        if result.fault:
            faults += 1
            say(f"Life {seed}: a tool failed: {result.fault}")
        elif result.broken:
            failures[result.broken.kind] += 1
            say(f"Life {seed}: {result.broken}")
            kept = place.end
            place.end = float("inf")
            # What the same life shows once more tells nothing new.
            if failures[result.broken.kind] <= options.each:
                failed(place, options, seed, result)
            place.end = kept
        elif options.verbose:
            say(f"Life {seed}: {sum(result.done.values())} deeds")
        seed += 1
    minutes = (time.monotonic() - begin) / 60
    total = sum(done.values())
    say(f"{total} deeds in {lives} lives and {minutes:.1f} minutes, {total / minutes:.0f} a "
        f"minute; seeds {options.seed} to {seed - 1}; {sum(failures.values())} lives failed")
    say("  " + ", ".join(f"{name} {count}" for name, count in sorted(done.items())))
    for kind, count in failures.most_common():
        say(f"  {count} × {kind}")
    for tool, count in sorted(unfinished.items()):
        say(f"  {count} × {tool} left undone what it was asked for, and mutagen did it")
    if faults:
        say(f"  {faults} × a tool failed")
    if options.every_kind and missing(place, done):
        say("Never done: " + ", ".join(missing(place, done)))
        return 1
    return 1 if failures or faults else 0


def goes_on(place, options, lives, done):
    """Whether there is another life. Which deeds a few lives do is a matter of dice and time."""
    if not options.lives or lives < options.lives:
        return True
    return options.every_kind and missing(place, done) and lives < MORE_LIVES * options.lives


def missing(place, done):
    """The deeds that were never done."""
    return [name for name in DEEDS if not done[name] and name not in BY_ITSELF and (
        place.can_mount or name not in MOUNTING)]


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--programs", required=True, help="the folder with crated and its readers")
    words.add_argument("--scratch", help="where homes are made")
    words.add_argument("--sounds", help="where made sounds are kept for the next time")
    words.add_argument("--reports", default=".", help="where histories that fail are kept")
    words.add_argument("--minutes", type=float, default=0)
    words.add_argument("--lives", type=int, default=0)
    words.add_argument("--length", type=int, default=60, help="deeds in a life")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--shrink", type=float, default=300, help="seconds for each failure")
    words.add_argument("--each", type=int, default=2, help="failures of a kind that are shrunk")
    words.add_argument("--replay", help="a kept history")
    words.add_argument("--shrink-again", action="store_true", help="and shrink it")
    words.add_argument("--only", nargs="*", default=[], choices=sorted(DEEDS), metavar="DEED")
    words.add_argument("--without", nargs="*", default=[], choices=sorted(DEEDS), metavar="DEED")
    words.add_argument("--pass-over", nargs="*", default=[], metavar="KIND",
                       choices=("id of an album", "order of albums", "places kept"),
                       help="kinds that are known")
    words.add_argument("--in-place", action="store_true", help="only taggers that make no file")
    words.add_argument("--stopped", action="store_true",
                       help="the daemon doesn't run while files change")
    words.add_argument("--keep", action="store_true", help="leave what failed where it is")
    words.add_argument("--every-kind", action="store_true",
                       help="live on until each deed was done, and fail if one never was")
    words.add_argument("--verbose", action="store_true")
    options = words.parse_args()
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        words.error("these tools are missing (make torture installs them): " + ", ".join(missing))
    can_mount = own_mounts()
    # Daemons and mounts go, too, when this program has to.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    place = Place(options, can_mount)
    try:
        return replay(place, options) if options.replay else torture(place, options)
    finally:
        place.close()


if __name__ == "__main__":
    sys.exit(main())
