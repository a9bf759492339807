"""A row about an order that three machines share, beside a daemon that shares none."""
import os
import shutil
import time

import processes
from changing import Editor, Watcher
from figures import Row, alternating, median, megabytes, seconds
from large import library
from resting import CHECKPOINT_AFTER, IDLE_SECONDS
from traps import made

# Of processor time, but for the edit and the start.
CHANGED = 0.050
UNCHANGED = 0.001
WRITTEN = 0.030
FILE_SIZE = 3 << 20
REST = 6 << 20
EDIT = 0.00002
START = 0.015
SONGS = 100_000
ROUNDS = 15
# Seconds in which nothing is done; a file is written two seconds after a change.
QUIET = 0.8
EDITS = 300
STARTS = 7
# Seconds from one writing of a file to the next.
WRITING = 32


def settings(folder, name):
    return [f'machines = "{folder}"', f'machine_name = "{name}"']


def used(daemon, work):
    """Seconds that the daemon itself ran for a piece of work."""
    before = processes.own_processor_time(daemon.pid)
    work()
    return processes.own_processor_time(daemon.pid) - before


def machines(place):
    with made(place, "machines", library(SONGS)) as music:
        folder = os.path.join(place.scratch, "order")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        names = ("here", "there", "elsewhere")
        daemons = [place.daemon([music], name, settings(folder, name)) for name in names]
        alone = place.daemon([music], "alone")
        try:
            for daemon in [*daemons, alone]:
                daemon.started()
                processes.wait_for_rest(daemon.pid)
            return measured(folder, daemons[0], daemons[1], alone)
        finally:
            for daemon in [*daemons, alone]:
                daemon.close()


def measured(folder, here, there, alone):
    clients = [daemon.client() for daemon in (here, there, alone)]
    editors = [Editor(daemon, seed=number) for number, daemon in enumerate((here, there, alone))]
    here_client, there_client, alone_client = clients
    watcher = Watcher(here)
    changed, unchanged, written, plain = [], [], [], []

    def taken():
        """What another machine did is done here, and not yet in the file of this one."""
        editors[1].move_album()
        there_client.call("Sync")
        watcher.wait_for("machine")
        processes.wait_for_rest(here.pid, quiet=QUIET)

    for _ in range(ROUNDS):
        changed.append(used(here, taken))
        here_client.call("Sync")
        unchanged.append(used(here, lambda: here_client.call("Sync")))
        plain.append(used(alone, lambda: alone_client.call("Sync")))
        edit = used(alone, editors[2].move_album)
        both = used(here, lambda: (editors[0].move_album(), here_client.call("Sync")))
        written.append(both - edit)
    watcher.close()
    size = max(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))
    edits = alternating(EDITS, shared=editors[0].move_album, alone=editors[2].move_album)
    for client in clients:
        client.close()
    processes.wait_for_rest(here.pid)
    # What each says of the last edits comes to all, and none says anything of that; then a
    # checkpoint is due.
    time.sleep(3 * WRITING + CHECKPOINT_AFTER)
    processes.wait_for_rest(here.pid)
    rest = processes.own(here.pid) - processes.own(alone.pid)
    woken = processes.woken(here.pid, IDLE_SECONDS)
    starts = alternating(STARTS, shared=lambda: start(here), alone=lambda: start(alone))
    figures = {
        "changed": (median(changed), CHANGED, seconds),
        "unchanged": (median(unchanged) - median(plain), UNCHANGED, seconds),
        "own file": (median(written) - median(plain), WRITTEN, seconds),
        "its size": (size, FILE_SIZE, megabytes),
        "at rest": (rest, REST, megabytes),
        "an edit": (median(edits["shared"]) - median(edits["alone"]), EDIT, seconds),
        "a start": (median(starts["shared"]) - median(starts["alone"]), START, seconds),
    }
    notes = [
        f"{name}: {shown(value) if value > 0 else 'nothing'} (at most {shown(bar)})"
        for name, (value, bar, shown) in figures.items()
    ]
    words = ", ".join(f"{name} {count}" for name, count in woken.items())
    notes.append(f"wakeups in {IDLE_SECONDS} idle seconds: {words or 0}")
    missed = [name for name, (value, bar, _) in figures.items() if value > bar]
    return Row(
        f"an order of {SONGS} songs that three machines share, more than alone",
        f"{len(figures) - len(missed)} of {len(figures)} met", "each its own",
        met=not missed and not woken, notes=tuple(notes))


def start(daemon):
    """Seconds from the start to the first answer."""
    daemon.stop()
    begin = time.perf_counter()
    daemon.start()
    client = daemon.client()
    client.call("ListCrates")
    took = time.perf_counter() - begin
    client.call("Sync")
    client.close()
    return took


ROWS = {"machines": machines}
