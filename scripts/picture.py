#!/usr/bin/env python3
"""Draws the README's picture: what a terminal shows while the real programs are used for the first
time, on made-up songs, in a home that is thrown away.

Usage: picture.py DIRECTORY-OF-PROGRAMS PICTURE.svg
"""
import fcntl
import html
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

COLUMNS = 90
# What one types, and what happens unseen before it.
SESSION = [
    ("", "crate list Music"),
    ("", 'crate move Music 1,3 to "Late night"'),
    ("", 'crate list "Late night"'),
    ("", 'cp -r "Downloads/Harbour Songs" Music'),
    ("crate sync", "crate list"),
    ("", "crate list Music"),
    ("", "crate find kett"),
    ("", 'crate play "Late night"'),
]
# mpv plays to nobody, and only the beginning of each song.
MPV = "ao=null\nlength=0.05\nmsg-level=all=error,cplayer=info\nterm-status-msg=\n"

FONT = 14
WIDTH, HEIGHT, MARGIN = FONT * 0.602, FONT * 1.35, 16
INK, PAPER = "#d8dee9", "#1f2430"
COLORS = ["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9"]


def shown(command, environment, folder):
    """What the command writes to a terminal of our width."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execve("/bin/sh", ["sh", "-c", command], environment)
    size = struct.pack("HHHH", 40, COLUMNS, 0, 0)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    output = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # How a terminal ends.
            break
        if not piece:
            break
        output += piece
    os.close(terminal)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        sys.exit(f"{command}: {output.decode()}")
    return output.decode().replace("\r\n", "\n")


def session(programs, home):
    """The lines of the terminal."""
    subprocess.run([f"{programs}/demo-music", f"{home}/Music"], check=True, capture_output=True)
    os.mkdir(f"{home}/Downloads")
    shutil.move(f"{home}/Music/The Paper Lanterns/Harbour Songs", f"{home}/Downloads")
    # What is newer stands above: the same order each time.
    songs = sorted(os.path.join(at, name) for at, _, names in os.walk(f"{home}/Music")
                   for name in names)
    for place, song in enumerate(songs):
        os.utime(song, (1_700_000_000 + place, 1_700_000_000 + place))
    environment = {"HOME": home, "PATH": f"{programs}:/usr/bin:/bin", "LANG": "C.UTF-8",
                   "TERM": "xterm-256color", "XDG_RUNTIME_DIR": f"{home}/.run",
                   # An MPD of whoever draws is not to play.
                   "MPD_HOST": f"{home}/.run/none"}
    os.mkdir(f"{home}/.run", 0o700)
    for name, text in [("mpv/mpv.conf", MPV),
                       ("crated/config.toml", f'music_folders = ["{home}/Music"]\n')]:
        os.makedirs(os.path.dirname(f"{home}/.config/{name}"), exist_ok=True)
        with open(f"{home}/.config/{name}", "w") as file:
            file.write(text)
    daemon = subprocess.Popen([f"{programs}/crated"], env=environment, stderr=subprocess.PIPE)
    try:
        for line in daemon.stderr:
            if b"ready" in line:
                break
        text = ""
        shown("crate sync", environment, home)
        for unseen, typed in SESSION:
            if unseen:
                shown(unseen, environment, home)
            text += f"\033[1;32m$\033[0m \033[1m{typed}\033[0m\n"
            text += shown(typed, environment, home)
        lines = text.replace(home, "/home/you").rstrip("\n").split("\n")
        # What mpv says of formats and outputs is another story.
        start = lines.index(next(line for line in lines if "Playing: " in line))
        playing = [line[line.index("Playing: "):] for line in lines[start:] if "Playing: " in line]
        return [line for line in lines[:start] if "Reading " not in line] + playing
    finally:
        daemon.terminate()
        daemon.communicate()


def spans(line):
    """The pieces of a line that look alike: text, color, whether bold."""
    color, bold, dim = INK, False, False
    for piece in re.split(r"(\033\[[0-9;]*m)", line):
        if not piece.startswith("\033["):
            if piece:
                yield piece, color, bold, dim
            continue
        for code in [int(code or 0) for code in piece[2:-1].split(";")]:
            if code == 0:
                color, bold, dim = INK, False, False
            elif code in (1, 2):
                bold, dim = bold or code == 1, dim or code == 2
            elif code == 22:
                bold, dim = False, False
            elif 30 <= code <= 37 or 90 <= code <= 97:
                color = COLORS[code % 10]
            elif code == 39:
                color = INK


def drawing(lines):
    width, height = COLUMNS * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
           f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{FONT}">')
    yield f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>'
    for number, line in enumerate(lines):
        y = MARGIN + (number + 0.8) * HEIGHT
        column = 0
        for text, color, bold, dim in spans(line):
            if text.strip():
                x = MARGIN + column * WIDTH
                look = ' font-weight="bold"' if bold else ""
                look += ' opacity="0.6"' if dim else ""
                yield (f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}"{look} '
                       f'textLength="{len(text) * WIDTH:.1f}" xml:space="preserve">'
                       f"{html.escape(text)}</text>")
            column += len(text)
    yield "</svg>"


def main():
    programs, picture = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix="crated-") as home:
        lines = session(programs, home)
    with open(picture, "w") as file:
        file.write("\n".join(drawing(lines)) + "\n")
    print(re.sub(r"\033\[[0-9;]*m", "", "\n".join(lines)))


main()
