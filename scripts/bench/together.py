"""The row about many clients that edit at once, on a disk that is slow."""
import os
import random
import re
import selectors
import time

import processes
import tracing
from daemon import Client
from figures import Row, unmeasured

CLIENTS = 64
DELAY = 5_000
NEEDED = 40
LASTS = 4.0


def clients(place):
    what, bar = f"{CLIENTS} clients, edits in one fdatasync", f"≥ {NEEDED}"
    if not tracing.STRACE:
        return unmeasured(what, "strace is not installed", bar)
    with place.daemon() as daemon:
        # Ready before the disk is made slow.
        daemon.started()
        processes.wait_for_rest(daemon.pid)
        daemon.stop()
        trace = os.path.join(daemon.home, "trace")
        options = (
            "--trace=fdatasync", f"--inject=fdatasync:delay_exit={DELAY}", "--decode-fds=path",
            "--timestamps=unix,us")
        with tracing.traced(daemon, trace, *options) as first:
            first.call("Sync")
            processes.wait_for_rest(first.call("Status")["status"]["pid"])
            begin = time.time()
            edits, lasted = edit_at_once(daemon, [album["id"] for album in first.albums()])
            end = time.time()
        synced = synchronizations(trace, begin, end)
    if not synced:
        return unmeasured(what, "strace saw no fdatasync", bar)
    ratio = edits / synced
    return Row(
        what, f"{ratio:.1f}", bar, limit=f"{CLIENTS}", ratio=f"× {ratio / CLIENTS:.2f}",
        met=ratio >= NEEDED,
        notes=(f"{edits} edits, {synced} synchronizations of the journal in {lasted:.1f} s, each"
               f" delayed by {DELAY // 1000} ms",))


def edit_at_once(daemon, albums):
    """Each client sends its next edit when the last one is answered. Returns how many were, and in
    how many seconds."""
    dice = random.Random(1)
    waiting = selectors.DefaultSelector()
    everyone = []
    # The daemon serves so many, and one more is connected already.
    for _ in range(CLIENTS - 1):
        client = Client(daemon.socket_path)
        everyone.append(client)
        waiting.register(client.socket, selectors.EVENT_READ, client)

    def send(client):
        chosen, anchor = dice.sample(albums, 2)
        place = {"where": "after", "anchor": anchor}
        client.send(Client.message("MoveAlbums", albums=[chosen], place=place))

    begin = time.monotonic()
    for client in everyone:
        send(client)
    answered, open_calls = 0, len(everyone)
    while open_calls:
        for key, _ in waiting.select(30):
            client = key.data
            client.receive()
            answered += 1
            if time.monotonic() - begin < LASTS:
                send(client)
            else:
                open_calls -= 1
    lasted = time.monotonic() - begin
    for client in everyone:
        client.close()
    return answered, lasted


def synchronizations(trace, begin, end):
    """How often a journal was synchronized between the two times."""
    count = 0
    for line in tracing.lines(trace):
        found = re.match(r"\d+\s+(\d+\.\d+) fdatasync\(\d+<([^>]*)>", line)
        if found and begin <= float(found[1]) <= end:
            count += os.path.basename(found[2]).startswith("journal")
    return count


ROWS = {"clients": clients}
