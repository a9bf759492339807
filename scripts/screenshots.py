#!/usr/bin/env python3
"""Pictures of `crate browse` in real terminals: made-up songs with made-up covers, a daemon of its
own, and terminals on an X server that nobody sees.

Usage: screenshots.py DIRECTORY-OF-PROGRAMS DIRECTORY-OF-PICTURES
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

import made_up

SCREEN = "1900x1250x24"
# Columns and lines: the usual smallest terminal, one beside another window, a whole screen.
SIZES = [(80, 24), (120, 30), (200, 60)]
XTERM = ["xterm", "-fa", "DejaVu Sans Mono", "-fs", "10"]
# The name of a terminal, and the command that starts it.
TERMINALS = [
    ("xterm-sixels", [*XTERM, "-ti", "vt340", "-xrm", "XTerm*decGraphicsID: vt340",
                      "-geometry", "{columns}x{rows}+0+0", "-e"]),
    ("xterm", [*XTERM, "-geometry", "{columns}x{rows}+0+0", "-e"]),
    ("tmux", [*XTERM, "-geometry", "{columns}x{rows}+0+0", "-e", "tmux", "-S", "{home}/tmux",
              "-f", "/dev/null", "new-session"]),
    ("kitty", ["kitty", "--config", "NONE", "-o", "remember_window_size=no", "-o",
               "initial_window_width={columns}c", "-o", "initial_window_height={rows}c", "-o",
               "font_size=10"]),
]
# A name, and the keys before it, as xdotool has them.
SCENES = [("list", ["j", "j"]), ("gallery", ["w"]), ("carried", ["w", "space", "space", "x", "j"]),
          ("found", ["Escape", "Escape", "slash", "t", "i", "d", "e"]),
          ("new", ["Escape", "plus"]), ("again", ["q"])]
# Seconds after which covers are there, and a terminal, on a busy machine.
SETTLED, STARTED = 4, 8


def free_display():
    return next(number for number in range(90, 200) if not os.path.exists(f"/tmp/.X{number}-lock"))


def take(prefix, environment):
    """One picture of each scene, of the terminal on the screen."""
    for scene, keys in SCENES:
        # Without a window manager keys go where the pointer is.
        subprocess.run(["xdotool", "mousemove", "400", "200"], env=environment, check=True)
        for key in keys:
            subprocess.run(["xdotool", "key", key], env=environment, check=True)
            # tmux takes a key that follows Escape at once for one with Alt.
            time.sleep(0.7 if key == "Escape" else 0.1)
        time.sleep(SETTLED)
        picture = f"{prefix}-{scene}.png"
        subprocess.run(["import", "-window", "root", "-trim", picture], env=environment, check=True)
        print(picture, flush=True)


def main():
    programs, pictures = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    os.makedirs(pictures, exist_ok=True)
    home = tempfile.mkdtemp(prefix="screenshots")
    started = []
    try:
        made_up.music(f"{home}/Music")
        display = f":{free_display()}"
        environment = {"HOME": home, "PATH": f"{programs}:/usr/bin:/bin", "LANG": "C.UTF-8",
                       "LC_ALL": "C.UTF-8", "DISPLAY": display, "XDG_RUNTIME_DIR": f"{home}/.run",
                       "LIBGL_ALWAYS_SOFTWARE": "1", "KITTY_DISABLE_WAYLAND": "1"}
        os.mkdir(f"{home}/.run", 0o700)
        os.makedirs(f"{home}/.config/crated")
        with open(f"{home}/.config/crated/config.toml", "w", encoding="utf-8") as file:
            file.write(f'music_folders = ["{home}/Music"]\n')

        def start(words, **options):
            process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, **options)
            started.append(process)
            return process

        daemon = start([f"{programs}/crated"], stderr=subprocess.PIPE)
        for line in daemon.stderr:
            if b"ready" in line:
                break
        subprocess.run([f"{programs}/crate", "sync"], env=environment, check=True,
                       capture_output=True)
        for name, titles in made_up.CRATES:
            subprocess.run([f"{programs}/crate", "move", *titles, "to", name], env=environment,
                           check=True, capture_output=True)
        start(["Xvfb", display, "-screen", "0", SCREEN], stderr=subprocess.DEVNULL)
        time.sleep(2)
        for name, words in TERMINALS:
            for columns, rows in SIZES:
                terminal = start([word.format(columns=columns, rows=rows, home=home)
                                  for word in words]
                                 + [f"{programs}/crate", "browse", "Music"],
                                 stderr=subprocess.DEVNULL)
                time.sleep(STARTED)
                take(f"{pictures}/{name}-{columns}x{rows}", environment)
                terminal.terminate()
                terminal.wait()
    finally:
        subprocess.run(["tmux", "-S", f"{home}/tmux", "kill-server"], check=False,
                       capture_output=True)
        for process in reversed(started):
            process.terminate()
            process.wait()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
