"""Where a run measures: the music, the programs, the peers, and the scratch folder; each made when
the first row wants it."""
import os
import shutil

import music
import peers
import processes
from daemon import Daemon, Failure

ARRIVALS = "crated-bench arrivals"
ENDINGS = tuple(
    ".mp3 .mp2 .flac .m4a .m4b .mp4 .aac .ogg .oga .opus .spx .wav .aif .aiff .aifc .wv .ape .mpc"
    " .tta .wma .dsf .dff".split())
# How many songs arrive one by one.
COPIES = 400


class Place:
    def __init__(self, options):
        self.options = options
        self.programs = os.path.abspath(options.programs)
        self.limits = os.path.abspath(options.limits)
        self.scratch = os.path.abspath(options.scratch)
        self.songs = options.songs
        self.peers = {}
        self.absent = set(options.without)
        os.makedirs(self.scratch, exist_ok=True)
        self.is_ours = not options.music
        if self.is_ours:
            self.music = os.path.join(self.scratch, f"music-{self.songs}")
            say(f"making {self.songs} songs, unless they are there")
            music.make(self.music, self.songs)
        else:
            self.music = os.path.abspath(options.music)
        self.list_path = os.path.join(self.scratch, "files.list")
        self.songs = self.write_list()

    @property
    def is_large(self):
        return self.songs > 20_000

    def write_list(self):
        """The paths of all songs, for the bare loop; returns how many there are."""
        count = 0
        with open(self.list_path, "wb") as file:
            for folder, below, names in os.walk(os.fsencode(self.music)):
                below.sort()
                for name in sorted(names):
                    if os.fsdecode(name).lower().endswith(ENDINGS) and not name.startswith(b"."):
                        file.write(os.path.join(folder, name) + b"\0")
                        count += 1
        if not count:
            raise SystemExit(f"there are no songs in {self.music}")
        return count

    # What arrives must lie where nothing else of the person's does.

    def arrivals(self):
        """The folder where files arrive, and the music folders that the daemon has then. Our own
        music takes them in; next to another one's there is a second music folder."""
        parent = self.music if self.is_ours else self.scratch
        folder = os.path.join(parent, ARRIVALS)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder, [self.music] if self.is_ours else [self.music, folder]

    def copies(self):
        """Paths of songs that no music folder has: fresh files for each that asks."""
        folder = os.path.join(self.scratch, "copies")
        music.make(folder, COPIES, seed=2, small=self.is_large)
        # They will be moved away, so what is left is no longer whole.
        os.unlink(music.stamp_path(folder))
        found = []
        for parent, below, names in os.walk(folder):
            below.sort()
            found += [os.path.join(parent, name) for name in sorted(names)]
        return found

    def small_music(self):
        """A library with an eighth of the songs, to see what grows."""
        songs = max(100, self.songs // 8)
        folder = os.path.join(self.scratch, f"music-small-{songs}")
        music.make(folder, songs, seed=3, small=True)
        return folder

    # Programs.

    def daemon(self, folders=None, name="daemon", settings=()):
        return Daemon(self.programs, self.scratch, folders or [self.music], name, settings)

    def limit(self, name, *arguments):
        """The numbers that a bare program prints in its first line."""
        line = processes.output([os.path.join(self.limits, name), *arguments]).split("\n")[0]
        return [float(word) for word in line.split() if word.replace(".", "").isdigit()]

    def bare_loop(self, processes_count, kind="taglib"):
        """Seconds for the tags of all songs."""
        return self.limit("bare-tag-loop", kind, str(processes_count), self.list_path)[0]

    def bare_walk(self):
        return self.limit("bare-walk", self.music)[0]

    # Peers. One that is not there leaves its column empty.

    def mpd(self):
        """MPD with a database of the music, running; None where there is none."""
        peer = self.peer("mpd", lambda: peers.MPD(self.scratch, self.music))
        if peer and not peer.process:
            peer.start()
            peer.update()
        return peer

    def bare_mpd(self):
        """MPD as it is, perhaps not running."""
        return self.peer("mpd", lambda: peers.MPD(self.scratch, self.music))

    def peer(self, name, make):
        if name in self.absent:
            return None
        if name not in self.peers:
            try:
                self.peers[name] = make()
            except Failure as failure:
                self.absent.add(name)
                say(f"{failure}: without it")
                return None
        return self.peers[name]

    def close(self):
        for peer in self.peers.values():
            peer.close()
        if self.is_ours:
            shutil.rmtree(os.path.join(self.music, ARRIVALS), ignore_errors=True)


def say(words):
    print(words, flush=True)
