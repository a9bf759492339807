"""The row about a library five times as large, where each figure may grow as the library does."""
import os
import random
import time

import processes
import tiny
from changing import Editor
from daemon import Failure
from figures import Row, percentile, seconds, times, unmeasured
from killed import start_to_answers
from traps import made

SIZES = 100_000, 500_000
EDITS = 200
SEARCHES = 300
SHOWN = 50
SONGS_OF_ALBUM, ALBUMS_OF_ARTIST = 10, 4
WORDS = ("Blue", "Night", "River", "Sun", "Train", "Love", "Stone", "Wind", "Paper", "Gold")
# As much more as the library is, and a fifth for caches that become too small.
GROWTH = 1.2


def large(place):
    bar = f"≤ {times(GROWTH * SIZES[1] / SIZES[0])} each"
    what = f"{SIZES[1]} songs beside {SIZES[0]}"
    if not place.options.million:
        return unmeasured(what, "takes up to 15 minutes; ask for it with --million", bar)
    small, great = (figures(place, songs) for songs in SIZES)
    ratios = {name: great[name] / small[name] for name in small}
    worst = max(ratios, key=ratios.get)
    return Row(
        what, f"{worst} {times(ratios[worst])}", bar,
        met=ratios[worst] <= GROWTH * SIZES[1] / SIZES[0],
        notes=tuple(
            f"{name}: {seconds(small[name])}, {seconds(great[name])} ({times(ratio)})"
            for name, ratio in ratios.items()))


def figures(place, songs):
    """Seconds for each thing in a library of so many songs."""
    with made(place, f"large-{songs}", library(songs)) as folder:
        with place.daemon([folder]) as daemon:
            found = {"first scan": used(daemon, daemon.start, songs)}
            found["a stop"] = stop(daemon)
            found["a start and a full scan"] = used(daemon, daemon.start, songs)
            editor = Editor(daemon)
            for _ in range(EDITS):
                editor.move_album()
            editor.client.close()
            daemon.kill()
            found["a start after kill -9"], client = start_to_answers(daemon)
            client.call("Sync")
            processes.wait_for_rest(daemon.pid)
            taken = [client.timed(message) for message in searches(client)]
            found["search, median"] = percentile(taken, 0.5)
            found["search, 99 %"] = percentile(taken, 0.99)
            client.close()
    return found


def used(daemon, start, songs):
    """Seconds of the daemon's own processor time, without its readers, until it rests."""
    start()
    client = daemon.client()
    client.call("Sync")
    processes.wait_for_rest(daemon.pid)
    status = client.call("Status")["status"]
    client.close()
    if status["songs"] != songs:
        raise Failure(f"{status['songs']} of {songs} songs are there")
    return processes.own_processor_time(daemon.pid)


def stop(daemon):
    begin = time.perf_counter()
    daemon.stop()
    return time.perf_counter() - begin


def searches(client):
    dice = random.Random(1)
    for _ in range(SEARCHES):
        text = f"{dice.choice(WORDS)[:dice.randint(2, 4)]} {dice.choice(WORDS)}"
        yield client.message("Search", query=text, limit=SHOWN)


def library(songs):
    dice = random.Random(1)
    for number in range(songs):
        album = number // SONGS_OF_ALBUM
        artist = f"Artist {album // ALBUMS_OF_ARTIST}"
        tags = {
            "title": f"{dice.choice(WORDS)} {dice.choice(WORDS)} {number % SONGS_OF_ALBUM}",
            "artist": artist, "album": f"{WORDS[album % len(WORDS)]} {album}"}
        yield os.path.join(artist, tags["album"], f"{number}.wav"), tiny.song(number, **tags)


ROWS = {"large": large}
