"""The daemon below strace: what it asks of the kernel, seen from outside."""
import contextlib
import os
import shutil

STRACE = shutil.which("strace")


@contextlib.contextmanager
def traced(daemon, path, *options):
    """A client of a daemon that is traced, with all its threads and children. Afterwards the daemon
    has ended, and the trace in `path` is whole."""
    daemon.start(before=[
        STRACE, "--follow-forks", "--seccomp-bpf", "--quiet=all", "--output", path, *options])
    client = daemon.client()
    pid = client.call("Status")["status"]["pid"]
    try:
        yield client
    finally:
        client.close()
        # strace would take a signal for its own.
        os.kill(pid, 15)
        daemon.process.wait(60)


def lines(path):
    with open(path, errors="replace") as file:
        yield from file
