"""Other programs that do part of the same, in homes of their own: MPD, watchman and beets."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

import processes
from daemon import RECEIVED, Failure


class MPD:
    """A music player daemon without sound, which updates when it is told to."""

    def __init__(self, scratch, music):
        program = shutil.which("mpd")
        if not program:
            raise Failure("mpd is not installed")
        self.home = os.path.join(scratch, "mpd")
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(os.path.join(self.home, "playlists"))
        self.runtime = tempfile.mkdtemp(prefix="crated-bench-")
        self.socket_path = os.path.join(self.runtime, "mpd")
        self.settings = os.path.join(self.home, "mpd.conf")
        quoted = {
            "music_directory": music, "playlist_directory": os.path.join(self.home, "playlists"),
            "db_file": os.path.join(self.home, "database"), "bind_to_address": self.socket_path,
            "log_file": os.path.join(self.home, "log"), "auto_update": "no",
            "filesystem_charset": "UTF-8", "max_output_buffer_size": "65536",
            "max_playlist_length": "200000", "zeroconf_enabled": "no",
            "connection_timeout": "86400",
        }
        with open(self.settings, "w") as file:
            for key, value in quoted.items():
                escaped = value.replace("\\", "\\\\").replace('"', '\\"')
                file.write(f'{key} "{escaped}"\n')
            file.write('audio_output {\n  type "null"\n  name "null"\n}\n')
        self.program = program
        self.process = None
        self.socket = None

    def start(self):
        """Starts it; returns when it has greeted."""
        self.process = subprocess.Popen(
            [self.program, "--no-daemon", self.settings], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while True:
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.settimeout(900)
                self.socket.connect(self.socket_path)
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    self.close()
                    raise Failure("mpd did not start") from None
                time.sleep(0.0003)
        self.receive()
        return self

    def receive(self):
        reply = bytearray()
        while True:
            piece = self.socket.recv(RECEIVED)
            if not piece:
                raise Failure("mpd closed the connection")
            reply += piece
            last = reply[reply.rfind(b"\n", 0, -1) + 1:]
            if last.endswith(b"\n") and last.startswith((b"OK", b"ACK")):
                if last.startswith(b"ACK"):
                    raise Failure(last.decode().strip())
                return bytes(reply)

    def command(self, line):
        self.socket.sendall(line.encode() + b"\n")
        return self.receive().decode()

    def timed(self, line):
        message = line.encode() + b"\n"
        begin = time.perf_counter()
        self.socket.sendall(message)
        self.receive()
        return time.perf_counter() - begin

    def update(self):
        """Seconds until the database is up to date."""
        begin = time.perf_counter()
        self.command("update")
        while "updating_db" in self.command("status"):
            self.command("idle update")
        return time.perf_counter() - begin

    def full_update(self):
        """Seconds for a database out of nothing."""
        self.stop()
        if os.path.exists(os.path.join(self.home, "database")):
            os.unlink(os.path.join(self.home, "database"))
        self.start()
        return self.update()

    @staticmethod
    def quoted(text):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def stop(self):
        if self.socket:
            self.socket.close()
        if self.process:
            processes.stop(self.process)
        self.socket = self.process = None

    def close(self):
        self.stop()
        shutil.rmtree(self.runtime, ignore_errors=True)


class Watchman:
    """A file watching service, which tells a subscriber the names of files that changed."""

    def __init__(self, scratch, folders):
        program = shutil.which("watchman")
        if not program:
            raise Failure("watchman is not installed")
        self.home = os.path.join(scratch, "watchman")
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(self.home)
        self.runtime = tempfile.mkdtemp(prefix="crated-bench-")
        path = os.path.join(self.runtime, "watchman")
        self.process = subprocess.Popen(
            [program, "--foreground", "--sockname", path, "--statefile",
             os.path.join(self.home, "state"), "--logfile", os.path.join(self.home, "log"),
             "--pidfile", os.path.join(self.home, "pid")],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd=self.home)
        end = time.monotonic() + 30
        while True:
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.settimeout(120)
                self.socket.connect(path)
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    self.close()
                    raise Failure("watchman did not start") from None
                time.sleep(0.01)
        self.lines = self.socket.makefile("rb")
        for folder in folders:
            self.command("watch", folder)
        # The last one is where files arrive.
        self.command(
            "subscribe", folders[-1], "arrivals",
            {"fields": ["name", "exists"], "expression": ["type", "f"]})

    def command(self, *words):
        self.socket.sendall(json.dumps(words).encode() + b"\n")
        while True:
            answer = json.loads(self.lines.readline())
            if "error" in answer:
                raise Failure(f"watchman: {answer['error']}")
            if "subscription" not in answer:
                return answer

    def wait_for(self, name):
        """Returns when it has told of a file of that name."""
        while True:
            told = json.loads(self.lines.readline())
            if any(file["name"].endswith(name) for file in told.get("files", [])):
                return

    def close(self):
        self.socket.close()
        processes.stop(self.process)
        shutil.rmtree(self.runtime, ignore_errors=True)
