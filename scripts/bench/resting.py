"""Rows about a daemon that has nothing to do, and about its parts without disk and sockets."""
import os
import re
import subprocess
import time

import processes
from figures import Row, unmeasured

IDLE_SECONDS = 30
CHECKPOINT_AFTER = 65


def idle(place):
    with place.daemon() as daemon:
        daemon.started().close()
        processes.wait_for_rest(daemon.pid)
        # A checkpoint is due a minute after the last change, and then there is nothing any more.
        time.sleep(CHECKPOINT_AFTER)
        processes.wait_for_rest(daemon.pid)
        woken = processes.woken(daemon.pid, IDLE_SECONDS)
    total = sum(woken.values())
    notes = tuple(f"{name}: {count}" for name, count in woken.items())
    return Row(
        f"wakeups in {IDLE_SECONDS} idle seconds", f"{total}", "0", limit="0", met=total == 0,
        notes=notes)


def parts(place):
    """The parts in memory, each with its own threshold, and how changes grow with the library."""
    arguments = [os.path.join(place.limits, "microbenchmarks")]
    if place.options.million:
        arguments.append("--million")
    done = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, cwd=place.scratch)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    if done.returncode not in (0, 1) or len(lines) < 2:
        return unmeasured("parts in memory", f"microbenchmarks ended with {done.returncode}")
    missed = [line for line in lines if line.endswith("NOT MET")]
    grown = re.findall(r"^growth: .*?(×[\d.]+)", done.stdout, re.MULTILINE)
    return Row(
        "parts in memory",
        f"{len(lines) - 1 - len(missed)} of {len(lines) - 1} met; growth {', '.join(grown)}",
        "each its own; ×2", met=done.returncode == 0,
        notes=tuple(lines))


ROWS = {"idle": idle, "parts": parts}
