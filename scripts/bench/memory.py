"""Rows about memory: at rest, the most during a first scan, and what changes leave behind."""
import os
import time

import processes
from changing import Editor
from figures import Row, megabytes

MEMORY = {False: 40 << 20, True: 80 << 20}
# Readers stay for a moment in case more files come.
READERS_MOST = 30
SOAK_ROUNDS = 12
SOAK_EDITS = 240
SOAK_FILES = 20
SOAK_GROWTH = 2 << 20
PEAK = 150 << 20
PEAK_LATER = 80 << 20
LATER = 60
# Of whole albums and of whole crates, each.
SHUFFLES = 300
UNDOS = 20
UNDO = 8 << 20


def memory(place):
    mpd = place.bare_mpd()
    bound = MEMORY[place.is_large]
    with place.daemon() as daemon:
        daemon.started()
        processes.wait_for_rest(daemon.pid)
        readers = wait_for_readers(daemon.pid)
        scanned = processes.resident(daemon.pid)
        daemon.stop()
        daemon.started()
        processes.wait_for_rest(daemon.pid)
        started = processes.resident(daemon.pid)
        theirs = None
        if mpd:
            mpd.full_update()
            processes.wait_for_rest(mpd.process.pid)
            theirs = processes.resident(mpd.process.pid)
    worst = max(scanned, started)
    notes = (
        f"{readers} readers left {READERS_MOST} s after the first scan" if readers
        else "no reader is left when idle",
    )
    return Row(
        "memory at rest, scanned / restarted", f"{megabytes(scanned)} / {megabytes(started)}",
        f"≤ {megabytes(bound)}", f"MPD {megabytes(theirs)}" if theirs else "",
        met=worst <= bound and not readers, notes=notes)


def wait_for_readers(pid):
    """How many readers are there still."""
    end = time.monotonic() + READERS_MOST
    while processes.children(pid) and time.monotonic() < end:
        time.sleep(0.5)
    return len(processes.children(pid))


def soak(place):
    """As many changes as somebody makes in an hour who makes one each second."""
    paths = place.copies()[:SOAK_FILES]
    folder, folders = place.arrivals()
    targets = [os.path.join(folder, f"{n} {os.path.basename(p)}") for n, p in enumerate(paths)]
    resident = []
    with place.daemon(folders) as daemon:
        daemon.started()
        processes.wait_for_rest(daemon.pid)
        editor = Editor(daemon)
        for _ in range(SOAK_ROUNDS):
            for _ in range(SOAK_EDITS // 2):
                editor.move_album()
                editor.move_song()
            for step in (
                    os.rename,
                    lambda path, target: os.utime(target),
                    lambda path, target: os.rename(target, path)):
                for path, target in zip(paths, targets):
                    step(path, target)
                editor.client.call("Sync")
            processes.wait_for_rest(daemon.pid)
            wait_for_readers(daemon.pid)
            resident.append(processes.resident(daemon.pid))
        gone = editor.client.call("Status")["status"]["gone"]
    # In the first one rooms are taken that are used again in all others.
    grown = resident[-1] - resident[1]
    changes = SOAK_ROUNDS * (SOAK_EDITS + 3 * len(paths))
    return Row(
        f"memory after {changes} changes", f"{megabytes(grown)} more",
        f"≤ {megabytes(SOAK_GROWTH)} more", met=grown <= SOAK_GROWTH,
        notes=(
            f"at rest after each of {SOAK_ROUNDS} rounds: "
            + ", ".join(megabytes(one) for one in resident),
            f"a round: {SOAK_EDITS} edits, {len(paths)} files that come, are touched and go;"
            f" {gone} songs are gone at the end",
        ))


def peak(place):
    with place.daemon() as daemon:
        daemon.started()
        time.sleep(LATER)
        most, later = processes.peak(daemon.pid), processes.resident(daemon.pid)
    return Row(
        "memory's peak in a first scan / a minute later",
        f"{megabytes(most)} / {megabytes(later)}", f"≤ {megabytes(PEAK)} / {megabytes(PEAK_LATER)}",
        met=most <= PEAK and later <= PEAK_LATER,
        notes=("the peak is that of the whole time, so with the index's writing",))


def undo(place):
    """What can be taken back is kept at hand. The first shuffles of each kind are not counted: they
    lay out the library anew, whatever undo keeps."""
    with place.daemon() as daemon:
        client = daemon.started()
        albums, songs = largest(client)
        shuffle(client, albums, songs)
        processes.wait_for_rest(daemon.pid)
        before = processes.own(daemon.pid)
        for _ in range(SHUFFLES):
            shuffle(client, albums, songs)
        processes.wait_for_rest(daemon.pid)
        shuffled = processes.own(daemon.pid)
        for _ in range(UNDOS):
            client.call("Undo")
        processes.wait_for_rest(daemon.pid)
        undone = processes.own(daemon.pid)
    grown = max(shuffled, undone) - before
    return Row(
        f"undo's memory after {2 * SHUFFLES} shuffles", f"{megabytes(grown)} more",
        f"≤ {megabytes(UNDO)} more", met=grown <= UNDO,
        notes=(
            f"a crate of {len(albums)} albums and an album of {len(songs)} songs; at rest"
            f" {megabytes(before)} after the first shuffles, {megabytes(shuffled)} after all,"
            f" {megabytes(undone)} after {UNDOS} of them were taken back",))


def largest(client):
    """The ids of all albums of the largest crate, and of all songs of the largest album."""
    albums = client.albums()
    crate = max(client.call("ListCrates")["crates"], key=lambda one: one["albums"])["name"]
    album = max(albums, key=lambda one: one["songs"])["id"]
    songs = client.call("ListSongs", album=album)["songs"]
    return [one["id"] for one in albums if one["crate"] == crate], [one["id"] for one in songs]


def shuffle(client, albums, songs):
    client.call("SortAlbums", albums=albums, order="shuffled")
    client.call("SortSongs", songs=songs, order="shuffled")


ROWS = {"memory": memory, "memory-peak": peak, "undo-memory": undo, "soak": soak}
