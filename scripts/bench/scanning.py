"""Rows about looking at the whole music folder: the first scan, a look where nothing changed, and
the start with a store."""
import os
import time

import processes
from daemon import Failure
from figures import Row, alternating, median, seconds, times, unmeasured

FIRST_SCAN = 1.5
COLD_SCAN = 2.0
FULL_LOOK = 3.0
START = {False: 0.050, True: 0.250}
START_OF_PEER = 0.25


def scan_once(daemon, songs):
    """Seconds from the start of a daemon that knows nothing until all is merged, durable and
    listed."""
    daemon.stop()
    daemon.forget()
    begin = time.perf_counter()
    daemon.start()
    client = daemon.client()
    client.call("Sync")
    listed = sum(album["songs"] for album in client.albums())
    took = time.perf_counter() - begin
    # A file may be another one's copy; a scan that lost more than that is none.
    if listed < songs * 0.97:
        raise Failure(f"{listed} of {songs} songs were listed")
    client.close()
    return took


def first_scan(place):
    rounds = place.options.rounds or (2 if place.is_large else 3)
    mpd = place.bare_mpd()
    with place.daemon() as daemon:
        # The first round also fills the page cache.
        place.bare_loop(2)
        taken = alternating(
            rounds, ours=lambda: scan_once(daemon, place.songs), limit=lambda: place.bare_loop(2),
            reader=lambda: place.bare_loop(2, "reader"))
        # It takes long, and its share is far from any bar.
        peer = mpd.full_update() if mpd else None
    ours, limit = median(taken["ours"]), median(taken["limit"])
    reader = median(taken["reader"])
    notes = [
        f"the reader's own loop in two processes, without daemon: {seconds(reader)}"
        f" ({times(ours / reader)})"
    ]
    if place.options.all_peers:
        notes.append(beets_note(place))
    return Row(
        "first scan, warm cache", seconds(ours), f"≤ {FIRST_SCAN} × limit", named("MPD", peer),
        seconds(limit), times(ours / limit), ours <= FIRST_SCAN * limit, tuple(notes))


def beets_note(place):
    import beets_peer

    return beets_peer.note(place)


def first_scan_cold(place):
    what, bar = "first scan, cold cache", f"≤ {COLD_SCAN} × limit"
    if os.geteuid() != 0:
        return unmeasured(what, "needs root, to empty the page cache", bar)
    mpd = place.bare_mpd()

    def cold(work):
        def run():
            drop_caches()
            return work()
        return run

    with place.daemon() as daemon:
        taken = alternating(
            place.options.rounds or 1, ours=cold(lambda: scan_once(daemon, place.songs)),
            limit=cold(lambda: place.bare_loop(8)), peer=cold(mpd.full_update) if mpd else None)
    ours, limit = median(taken["ours"]), median(taken["limit"])
    peer = median(taken["peer"]) if mpd else None
    return Row(
        what, seconds(ours), bar, named("MPD", peer), seconds(limit), times(ours / limit),
        ours <= COLD_SCAN * limit)


def drop_caches():
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w") as file:
        file.write("3\n")


def full_look(place):
    mpd = place.mpd()
    with place.daemon() as daemon:
        client = daemon.started()
        processes.wait_for_rest(daemon.pid)
        message = client.message("Rescan")
        # The first one fills what the kernel forgot.
        client.timed(message)
        place.bare_walk()
        taken = alternating(
            place.options.rounds or 15, ours=lambda: client.timed(message), limit=place.bare_walk)
        peer = [mpd.update() for _ in range(3)] if mpd else []
    ours, limit = median(taken["ours"]), median(taken["limit"])
    return Row(
        "full look, nothing changed", seconds(ours), f"≤ {FULL_LOOK:.0f} × limit",
        named("MPD", median(peer) if peer else None), seconds(limit), times(ours / limit),
        ours <= FULL_LOOK * limit)


def start(place):
    mpd = place.mpd()
    bound = START[place.is_large]
    with place.daemon() as daemon:
        daemon.started()
        processes.wait_for_rest(daemon.pid)
        taken = alternating(
            place.options.rounds or 7, ours=lambda: start_once(daemon),
            limit=lambda: read_files(daemon.home), peer=(lambda: start_mpd(mpd)) if mpd else None)
    ours, limit = median(taken["ours"]), median(taken["limit"])
    peer = median(taken["peer"]) if mpd else None
    met = ours <= bound and (peer is None or ours <= START_OF_PEER * peer)
    notes = ()
    if peer:
        notes = (f"{times(ours / peer)} of MPD's, where ≤ × {START_OF_PEER} is the bar",)
    return Row(
        "start to everything listed", seconds(ours), f"≤ {seconds(bound)}, ≤ 1/4 of MPD",
        named("MPD", peer), seconds(limit), times(ours / limit), met, notes)


def start_once(daemon):
    """Seconds for a start, after a stop."""
    daemon.stop()
    took, client = start_to_answers(daemon)
    client.call("Sync")
    client.close()
    return took


def start_to_answers(daemon):
    """Seconds from the start until what a client shows first is there, and the client."""
    begin = time.perf_counter()
    daemon.start()
    client = daemon.client()
    client.call("Status")
    client.call("ListCrates")
    # As many bytes as there are, but not taken apart: that is the client's work.
    client.send(client.message("ListAlbums", more=True))
    while b'"continues":true' in client.receive_bytes()[-40:]:
        pass
    return time.perf_counter() - begin, client


def read_files(folder):
    """Seconds for reading all of the store and the index."""
    begin = time.perf_counter()
    for parent, below, names in os.walk(folder):
        below[:] = [name for name in below if name != "backups"]
        for name in names:
            with open(os.path.join(parent, name), "rb") as file:
                while file.read(1 << 20):
                    pass
    return time.perf_counter() - begin


def start_mpd(mpd):
    mpd.stop()
    begin = time.perf_counter()
    mpd.start()
    mpd.command("status")
    mpd.command("list album")
    return time.perf_counter() - begin


def named(name, taken):
    return f"{name} {seconds(taken)}" if taken is not None else ""


ROWS = {
    "first-scan": first_scan, "first-scan-cold": first_scan_cold, "full-look": full_look,
    "start": start,
}
