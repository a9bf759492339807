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

SCREEN = "1180x760x24"
# What the terminal is called, what starts it, and what the browser is told.
TERMINALS = [
    ("xterm-sixels", ["xterm", "-ti", "vt340", "-xrm", "XTerm*decGraphicsID: vt340", "-fa",
                      "DejaVu Sans Mono", "-fs", "10", "-geometry", "130x40+0+0", "-e"], []),
    ("xterm", ["xterm", "-fa", "DejaVu Sans Mono", "-fs", "10", "-geometry", "130x40+0+0", "-e"],
     []),
    ("kitty", ["kitty", "--config", "NONE", "-o", "remember_window_size=no", "-o",
               "initial_window_width=1170", "-o", "initial_window_height=750", "-o",
               "font_size=10"], []),
]
# A name, and the keys before it, as xdotool has them.
SCENES = [("list", ["j", "j"]), ("gallery", ["w"]), ("carried", ["w", "space", "space", "x", "j"]),
          ("new", ["Escape", "Escape", "plus"]), ("again", ["q"])]
# Seconds after which covers are there, and a terminal, on a busy machine.
SETTLED, STARTED = 4, 8


def free_display():
    return next(number for number in range(90, 200) if not os.path.exists(f"/tmp/.X{number}-lock"))


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
        for name, words, options in TERMINALS:
            terminal = start([*words, f"{programs}/crate", "browse", *options, "Music"],
                             stderr=subprocess.DEVNULL)
            time.sleep(STARTED)
            for scene, keys in SCENES:
                # Without a window manager keys go where the pointer is.
                subprocess.run(["xdotool", "mousemove", "400", "300"], env=environment, check=True)
                for key in keys:
                    subprocess.run(["xdotool", "key", key], env=environment, check=True)
                    time.sleep(0.1)
                time.sleep(SETTLED)
                picture = f"{pictures}/{name}-{scene}.png"
                subprocess.run(["import", "-window", "root", picture], env=environment, check=True)
                print(picture)
            terminal.terminate()
            terminal.wait()
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
