"""One life: a small library, what happens to its files, and what must be listed then."""
import collections
import os
import re
import unicodedata

import judge
import sounds
import tags
from home import Broken, Home, Skip, ToolFault
from order import Order

DISC = re.compile(r"^(cd|dis[ck]|dvd|lp|vinyl)[ ._-]*(\d{1,3})([ ._-].*)?$", re.IGNORECASE)
# What stands before and between the brackets at the end of a folder's name.
NUMBERED = re.compile(r"^(.*\w\W*?)(?<!\d)(\d{1,2})[)\]} ]*$")
ENDINGS = {
    "mp3": "mp3", "flac": "flac", "m4a": "m4a", "ogg": "ogg", "opus": "opus", "wav": "wav",
    "aiff": "aiff", "wv": "wv"}


class Song:
    """A file with a sound, wherever it is at the moment."""

    def __init__(self, number, sound, path, fields):
        self.number = number
        self.sound = sound
        # Relative to the music folder, which it may have left for `stash`, relative to the home.
        self.path = path
        self.stash = None
        self.archive = None
        # Relative to the music folder: a second file with the same sound in the same group.
        self.twin_file = None
        self.fields = fields
        # What it was sorted by when Crated saw it last.
        self.seen_key = None

    @property
    def kind(self):
        return self.path.rsplit(".", 1)[1]

    @property
    def is_here(self):
        return self.stash is None and self.archive is None


class Life:
    def __init__(self, place, name, seed):
        self.place = place
        self.home = Home(place.programs, place.scratch, name)
        self.ear = place.ear
        self.seed = seed
        self.songs = {}
        self.order = Order()
        # What the daemon knows of, while the music folder is away: the order as it was then.
        self.believed = None
        # The songs that were listed when the daemon stopped.
        self.known = set()
        self.root = "Music"
        self.folders = {}
        self.ids = judge.Ids()
        self.used_sounds = 0
        self.counter = 0
        # Sounds of which there was a file without tags: seen at once with that which was put over
        # it, of the two the first may keep a place (rules 3: neither is older).
        self.bare = set()
        self.covered = None
        # The index went while nobody could look at what is covered: what its tags say is unknown.
        self.is_unread = False
        self.copies = {}
        self.undoable, self.redoable = [], []
        self.drive = None
        self.settles = 0
        # How often each tool left undone what it was asked for.
        self.unfinished = collections.Counter()
        # Before which steps of a tagger the daemon is made to look.
        self.looks = ()
        self.new_window()

    # The time between two comparisons.

    def new_window(self):
        self.changed, self.resounded = set(), set()
        # Albums whose songs got another group: all of them, or some.
        self.regrouped, self.parted = set(), set()
        self.has_deleted = self.has_arrived = False

    def claim(self, songs, is_sound=False):
        """Says which files will be changed now. A song whose sound was made anew is known by what
        stands beside it, which therefore must not change before that was looked at."""
        songs = {one.number for one in songs}
        wanted = self.resounded | self.changed if is_sound else self.resounded
        if wanted & songs:
            self.settle()
            if self.believed:
                raise Skip("nobody looks while the folder is away")
        (self.resounded if is_sound else self.changed).update(songs)

    def regroup(self, keys, is_part=False):
        """Says which albums' songs will have another group. What is taken apart and regrouped in
        one look has no heir (rules 4, more than half), and what just came is the new album's."""
        keys = set(keys)
        order = self.order

        def is_open():
            others = self.regrouped | self.parted if is_part else self.parted
            return keys & (others | set(self.order.fresh_albums) | set(self.order.fresh_songs))
        # Twice without a look between, its songs may be seen in two new groups at once, and neither
        # has more than half of them: then no id goes on (rules 4).
        if is_open() or self.home.is_running and keys & self.regrouped:
            self.settle()
        if is_open():
            raise Skip("nobody looks")
        if not is_part and not all(map(order.is_whole, keys)):
            raise Skip("most of it left before: it has another heir")
        (self.parted if is_part else self.regrouped).update(keys)

    def leaving(self, songs):
        """Says which files will be gone. Whether Crated saw the group that one just got decides
        where its place is kept, and whose id goes on (rules 3)."""
        numbers = {song.number for song in songs}
        self.settle_if(lambda: self.are_regrouped(numbers))

    def coming(self, songs):
        """Says which files will be there again. Where they make another crate the first one that is
        listed, albums that nobody has looked at may go there or not; and where they left an
        album before the others did, they may be counted or not for an heir (rules 4).
        """
        numbers = {song.number for song in songs}
        self.settle_if(lambda: self.are_regrouped(numbers) or (
            self.order.fresh_albums and self.order.is_first_moved_by(numbers)))

    def are_regrouped(self, numbers):
        """Whether some of the songs have places in albums whose songs got another group."""
        return any(numbers.intersection(self.order.albums[key].slots)
                   for key in self.parted | self.regrouped if key in self.order.albums)

    def settle_if(self, is_open):
        """Looks where the rules leave open what becomes of a deed otherwise; where nobody can look,
        the deed is left out."""
        if is_open():
            self.settle()
        if is_open():
            raise Skip("nobody looks")

    def decided(self):
        """Which album goes on as another was just decided, by how many songs are there in each: a
        file that is on its way to another name at that moment is not (rules 4)."""
        if self.home.is_running and not self.believed:
            self.settle()

    def settle(self):
        """Lets the daemon catch up, and compares."""
        if not self.home.is_running:
            self.start()
        self.home.sync()
        judge.compare(self)
        self.settles += 1
        if self.believed is None:
            self.new_window()
            self.home.tell("# compared")

    def start(self):
        """Starts the daemon after a stop."""
        self.home.start()
        if self.believed is None:
            self.confirm(self.known)

    def confirm(self, known):
        """A person says that what is missing was deleted: where most of what the daemon knew went
        and nobody saw it go, a disk may be missing (rules 4)."""
        if not known or 2 * len(known & self.order.listed) > len(known):
            return
        self.home.sync()
        self.home.tell("crate rescan Music")
        self.home.call("Rescan", path=self.home.path("Music"))

    def need_folder(self):
        """The music folder is there, and the daemon knows everything."""
        if self.believed:
            raise Skip("the folder is away")

    # Songs and files.

    def next_number(self):
        self.counter += 1
        return self.counter

    def next_sound(self):
        """No sound comes twice in a life; which comes when is the seed's decision."""
        self.used_sounds += 1
        if self.used_sounds > sounds.SOUNDS:
            raise Skip("no sounds are left")
        return (self.used_sounds * 7 + self.seed * 31) % sounds.SOUNDS

    def at(self, song):
        """The path of a song's file, relative to the home."""
        if song.archive:
            raise Skip("it is in an archive")
        return song.stash or os.path.join(self.root, song.path)

    def here(self, number):
        """A song whose file may be touched now."""
        song = self.songs.get(number)
        if song is None or not song.is_here or self.is_covered(song):
            raise Skip("its file isn't there")
        if number in self.frozen():
            raise Skip("its folder is being moved")
        return song

    def is_covered(self, song):
        return self.is_covered_path(song.path)

    def frozen(self):
        """Songs that have a second file at the moment."""
        return {one for copy in self.copies.values() for one in copy["frozen"]} | {
            song.number for song in self.songs.values() if song.twin_file}

    def free_songs(self):
        """Songs whose files may be touched, in the order of their numbers."""
        frozen = self.frozen()
        return [song for number, song in sorted(self.songs.items())
                if song.is_here and not self.is_covered(song) and number not in frozen]

    def free_albums(self):
        """Albums all of whose songs that are there may be touched, with these."""
        free = {song.number for song in self.free_songs()}
        found = []
        for key in sorted(self.order.albums):
            listed = self.order.songs(key)
            if listed and free.issuperset(listed):
                found.append((key, sorted(listed)))
        return found

    @staticmethod
    def album_folder(path):
        """The directory of a file without disc directories at its end."""
        folder = os.path.dirname(path)
        while folder and DISC.match(os.path.basename(folder)):
            folder = os.path.dirname(folder)
        return folder

    def folder_of(self, key):
        """Where an album's files belong; the last one that it was seen in, if there are none."""
        here = [self.songs[one] for one in sorted(self.order.members(key))
                if self.songs[one].is_here]
        if here:
            self.folders[key] = self.album_folder(here[0].path)
        return self.folders.get(key)

    def in_folder(self, folder):
        """Songs whose files lie somewhere below a folder."""
        return [song for _, song in sorted(self.songs.items())
                if song.is_here and song.path.startswith(folder + "/")]

    def albums_in(self, folder):
        """The albums of the songs whose album folder this is, gone ones included."""
        return {self.order.home[song.number] for song in self.songs.values()
                if song.number in self.order.home and self.album_folder(song.path) == folder}

    def is_free(self, path):
        """Whether nothing has this name, in whatever case or form, and it can be seen."""
        if self.is_covered_path(path):
            return False
        plain = self.plain(path)
        return all(
            plain != self.plain(song.path) and not self.plain(song.path).startswith(plain + "/")
            for song in self.songs.values()
            if song.path != "/"
        ) and not os.path.lexists(self.home.path(self.root, path))

    def is_free_for(self, song, path):
        """The same for a song that lies elsewhere at the moment, and had a name here."""
        former, song.path = song.path, "/"
        try:
            return self.is_free(path)
        finally:
            song.path = former

    def is_covered_path(self, path):
        return self.covered is not None and path.startswith(self.covered + "/")

    @staticmethod
    def twin_of(song, number, path):
        return Song(number, song.sound, path, dict(song.fields))

    @staticmethod
    def plain(path):
        return unicodedata.normalize("NFC", path).casefold()

    def make_folder(self, folder):
        path = os.path.join(self.root, folder)
        if not os.path.isdir(self.home.path(path)):
            self.home.run("mkdir", "-p", path)

    def reread(self, song):
        song.fields = tags.read(self.home.path(self.at(song)))

    def retag(self, song, tool, changes):
        """By a real tool; what it wrote is read again by another one."""
        path = self.at(song)
        if tool not in tags.TOOLS[song.kind]:
            raise Skip("another format by now")
        if tool.startswith("ffmpeg") and tags.is_told_twice(self.home.path(path)):
            # ffmpeg would write one of the two over the other.
            tool = "copied"
        for place, words in enumerate(tags.commands(tool, path, changes, song.fields)):
            # The file beside is there: a moment to be seen.
            if place in self.looks and tool in tags.BESIDE and self.home.is_running:
                self.home.sync()
            self.home.run(*words)
        wrong = self.left_wrong(song, changes)
        if wrong:
            # kid3 removes one of two spellings of a tag, which beets writes both: who sees that
            # takes another tool.
            self.unfinished[tool] += 1
            self.home.tell(f"# {tool} left {wrong}")
            self.home.run(*tags.mutagen_words(path, changes))
            wrong = self.left_wrong(song, changes)
        if wrong:
            raise ToolFault(f"{tool} was to write {changes} into {path}, and there is {wrong}")

    def left_wrong(self, song, changes):
        """What is in the file of what a tool was to change, where it is something else."""
        self.reread(song)
        return {f: song.fields[f] for f, value in changes.items()
                if song.fields[f] != (int(value) if f in ("track", "disc") and value else value)}

    def move(self, song, path):
        self.make_folder(os.path.dirname(path))
        self.home.run("mv", self.at(song), os.path.join(self.root, path))
        song.path = path

    def moved_folder(self, old, new):
        """Songs below a folder that has another name now."""
        for song in self.songs.values():
            if song.path.startswith(old + "/"):
                song.path = new + song.path[len(old):]
            if song.twin_file and song.twin_file.startswith(old + "/"):
                song.twin_file = new + song.twin_file[len(old):]
        for key, folder in list(self.folders.items()):
            if (folder + "/").startswith(old + "/"):
                self.folders[key] = new + folder[len(old):]

    def gone(self, song):
        self.order.listed.discard(song.number)
        self.has_deleted = True

    def back(self, song):
        if song.number in self.order.home:
            self.order.listed.add(song.number)

    # What must be as it is for the rules to say what becomes of it.

    def is_spread(self, key):
        """Whether its files lie in several album folders."""
        if key is None or key not in self.order.albums:
            return False
        return len({self.album_folder(self.songs[one].path)
                    for one in self.order.members(key)}) > 1

    def may_have_lost_folder(self, key):
        """Whether an album that its folder makes is away: what comes into a folder of another name
        by now is of another group."""
        return not self.order.songs(key) and any(
            self.songs[one].fields[field] is None for one in self.order.members(key)
            for field in ("album", "band"))

    def move_groups(self, songs):
        """Files will lie in another folder, which is another group where nothing else says it."""
        self.regroup({
            self.order.home[song.number] for song in songs if song.number in self.order.home
            and (song.fields["band"] is None or song.fields["album"] is None)})

    def untagged_in(self, folder):
        return [song for song in self.songs.values()
                if self.album_folder(song.path) == folder and song.fields["album"] is None]

    def need_tagged(self, key):
        """Files without an album tag would follow the only album of their folder, and there is to
        be another one; what is packed keeps tags that nobody can alter."""
        bands = {self.songs[one].fields["band"] for one in self.order.members(key)}
        if self.is_spread(key) or self.untagged_in(self.folder_of(key)) or len(bands) > 1:
            raise Skip("some have no album tag, or no album artist, or lie elsewhere")

    def need_whole(self, key, gone=True):
        """All of it can be retagged."""
        for number in self.order.members(key):
            song = self.songs[number]
            if song.archive or song.twin_file or self.is_covered(song):
                raise Skip("some of it is out of reach")
            if gone and song.fields["album"] is None:
                raise Skip("some have no album tag")

    def are_beside(self, key, other):
        """Whether a title is all that keeps two albums apart."""
        def of(one):
            return {(self.album_folder(self.songs[n].path), self.songs[n].fields["band"])
                    for n in self.order.members(one)}
        mine = of(key)
        return len(mine) == 1 and mine == of(other)

    # Order.

    def default_key(self, song):
        """Disc, track, and of the name what nobody can doubt: the number it begins with. What
        was done to a file between the last look at it and its end nobody saw."""
        if song.seen_key and song.number not in self.order.listed:
            return song.seen_key
        return self.own_key(song)

    def is_key_open(self, song):
        """Whether a file was retagged between the last look that was compared and its end: it may
        have been looked at meanwhile."""
        return (song.seen_key and song.number not in self.order.listed
                and song.seen_key[:2] != self.own_key(song)[:2])

    def own_key(self, song):
        disc = song.fields["disc"]
        if disc is None:
            match = DISC.match(os.path.basename(os.path.dirname(song.path)))
            disc = int(match.group(2)) if match else self.number_beside(song) or 1
        name = re.match(r"\d+", os.path.basename(song.path))
        track = song.fields["track"]
        return disc, track if track is not None else 10 ** 6, int(name.group()) if name else None

    def number_beside(self, song):
        """The number at the end of its folder's name, where songs of its album are in folders of
        that name and another number, as beets makes them ("[1]"): these are discs (rules 2)."""
        def parts(one):
            match = NUMBERED.match(os.path.dirname(one.path))
            return match.groups() if match else (None, None)
        stem, number = parts(song)
        key = self.order.home.get(song.number)
        members = self.order.members(key) if key in self.order.albums else ()
        is_beside = any(
            parts(self.songs[one])[0] == stem and parts(self.songs[one])[1] != number
            for one in members)
        return int(number) if stem and is_beside else None

    def close(self):
        self.home.close()


__all__ = ["Broken", "Life", "Skip", "Song", "ToolFault"]
