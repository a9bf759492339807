"""Rows about memory: at rest, and what changes leave behind."""
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


ROWS = {"memory": memory, "soak": soak}
