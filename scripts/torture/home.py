"""A home with a music folder and a daemon, in which real commands run. What was run is kept as
words that a person can paste."""
import os
import shlex
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import daemon as daemons  # noqa: E402  (what measures the daemon starts it, too)
from daemon import Failure  # noqa: E402,F401

# No answer takes longer than this.
daemons.PATIENCE = 60
TOOL_SECONDS = 60


class Skip(Exception):
    """What was decided can't be done as things are, as in a shortened history."""


class Broken(Exception):
    """What Crated shows is not what it must be; `kind` tells failures apart in shrinking."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class ToolFault(Exception):
    """A tool didn't do what it was asked: nothing that Crated is to blame for."""


class Home:
    def __init__(self, programs, scratch, name):
        self.folder = os.path.join(scratch, name)
        self.programs = programs
        self.mounted = []
        if os.path.lexists(self.folder):
            shutil.rmtree(self.folder)
        self.daemon = daemons.Daemon(programs, scratch, [os.path.join(self.folder, "Music")], name)
        for part in ("Music", "shelf", "state"):
            os.makedirs(os.path.join(self.folder, part), exist_ok=True)
        self.environment = dict(
            os.environ, HOME=self.folder, LC_ALL="C.UTF-8", TZ="UTC",
            BEETSDIR=os.path.join(self.folder, "beets"), **{
                word: value for word, value in self.daemon.environment.items()
                if word.startswith("XDG_")})
        self.client = None
        self.story = []

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    # What is told.

    def tell(self, line):
        self.story.append(line)

    def run(self, *words):
        """Runs a command in the home; the paths in it are relative to that."""
        self.tell(shlex.join(words))
        return self.quietly(*words)

    def quietly(self, *words):
        result = subprocess.run(
            words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=TOOL_SECONDS)
        if result.returncode:
            raise ToolFault(
                f"{shlex.join(words)} ended with {result.returncode}: "
                + (result.stderr + result.stdout).decode(errors="replace")[-300:])
        return result.stdout.decode(errors="replace")

    # Mounts.

    def mount(self, *words):
        self.run("mount", *words)
        self.mounted.append(words[-1])

    def unmount(self, target):
        # Who looks into it at this moment would be in the way.
        for attempt in range(50):
            try:
                self.quietly("umount", target)
                break
            except ToolFault:
                if attempt == 49:
                    raise
                subprocess.run(["sleep", "0.1"])
        self.tell(shlex.join(["umount", target]))
        self.mounted.remove(target)

    # The daemon.

    @property
    def is_running(self):
        return self.client is not None

    def start(self):
        self.tell("crated & until crate status >run/status 2>&1; do sleep 0.1; done")
        self.daemon.start()
        self.client = self.daemon.client()
        try:
            self.client.call("Status")
        except OSError:
            # A reader that was being started when the last one was killed has its socket until it
            # runs.
            self.client = self.daemon.client()

    def stop(self):
        if self.is_running:
            self.tell("kill %%; wait")
            self.client.close()
            self.client = None
            self.daemon.stop()

    def kill(self):
        self.tell("kill -9 %%; wait")
        self.client.close()
        self.client = None
        self.daemon.process.kill()
        self.daemon.process.wait()
        self.daemon.process = None

    def call(self, method, **parameters):
        try:
            return self.client.call(method, **parameters)
        except Failure as failure:
            raise Broken("refused", f"{method}({parameters}): {failure}") from None
        except TimeoutError:
            raise Broken("hangs", f"{method} wasn't answered in {daemons.PATIENCE} s") from None
        except OSError as error:
            raise Broken(
                "died", f"{method}: {error}; crated says {self.daemon.last_words()}") from None

    def all(self, method, field, **parameters):
        """The things that a listing answers with."""
        try:
            return [one for part in self.client.all(method, **parameters) for one in part[field]]
        except Failure as failure:
            raise Broken("refused", f"{method}: {failure}") from None
        except TimeoutError:
            raise Broken("hangs", f"{method} wasn't answered in {daemons.PATIENCE} s") from None
        except OSError as error:
            raise Broken(
                "died", f"{method}: {error}; crated says {self.daemon.last_words()}") from None

    def sync(self):
        self.tell("crate sync")
        self.call("Sync")

    def close(self):
        if self.client:
            self.client.close()
            self.client = None
        self.daemon.close()
        for target in reversed(self.mounted):
            subprocess.run(["umount", "--lazy", self.path(target)], capture_output=True)
        self.mounted = []
        shutil.rmtree(self.folder, ignore_errors=True)
