"""Rows about whole commands of a person's: how long they take."""
import os
import shutil

import processes
from figures import Row, alternating, median, seconds, times

COMMAND = 0.015


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


ROWS = {"command": command}
