"""The daemon under measurement: started in a home of its own, and talked to over its socket."""
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

INTERFACE = "org.crated.Crates"
PATIENCE = 900
# Python makes a buffer of that size for every answer: one of a megabyte takes 12 µs each time.
RECEIVED = 1 << 16


class Failure(Exception):
    """Why a row can't be measured; the row says it."""


class Client:
    """A connection that speaks varlink: JSON, and a NUL behind each message."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.rest = b""

    @staticmethod
    def message(method, more=False, **parameters):
        call = {"method": f"{INTERFACE}.{method}", "parameters": parameters}
        if more:
            call["more"] = True
        return json.dumps(call).encode() + b"\0"

    def send(self, message):
        self.socket.sendall(message)

    def receive_bytes(self):
        pieces = [self.rest]
        while b"\0" not in pieces[-1]:
            piece = self.socket.recv(RECEIVED)
            if not piece:
                raise Failure("the daemon closed the connection")
            pieces.append(piece)
        reply, self.rest = b"".join(pieces).split(b"\0", 1)
        return reply

    def receive(self):
        reply = json.loads(self.receive_bytes())
        if "error" in reply:
            raise Failure(f"{reply['error']}: {reply.get('parameters')}")
        return reply

    def call(self, method, **parameters):
        self.send(self.message(method, **parameters))
        return self.receive()["parameters"]

    def all(self, method, **parameters):
        """Every reply of a call with more."""
        self.send(self.message(method, more=True, **parameters))
        while True:
            reply = self.receive()
            yield reply["parameters"]
            if not reply.get("continues"):
                return

    def albums(self):
        return [album for part in self.all("ListAlbums") for album in part["albums"]]

    def timed(self, message):
        """Seconds from the first byte of a message to the last of its answer."""
        begin = time.perf_counter()
        self.socket.sendall(message)
        reply = self.receive_bytes()
        took = time.perf_counter() - begin
        if reply.startswith(b'{"error"'):
            raise Failure(reply.decode())
        return took

    def close(self):
        self.socket.close()


class Daemon:
    """crated with its own settings, store, index and socket, below a scratch folder."""

    def __init__(self, programs, scratch, folders, name="daemon", lines=()):
        self.programs = programs
        self.home = os.path.join(scratch, name)
        shutil.rmtree(self.home, ignore_errors=True)
        # A socket's path has at most 107 bytes, which a scratch folder's may have already.
        self.runtime = tempfile.mkdtemp(prefix="crated-bench-")
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=self.runtime)
        for part in ("CONFIG", "DATA", "CACHE", "STATE"):
            self.environment[f"XDG_{part}_HOME"] = os.path.join(self.home, part.lower())
        for stranger in ("LISTEN_FDS", "LISTEN_PID", "NOTIFY_SOCKET", "WATCHDOG_USEC"):
            self.environment.pop(stranger, None)
        settings = os.path.join(self.home, "config", "crated")
        os.makedirs(settings)
        with open(os.path.join(settings, "config.toml"), "w") as file:
            file.write(f"music_folders = {json.dumps(folders, ensure_ascii=False)}\n")
            file.writelines(f"{line}\n" for line in lines)
        self.socket_path = os.path.join(self.runtime, "crated", INTERFACE)
        self.log_path = os.path.join(self.home, "log")
        self.process = None

    def forget(self):
        """No store, no index: as on the first day."""
        for part in ("data", "cache", "state"):
            shutil.rmtree(os.path.join(self.home, part), ignore_errors=True)

    def start(self, before=()):
        """Starts the daemon, below the program in `before`; returns at once."""
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [*before, os.path.join(self.programs, "crated")], env=self.environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def client(self):
        """Connects as soon as there is something to connect to."""
        end = time.monotonic() + 60
        while True:
            try:
                return Client(self.socket_path)
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise Failure(f"crated did not start; it says: {self.last_words()}") from None
                time.sleep(0.0003)

    def last_words(self):
        with open(self.log_path, errors="replace") as file:
            return file.read()[-400:].strip()

    def started(self, before=()):
        """A client of a new process, after everything has been looked at."""
        self.start(before)
        client = self.client()
        client.call("Sync")
        return client

    @property
    def pid(self):
        return self.process.pid

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def kill(self):
        """Ends it without a word, as the kernel does where memory is short."""
        self.process.kill()
        self.process.wait()
        self.process = None

    def close(self):
        self.stop()
        shutil.rmtree(self.runtime, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
