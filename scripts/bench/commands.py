"""Rows about whole commands of a person's: how long they take, and how much they are sent."""
import contextlib
import os
import random
import select
import shutil
import socket
import threading

import processes
from daemon import INTERFACE
from figures import Row, alternating, median, seconds, times

COMMAND = 0.015
# How many albums are in the crate that is asked for.
ALBUMS = 12
# Bytes over the socket, for each that `--json` shows of the same, and for what is asked besides.
SENT = 4
BESIDES = 16 << 10
PATIENCE = 60


def command(place):
    mpd = place.mpd()
    mpc = shutil.which("mpc")
    with place.daemon() as daemon:
        daemon.started()
        processes.wait_for_rest(daemon.pid)
        listall = [mpc, "--host", mpd.socket_path, "listall"] if mpc and mpd else None
        ours, limit, peer = whole(place, daemon, ["list"], listall)
    return Row(
        "crate list, whole process", seconds(ours), f"≤ {seconds(COMMAND)}",
        f"mpc listall {seconds(peer)}" if peer else "", seconds(limit), times(ours / limit),
        ours <= COMMAND)


def whole(place, daemon, words, peer=None):
    """Seconds that `crate` takes with these words, a program that does nothing, and a peer's."""
    crate = [os.path.join(place.programs, "crate"), *words]
    empty = [os.path.join(place.limits, "empty-program")]
    taken = alternating(
        place.options.rounds or 100,
        ours=lambda: processes.whole_command(crate, daemon.environment),
        limit=lambda: processes.whole_command(empty),
        peer=(lambda: processes.whole_command(peer)) if peer else None)
    return median(taken["ours"]), median(taken["limit"]), median(taken["peer"]) if peer else None


def list_crate(place):
    return small_part(place, "crate list Jazz", lambda song: ["list", "Jazz"])


def show_song(place):
    return small_part(place, "crate show SONG", lambda song: ["show", song])


def small_part(place, what, words_for):
    """A command that shows little of a large library."""
    with place.daemon() as daemon:
        client = daemon.started()
        dice = random.Random(1)
        chosen = [album["id"] for album in dice.sample(client.albums(), ALBUMS)]
        client.call("MoveAlbums", albums=chosen, crate="Jazz")
        song = dice.choice(client.call("ListSongs", album=chosen[0])["songs"])["id"]
        processes.wait_for_rest(daemon.pid)
        words = words_for(song)
        ours, limit, _ = whole(place, daemon, words)
        with Meter(daemon) as meter:
            shown = len(processes.output(
                [os.path.join(place.programs, "crate"), *words, "--json"],
                env=meter.environment, timeout=PATIENCE).encode())
    most = SENT * shown + BESIDES
    return Row(
        f"{what}, whole process; sent", f"{seconds(ours)}; {meter.received} bytes",
        f"≤ {seconds(COMMAND)}; ≤ {most} bytes", limit=seconds(limit), ratio=times(ours / limit),
        met=ours <= COMMAND and meter.received <= most,
        notes=(
            f"{shown} bytes are shown with --json; {SENT} times as many and {BESIDES} may be sent",
        ))


class Meter:
    """A socket in front of a daemon's, which counts what the daemon answers a single client."""

    def __init__(self, daemon):
        self.daemon = daemon
        runtime = os.path.join(daemon.runtime, "metered")
        self.environment = dict(daemon.environment, XDG_RUNTIME_DIR=runtime)
        path = os.path.join(runtime, "crated", INTERFACE)
        os.makedirs(os.path.dirname(path), mode=0o700)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.listener.settimeout(PATIENCE)
        self.received = 0
        self.thread = threading.Thread(target=self.pass_on, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.thread.join(PATIENCE)

    def pass_on(self):
        with contextlib.suppress(OSError):
            client, _ = self.listener.accept()
            with client, socket.socket(socket.AF_UNIX) as server:
                server.connect(self.daemon.socket_path)
                other = {client: server, server: client}
                while True:
                    ready, _, _ = select.select(list(other), [], [], PATIENCE)
                    for end in ready:
                        piece = end.recv(1 << 16)
                        if not piece:
                            return
                        other[end].sendall(piece)
                        self.received += len(piece) if end is server else 0
                    if not ready:
                        return


ROWS = {"command": command, "list-crate": list_crate, "show-song": show_song}
