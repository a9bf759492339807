"""Rows about music as no person has it, where what is simple takes the square of the time: one
directory with everything, one sound, one title, a thousand crates, a thousand directories in each
other, characters of many marks, mounts elsewhere."""
import contextlib
import os
import shutil
import subprocess
import threading
import time

import memory
import processes
import tiny
from changing import Watcher, rename_and_wait
from daemon import Failure
from figures import Row, seconds, times, unmeasured

CROWD = 40_000
ALBUMS = 400
ARRIVALS = 100
ARRIVALS_APART = 0.05
# So often one file comes where nothing has happened for a while; their mean counts.
LONE_ARRIVALS = 3
LONE = 0.100
MANY = 1.0
SAME_SOUND = 2_000
RENAMED = 2.0
MANY_ALBUMS = 4_000
SONGS_OF_ALBUM = 3
# By the processor time that the daemon itself took for the first scan.
RENAMED_WHOLE = 3.0
SAME_TITLE = 3_000
SCANNED = 2.0
CRATES = 1_000
ALBUMS_OF_CRATE = 2
STARTED = 1.0
DEPTH = 1_000
NESTED = 1.0
MARKS = 24_000
ASKED = 0.5
LINKED = 2_000
MOUNTS = 20
MOUNTED = 0.050


@contextlib.contextmanager
def made(place, name, songs):
    """A music folder below the scratch folder with the songs, each a path and its bytes; gone
    afterwards."""
    folder = os.path.join(place.scratch, name)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        for path, content in songs:
            tiny.write(os.path.join(folder, path), content)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def scanned(place, folder, count):
    """A daemon that knows all songs of a folder, is at rest, and has no reader any more."""
    with place.daemon([folder]) as daemon:
        client = daemon.started()
        rest(daemon)
        expect(client, count)
        yield daemon, client


def rest(daemon):
    processes.wait_for_rest(daemon.pid)
    memory.wait_for_readers(daemon.pid)


def expect(client, count):
    """A row where songs were lost tells nothing."""
    status = client.call("Status")["status"]
    if (status["songs"], status["gone"]) != (count, 0):
        raise Failure(f"of {count} songs {status['songs']} are there, {status['gone']} are gone")


def used(daemon, work):
    """Seconds of processor time that a daemon and its readers take for something, with all that
    follows from it."""
    before = processes.processor_time(daemon.pid)
    work()
    processes.wait_for_rest(daemon.pid)
    # Its readers are still there, or are counted as well when they have ended.
    return processes.processor_time(daemon.pid) - before


def crowd(place):
    """Files that come into a directory which has tens of thousands."""
    def song(number):
        album = f"Album {number % ALBUMS}"
        return tiny.song(number, title=f"Song {number}", artist="Artist", album=album)

    songs = ((f"crowd/{n}.wav", song(n)) for n in range(CROWD))
    coming = [(f"{n}.wav", song(CROWD + n)) for n in range(LONE_ARRIVALS + ARRIVALS)]
    with made(place, "arriving", coming) as outside, made(place, "crowded", songs) as folder:
        pairs = [
            (os.path.join(outside, name), os.path.join(folder, "crowd", f"new {name}"))
            for name, _ in coming]
        with scanned(place, folder, CROWD) as (daemon, client):
            watcher = Watcher(daemon)
            lone = []
            for pair in pairs[:LONE_ARRIVALS]:
                lone.append(used(daemon, lambda: rename_and_wait(*pair, watcher)))
                memory.wait_for_readers(daemon.pid)
            watcher.close()
            many = used(daemon, lambda: arrive(pairs[LONE_ARRIVALS:], client))
            expect(client, CROWD + len(coming))
            look = place.limit("bare-walk", folder)[0]
    mean = sum(lone) / len(lone)
    return Row(
        f"into a directory of {CROWD}: one file / {ARRIVALS} in"
        f" {ARRIVALS * ARRIVALS_APART:.0f} s, processor",
        f"{seconds(mean)} / {seconds(many)}", f"≤ {seconds(LONE)} / {seconds(MANY)}",
        limit=seconds(look), ratio=times(mean / look), met=mean <= LONE and many <= MANY,
        notes=(
            "one file, after rest, with a reader's start: " + ", ".join(map(seconds, lone)),
            "the limit is one bare walk through the directory"))


def arrive(pairs, client):
    begin = time.monotonic()
    for number, (path, target) in enumerate(pairs):
        time.sleep(max(0, begin + number * ARRIVALS_APART - time.monotonic()))
        os.rename(path, target)
    client.call("Sync")


def same_sound(place):
    """A folder of many albums whose songs sound alike is renamed."""
    songs = (
        (f"all/{n}.wav", tiny.song(0, title=f"Song {n}", artist="Artist", album=f"Album {n}"))
        for n in range(SAME_SOUND))
    with made(place, "same-sound", songs) as folder:
        with scanned(place, folder, SAME_SOUND) as (daemon, client):
            def rename():
                os.rename(os.path.join(folder, "all"), os.path.join(folder, "other"))
                client.call("Sync")

            took = used(daemon, rename)
            expect(client, SAME_SOUND)
    return processor_row(f"{SAME_SOUND} of one sound, folder renamed", took, RENAMED)


def many_albums(place):
    """A folder of many albums, whose tags name no album artist, is renamed."""
    count = MANY_ALBUMS * SONGS_OF_ALBUM
    songs = (
        (f"all/{n // SONGS_OF_ALBUM}/{n}.wav",
         tiny.song(n, title=f"Song {n}", artist="Artist", album=f"Album {n // SONGS_OF_ALBUM}"))
        for n in range(count))
    with made(place, "many-albums", songs) as folder:
        with scanned(place, folder, count) as (daemon, client):
            first = processes.own_processor_time(daemon.pid)
            os.rename(os.path.join(folder, "all"), os.path.join(folder, "other"))
            client.call("Sync")
            processes.wait_for_rest(daemon.pid)
            expect(client, count)
            took = processes.own_processor_time(daemon.pid) - first
    return Row(
        f"{MANY_ALBUMS} albums, folder renamed, processor", seconds(took),
        f"≤ {RENAMED_WHOLE:.0f} × first scan", limit=seconds(first), ratio=times(took / first),
        met=took <= RENAMED_WHOLE * first)


def same_title(place):
    songs = (
        (f"all/{n}.wav", tiny.song(n, title="Same", artist="Artist", album="Album"))
        for n in range(SAME_TITLE))
    with made(place, "same-title", songs) as folder:
        with scanned(place, folder, SAME_TITLE) as (daemon, _):
            took = processes.processor_time(daemon.pid)
    return processor_row(f"{SAME_TITLE} of one title, first scan", took, SCANNED)


def many_crates(place):
    albums = CRATES * ALBUMS_OF_CRATE
    songs = (
        (f"{n}/1.wav", tiny.song(n, title="Song", artist="Artist", album=f"Album {n}"))
        for n in range(albums))
    with made(place, "many-crates", songs) as folder:
        with scanned(place, folder, albums) as (daemon, client):
            ids = [album["id"] for album in client.albums()]
            for number in range(CRATES):
                chosen = ids[number * ALBUMS_OF_CRATE:(number + 1) * ALBUMS_OF_CRATE]
                client.call("MoveAlbums", albums=chosen, crate=f"Crate {number}")
            daemon.kill()
            client = daemon.started()
            crates = len(client.call("ListCrates")["crates"])
            if crates != CRATES:
                raise Failure(f"{crates} of {CRATES} crates were listed")
            rest(daemon)
            took = processes.processor_time(daemon.pid)
    return processor_row(f"{CRATES} crates, start after kill -9", took, STARTED)


def nested(place):
    """Directories in each other are removed from the innermost on, while syncs look at them."""
    songs = [("1.wav", tiny.song(0, title="Song", artist="Artist", album="Album"))]
    with made(place, "nested", songs) as folder:
        # os.makedirs calls itself for each of them.
        for depth in range(1, DEPTH + 1):
            os.mkdir(os.path.join(folder, *["d"] * depth))
        with scanned(place, folder, 1) as (daemon, client):
            def remove():
                removal = threading.Thread(
                    target=subprocess.run, args=(["rm", "-r", f"{folder}/d"],),
                    kwargs={"check": True})
                removal.start()
                while removal.is_alive():
                    client.call("Sync")
                client.call("Sync")

            took = used(daemon, remove)
    return processor_row(f"rm -r of {DEPTH} directories in each other", took, NESTED)


def many_marks(place):
    """What a client may send: words, a query and keys of one letter with many marks on it."""
    text = "x" + "\u0301\u0323" * (MARKS // 2)
    songs = [("1.wav", tiny.song(0, title="Song", artist="Artist", album="Album"))]
    with made(place, "many-marks", songs) as folder:
        with scanned(place, folder, 1) as (daemon, client):
            def ask():
                client.call("Search", query=text)
                client.call("Resolve", words=[[text]])
                wanted = {"title": text, "artist": text, "album": text, "path": text}
                client.call("Match", wanted=[wanted])
                with contextlib.suppress(Failure):
                    client.call("ListAlbums", **{text: 1})

            took = used(daemon, ask)
    return processor_row(f"four calls with {MARKS} marks on a letter", took, ASKED)


def mounts_elsewhere(place):
    """File systems that come and go elsewhere, beside a library with a link."""
    songs = (
        (f"{n}/1.wav", tiny.song(n, title="Song", artist="Artist", album=f"Album {n}"))
        for n in range(LINKED))
    what = f"{MOUNTS} mounts elsewhere, {LINKED} albums and a link"
    with made(place, "elsewhere", []) as elsewhere, made(place, "linked", songs) as folder:
        os.makedirs(elsewhere)
        os.symlink(f"{folder}/0/1.wav", f"{folder}/1/2.wav")
        with scanned(place, folder, LINKED) as (daemon, _):
            def mount():
                for _ in range(MOUNTS):
                    subprocess.run(["mount", "-t", "tmpfs", "none", elsewhere], check=True)
                    subprocess.run(["umount", elsewhere], check=True)

            if os.geteuid() != 0:
                return unmeasured(f"{what}, processor", "only root mounts")
            took = used(daemon, mount)
    return processor_row(what, took, MOUNTED)


def processor_row(what, took, bound):
    return Row(f"{what}, processor", seconds(took), f"≤ {seconds(bound)}", met=took <= bound)


ROWS = {
    "crowd": crowd, "same-sound": same_sound, "many-albums": many_albums,
    "same-title": same_title, "many-crates": many_crates, "nested": nested,
    "many-marks": many_marks, "mounts-elsewhere": mounts_elsewhere,
}
