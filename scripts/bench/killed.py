"""Rows about the start after a daemon was killed: there is a journal to read, and no file again."""
import os
import re

import processes
import tracing
from changing import Editor
from figures import Row, alternating, median, megabytes, seconds, times, unmeasured
from scanning import read_files, scan_once, start_to_answers

START = {False: 0.100, True: 0.400}
MEMORY = {False: 40 << 20, True: 100 << 20}
# What the journal holds when the daemon is killed: more than a long evening's work.
EDITS = 1_000


def start_killed(place):
    bound, most = START[place.is_large], MEMORY[place.is_large]
    journals, answered, resting = [], [], []
    with place.daemon() as daemon:
        daemon.started()
        processes.wait_for_rest(daemon.pid)

        def start():
            edit(daemon)
            daemon.kill()
            journals.append(journal_bytes(daemon))
            took, client = start_to_answers(daemon)
            answered.append(processes.resident(daemon.pid))
            client.call("Sync")
            client.close()
            processes.wait_for_rest(daemon.pid)
            resting.append(processes.resident(daemon.pid))
            return took

        taken = alternating(
            place.options.rounds or 5, ours=start, limit=lambda: read_files(daemon.home))
    ours, limit = median(taken["ours"]), median(taken["limit"])
    each = ", ".join(
        f"{seconds(took)} with {megabytes(size)}" for took, size in zip(taken["ours"], journals))
    worst = max(answered + resting)
    return Row(
        "start after kill -9; memory then", f"{seconds(ours)}; {megabytes(worst)}",
        f"≤ {seconds(bound)}; ≤ {megabytes(most)}", limit=seconds(limit),
        ratio=times(ours / limit), met=ours <= bound and worst <= most,
        notes=(
            f"{EDITS} edits before each kill; each start and its journal: {each}",
            f"memory when answered {megabytes(max(answered))}, at rest"
            f" {megabytes(max(resting))}"))


def edit(daemon):
    editor = Editor(daemon)
    for _ in range(EDITS // 2):
        editor.move_album()
        editor.move_song()
    editor.client.close()


def journal_bytes(daemon):
    """How much of its newest journal a store has."""
    newest = 0, 0
    for parent, below, names in os.walk(os.path.join(daemon.home, "data")):
        below[:] = [name for name in below if name != "backups"]
        for name in names:
            found = re.fullmatch(r"journal\.(\d+)\.txt", name)
            if found:
                newest = max(
                    newest, (int(found[1]), os.path.getsize(os.path.join(parent, name))))
    return newest[1]


def scan_killed(place):
    """A kill as soon as the first scan is told to be over."""
    what, bound = "killed after a first scan: read again", START[place.is_large]
    bar = f"0 files; ≤ {seconds(bound)}"
    if not tracing.STRACE:
        return unmeasured(what, "strace is not installed", bar)
    with place.daemon() as daemon:
        scan_once(daemon, place.songs)
        daemon.kill()
        journal = journal_bytes(daemon)
        took, client = start_to_answers(daemon)
        client.close()
        # Another time for the files, so that strace is not part of the start's.
        scan_once(daemon, place.songs)
        daemon.kill()
        trace = os.path.join(daemon.home, "trace")
        with tracing.traced(daemon, trace, "--trace=sendmsg") as client:
            client.call("Sync")
        files = files_sent(trace)
    return Row(
        what, f"{files} files; {seconds(took)}", bar, met=files == 0 and took <= bound,
        notes=(f"{megabytes(journal)} of journal; a file is read where its descriptor goes to a"
               " reader",))


def files_sent(trace):
    """How many descriptors were sent to readers."""
    count = 0
    for line in tracing.lines(trace):
        found = re.search(r"SCM_RIGHTS, cmsg_data=\[([^\]]*)\]", line)
        if found:
            count += len(found[1].split(","))
    return count


ROWS = {"start-killed": start_killed, "scan-killed": scan_killed}
