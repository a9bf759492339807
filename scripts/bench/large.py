"""The row about libraries up to forty times as large, where each figure may grow as the library
does, and the picture of that."""
import os
import random
import time

import drawing
import processes
import tiny
from changing import Editor
from daemon import Failure
from figures import Row, median, megabytes, percentile, seconds, times, unmeasured
from killed import start_to_answers
from traps import made

SIZES = 12_500, 100_000, 500_000
EDITS = 200
SEARCHES = 300
SHOWN = 50
SONGS_OF_ALBUM, ALBUMS_OF_ARTIST = 10, 4
WORDS = ("Blue", "Night", "River", "Sun", "Train", "Love", "Stone", "Wind", "Paper", "Gold")
# As much more as the library is, and a fifth for caches that become too small.
GROWTH = 1.2
MEMORY = "memory at rest"


def large(place):
    bar = f"≤ {times(GROWTH)} of the growth, each"
    what = f"{SIZES[-1]} songs beside {SIZES[-2]}"
    if not place.options.million:
        return unmeasured(what, "takes up to 15 minutes; ask for it with --million", bar)
    every = [figures(place, songs) for songs in SIZES]
    taken = {name: [found[name] for found in every] for name in every[0] if name != MEMORY}
    title = "What it takes as the library grows"
    path = os.path.join(os.path.dirname(place.options.report), "growth.svg")
    with open(path, "w") as file:
        file.write(drawing.growth(title, SIZES, taken))
    # The small library shows in the picture how things begin; what is fixed in them is no growth.
    ratios = {name: values[-1] / values[-2] for name, values in taken.items()}
    worst = max(ratios, key=ratios.get)
    memory = ", ".join(megabytes(found[MEMORY]) for found in every)
    return Row(
        what, f"{worst} {times(ratios[worst])}", bar,
        met=ratios[worst] <= GROWTH * SIZES[-1] / SIZES[-2],
        notes=(
            f"with {', '.join(str(size) for size in SIZES)} songs; the picture is in {path}",
            *(
                f"{name}: {', '.join(seconds(value) for value in values)} ({times(ratios[name])})"
                for name, values in taken.items()),
            f"{MEMORY}: {memory}"))


def figures(place, songs):
    """Seconds for each thing in a library of so many songs, and bytes of memory."""
    with made(place, f"large-{songs}", library(songs)) as folder:
        with place.daemon([folder]) as daemon:
            found = {"first scan": used(daemon, daemon.start, songs)}
            found["stop"] = stop(daemon)
            found["start and full scan"] = used(daemon, daemon.start, songs)
            found[MEMORY] = processes.resident(daemon.pid)
            editor = Editor(daemon)
            found["edit, median"] = median([editor.move_album() for _ in range(EDITS)])
            editor.client.close()
            daemon.kill()
            found["start after kill -9"], client = start_to_answers(daemon)
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
