"""What Crated lists, held against what must be: by the sound of the files that it names. Nothing is
asked of Crated but listings."""
import collections
import os
import re

from home import Broken
from sounds import ENCODERS


# Kinds of failures that are known, and to be looked past.
PASSED = set()


# What tools have beside a file for a moment: where the daemon looked just then, a place may be
# kept for it (rules 3). It has the former sound of a file that is encoded anew; or tags without any
# sound, which AtomicParsley writes into `-data-` before it puts them into the file; or it was seen
# first in the very look in which its song was, so that neither is older.
PASSING = re.compile(r"(^|/)orig_[^/]*$|-data-\d+\.m4a$|\.temp\.m4a$")


def is_passing(path):
    return PASSING.search(path) is not None


class Ids:
    """By which ids the songs and albums are known, and what was heard under each."""

    def __init__(self):
        self.songs = {}
        self.albums = {}
        self.heard = {}


class Seen:
    """A listing: crates of albums of songs, as Crated tells it."""

    def __init__(self, life):
        home = life.home
        music = home.path("Music") + "/"
        self.crates = [crate["name"] for crate in home.all("ListCrates", "crates")]
        albums = home.all("ListAlbums", "albums", gone=True)
        songs = home.all("ListSongs", "songs", gone=True)
        self.arranged = {album["id"]: album["arranged"] for album in albums}
        self.albums = [album for album in albums if album["presence"] != "gone"]
        for song in songs:
            if not song["path"].startswith(music):
                raise Broken("strange path", f"{song['path']} is listed")
            song["path"] = song["path"][len(music):]
        self.gone = [song for song in songs if song["presence"] == "gone"]
        # Albums in which there may be more than we know of.
        self.open_albums = {song["album"] for song in self.gone if is_passing(song["path"])}
        self.songs = collections.defaultdict(list)
        for song in songs:
            if song["presence"] != "gone":
                self.songs[song["album"]].append(song)
        self.hear(life, [song for some in self.songs.values() for song in some])

    def hear(self, life, songs):
        present = [song for song in songs if song["presence"] == "present"]
        paths = {}
        for song in present:
            path = life.home.path("Music", song["path"])
            if not os.path.isfile(path):
                raise Broken("untrue path", f"{song['path']} is listed as present and isn't there")
            paths[song["id"]] = path
        sounds = life.ear.hear(list(paths.values()))
        for song in songs:
            if song["id"] in paths:
                life.ids.heard[song["id"]] = sounds[paths[song["id"]]]
            song["sound"] = life.ids.heard.get(song["id"])
        for song in self.gone:
            song["sound"] = life.ids.heard.get(song["id"])

    def sounds(self, album):
        return [song["sound"] for song in self.songs[album["id"]]]


def describe(life, number):
    song = life.songs[number]
    return f"{number} ({song.path})"


def spoken(life, numbers):
    return "[" + ", ".join(describe(life, one) for one in numbers) + "]"


def compare(life):
    """Raises Broken where what is listed differs from what must be, and takes over what the rules
    leave open."""
    order = life.believed or life.order
    seen = Seen(life)
    keys = match_albums(life, order, seen)
    compare_presence(life, seen)
    compare_crates(life, order, seen, keys)
    for album in seen.albums:
        compare_songs(life, order, seen, album, keys[album["id"]])
    compare_gone(life, order, seen)
    if not life.believed and not life.covered:
        compare_files(life, seen)
    order.fresh_albums, order.fresh_songs = [], {}
    return seen


def match_albums(life, order, seen):
    """The album of ours that each listed one is: with the very same sounds in it."""
    wanted = {key: sorted(life.songs[one].sound for one in order.songs(key))
              for key in order.albums if order.is_listed(key)}
    expected = collections.Counter(sound for sounds in wanted.values() for sound in sounds)
    found = collections.Counter(
        sound for album in seen.albums for sound in seen.sounds(album))
    of = {song.sound: song for song in reversed(life.songs.values())}
    for sound in (expected - found):
        raise Broken("lost", f"{describe(life, of[sound].number)} is listed nowhere")
    for sound in (found - expected):
        listed = [song["path"] for some in seen.songs.values() for song in some
                  if song["sound"] == sound]
        raise Broken("too many", f"{listed} is listed, and must not be (so often)")
    known = {life.ids.albums[key]: key for key in order.albums if key in life.ids.albums}
    keys, left = {}, dict(wanted)
    for album in seen.albums:
        key = known.get(album["id"])
        if key in left and left[key] == sorted(seen.sounds(album)):
            keys[album["id"]] = key
            del left[key]
    for album in seen.albums:
        if album["id"] in keys:
            continue
        sounds = sorted(seen.sounds(album))
        fitting = [key for key, songs in left.items() if songs == sounds]
        if not fitting:
            paths = [song["path"] for song in seen.songs[album["id"]]]
            others = {order.home[one] for one in order.listed if life.songs[one].sound in sounds}
            raise Broken(
                "other albums", f"{album['title']!r} is listed with {paths}; they must be in "
                + "; ".join(f"{order.albums[key].title!r} with {spoken(life, order.songs(key))}"
                            for key in sorted(others)))
        key = fitting[0]
        if key in life.ids.albums and "id of an album" not in PASSED:
            raise Broken(
                "id of an album", f"{order.albums[key].title!r} was {life.ids.albums[key]} and is "
                f"{album['id']}")
        keys[album["id"]] = key
        life.ids.albums[key] = album["id"]
        del left[key]
    return keys


def compare_presence(life, seen):
    for some in seen.songs.values():
        for song in some:
            away = life.believed is not None or (
                life.covered is not None and song["path"].startswith(life.covered + "/"))
            wanted = "offline" if away else "present"
            if song["presence"] != wanted:
                raise Broken("presence", f"{song['path']} is {song['presence']}, not {wanted}")


def compare_crates(life, order, seen, keys):
    wanted = order.listing()
    names = [name for name, _ in wanted]
    if seen.crates != names:
        raise Broken("crates", f"{seen.crates} are listed instead of {names}")
    for name, albums in wanted:
        found = [keys[album["id"]] for album in seen.albums if album["crate"] == name]
        titles = {key: order.albums[key].title for key in [*found, *albums]}
        told = (f"in {name} {[titles[key] for key in found]} are listed instead of "
                f"{[titles[key] for key in albums]}")
        if sorted(found) != sorted(albums):
            raise Broken("crate of an album", told)
        # rules 3: among those that just came, first sight decides; all are above the others.
        fresh = [key for key in found if key in order.fresh_albums]
        if set(found[:len(fresh)]) != set(fresh) and fresh:
            above = found[:found.index(fresh[-1]) + 1]
            late = [key for key in above if key not in fresh]
            # One that split off a fresh one or was moved stands among them.
            if any(albums.index(key) > max(albums.index(one) for one in fresh) for key in late):
                raise Broken("new albums not on top", told)
        rest = [[key for key in some if key not in fresh] for some in (found, albums)]
        if rest[0] != rest[1]:
            if "order of albums" not in PASSED:
                raise Broken("order of albums", told)
            fresh = found
        adopt(next(crate for crate in order.crates if crate.name == name).albums, fresh, found)
    for album in seen.albums:
        ours = order.albums[keys[album["id"]]]
        if album["arranged"] != ours.arranged:
            raise Broken(
                "arranged", f"{ours.title!r} is {'' if album['arranged'] else 'not '}arranged, and "
                "nobody has asked for that")


def adopt(order, loose, found):
    """Puts what is loose where it was found: each behind the one that it stands behind there."""
    for one in loose:
        order.remove(one)
        place = found.index(one)
        order.insert(order.index(found[place - 1]) + 1 if place else 0, one)


def unseen_beside(adopted, slots, found):
    """What is not listed, in the gaps of the listing in which something was put: nobody knows on
    which side of it."""
    gaps, gap = [], []
    for one in slots:
        if one in found and one not in adopted:
            gaps.append(gap)
            gap = []
        else:
            gap.append(one)
    return [one for gap in gaps + [gap] if set(gap) & set(adopted)
            for one in gap if one not in found]


def compare_songs(life, order, seen, listed, key):
    """The songs of one album: their order, and that each is known by the id it always had."""
    album = order.albums[key]
    numbers = {}
    for one in order.songs(key):
        numbers[life.songs[one].sound] = one
    found = [numbers[song["sound"]] for song in seen.songs[listed["id"]]]
    wanted = order.songs(key)
    told = (f"{album.title!r} is listed as {spoken(life, found)} instead of "
            f"{spoken(life, wanted)}")
    if album.arranged:
        # rules 3: among those that just came, first sight decides; all are above the others.
        fresh = [one for one in found if one in order.fresh_songs.get(key, ())]
        loose = [one for one in found if (key, one) in order.loose and one not in fresh]
        settled = [[one for one in some if one not in fresh and one not in loose]
                   for some in (found, wanted)]
        if settled[0] != settled[1]:
            raise Broken("order of an arranged album", told)
        above = found[:found.index(fresh[-1]) + 1] if fresh else []
        if any(one not in fresh and one not in loose for one in above):
            raise Broken("new songs not on top", told)
        adopt(album.slots, [one for one in found if one in fresh or one in loose], found)
        order.loose.difference_update((key, one) for one in loose)
        order.loose.update((key, one) for one in unseen_beside(loose, album.slots, found))
    elif life.believed:
        # While the folder is away nobody knows what its tags say.
        if found != wanted:
            raise Broken("order while away", told)
    else:
        compare_default_order(life, found, album)
        rest = [one for one in album.slots if one not in found]
        album.slots = merged(life, order, key, found, rest)
        order.loose.difference_update((key, one) for one in found)
    for song in seen.songs[listed["id"]]:
        number = numbers[song["sound"]]
        known = life.ids.songs.setdefault(number, song["id"])
        if known != song["id"]:
            raise Broken(
                "id of a song", f"{describe(life, number)} was {known} and is {song['id']}")
        if not life.believed:
            life.songs[number].seen_key = life.default_key(life.songs[number])
        fields = life.songs[number].fields
        is_unread = life.believed or life.is_unread and life.is_covered(life.songs[number])
        if not is_unread and fields["title"] and song["title"] != fields["title"]:
            raise Broken("tags", f"{song['path']} is titled {song['title']}: {fields['title']}")
        if not is_unread and fields["title"] and song.get("track") != fields["track"]:
            raise Broken("tags", f"{song['path']} is track {song.get('track')}: {fields['track']}")


def compare_default_order(life, found, album):
    keys = [life.default_key(life.songs[one]) for one in found]
    for (first, one), (second, other) in zip(zip(keys, found), zip(keys[1:], found[1:])):
        if first[:2] != second[:2]:
            right = first[:2] < second[:2]
        else:
            # Names are compared where their numbers tell enough.
            right = None in (first[2], second[2]) or first[2] <= second[2]
        if not right:
            raise Broken(
                "default order", f"{album.title!r} isn't arranged and lists {describe(life, one)} "
                f"before {describe(life, other)}")


def merged(life, order, key, found, rest):
    """The slots of an album that isn't arranged: what is gone, too, is where its tags say. Where
    they don't say enough, its place is open."""
    slots = list(found)
    for one in rest:
        if order.home.get(one) != key:
            slots.append(one)
            order.loose.add((key, one))
            continue
        mine = life.default_key(life.songs[one])
        others = [life.default_key(life.songs[other])[:2] for other in slots]
        if mine[:2] in others or life.is_key_open(life.songs[one]):
            order.loose.add((key, one))
        place = sum(1 for other in others if other < mine[:2])
        slots.insert(place, one)
    return slots


def compare_gone(life, order, seen):
    """What is gone keeps a place, and nothing else does."""
    wanted = collections.Counter(
        life.songs[one].sound for one in order.home if one not in order.listed)
    found = collections.Counter(song["sound"] for song in seen.gone)
    sure = collections.Counter(
        song["sound"] for song in seen.gone
        if not is_passing(song["path"]) and song["sound"] not in life.bare)
    for sound in sure - wanted if "places kept" not in PASSED else ():
        paths = [song["path"] for song in seen.gone if song["sound"] == sound]
        raise Broken("places kept", f"a place is kept for {paths}, which must not be")
    for sound in wanted - found:
        number = next(one for one in order.home
                      if life.songs[one].sound == sound and one not in order.listed)
        raise Broken("place dropped", f"no place is kept for {describe(life, number)}")


def compare_files(life, seen):
    """Each file is listed once, or told to be a duplicate of one that is."""
    files = set(walked(life.home.path("Music")))
    listed = [song["path"] for some in seen.songs.values() for song in some]
    if len(set(listed)) != len(listed):
        raise Broken("listed twice", f"{sorted(listed)}")
    spare = files - set(listed)
    wanted = {path for song in life.songs.values() if song.twin_file and song.is_here
              for path in (song.path, song.twin_file)}
    if spare - wanted:
        raise Broken("not listed", f"{sorted(spare - wanted)}")
    problems = life.home.call("Problems")["problems"]
    music = life.home.path("Music") + "/"
    told = {(problem.get("path") or "").removeprefix(music)
            for problem in problems if problem["kind"] == "duplicate"}
    if told != spare:
        raise Broken(
            "duplicates", f"{sorted(told)} are told to be duplicates: {sorted(spare)} are")
    others = [problem for problem in problems if problem["kind"] != "duplicate"]
    if others:
        raise Broken("problems", f"{others[0]['message']} ({others[0].get('path')})")


def walked(top):
    for folder, below, names in os.walk(top):
        for name in names:
            if name.rsplit(".", 1)[-1] in ENCODERS:
                yield os.path.relpath(os.path.join(folder, name), top)


def compare_idle(life):
    """rules 4: whoever looks again finds nothing new."""
    if life.believed:
        return
    before = sequence(life)
    life.home.call("Sync")
    life.home.call("Rescan")
    if sequence(life) != before:
        change = life.home.call("History", limit=1)["changes"][0]
        raise Broken("not idle", f"a rescan of what was merged changes: {change['summary']}")


def sequence(life):
    return life.home.call("Status")["status"]["sequence"]


def compare_fresh(life, fresh):
    """1.1: who sees the folder for the first time sees the same songs in the same albums."""
    ours, theirs = Seen(life), Seen(fresh)

    def albums(seen):
        return sorted((sorted(seen.sounds(album)), album["title"]) for album in seen.albums)

    for mine, other in zip(albums(ours), albums(theirs)):
        if mine != other:
            raise Broken("fresh daemon", f"{other} instead of {mine}")
    if len(ours.albums) != len(theirs.albums):
        raise Broken("fresh daemon", f"{len(theirs.albums)} albums instead of {len(ours.albums)}")
    has_duplicates = any(song.twin_file for song in life.songs.values())
    orders = {tuple(sorted(theirs.sounds(album))): theirs.sounds(album)
              for album in theirs.albums}
    for album in ours.albums:
        mine = ours.sounds(album)
        if not album["arranged"] and not has_duplicates and orders[tuple(sorted(mine))] != mine:
            raise Broken(
                "default order", f"{album['title']!r} isn't arranged and lists other than a fresh "
                f"daemon {[song['path'] for song in ours.songs[album['id']]]}")
