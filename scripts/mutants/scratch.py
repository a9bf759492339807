"""A copy of the package in which mutants are built and tested."""

import ctypes
import filecmp
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import namedtuple
from contextlib import contextmanager

from changes import ROOT, read
from switches import VARIABLE

SWIFT = os.environ.get("SWIFT", "swift")
# Seconds of the processor, and of the clock.
Limits = namedtuple("Limits", "processor clock")
# Seconds of the clock in which tests do nothing that wait for ever. None waits so long for time to
# pass, or it would fail without any mutant.
IDLE = 20


class Scratch:
    """The package beside the work tree, of which no more is built than one target's tests need.
    What several need is built once."""

    def __init__(self, folder, package):
        self.folder, self.bundle = folder, f"{package['name']}PackageTests"
        self.originals, self.tests = {}, None
        adopt_orphans()

    def fill(self):
        for name in os.listdir(ROOT):
            source, copy = os.path.join(ROOT, name), os.path.join(self.folder, name)
            if name in ("Sources", "Tests"):
                mirror(source, copy)
            elif name == "Package.resolved":
                shutil.copy2(source, copy)
            elif name != "Package.swift" and not name.startswith(".") and not os.path.lexists(copy):
                os.symlink(source, copy)

    def choose(self, group):
        """Has only what the tests of a group need built. A mutant may have odd code."""
        self.tests = group.tests
        self.write("Package.swift", read("Package.swift") + """
for target in package.targets where target.swiftSettings != nil {
  target.swiftSettings! += [.unsafeFlags(["-no-warnings-as-errors"])]
}
""")

    def original(self, path):
        """The text of a file before any mutant."""
        if path not in self.originals:
            with open(os.path.join(self.folder, path), encoding="utf-8") as file:
                self.originals[path] = file.read()
        return self.originals[path]

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def restore(self):
        for path, text in self.originals.items():
            self.write(path, text)

    @contextmanager
    def changed(self, one, group):
        """Has a mutant alone in its file."""
        text = self.original(one.path)
        lines = text.split("\n")
        lines[one.number] = lines[one.number].replace(one.old, one.new)
        # Of what the tests have inlined, the compiler doesn't see that it changed.
        tests = group.tests_folder if "@inlinable" in text else None
        self.write(one.path, "\n".join(lines))
        self.touch(tests)
        try:
            yield
        finally:
            self.write(one.path, text)
            self.touch(tests)

    def touch(self, folder):
        """Has all files of a folder compiled again, if there is one."""
        for parent, _, names in os.walk(os.path.join(self.folder, folder)) if folder else ():
            for name in names:
                os.utime(os.path.join(parent, name))

    def build(self):
        """What the compiler says where it fails; None where it doesn't."""
        done = subprocess.run(
            [SWIFT, "build", "--build-tests", "-j", "2", "--package-path", self.folder,
             "--disable-index-store", "-debug-info-format", "none",
             "--disable-automatic-resolution"],
            env=dict(os.environ, CRATED_TARGETS=self.tests),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return None if done.returncode == 0 else done.stdout

    def test_all(self, stages, number=0):
        """How the first of several runs fails that does; None where all pass."""
        return next(filter(None, (self.test(*stage, number) for stage in stages)), None)

    def test(self, arguments, limits, number=0):
        """How the tests fail: the first line about it; None where they pass. With a number, that
        mutant of those built together is chosen."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (limits.processor, limits.processor + 5))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

        # What tests leave behind that are ended goes, too. Sockets need a short path.
        with tempfile.TemporaryDirectory(prefix="m", ignore_cleanup_errors=True) as rubbish:
            # Some tests run a program as somebody else.
            os.chmod(rubbish, 0o711)
            run = subprocess.Popen(
                [os.path.join(self.folder, f".build/debug/{self.bundle}.xctest"),
                 "--testing-library", "swift-testing"] + arguments,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, errors="replace", start_new_session=True, preexec_fn=limit,
                env=dict(
                    os.environ, NO_COLOR="1", SWIFT_BACKTRACE="enable=no", TMPDIR=rubbish,
                    **{VARIABLE: str(number)}))
            is_over = threading.Event()
            watching = threading.Thread(target=watch, args=(run, limits.clock, is_over))
            watching.start()
            try:
                for line in run.stdout:
                    if "recorded an issue" in line:
                        return line.strip()[:160]
                status = run.wait()
            finally:
                is_over.set()
                end(run)
                run.stdout.close()
                run.wait()
                watching.join()
                end_orphans()
        return {0: None, -signal.SIGXCPU: "endless", -signal.SIGKILL: "endless"}.get(status, "trap")


def mirror(source, copy):
    """Leaves alone what is the same, which then isn't built anew."""
    os.makedirs(copy, exist_ok=True)
    names = os.listdir(source)
    for name in set(os.listdir(copy)) - set(names):
        gone = os.path.join(copy, name)
        shutil.rmtree(gone) if os.path.isdir(gone) else os.remove(gone)
    for name in names:
        old, new = os.path.join(copy, name), os.path.join(source, name)
        if os.path.isdir(new):
            mirror(new, old)
        elif not os.path.exists(old) or not filecmp.cmp(old, new, shallow=False):
            shutil.copy(new, old)


def watch(run, seconds, is_over):
    """Ends tests that go on for so long, or do nothing but wait."""
    began = moved = time.monotonic()
    used = 0
    while not is_over.wait(1):
        now, used_by_now = time.monotonic(), ticks(run.pid)
        if abs(used_by_now - used) > 1:
            used, moved = used_by_now, now
        if now - began > seconds or now - moved > IDLE:
            end(run)
            # What left the session hangs on to the output, which is read to its end.
            while not is_over.wait(0.1):
                end_orphans(but=run.pid)
            return


def ticks(session):
    """What the processes of a session used of the processor, in hundredths of a second."""
    return sum(sum(map(int, fields[11:15])) for _, fields in processes()
               if int(fields[3]) == session)


def processes():
    """All of them with the fields of `stat` in proc(5) that follow the name, the state first."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                yield int(name), file.read().rpartition(")")[2].split()
        except OSError:
            continue


def end(run):
    """Ends the tests and what they started in their session."""
    try:
        os.killpg(run.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def adopt_orphans():
    """Has processes whose parent ended become this one's children: PR_SET_CHILD_SUBREAPER."""
    if ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) != 0:
        raise OSError("prctl failed")


def end_orphans(but=0):
    """Ends this process's children, and what becomes one then, except for one."""
    while children := [process for process, fields in processes()
                       if int(fields[1]) == os.getpid() and process != but]:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
