"""Histories of deeds: making one, doing it again, and finding the shortest that still fails."""
import json
import os
import random
import subprocess
import time

import deeds_drives  # noqa: F401  (what can happen)
import deeds_files  # noqa: F401
import deeds_movers  # noqa: F401
import deeds_new  # noqa: F401
import deeds_person  # noqa: F401
import deeds_sound  # noqa: F401
import deeds_tags  # noqa: F401
import judge
from deeds import DEEDS
from home import Broken, Home, Skip, ToolFault
from life import Life

# So many albums are there before the daemon looks for the first time.
FIRST_ALBUMS = 7
# How often, of a hundred times, Crated's listing is compared after a deed.
COMPARED = 35
# A deed has its turn in one of so many seeds, among the first so many.
TURNS = 3
# How often the daemon is made to look between the steps of a tagger that makes a second file.
LOOKING = 0.3
SOON = 30
LATER = 5
TRIES = 6
# A rescan that must change nothing comes with each of so many comparisons.
IDLE_EACH = 4


class Result:
    def __init__(self):
        self.history = []
        self.broken = None
        self.fault = None
        self.story = []
        self.done = {}
        self.unfinished = {}


class FreshHome(Home):
    """A home without a store, over another one's music."""

    def __init__(self, life):
        super().__init__(life.place.programs, life.place.scratch, "fresh")
        self.music_home = life.home
        settings = os.path.join(self.daemon.home, "config", "crated", "config.toml")
        with open(settings, "w") as file:
            file.write(f"music_folders = {json.dumps([life.home.path('Music')])}\n")

    def path(self, *parts):
        return self.music_home.path(*parts) if parts[:1] == ("Music",) else super().path(*parts)


class Fresh:
    def __init__(self, life):
        self.home = FreshHome(life)
        self.ear = life.ear
        self.ids = judge.Ids()


def do(life, name, words):
    """Does one thing; whether it could be done."""
    told = len(life.home.story)
    life.home.tell(f"# {name}")
    try:
        words = json.loads(json.dumps(words))
        life.looks = words.pop("looks", ())
        DEEDS[name].do(life, **words)
    except Skip:
        if len(life.home.story) == told + 1:
            life.home.story.pop()
            return False
    return True


def compare(life):
    life.settle()
    if life.settles % IDLE_EACH == 0:
        judge.compare_idle(life)


def finish(life):
    """Everything comes back that can, and then all of it is looked at once more."""
    life.home.tell("# the end")
    if life.believed:
        deeds_drives.come_back(life)
    if life.covered:
        deeds_drives.uncover(life, life.covered)
    for copy in sorted(life.copies):
        try:
            deeds_files.end_of_copy(life, copy, "copy")
        except Skip:
            deeds_files.end_of_copy(life, copy, "original")
    compare(life)
    judge.compare_idle(life)
    life.home.tell("# a fresh daemon over the same folder")
    fresh = Fresh(life)
    try:
        fresh.home.start()
        fresh.home.call("Sync")
        judge.compare_fresh(life, fresh)
    finally:
        fresh.home.close()
    before = judge.sequence(life)
    life.home.stop()
    life.home.tell("crated check")
    checked = subprocess.run(
        [os.path.join(life.place.programs, "crated"), "check"], env=life.home.daemon.environment,
        capture_output=True, timeout=60)
    if checked.returncode:
        raise Broken("crated check", checked.stdout.decode(errors="replace")[-400:])
    life.home.start()
    compare(life)
    if judge.sequence(life) != before:
        change = life.home.call("History", limit=1)["changes"][0]
        raise Broken("not idle", f"a restart changes: {change['summary']}")


def lived(place, seed, body):
    """A life in a home of its own: what came of it."""
    result = Result()
    life = None
    try:
        life = Life(place, f"life-{os.getpid()}", seed)
        body(life, result)
        finish(life)
    except Broken as broken:
        result.broken = broken
    except (ToolFault, subprocess.TimeoutExpired) as fault:
        result.fault = fault
    finally:
        if life:
            result.story = life.home.story
            result.unfinished = life.unfinished
            if result.broken and place.keep:
                print(f"kept: {life.home.folder}", flush=True)
                life.home.stop()
            else:
                life.home.close()
    return result


def perform(life, result, name, words):
    # What fails is part of the history, too.
    result.history.append([name, words])
    if name == "compare":
        compare(life)
    elif do(life, name, words):
        result.done[name] = result.done.get(name, 0) + 1
    else:
        result.history.pop()
        return False
    return True


def deal(dice, wanted, seed):
    """A pack with each deed as often as it weighs, shuffled. In the lives of a few seeds in a row
    every deed is near the top once."""
    pack = [name for name, deed in sorted(DEEDS.items()) if name in wanted
            for _ in range(deed.weight)]
    dice.shuffle(pack)
    first = [name for place, name in enumerate(sorted(wanted & set(pack)))
             if place % TURNS == seed % TURNS]
    for name in first:
        pack.insert(max(0, len(pack) - dice.randrange(SOON)), name)
    return pack, first * TRIES


def random_life(place, seed, length):
    """Everything that is decided is decided by the seed."""
    def body(life, result):
        dice = random.Random(seed)
        if place.can_mount and dice.random() < 0.3:
            perform(life, result, "drive", {})
        for _ in range(FIRST_ALBUMS):
            perform(life, result, "new-album", DEEDS["new-album"].choose(life, dice))
        perform(life, result, "compare", {})
        pack, due, done = [], [], 0
        while done < length and time.monotonic() < place.end:
            if not pack:
                pack, due = deal(dice, place.wanted, seed)
            name = pack.pop()
            if one_deed(life, result, dice, name):
                done += 1
                if dice.randrange(100) < COMPARED:
                    perform(life, result, "compare", {})
            elif name in due and not result.done.get(name):
                # Its turn comes once more, when things may be otherwise; not for ever.
                due.remove(name)
                pack.insert(max(0, len(pack) - LATER), name)
    return lived(place, seed, body)


def one_deed(life, result, dice, name):
    if life.believed and not DEEDS[name].while_away:
        return False
    words = DEEDS[name].choose(life, dice)
    # An empty choice is one for deeds without words.
    if not isinstance(words, dict):
        return False
    if dice.random() < LOOKING:
        words["looks"] = dice.choice(([1], [2], [1, 2]))
    if life.place.stopped and life.home.is_running and DEEDS[name].do.__module__ not in (
            "deeds_person", "deeds_drives"):
        perform(life, result, "stop", {})
    return perform(life, result, name, words)


def again(place, seed, history):
    def body(life, result):
        for name, words in history:
            perform(life, result, name, words)
    return lived(place, seed, body)


def shrunk(place, seed, history, kind, seconds):
    """The shortest history found in so many seconds that fails in the same way; its result."""
    end = time.monotonic() + seconds
    best = None

    def fails(candidate):
        nonlocal best
        result = again(place, seed, candidate)
        if result.broken and result.broken.kind == kind:
            best = result
            return True
        return False

    if not fails(history) and not fails(history):
        return history, None
    history = best.history
    pieces = 2
    while len(history) > 1 and time.monotonic() < end:
        size = max(1, len(history) // pieces)
        for start in range(0, len(history), size):
            candidate = history[:start] + history[start + size:]
            if time.monotonic() > end:
                break
            if candidate and fails(candidate):
                history = best.history
                pieces = max(pieces - 1, 2)
                break
        else:
            if size == 1:
                break
            pieces = min(pieces * 2, len(history))
    history = fewer_songs(history, fails, end)
    return history, best


def fewer_songs(history, fails, end):
    """Albums without songs that nothing needs."""
    for place, (name, words) in enumerate(history):
        if name != "new-album":
            continue
        for song in reversed(words["songs"]):
            if time.monotonic() > end or len(history[place][1]["songs"]) < 2:
                break
            less = [one for one in history[place][1]["songs"] if one["number"] != song["number"]]
            candidate = [*history]
            candidate[place] = [name, dict(words, songs=less)]
            if fails(candidate):
                history = candidate
                words = candidate[place][1]
    return history
