"""Music that comes in."""
import os
import shlex
import shutil

import sounds
import tags
from deeds import deed, one_of
from life import ENDINGS, Skip, Song

ARTISTS = (
    "Björk Ünal", "Søren Ågren", "José Élan", "Zoë", "Ada", "Čapek Trio", "Šárka", "Mono 100",
    "Ñandú", "Ö")
WORDS = (
    "Häuser", "Été", "Río", "Nights", "Ünder", "Blå", "Sounds", "Façade", "Ørsted", "Gnü", "Wave",
    "Twelve")
ARRIVALS = ("cp", "mv", "rsync", "part", "one by one")


def make(life, song, path):
    """A file that is not in the music folder yet; `path` is relative to the home."""
    kind = song["path"].rsplit(".", 1)[1]
    whole = life.home.path(path)
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    shutil.copyfile(sounds.pooled(life.place.pool, song["sound"], kind), whole)
    fields = {field: song.get(field) for field in tags.FIELDS if song.get(field) is not None}
    tags.write(whole, fields)
    life.home.tell(shlex.join(
        ["song", path, str(song["sound"]), *[f"{f}={value}" for f, value in fields.items()]]))


def described(life, dice, folder, title, band, artist, track, disc=None):
    number = life.next_number()
    kind = dice.choice(list(ENDINGS))
    name = f"{dice.choice(WORDS)} {number}"
    stem = f"{track:02} {name}" if track else name
    return dict(
        number=number, sound=life.next_sound(), path=f"{folder}/{stem}.{kind}", title=name,
        artist=artist, album=title, band=band, track=track, disc=disc)


def choose_album(life, dice):
    number = life.next_number()
    artist = dice.choice(ARTISTS)
    band = None if dice.random() < 0.35 else f"{artist} {number}"
    # Albums of one title by different people are different albums.
    title = "Greatest Hits" if dice.random() < 0.15 else f"{dice.choice(WORDS)} {number}"
    # Folders of one title that differ in a number at their end would be its discs (rules 2).
    shown = f"{number} {title}" if title == "Greatest Hits" else f"{title} {number}"
    folder = f"{artist}/{shown}"
    has_discs = dice.random() < 0.25
    lacks_tracks = not has_discs and dice.random() < 0.2
    songs = []
    for place in range(dice.randint(2, 6)):
        disc = 1 + place % 2 if has_discs else None
        track = None if lacks_tracks and dice.random() < 0.5 else place + 1
        inside = f"{folder}/CD{disc}" if has_discs else folder
        singer = artist if dice.random() < 0.8 else f"{artist} feat. Guest {place}"
        songs.append(described(life, dice, inside, title, band, singer, track, disc))
    return dict(
        key=number, title=title, folder=folder, songs=songs, how=dice.choice(ARRIVALS))


def arriving(life):
    """Where new albums go is decided by which crate is listed first, so that nothing may go away
    while they come."""
    if life.has_deleted:
        life.settle()
    if life.believed and life.has_deleted:
        raise Skip("something left")
    life.has_arrived = True


@deed(2, choose_album, while_away=True)
def new_album(life, key, title, folder, songs, how):
    if not songs or not life.is_free(folder) or key in life.order.albums:
        raise Skip("its place is taken")
    arriving(life)
    for song in songs:
        make(life, song, os.path.join("new", song["path"]))
    target = os.path.join(life.root, folder)
    life.make_folder(os.path.dirname(folder))
    if how == "cp":
        life.home.run("cp", "-r", f"new/{folder}", target)
    elif how == "mv":
        life.home.run("mv", f"new/{folder}", target)
    elif how == "rsync":
        life.home.run("rsync", "-a", f"new/{folder}/", target)
    else:
        for song in songs:
            life.make_folder(os.path.dirname(song["path"]))
            last = os.path.join(life.root, song["path"])
            if how == "part":
                life.home.run("cp", f"new/{song['path']}", last + ".part")
                life.home.run("mv", last + ".part", last)
            else:
                life.home.run("mv", f"new/{song['path']}", last)
    for song in songs:
        add(life, song)
    life.order.add_album(key, title, [song["number"] for song in songs])
    life.folders[key] = folder


def add(life, song):
    fields = {field: song.get(field) for field in tags.FIELDS}
    life.songs[song["number"]] = Song(song["number"], song["sound"], song["path"], fields)
    life.changed.add(song["number"])


def choose_song(life, dice):
    chosen = one_of(dice, life.free_albums())
    if chosen is None:
        return None
    key, songs = chosen
    like = life.songs[songs[0]]
    if like.fields["album"] is None:
        return None
    tracks = [life.songs[one].fields["track"] or 0 for one in life.order.members(key)]
    song = described(
        life, dice, os.path.dirname(like.path), like.fields["album"], like.fields["band"],
        like.fields["artist"], max(tracks) + 1, like.fields["disc"])
    how = dice.choice(("cp", "part", "yt-dlp"))
    if how == "yt-dlp":
        song["path"] = song["path"].rsplit(".", 1)[0] + ".m4a"
    return dict(like=songs[0], song=song, how=how)


@deed(2, choose_song, while_away=True)
def new_song(life, like, song, how):
    neighbour = life.here(like)
    key = life.order.home[like]
    same = (neighbour.fields["album"], neighbour.fields["band"])
    folder = life.album_folder(song["path"])
    if (same != (song["album"], song["band"]) or not life.is_free(song["path"])
            or life.album_folder(neighbour.path) != folder or life.is_spread(key)
            or life.untagged_in(folder) or how == "yt-dlp" and life.albums_in(folder) != {key}):
        raise Skip("its album is another one by now")
    if key in life.regrouped | life.parted:
        life.settle()
    if key in life.regrouped | life.parted:
        raise Skip("nobody looks")
    arriving(life)
    last = os.path.join(life.root, song["path"])
    made = os.path.join("new", song["path"])
    make(life, song, made)
    if how == "cp":
        life.home.run("cp", made, last)
    elif how == "part":
        life.home.run("cp", made, last + ".part")
        life.home.run("mv", last + ".part", last)
    else:
        # Without tags at first, then with them in another file that replaces it.
        bare = f"new/bare.{song['number']}.m4a"
        make(life, {**song, **dict.fromkeys(tags.FIELDS)}, bare)
        life.home.run("mv", bare, last)
        life.bare.add(song["sound"])
        other = last.removesuffix(".m4a") + ".temp.m4a"
        life.home.run("cp", made, other)
        life.home.run("mv", other, last)
    add(life, song)
    life.order.add_song(key, song["number"])
