"""What rsync and beets do."""
import collections
import os

import deeds_files
import tags
from deeds import deed, one_of
from life import Skip, ToolFault

RSYNC = ("--delete", "--delete --inplace", "--delete-delay --delay-updates", "--delete --fuzzy -c",
         "--delete-before -W --no-times")


def choose_rsync(life, dice):
    artist = one_of(dice, sorted({song.path.split("/")[0] for song in life.free_songs()}))
    if artist is None:
        return None
    songs = life.in_folder(artist)
    folders = sorted({life.album_folder(song.path) for song in songs} - {artist})
    changes = []
    for _ in range(dice.randint(1, 3)):
        song = dice.choice(songs)
        kind = dice.choice(("title", "name", "folder"))
        name = f"{dice.choice(deeds_files.NAMES)} {life.next_number()}"
        if kind == "folder":
            folder = one_of(dice, folders)
            if folder:
                changes.append([kind, folder, f"{artist}/{name}"])
        else:
            changes.append([kind, song.number, name])
    return dict(artist=artist, options=dice.choice(RSYNC), changes=changes)


@deed(4, choose_rsync, while_away=True)
def rsync(life, artist, options, changes):
    """An artist's folder is changed on another computer, and brought here."""
    songs = deeds_files.need_loose(life, artist)
    life.claim(songs)
    life.move_groups(songs)
    mirror = "mirror"
    life.home.run("rm", "-rf", mirror)
    life.home.run("mkdir", mirror)
    life.home.run("rsync", "-a", os.path.join(life.root, artist), mirror)
    root, life.root = life.root, mirror
    try:
        for kind, what, name in changes:
            try:
                change(life, kind, what, name, artist)
            except Skip:
                continue
    finally:
        life.root = root
    life.home.run(
        "rsync", "-a", *options.split(), f"{mirror}/{artist}/", os.path.join(life.root, artist))
    life.home.run("rm", "-r", mirror)
    # A file of the same size and second is left as it is.
    for song in songs:
        life.reread(song)


def change(life, kind, what, name, artist):
    if kind == "folder":
        if not life.in_folder(what) or not life.is_free(name):
            raise Skip("no such folder")
        life.home.run("mv", os.path.join(life.root, what), os.path.join(life.root, name))
        life.moved_folder(what, name)
        return
    song = life.here(what)
    if not song.path.startswith(artist + "/"):
        raise Skip("another artist's by now")
    if kind == "title":
        life.retag(song, {"mp3": "mid3v2", "flac": "metaflac", "m4a": "AtomicParsley",
                          "ogg": "vorbiscomment"}.get(song.kind, "mutagen"), dict(title=name))
        return
    path = f"{os.path.dirname(song.path)}/{name}.{song.kind}"
    if not life.is_free(path):
        raise Skip("the name is taken")
    life.move(song, path)


# beets.

CONFIG = """directory: {music}
library: {library}
import:
  copy: no
  move: no
  write: no
  resume: no
asciify_paths: {ascii}
"""


def choose_beets(life, dice):
    found = [(key, songs) for key, songs in life.free_albums()
             if all(life.songs[one].fields["band"] for one in songs)]
    chosen = one_of(dice, found)
    return chosen and dict(
        key=chosen[0], title=dice.random() < 0.5 and f"Beet {life.next_number()}",
        ascii=dice.random() < 0.3, number=life.next_number())


@deed(1, choose_beets)
def beets(life, key, title, ascii, number):
    """An album is imported as it is, perhaps gets another title, and is moved to where beets
    thinks it belongs."""
    life.need_folder()
    if key not in life.order.albums or not life.order.songs(key):
        raise Skip("no such album")
    songs = [life.here(one) for one in sorted(life.order.songs(key))]
    folder = life.folder_of(key)
    life.need_whole(key)
    if (life.is_spread(key) or not all(song.fields["band"] for song in songs)
            or {song.number for song in life.in_folder(folder)} != {s.number for s in songs}
            or life.order.members(key) != life.order.songs(key) and title):
        raise Skip("not an album of its own")
    if any(song.kind == "wav" and tags.read_info(life.home.path(life.at(song)))
           for song in songs):
        raise Skip("beets sees no INFO chunk, and takes the song for one without an album")
    life.claim(songs)
    life.regroup([key])
    home = life.home
    os.makedirs(home.path("beets"), exist_ok=True)
    with open(home.path("beets", "config.yaml"), "w") as file:
        file.write(CONFIG.format(
            music=home.path(life.root), library=home.path("beets", f"{number}.db"),
            ascii="yes" if ascii else "no"))
    home.tell(f"beet config: asciify_paths: {ascii}")
    home.run("beet", "import", "-A", "-q", os.path.join(life.root, folder))
    former = songs[0].fields["album"]
    if title:
        home.run("beet", "modify", "-y", "-w", "-M", f"album:{former}", f"album={title}")
    home.run("beet", "move")
    find(life, songs)
    for song in songs:
        life.reread(song)
        if title and song.fields["album"] != title:
            raise ToolFault(f"beets was to write {title} into {song.path}")
    if title:
        life.order.albums[key].title = title
    life.folder_of(key)


def find(life, songs):
    """Names that a tool chose: by what is heard. One may have the name that another one had."""
    others = {life.home.path(life.root, song.path) for song in life.songs.values()
              if song.is_here and song not in songs}
    paths = []
    for folder, _, names in os.walk(life.home.path(life.root)):
        paths += [os.path.join(folder, name) for name in names
                  if os.path.join(folder, name) not in others]
    heard = collections.defaultdict(list)
    for path, sound in life.ear.hear(paths).items():
        heard[sound].append(path)
    for song in songs:
        own, found = life.home.path(life.at(song)), heard[song.sound]
        if not found:
            raise ToolFault(f"{song.path} is nowhere any more")
        path = own if own in found else found[0]
        found.remove(path)
        song.path = os.path.relpath(path, life.home.path(life.root))
