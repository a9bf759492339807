#!/usr/bin/env python3
"""Draws the moving picture in the README: `crate browse` in use, on made-up albums with made-up
covers, beside a daemon of its own in a home that is thrown away. The terminal is this program: it
knows what the browser sends and kitty's pictures, and draws each screen as text.

Usage: moving_picture.py DIRECTORY-OF-PROGRAMS PICTURE.svg
"""
import base64
import fcntl
import html
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

import made_up

COLUMNS, ROWS = 112, 24
CELL = (9, 18)
BYTES_MOST = 1 << 20
# What is typed, what the picture says of it, and for how many seconds it is seen.
SESSION = [
    ("", "crate browse", 2.0), ("j", "down", 0.6), ("j", "down", 1.0),
    (" ", "select one and go on", 0.7), (" ", "and the next", 0.9), ("x", "pick up", 1.0),
    ("j", "", 0.3), ("j", "", 0.3), ("j", "", 0.6), ("p", "put below the cursor", 1.6),
    ("\x1b", "select none", 0.6), ("/", "find", 0.6), ("h", "", 0.4), ("a", "", 0.8),
    ("\x1b[1;3H", "what is found to the top", 1.6), ("\r", "", 0.4), ("u", "undo", 1.6),
    ("w", "covers as a gallery", 2.0), ("l", "", 0.5), ("l", "", 0.5), ("j", "", 1.0),
    ("m", "to a crate by its name", 0.8), ("su", "", 0.8), ("\r", "", 1.8), ("w", "", 0.8),
    ("+", "new arrivals, one at a time", 1.8), ("2", "on top of Late night", 1.2),
    ("3", "on top of Sunday", 1.2), (" ", "leave it there", 1.2), ("q", "enough for now", 0.8),
    ("2", "the second crate", 2.6),
]
KEYS = {" ": "Space", "\x1b": "Esc", "\r": "Enter", "\x1b[1;3H": "Alt+Home"}

FONT = 14
WIDTH, HEIGHT, MARGIN = FONT * 0.602, FONT * 1.35, 16
INK, PAPER = "#d8dee9", "#1f2430"
COLORS = ["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9"]


class Screen:
    """A terminal that knows what the browser sends."""

    def __init__(self):
        self.cells = [[(" ", ())] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.style = {}
        self.images, self.places = {}, {}
        self.loading = None
        self.rest = b""

    def feed(self, data):
        """Shows it; returns what a terminal answers."""
        answers = b""
        text = self.rest + data
        while text:
            if text[:1] != b"\x1b":
                piece = re.match(rb"[^\x1b]+", text).group()
                shown = piece.decode(errors="ignore")
                end = len(shown.encode())
                self.show(shown)
                if end < len(piece) and len(piece) == len(text):
                    text = text[end:]
                    break
                text = text[len(piece):]
                continue
            found = re.match(rb"\x1b\[([?<>]?)([0-9;]*)([@-~])", text)
            if found:
                answers += self.control(*(part.decode() for part in found.groups()))
            else:
                found = re.match(rb"\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\", text)
                if found:
                    answers += self.picture(found[1].decode(), found[2])
                else:
                    found = re.match(rb"\x1b\\", text)
            if not found:
                break
            text = text[found.end():]
        self.rest = text
        return answers

    def show(self, text):
        for character in text:
            look = tuple(sorted(self.style.items()))
            for offset, part in enumerate([character, ""][:wide(character)]):
                if self.column + offset < COLUMNS:
                    self.cells[self.row][self.column + offset] = (part, look)
            self.column += wide(character)

    def control(self, mark, text, final):
        numbers = [int(number or 0) for number in text.split(";")]
        if mark:
            return b""
        if final == "H":
            self.row, self.column = [max(number, 1) - 1 for number in (numbers + [1, 1])[:2]]
        elif final == "J":
            self.cells = [[(" ", ())] * COLUMNS for _ in range(ROWS)]
        elif final == "X":
            for column in range(self.column, min(self.column + numbers[0], COLUMNS)):
                self.cells[self.row][column] = (" ", ())
        elif final == "m":
            self.restyle(numbers)
        elif final == "n":
            return b"\x1b[0n"
        elif final == "t":
            return b"\x1b[6;%d;%dt" % (CELL[1], CELL[0])
        elif final == "c":
            return b"\x1b[?62c"
        return b""

    def restyle(self, numbers):
        if 38 in numbers and numbers[numbers.index(38) + 1] == 2:
            start = numbers.index(38)
            self.style["ink"] = "#%02x%02x%02x" % tuple(numbers[start + 2:start + 5])
            numbers = numbers[:start] + numbers[start + 5:]
        for number in numbers:
            if number == 0:
                self.style = {}
            elif number in (1, 2, 4, 7):
                self.style[{1: "bold", 2: "dim", 4: "under", 7: "reversed"}[number]] = True
            elif 30 <= number <= 37:
                self.style["ink"] = COLORS[number - 30]

    def picture(self, keys, content):
        keys = dict(key.split("=") for key in keys.split(","))
        action, number = keys.get("a"), keys.get("i")
        if action == "q":
            return b"\x1b_Gi=31;OK\x1b\\"
        if action == "t":
            self.loading = (number, int(keys["s"]), int(keys["v"]), [])
        if action in ("t", None) and self.loading:
            self.loading[3].append(content)
            if keys["m"] == "0":
                number, width, height, parts = self.loading
                pixels = base64.b64decode(b"".join(parts))
                if len(pixels) == 3 * width * height:
                    self.images[number] = (width, height, pixels)
                self.loading = None
        if action == "p":
            # A picture that fills no box has its own size.
            width, height, _ = self.images.get(number, (0, 0, None))
            self.places[number] = (
                self.row, self.column, float(keys.get("r", height / CELL[1])),
                float(keys.get("c", width / CELL[0])))
        if action == "d":
            self.places.pop(number, None)
        return b""


class Terminal:
    def __init__(self, command, environment):
        self.screen = Screen()
        self.process, self.file = pty.fork()
        if self.process == 0:
            time.sleep(0.2)  # Until the window has its size.
            os.execve(command[0], command, environment)
        size = struct.pack("HHHH", ROWS, COLUMNS, COLUMNS * CELL[0], ROWS * CELL[1])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, size)

    def type(self, keys):
        os.write(self.file, keys.encode())

    def settle(self, quiet=0.7):
        """Until nothing comes any longer."""
        while select.select([self.file], [], [], quiet)[0]:
            try:
                answer = self.screen.feed(os.read(self.file, 1 << 16))
            except OSError:
                return
            if answer:
                os.write(self.file, answer)

    def frame(self):
        rows = [tuple(row) for row in self.screen.cells]
        places = [(self.screen.images[number], place)
                  for number, place in self.screen.places.items() if number in self.screen.images]
        return rows, places


def session(programs, home):
    """The screens, each with the key before it, what is said of it, and its seconds."""
    made_up.music(f"{home}/Music")
    environment = {"HOME": home, "PATH": f"{programs}:/usr/bin:/bin", "LANG": "C.UTF-8",
                   "TERM": "xterm-kitty", "XDG_RUNTIME_DIR": f"{home}/.run"}
    os.mkdir(f"{home}/.run", 0o700)
    os.makedirs(f"{home}/.config/crated")
    with open(f"{home}/.config/crated/config.toml", "w", encoding="utf-8") as file:
        file.write(f'music_folders = ["{home}/Music"]\n')
    daemon = subprocess.Popen([f"{programs}/crated"], env=environment, stderr=subprocess.PIPE)
    try:
        next(line for line in daemon.stderr if b"ready" in line)

        def crate(*words):
            subprocess.run([f"{programs}/crate", *words], env=environment, check=True,
                           capture_output=True)

        crate("sync")
        for name, titles in made_up.CRATES:
            crate("move", *titles, "to", name)
        terminal = Terminal([f"{programs}/crate", "browse", "Music"], environment)
        terminal.settle(3)
        frames = []
        for keys, says, seconds in SESSION:
            for key in [keys] if keys.startswith("\x1b") else keys:
                terminal.type(key)
                terminal.settle()
            frames.append((KEYS.get(keys, keys), says, seconds, *terminal.frame()))
        terminal.type("q")
        os.waitpid(terminal.process, 0)
        return frames
    finally:
        daemon.terminate()
        daemon.communicate()


def wide(text):
    """The cells that it takes."""
    return sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in text)


def spans(row):
    """The pieces of a row that look alike: column, cells, text, look."""
    start, text = 0, ""
    for column in range(COLUMNS + 1):
        ends = column == COLUMNS or (column > start and row[column][1] != row[start][1])
        if ends:
            yield start, column - start, text, dict(row[start][1])
            start, text = column, ""
        if column < COLUMNS:
            text += row[column][0]


# Where in its cell the line is, and how wide, in cells.
LINES = {"│": (0.45, 0.1), "▌": (0, 0.5), "▏": (0, 0.15)}


def drawn_row(row):
    for column, cells, text, look in spans(row):
        x, width = column * WIDTH, cells * WIDTH
        ink, paper = look.get("ink", INK), PAPER
        if look.get("reversed"):
            ink, paper = paper, ink
            yield (f'<rect x="{x:.1f}" width="{width:.1f}" height="{HEIGHT:.1f}" fill="{paper}"/>')
        more = ' font-weight="bold"' if look.get("bold") else ""
        more += ' opacity=".6"' if look.get("dim") else ""
        more += ' text-decoration="underline"' if look.get("under") else ""
        more += f' fill="{ink}"' if ink != INK else ""
        # Blanks at the ends are not drawn, and several within are not left to whoever draws.
        for piece in re.finditer(r"[│▌▏]|[^ │▌▏]+(?: [^ │▌▏]+)*", text):
            start, length = x + wide(text[:piece.start()]) * WIDTH, wide(piece[0]) * WIDTH
            if piece[0] in LINES:
                offset, width = LINES[piece[0]]
                yield (f'<rect x="{start + offset * WIDTH:.1f}" width="{width * WIDTH:.1f}" '
                       f'height="{HEIGHT:.1f}"{more}/>')
            else:
                yield (f'<text x="{start:.1f}" y="{0.76 * HEIGHT:.1f}" '
                       f'textLength="{length:.1f}"{more}>{html.escape(piece[0])}</text>')


def caption(key, says, width, height):
    y = height - 34
    if key:
        cap = max(2, len(key)) * WIDTH + 14
        yield (f'<rect x="{MARGIN}" y="{y}" width="{cap:.1f}" height="24" rx="5" fill="#3b4252"/>'
               f'<text x="{MARGIN + 7 + (cap - 14 - len(key) * WIDTH) / 2:.1f}" y="{y + 17}" '
               f'font-weight="bold">{html.escape(key)}</text>')
        x = MARGIN + cap + 12
    else:
        x = MARGIN
    yield f'<text x="{x:.1f}" y="{y + 17}" opacity=".8">{html.escape(says)}</text>'


def drawing(frames):
    width, height = COLUMNS * WIDTH + 2 * MARGIN, ROWS * HEIGHT + 2 * MARGIN + 30
    whole = sum(frame[2] for frame in frames)
    rows, images = {}, {}
    body, rules, start = [], [], 0
    for number, (key, says, seconds, cells, places) in enumerate(frames):
        end = start + seconds
        first, last = 100 * start / whole, 100 * end / whole
        hidden = "" if number == 0 else "0%{visibility:hidden}"
        after = "" if number + 1 == len(frames) else f"{last:.2f}%,to{{visibility:hidden}}"
        rules.append(f"@keyframes f{number}{{{hidden}{first:.2f}%{{visibility:visible}}{after}}}"
                     f"#f{number}{{animation-name:f{number}}}")
        body.append(f'<g id="f{number}" class="f">')
        for place, row in enumerate(cells):
            if any(text != " " or look for text, look in row):
                name = rows.setdefault(row, f"r{len(rows)}")
                body.append(f'<use href="#{name}" x="{MARGIN}" y="{MARGIN + place * HEIGHT:.1f}"/>')
        for picture, (row, column, tall, wide) in places:
            name = images.setdefault(picture, f"i{len(images)}")
            scale = min(wide * WIDTH / picture[0], tall * HEIGHT / picture[1])
            body.append(f'<use href="#{name}" transform="translate({MARGIN + column * WIDTH:.1f} '
                        f'{MARGIN + row * HEIGHT:.1f}) scale({scale:.4f})"/>')
        body += caption(key, says, width, height)
        body.append("</g>")
        start = end
    still = max(range(len(frames)), key=lambda number: len(frames[number][4]))
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
           f'viewBox="0 0 {width:.0f} {height:.0f}" font-size="{FONT}" fill="{INK}" '
           f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">')
    yield (f"<style>.f{{visibility:hidden;animation:{whole:.1f}s step-end infinite}}"
           + "".join(rules)
           # Seen where nothing moves: in a printed page, and by who asks for less motion.
           + f"#f{still}{{visibility:visible}}"
           "@media(prefers-reduced-motion){.f{animation:none}}"
           "</style>")
    yield f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/><defs>'
    for row, name in rows.items():
        yield f'<g id="{name}">{"".join(drawn_row(row))}</g>'
    for (wide, tall, pixels), name in images.items():
        # A few bits less of each colour are far fewer bytes, and nobody sees it.
        fewer = bytes(each & 0xF8 | each >> 5 for each in pixels)
        content = base64.b64encode(made_up.png(wide, tall, fewer))
        yield (f'<image id="{name}" width="{wide}" height="{tall}" '
               f'href="data:image/png;base64,{content.decode()}"/>')
    yield "</defs>"
    yield from body
    yield "</svg>"


def main():
    programs, picture = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix="crated-") as home:
        frames = session(programs, home)
    text = "\n".join(drawing(frames)) + "\n"
    if len(text.encode()) > BYTES_MOST:
        sys.exit(f"{picture} would have {len(text.encode())} bytes, more than {BYTES_MOST}")
    with open(picture, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"{picture}: {len(frames)} screens, {len(text.encode()) // 1024} KiB")


if __name__ == "__main__":
    main()
