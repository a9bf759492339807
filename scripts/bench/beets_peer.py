"""beets, which takes minutes for what others do in seconds: only asked with --all-peers."""
import os
import shutil
import subprocess
import time

import processes
from figures import seconds


def note(place):
    """One line on an import without looking anything up, and on a query."""
    program = shutil.which("beet")
    if not program:
        return "beets is not installed"
    home = os.path.join(place.scratch, "beets")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    settings = os.path.join(home, "config.yaml")
    with open(settings, "w") as file:
        file.write(
            f"directory: {home}/music\nlibrary: {home}/library.db\n"
            "import:\n  copy: no\n  write: no\n  autotag: no\nplugins: []\n")
    beet = [program, "-c", settings]
    environment = dict(os.environ, BEETSDIR=home)
    begin = time.perf_counter()
    subprocess.run(
        [*beet, "import", "-A", "-C", "-W", "-q", place.music], env=environment, check=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    imported = time.perf_counter() - begin
    query = processes.whole_command([*beet, "ls", "blue"], environment)
    return f"beets: import {seconds(imported)}, beet ls of a word {seconds(query)}"
