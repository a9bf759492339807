"""Rows about questions: an album's songs, the status, and searches."""
import os
import random
import subprocess
import time

import peers
import processes
from daemon import Client
from figures import Row, median, percentile, seconds, times

SONGS = 0.0003
STATUS = 0.0001
# How many songs a search answers with; how many there are is not asked of MPD.
SHOWN = 50
SEARCH = {False: (0.002, 0.010), True: (0.004, 0.020)}
QUESTIONS = 2_000
# So many in a row are asked of one program before the next has its turn: a processor that has to
# wake up for each of them would be what is measured.
BLOCK = 50


class Echo:
    """A process that sends back what it gets."""

    def __init__(self, place, runtime):
        self.path = os.path.join(runtime, "echo")
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.process = subprocess.Popen([os.path.join(place.limits, "echo-socket"), self.path])
        while not os.path.exists(self.path):
            time.sleep(0.001)
        time.sleep(0.01)
        self.client = Client(self.path)

    def close(self):
        self.client.close()
        processes.stop(self.process)


def album_songs(place):
    mpd = place.mpd()

    def ask(client, album):
        return client.message("ListSongs", album=album["id"])

    def ask_mpd(album):
        return f"find album {peers.MPD.quoted(album['title'])}"

    return quick(place, "an album's songs", SONGS, ask, ask_mpd, "MPD find", mpd)


def status(place):
    return quick(
        place, "status", STATUS, lambda client, _: client.message("Status"), lambda _: "status",
        "MPD", place.mpd())


def quick(place, what, bound, ask, ask_mpd, peer_name, mpd):
    """A question that is asked of one album after the other, beside an echo."""
    dice = random.Random(1)
    with place.daemon() as daemon:
        client = daemon.started()
        processes.wait_for_rest(daemon.pid)
        albums = client.albums()
        echo = Echo(place, daemon.runtime)
        try:
            ours, limit, theirs = [], [], []
            for _ in range(QUESTIONS // BLOCK):
                chosen = [dice.choice(albums) for _ in range(BLOCK)]
                messages = [ask(client, album) for album in chosen]
                ours += [client.timed(message) for message in messages]
                limit += [echo.client.timed(message) for message in messages]
                if mpd:
                    theirs += [mpd.timed(ask_mpd(album)) for album in chosen[:BLOCK // 5]]
        finally:
            echo.close()
    figure, floor = median(ours), median(limit)
    return Row(
        f"{what}, p50", seconds(figure), f"≤ {seconds(bound)}",
        f"{peer_name} {seconds(median(theirs))}" if theirs else "", seconds(floor),
        times(figure / floor), figure <= bound, (f"p99 {seconds(percentile(ours, 0.99))}",))


# MARK: Search


def queries(albums, dice):
    """Kinds of what people type, with so many of each."""
    words = [
        word for album in albums for word in f"{album['title']} {album['artist']}".split()
        if any(letter.isalnum() for letter in word)
    ]
    words = [word.replace('"', "") for word in words]

    def one():
        return dice.choice(words)

    return {
        "a word": [one() for _ in range(300)],
        "two words": [f"{one()} {one()}" for _ in range(300)],
        "its first letter": [one()[:1] for _ in range(100)],
        "its first three": [one()[:3] for _ in range(300)],
        "an artist": [f"artist:\"{dice.choice(albums)['artist']}\"" for _ in range(200)],
        "a title": [f"title:{one()}" for _ in range(200)],
        "no match": [f"zq{number}xq" for number in range(200)],
    }


def search(place):
    mpd = place.mpd()
    middle, worst = SEARCH[place.is_large]
    dice = random.Random(1)
    with place.daemon() as daemon:
        client = daemon.started()
        processes.wait_for_rest(daemon.pid)
        asked = queries(client.albums(), dice)
        client.call("Search", query="the")
        ours, theirs = {}, {}
        for kind, texts in asked.items():
            ours[kind] = []
            for number, text in enumerate(texts):
                ours[kind].append(client.timed(client.message("Search", query=text, limit=SHOWN)))
                if mpd and number < 25 and ":" not in text:
                    word = peers.MPD.quoted(text.split()[0])
                    theirs.setdefault(kind, []).append(
                        mpd.timed(f"search any {word} window 0:{SHOWN}"))
    every = [taken for kind in ours.values() for taken in kind]
    p50, p99 = median(every), percentile(every, 0.99)
    notes = []
    for kind, taken in ours.items():
        note = f"{kind}: p50 {seconds(median(taken))}, p99 {seconds(percentile(taken, 0.99))}"
        if kind in theirs:
            note += f" (MPD p50 {seconds(median(theirs[kind]))})"
        notes.append(note)
    peer = [taken for kind in theirs.values() for taken in kind]
    return Row(
        "search, p50 / p99", f"{seconds(p50)} / {seconds(p99)}",
        f"≤ {seconds(middle)} / {seconds(worst)}",
        f"MPD {seconds(median(peer))} / {seconds(percentile(peer, 0.99))}" if peer else "",
        met=p50 <= middle and p99 <= worst, notes=tuple(notes))


ROWS = {"album-songs": album_songs, "status": status, "search": search}
