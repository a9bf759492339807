"""The row about what the Debian package takes when it is installed."""
import os
import shutil
import subprocess

import processes
from daemon import Failure
from figures import Row, unmeasured

INSTALLED = 40 << 20
TOOLS = ("dpkg-deb", "dpkg-shlibdeps", "strip")
SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "deb.sh")
PATIENCE = 300


def package(place):
    what, bar = "the package, installed", f"≤ {megabytes(INSTALLED)}"
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        return unmeasured(what, f"{missing[0]} is not installed", bar)
    target = os.path.join(place.scratch, "package")
    # One that is only tried, so that it is made quickly, and made where it is too large.
    done = subprocess.run(
        ["sh", SCRIPT, place.programs, target], env=dict(os.environ, DEVELOPMENT="1"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    if done.returncode != 0:
        raise Failure(done.stderr.strip())
    made = done.stdout.strip()
    size = int(processes.output(["dpkg-deb", "--field", made, "Installed-Size"])) * 1024
    shutil.rmtree(target)
    return Row(what, megabytes(size), bar, met=size <= INSTALLED)


def megabytes(size):
    """As package tools have it, in powers of ten."""
    return f"{size / 1e6:.1f} MB"


ROWS = {"package": package}
