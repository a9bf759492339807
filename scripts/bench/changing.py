"""Rows about single changes: files that arrive, and edits."""
import os
import random
import time

import processes
from daemon import Client, Failure
from figures import Row, alternating, median, percentile, seconds, times

ARRIVAL_WORST = 0.060
EDIT_OVER_SYNC = 0.0002
EDITS = 400
# Of files that come one after the other into one folder, the daemon looks at the second only when
# there has been quiet for a tenth of a second; what is asked here is a single one.
APART = 0.15
# The size of the line that an edit adds to the journal, about.
LINE = 200


# MARK: Files that arrive


class Watcher:
    """A client that is told of changes."""

    def __init__(self, daemon):
        self.client = Client(daemon.socket_path)
        self.client.send(Client.message("Watch", more=True))
        self.client.receive()

    def wait_for_songs(self):
        while not self.client.receive()["parameters"]["change"]["songs"]:
            pass

    def wait_for(self, author):
        while self.client.receive()["parameters"]["change"]["author"] != author:
            pass

    def close(self):
        self.client.close()


def arrival(place):
    paths = place.copies()
    folder, folders = place.arrivals()
    watchman = place.peer("watchman", lambda: make_watchman(place, folders, folder))
    renamed, closed, theirs, limit = [], [], [], []
    with place.daemon(folders) as daemon:
        daemon.started()
        processes.wait_for_rest(daemon.pid)
        watcher = Watcher(daemon)
        # A directory that is new would be walked; what is asked here is the file.
        disk = Disk(place.scratch)
        for number, path in enumerate(paths):
            target = os.path.join(folder, f"{number} {os.path.basename(path)}")
            if number % 2:
                closed.append(write_and_wait(path, target, watcher))
                os.unlink(path)
            else:
                renamed.append(rename_and_wait(path, target, watcher))
                if watchman:
                    # The same file under a name that is no song's: Crated takes no notice.
                    theirs.append(tell_watchman(folder, number, watchman, place))
            limit.append(disk.read_and_append(target))
            time.sleep(APART)
        watcher.close()
    if watchman:
        watchman.close()
        del place.peers["watchman"]
    every = renamed + closed
    p50, p99, floor = median(every), percentile(every, 0.99), median(limit)
    peer = median(theirs) if theirs else None
    notes = (
        f"renamed p50 {seconds(median(renamed))}, p99 {seconds(percentile(renamed, 0.99))};"
        f" closed p50 {seconds(median(closed))}, p99 {seconds(percentile(closed, 0.99))};"
        f" {len(every)} files",
    )
    met = p99 <= ARRIVAL_WORST and (peer is None or p50 < peer)
    return Row(
        "finished copy until told, p50 / p99", f"{seconds(p50)} / {seconds(p99)}",
        f"< watchman / ≤ {seconds(ARRIVAL_WORST)}",
        f"watchman {seconds(peer)}" if theirs else "", seconds(floor), times(p50 / floor), met,
        notes)


def make_watchman(place, folders, folder):
    import peers

    return peers.Watchman(place.scratch, folders if folder in folders else [*folders, folder])


def rename_and_wait(path, target, watcher):
    begin = time.perf_counter()
    os.rename(path, target)
    watcher.wait_for_songs()
    return time.perf_counter() - begin


def write_and_wait(path, target, watcher):
    """The time begins when the last byte is there and the file is closed."""
    with open(path, "rb") as file:
        data = file.read()
    copy = open(target, "wb")
    copy.write(data)
    copy.flush()
    begin = time.perf_counter()
    copy.close()
    watcher.wait_for_songs()
    return time.perf_counter() - begin


def tell_watchman(folder, number, watchman, place):
    outside = os.path.join(place.scratch, "told")
    name = f"{number}.told"
    with open(outside, "wb") as file:
        file.write(b"told")
    begin = time.perf_counter()
    os.rename(outside, os.path.join(folder, name))
    watchman.wait_for(name)
    return time.perf_counter() - begin


# MARK: Edits


class Disk:
    """The least that makes something durable, on the file system of the store."""

    def __init__(self, scratch):
        # With a name, as the journal has: to some file systems that makes a difference.
        self.file = open(os.path.join(scratch, "appended"), "wb", buffering=0)
        self.line = b"x" * LINE

    def append(self):
        self.file.write(self.line)
        os.fdatasync(self.file.fileno())

    def timed_append(self):
        begin = time.perf_counter()
        self.append()
        return time.perf_counter() - begin

    def read_and_append(self, path):
        """What is needed of a file that arrived: to read the most of it that matters, and to note
        it."""
        begin = time.perf_counter()
        with open(path, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            for part in range(3):
                os.pread(file.fileno(), 16_384, max(0, size * part // 3))
        self.append()
        return time.perf_counter() - begin


class Editor:
    """Somebody who moves albums and songs about."""

    def __init__(self, daemon, seed=1):
        self.client = Client(daemon.socket_path)
        self.dice = random.Random(seed)
        self.albums = [album["id"] for album in self.client.albums()]
        full = next(a["id"] for a in self.client.albums() if a["songs"] >= 6)
        self.songs = [song["id"] for song in self.client.call("ListSongs", album=full)["songs"]]

    def move_album(self):
        """Not to the top of what is on top, which would be no change."""
        chosen, anchor = self.dice.sample(self.albums, 2)
        place = {"where": "after", "anchor": anchor}
        return self.client.timed(
            Client.message("MoveAlbums", albums=[chosen], place=place))

    def move_song(self):
        chosen, anchor = self.dice.sample(self.songs, 2)
        place = {"where": "after", "anchor": anchor}
        return self.client.timed(Client.message("MoveSongs", songs=[chosen], place=place))


def edit(place):
    mpd = place.mpd()
    with place.daemon() as daemon:
        daemon.started()
        processes.wait_for_rest(daemon.pid)
        editor, disk = Editor(daemon), Disk(place.scratch)
        length = fill_playlist(mpd) if mpd else 0
        dice = random.Random(1)

        def move_in_playlist():
            return mpd.timed(f"playlistmove bench {dice.randrange(length)} 0")

        # They alternate closely: what the disk does to one it does to all.
        taken = alternating(
            EDITS, album=editor.move_album, limit=disk.timed_append, song=editor.move_song)
        peer = alternating(30, peer=move_in_playlist)["peer"] if length else None
    ours, limit = median(taken["album"] + taken["song"]), median(taken["limit"])
    notes = [
        f"albums {seconds(median(taken['album']))}, songs {seconds(median(taken['song']))},"
        f" p99 {seconds(percentile(taken['album'] + taken['song'], 0.99))}"
    ]
    if length:
        notes.append(f"MPD's list has {length} songs, and is never synchronized")
    return Row(
        "one edit, durable, p50", seconds(ours), f"≤ limit + {seconds(EDIT_OVER_SYNC)}",
        f"MPD playlistmove {seconds(median(peer))}" if peer else "", seconds(limit),
        times(ours / limit), ours <= limit + EDIT_OVER_SYNC, tuple(notes))


def fill_playlist(mpd):
    """Puts all songs into a stored list, as far as MPD lets one edit it."""
    try:
        mpd.command("rm bench")
    except Failure:
        pass
    mpd.command('searchaddpl bench "(modified-since \\"0\\")"')
    return mpd.command("listplaylist bench").count("file: ")


ROWS = {"arrival": arrival, "edit": edit}
