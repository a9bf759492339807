"""Rows about whole commands of a person's: how long they take, and how much they are sent."""
import contextlib
import json
import os
import random
import select
import shutil
import socket
import threading

import processes
from daemon import INTERFACE
from figures import Row, alternating, median, seconds, times

COMMAND = 0.015
# How many albums are in the crate that is asked for.
ALBUMS = 12
# Bytes over the socket, for each that `--json` shows of the same, and for what is asked besides.
SENT = 4
BESIDES = 16 << 10
PATIENCE = 60
# Seconds for the plan of a list of so many songs.
IMPORT = 2
LISTED = 20_000


def command(place):
    mpd = place.mpd()
    mpc = shutil.which("mpc")
    with place.daemon() as daemon:
        daemon.started()
        processes.wait_for_rest(daemon.pid)
        listall = [mpc, "--host", mpd.socket_path, "listall"] if mpc and mpd else None
        ours, limit, peer = whole(place, daemon, ["list"], listall)
    return Row(
        "crate list, whole process", seconds(ours), f"≤ {seconds(COMMAND)}",
        f"mpc listall {seconds(peer)}" if peer else "", seconds(limit), times(ours / limit),
        ours <= COMMAND)


def whole(place, daemon, words, peer=None):
    """Seconds that `crate` takes with these words, a program that does nothing, and a peer's."""
    crate = [os.path.join(place.programs, "crate"), *words]
    empty = [os.path.join(place.limits, "empty-program")]
    taken = alternating(
        place.options.rounds or 100,
        ours=lambda: processes.whole_command(crate, daemon.environment),
        limit=lambda: processes.whole_command(empty),
        peer=(lambda: processes.whole_command(peer)) if peer else None)
    return median(taken["ours"]), median(taken["limit"]), median(taken["peer"]) if peer else None


def list_crate(place):
    return small_part(place, "crate list Jazz", lambda song: ["list", "Jazz"])


def show_song(place):
    return small_part(place, "crate show SONG", lambda song: ["show", song])


def small_part(place, what, words_for):
    """A command that shows little of a large library."""
    with place.daemon() as daemon:
        client = daemon.started()
        dice = random.Random(1)
        chosen = [album["id"] for album in dice.sample(client.albums(), ALBUMS)]
        client.call("MoveAlbums", albums=chosen, crate="Jazz")
        song = dice.choice(client.call("ListSongs", album=chosen[0])["songs"])["id"]
        processes.wait_for_rest(daemon.pid)
        words = words_for(song)
        ours, limit, _ = whole(place, daemon, words)
        with Meter(daemon) as meter:
            shown = len(processes.output(
                [os.path.join(place.programs, "crate"), *words, "--json"],
                env=meter.environment, timeout=PATIENCE).encode())
    most = SENT * shown + BESIDES
    return Row(
        f"{what}, whole process; sent", f"{seconds(ours)}; {meter.received} bytes",
        f"≤ {seconds(COMMAND)}; ≤ {most} bytes", limit=seconds(limit), ratio=times(ours / limit),
        met=ours <= COMMAND and meter.received <= most,
        notes=(
            f"{shown} bytes are shown with --json; {SENT} times as many and {BESIDES} may be sent",
        ))


def import_lists(place):
    """The plan of a list of many songs, as it is when the library has just changed."""
    with place.daemon() as daemon:
        client = daemon.started()
        albums = client.albums()
        songs = [song for part in client.all("ListSongs") for song in part["songs"]]
        dice = random.Random(1)
        first = {album["id"]: dice.random() for album in albums}
        # Album by album, as people listen.
        songs = sorted(songs, key=lambda song: first[song["album"]])[:LISTED]
        processes.wait_for_rest(daemon.pid)
        taken, notes = {}, []
        for kind, (ending, text) in lists(songs, place.music).items():
            path = os.path.join(place.scratch, f"import.{ending}")
            with open(path, "w", newline="\n") as file:
                file.write(text)
            words = [os.path.join(place.programs, "crate"), "import", path, "--dry-run"]
            taken[kind] = []
            for _ in range(place.options.rounds or 5):
                # Tables that the last one left are of another library then.
                client.call("MoveAlbums", albums=[dice.choice(albums)["id"]], place={"where": "top"})
                taken[kind].append(processes.whole_command(words, daemon.environment))
            shown = processes.output([*words, "--json"], env=daemon.environment, timeout=PATIENCE)
            found = sum(json.loads(line)["found"] for line in shown.splitlines())
            notes.append(f"{kind}: {seconds(median(taken[kind]))}, {found} of {len(songs)} found")
    worst = max(median(kind) for kind in taken.values())
    met = worst <= IMPORT and len(songs) == LISTED and place.is_large
    return Row(
        f"plan of an import of {len(songs)} songs, slowest kind", seconds(worst),
        f"≤ {IMPORT} s of {LISTED} songs, against 100,000",
        met=met if place.is_large else None, notes=tuple(notes))


def lists(songs, music):
    """The same songs as several programs write them: ending and text, by kind."""
    inside = [song["path"][len(music) + 1:] for song in songs]
    windows = [path.replace("/", "\\") for path in inside]
    about = [
        f"#EXTINF:{int(song['seconds'])},{song['artist']} - {song['title']}\n" for song in songs]
    tracks = [
        {"title": song["title"], "creator": song["artist"], "album": song["albumTitle"],
         "duration": int(song["seconds"] * 1_000), "trackNum": song["track"]} for song in songs]
    roots = ["/mnt/nas/music", "/storage/emulated/0/Music/Files", "/Volumes/Sound/All"]
    several = [f"{roots[number % 3]}/{path}\n" for number, path in enumerate(inside)]
    return {
        "paths": ("m3u8", "".join(f"{song['path']}\n" for song in songs)),
        "another root": ("m3u8", "".join(f"/mnt/nas/music/{path}\n" for path in inside)),
        "another root, with names": (
            "m3u8", "#EXTM3U\n" + "".join(
                f"{line}D:\\Musik\\{path}\n" for line, path in zip(about, windows))),
        "several roots": ("m3u8", "".join(several)),
        "names alone": ("jspf", json.dumps({"playlist": {"track": tracks}})),
        "artist and title alone": ("m3u8", "#EXTM3U\n" + "".join(
            f"{line}{number}\n" for number, line in enumerate(about))),
    }


class Meter:
    """A socket in front of a daemon's, which counts what the daemon answers a single client."""

    def __init__(self, daemon):
        self.daemon = daemon
        runtime = os.path.join(daemon.runtime, "metered")
        self.environment = dict(daemon.environment, XDG_RUNTIME_DIR=runtime)
        path = os.path.join(runtime, "crated", INTERFACE)
        os.makedirs(os.path.dirname(path), mode=0o700)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.listener.settimeout(PATIENCE)
        self.received = 0
        self.thread = threading.Thread(target=self.pass_on, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.thread.join(PATIENCE)

    def pass_on(self):
        with contextlib.suppress(OSError):
            client, _ = self.listener.accept()
            with client, socket.socket(socket.AF_UNIX) as server:
                server.connect(self.daemon.socket_path)
                other = {client: server, server: client}
                while True:
                    ready, _, _ = select.select(list(other), [], [], PATIENCE)
                    for end in ready:
                        piece = end.recv(1 << 16)
                        if not piece:
                            return
                        other[end].sendall(piece)
                        self.received += len(piece) if end is server else 0
                    if not ready:
                        return


ROWS = {"command": command, "list-crate": list_crate, "show-song": show_song,
        "import": import_lists}
