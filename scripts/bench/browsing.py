"""Rows about `crate browse`: its first paint, keys, instructions, memory and rest.

The daemon is played by a thread here that knows as many albums as a library of so many songs has,
so that nothing but the browser is measured, and the terminal by the other end of a pseudo-terminal,
which reads as fast as it can or as slowly as a bad line."""
import fcntl
import json
import os
import pty
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

from figures import Row, median, megabytes, percentile, seconds

SONGS_OF_ALBUM = 12
SIZES = (12_000, 100_000)
COLUMNS, ROWS_SEEN = 160, 48
FIRST_PAINT, KEY, SLOW_KEY = 0.050, 0.016, 0.030
INSTRUCTIONS = 1_500_000
MEMORY = 20 << 20
SLOW_LINE = 64_000
KEYS = 300
# What is looked for, letter by letter, and taken back.
FOUND, WORDS, FINDS = 100, b"album of many songs 12", 5
REST = 5


class Crated:
    """Answers what the browser asks, from texts that were made before."""

    def __init__(self, songs, folder):
        self.path = os.path.join(folder, "org.crated.Crates")
        count = songs // SONGS_OF_ALBUM
        albums = [self.album(number) for number in range(count)]
        self.crates = {"crates": [{"name": "Music", "position": 1, "albums": count, "songs": songs,
                                   "seconds": 1.0 * songs}], "sequence": 5}
        self.albums = albums
        self.pieces = [
            self.text({"parameters": {"albums": albums[start:start + 500], "total": count,
                                      "sequence": 5}, "continues": start + 500 < count})
            for start in range(0, count, 500)
        ]
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(self.path)
        self.socket.listen(16)
        threading.Thread(target=self.accept, daemon=True).start()

    @staticmethod
    def album(number):
        return {"id": f"{number:012x}".translate(str.maketrans("01", "gh")), "crate": "Music",
                "position": number + 1, "title": f"Album of many songs {number}",
                "artist": f"An Artist {number // 7}", "year": 1950 + number % 70,
                "songs": SONGS_OF_ALBUM, "seconds": 2700.5, "added": "2023-01-20T05:38:32.000Z",
                "arranged": False, "presence": "present", "moved": False, "came": 1, "cover": None,
                "because": "its songs have the same album in their tags"}

    @staticmethod
    def song(number, album):
        return {"id": f"s{number:011x}", "album": album, "albumTitle": "", "albumArtist": "",
                "crate": "Music", "position": number + 1, "title": f"Song {number}",
                "artist": "An Artist", "disc": 1, "track": number + 1, "seconds": 200.0,
                "format": "flac", "added": "2023-01-20T05:38:32.000Z", "presence": "present",
                "path": f"/m/{number}", "uri": f"file:///m/{number}", "year": 1950, "genre": None,
                "composer": None, "bitRate": 900, "sampleRate": 44100, "recording": None,
                "release": None, "evidence": None}

    @staticmethod
    def text(reply):
        return json.dumps(reply, separators=(",", ":")).encode() + b"\0"

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        received = b""
        while data := connection.recv(1 << 16):
            received += data
            while b"\0" in received:
                call, received = received.split(b"\0", 1)
                try:
                    self.answer(connection, json.loads(call))
                except OSError:
                    return

    def answer(self, connection, call):
        method, asked = call["method"].rsplit(".", 1)[1], call.get("parameters", {})
        if method == "ListCrates":
            connection.sendall(self.text({"parameters": self.crates}))
        elif method == "ListAlbums" and asked.get("first"):
            some = self.albums[:asked.get("count") or 1]
            connection.sendall(self.text({"parameters": {
                "albums": some, "total": len(self.albums), "sequence": 5}}))
        elif method == "ListAlbums":
            for piece in self.pieces:
                connection.sendall(piece)
        elif method == "ListSongs":
            songs = [self.song(number, asked.get("album")) for number in range(SONGS_OF_ALBUM)]
            connection.sendall(self.text({"parameters": {
                "songs": songs, "total": len(songs), "sequence": 5}, "continues": False}))
        elif method == "Search":
            # The most that is asked for at once.
            albums = self.albums[-FOUND:]
            songs = [self.song(number, album["id"]) for number, album in enumerate(albums)]
            connection.sendall(self.text({"parameters": {
                "albums": albums, "songs": songs, "totalAlbums": len(albums),
                "totalSongs": len(songs), "sequence": 5}}))
        elif method == "Watch":
            connection.sendall(self.text({"parameters": {"change": {
                "changed": False, "sequence": 5, "time": "2026-01-01T00:00:00.000Z",
                "author": "folder", "summary": "watching", "origin": None, "moves": [],
                "notes": [], "albums": [], "songs": [], "crates": [], "complete": True}},
                "continues": True}))


class Terminal:
    """`crate browse` in a pseudo-terminal, and how long it takes."""

    def __init__(self, command, daemon, folder, rate=None):
        self.rate, self.shown = rate, b""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_STATE_HOME=folder)
            os.environ.pop("NO_COLOR", None)
            # The size has to be there before the program is.
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS_SEEN, COLUMNS, 0, 0))
            os.execvp(command[0], [*command, "browse", "--socket", daemon.path])
        self.began = time.perf_counter()

    def read(self, patience):
        """What comes within so many seconds, once."""
        if not select.select([self.file], [], [], patience)[0]:
            return b""
        try:
            data = os.read(self.file, 512 if self.rate else 1 << 16)
        except OSError:
            return b""
        if self.rate:
            time.sleep(len(data) / self.rate)
        self.shown += data
        # The question whether it has taken everything.
        for _ in range(data.count(b"\x1b[5n")):
            os.write(self.file, b"\x1b[0n")
        if b"\x1b[c" in data:
            os.write(self.file, b"\x1b[?62;22c")
        return data

    def wait(self, words, patience=30.0):
        """Until the words were shown; when that was."""
        end = time.perf_counter() + patience
        while words not in self.shown:
            if time.perf_counter() > end:
                raise TimeoutError(f"never shown: {words}")
            self.read(0.1)
        return time.perf_counter()

    def rest(self, least=0.15):
        while self.read(least):
            pass

    def press(self, key, limit=2.0):
        """Seconds until the first byte of what it changes has come."""
        self.shown = b""
        begin = time.perf_counter()
        os.write(self.file, key)
        if not self.read(limit):
            raise TimeoutError("a key is not answered")
        taken = time.perf_counter() - begin
        self.rest(0.005)
        return taken

    def status(self, name):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return int(re.search(rf"^{name}:\s+(\d+)", file.read(), re.MULTILINE)[1])

    def switches(self):
        total = 0
        for task in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{task}/status", encoding="ascii") as file:
                total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read(),
                                       re.MULTILINE)[1])
        return total

    def quit(self):
        try:
            os.write(self.file, b"\x03")
            end = time.perf_counter() + 10
            while time.perf_counter() < end and os.waitpid(self.pid, os.WNOHANG) == (0, 0):
                self.read(0.02)
        except (OSError, ChildProcessError):
            pass
        os.close(self.file)


def instructions(crate, daemon, folder):
    """Of a step of the cursor, by callgrind: the difference that a hundred more make."""
    if not shutil.which("valgrind") or not shutil.which("strip"):
        return None
    # What valgrind can't read of it stops it.
    stripped = os.path.join(folder, "crate")
    subprocess.run(["strip", "-o", stripped, crate], check=True)
    collected = []
    for keys in (20, 120):
        out = os.path.join(folder, "callgrind")
        terminal = Terminal(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
             f"--log-file={folder}/log", stripped], daemon, folder)
        terminal.wait(b"Song 3", 100)
        terminal.rest(1.5)
        for number in range(keys):
            # Down and up, so that the view stays.
            terminal.press(b"j" if number % 20 < 10 else b"k", 30)
        terminal.rest(1.0)
        terminal.quit()
        with open(out, encoding="utf-8", errors="replace") as file:
            collected.append(int(re.search(r"^(?:summary|totals): (\d+)", file.read(),
                                           re.MULTILINE)[1]))
    return (collected[1] - collected[0]) / 100


def find(terminal):
    """Seconds of each key of what is looked for."""
    taken = []
    for _ in range(FINDS):
        terminal.press(b"/")
        for letter in WORDS:
            taken.append(terminal.press(bytes([letter])))
        for _ in WORDS:
            taken.append(terminal.press(b"\x7f"))
        os.write(terminal.file, b"\x1b")
        terminal.rest()
    return taken


def figures(crate, songs, rounds=15):
    folder = tempfile.mkdtemp(prefix="browse")
    try:
        daemon = Crated(songs, folder)
        starts, peak, woken, keys, finds, slow = [], 0, 0, [], [], []
        for number in range(rounds):
            terminal = Terminal([crate], daemon, folder)
            starts.append(terminal.wait(b"many songs 2") - terminal.began)
            terminal.wait(b"Song 3")
            terminal.rest()
            if number == 0:
                keys = [terminal.press(b"j" if step % 60 < 30 else b"k") for step in range(KEYS)]
                terminal.rest()
                finds = find(terminal)
                terminal.rest()
                before = terminal.switches()
                time.sleep(REST)
                woken = terminal.switches() - before
                peak = terminal.status("VmHWM") << 10
            terminal.quit()
        terminal = Terminal([crate], daemon, folder, rate=SLOW_LINE)
        terminal.wait(b"Song 3")
        terminal.rest()
        slow = [terminal.press(b"j" if step % 20 < 10 else b"k") for step in range(40)]
        terminal.quit()
        return starts, keys, finds, slow, peak, woken, instructions(crate, daemon, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def row(crate, songs):
    starts, keys, finds, slow, peak, woken, steps = figures(crate, songs)
    start, key, slow_key = median(starts), percentile(keys, 0.99), percentile(slow, 0.99)
    found = percentile(finds, 0.99)
    met = key <= KEY and found <= KEY and slow_key <= SLOW_KEY and woken == 0
    if songs == SIZES[0]:
        met = met and start <= FIRST_PAINT and peak <= MEMORY
    if steps is not None:
        met = met and steps <= INSTRUCTIONS
    counted = "instructions not counted: there is no valgrind" if steps is None else \
        f"{steps / 1e6:.2f} M instructions a step (≤ {INSTRUCTIONS / 1e6:.1f} M)"
    return Row(
        f"browse {songs:,} songs: a key to its paint, p99", seconds(key), f"≤ {seconds(KEY)}",
        met=met,
        notes=(
            f"first paint {seconds(start)} (median of {len(starts)}; ≤ {seconds(FIRST_PAINT)} with "
            f"{SIZES[0]:,})",
            f"a key of what is looked for p50 {seconds(median(finds))}, p99 {seconds(found)} "
            f"(≤ {seconds(KEY)})",
            f"key p50 {seconds(median(keys))}; on a line of {SLOW_LINE // 1000} KB/s p99 "
            f"{seconds(slow_key)} (≤ {seconds(SLOW_KEY)})",
            counted,
            f"memory at most {megabytes(peak)} (≤ {megabytes(MEMORY)} with {SIZES[0]:,}); "
            f"{woken} wakeups in {REST} s of rest",
        ))


def browse(place):
    return row(os.path.join(place.programs, "crate"), SIZES[0])


def browse_large(place):
    return row(os.path.join(place.programs, "crate"), SIZES[1])


ROWS = {"browse": browse, "browse-large": browse_large}

if __name__ == "__main__":
    for size in SIZES if len(sys.argv) < 3 else [int(sys.argv[2])]:
        print(row(sys.argv[1], size))
