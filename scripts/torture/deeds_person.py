"""What the person does: with everything merged before, so that the order before is known."""
import shlex

import judge
from deeds import deed, one_of, some
from home import Broken, Skip
from order import Crate

CRATES = ("Music", "Best", "Röck & Roll", "Jazz", "Später")
PLACES = ("top", "bottom", "up", "down", "before", "after")


def ready(life):
    life.need_folder()
    life.settle()


def act(life, told, method, change, **parameters):
    """Does it, and compares at once. What was undone can't be redone any more."""
    before = (life.order.version, life.order.copy())
    answer = ask(life, told, method, parameters)
    change()
    if not answer["changed"]:
        # Where nothing changes, nothing was decided.
        for key, album in life.order.albums.items():
            album.touched = before[1].albums[key].touched
    follow_flags(life)
    judge.compare(life)
    if answer["changed"]:
        life.undoable.append((*before, life.order.version, life.order.copy()))
        life.redoable = []


def ask(life, told, method, parameters):
    life.home.tell("crate " + shlex.join(map(str, told)))
    answer = life.home.call(method, **parameters)["change"]
    life.new_window()
    return answer


def follow_flags(life):
    """Only the person's actions say whether an album is arranged: here it may change, in a way that
    the order shows. Where it may not, `compare` says so."""
    seen = judge.Seen(life)
    for key, album in life.order.albums.items():
        identity = life.ids.albums.get(key)
        is_arranged = seen.arranged.get(identity)
        if is_arranged is None or is_arranged == album.arranged:
            continue
        keys = [life.default_key(life.songs[one]) for one in life.order.members(key)]
        is_plain = all(one[:2] < other[:2] for one, other in zip(keys, keys[1:]))
        is_other = any(one[:2] > other[:2] for one, other in zip(keys, keys[1:]))
        is_known = identity not in seen.open_albums and not any(
            life.is_key_open(life.songs[one]) for one in life.order.members(key))
        if is_known and (is_plain and is_arranged or is_other and not is_arranged):
            raise Broken(
                "arranged", f"{album.title!r} is {'' if is_arranged else 'not '}arranged")
        album.arranged = is_arranged


def name_of(life, key):
    return f"id:{life.ids.albums[key]}"


def place_for(dice, chosen, anchors):
    places = [place for place in PLACES if len(chosen) == 1 or place not in ("up", "down")]
    where = dice.choice(places)
    if where not in ("before", "after"):
        return where, None
    anchor = one_of(dice, anchors)
    return (where, anchor) if anchor is not None else ("top", None)


def acted_on(life):
    """Albums whose places are the person's to change; copies that will go are not."""
    twins = {one for copy in life.copies.values() for one in copy["made"]}
    return [key for key in sorted(life.order.albums)
            if life.order.is_listed(key) and not twins.intersection(life.order.songs(key))]


def need_albums(life, keys):
    allowed = acted_on(life)
    if not keys or any(key not in allowed for key in keys):
        raise Skip("not listed")


def choose_move_albums(life, dice):
    found = acted_on(life)
    first = one_of(dice, found)
    if first is None:
        return None
    crate = life.order.crate_of(first)
    own = [key for key in found if key in crate.albums]
    chosen = some(dice, own)
    where, anchor = place_for(dice, chosen, [key for key in own if key not in chosen])
    return dict(albums=chosen, where=where, anchor=anchor)


@deed(4, choose_move_albums)
def move_albums(life, albums, where, anchor):
    """Within their crate."""
    ready(life)
    need_albums(life, albums + ([anchor] if anchor else []))
    crates = {life.order.crate_of(key).name for key in albums + ([anchor] if anchor else [])}
    if len(crates) > 1:
        raise Skip("of several crates by now")
    place = dict(where=where)
    told = ["move", *[name_of(life, key) for key in albums], where]
    if anchor:
        place["anchor"] = life.ids.albums[anchor]
        told.append(name_of(life, anchor))

    def change():
        if where in ("up", "down"):
            life.order.shift_album(albums[0], where)
        else:
            crate = life.order.crate_of(albums[0]).name
            life.order.move_albums(albums, where, anchor, crate)
    act(life, told, "MoveAlbums", change, albums=[life.ids.albums[key] for key in albums],
        place=place)


def choose_to_crate(life, dice):
    found = acted_on(life)
    if not found:
        return None
    name = dice.choice(CRATES)
    chosen = some(dice, found)
    target = next((crate.albums for crate in life.order.crates if crate.name == name), [])
    where, anchor = place_for(
        dice, [0, 0], [key for key in found if key in target and key not in chosen])
    return dict(albums=chosen, name=name, where=None if dice.random() < 0.3 else where,
                anchor=anchor)


@deed(5, choose_to_crate)
def to_crate(life, albums, name, where, anchor):
    """Into another crate, perhaps a new one."""
    ready(life)
    if where not in ("before", "after"):
        anchor = None
    need_albums(life, albums + ([anchor] if anchor else []))
    if anchor and life.order.crate_of(anchor).name != name:
        raise Skip("in another crate by now")
    told = ["move", *[name_of(life, key) for key in albums], "to", name]
    parameters = dict(albums=[life.ids.albums[key] for key in albums], crate=name)
    if where:
        told.append(where)
        parameters["place"] = dict(where=where)
        if anchor:
            told.append(name_of(life, anchor))
            parameters["place"]["anchor"] = life.ids.albums[anchor]
    act(life, told, "MoveAlbums", lambda: life.order.move_albums(albums, where, anchor, name),
        **parameters)


def choose_move_songs(life, dice):
    key = one_of(dice, [key for key in acted_on(life) if len(life.order.songs(key)) > 1])
    if key is None:
        return None
    # By number: an order that Crated shuffled is not the seed's.
    songs = sorted(life.order.songs(key))
    chosen = some(dice, songs)
    where, anchor = place_for(dice, chosen, [one for one in songs if one not in chosen])
    return dict(key=key, songs=chosen, where=where, anchor=anchor)


@deed(6, choose_move_songs)
def move_songs(life, key, songs, where, anchor):
    ready(life)
    need_albums(life, [key])
    listed = life.order.songs(key)
    if any(one not in listed for one in songs + ([anchor] if anchor else [])):
        raise Skip("not listed")
    place = dict(where=where)
    told = ["move", *[f"id:{life.ids.songs[one]}" for one in songs], where]
    if anchor:
        place["anchor"] = life.ids.songs[anchor]
        told.append(f"id:{life.ids.songs[anchor]}")
    act(life, told, "MoveSongs", lambda: life.order.move_songs(key, songs, where, anchor),
        songs=[life.ids.songs[one] for one in songs], place=place)


def choose_sort_songs(life, dice):
    key = one_of(dice, [key for key in acted_on(life) if len(life.order.songs(key)) > 1])
    return key and dict(key=key, order=dice.choice(("track", "reversed", "reversed", "shuffled")))


@deed(6, choose_sort_songs)
def sort_songs(life, key, order):
    ready(life)
    need_albums(life, [key])
    listed = life.order.songs(key)
    keys = [life.default_key(life.songs[one])[:2] for one in listed]
    if order == "track" and len(set(keys)) < len(keys):
        raise Skip("names would decide")
    ids = [life.ids.songs[one] for one in listed]
    numbers = {life.ids.songs[one]: one for one in listed}

    def change():
        if order == "shuffled":
            # Chance is Crated's; which songs there are is not.
            shown = [one["id"] for one in judge.Seen(life).songs[life.ids.albums[key]]]
            if sorted(shown) != sorted(ids) or shown == ids and len(ids) > 1:
                raise Broken("shuffled", f"{ids} became {shown}")
            wanted = [numbers[one] for one in shown]
        elif order == "track":
            wanted = [one for _, one in sorted(zip(keys, listed))]
        else:
            wanted = listed[::-1]
        life.order.sort_songs(key, wanted)
    act(life, ["sort", name_of(life, key), "by", order], "SortSongs", change, songs=ids,
        order=order)


def choose_sort_albums(life, dice):
    found = acted_on(life)
    return found and dict(albums=found if dice.random() < 0.4 else some(dice, found, most=5))


@deed(2, choose_sort_albums)
def sort_albums(life, albums):
    """Back to front, each crate by itself."""
    ready(life)
    need_albums(life, albums)
    wanted = [key for crate in life.order.crates for key in reversed(crate.albums)
              if key in albums]
    act(life, ["sort", *[name_of(life, key) for key in albums], "by", "reversed"], "SortAlbums",
        lambda: life.order.sort_albums(wanted),
        albums=[life.ids.albums[key] for key in albums], order="reversed")


def choose_move_crate(life, dice):
    names = [name for name, _ in life.order.listing()]
    name = one_of(dice, names)
    if name is None:
        return None
    where, anchor = place_for(dice, [name], [one for one in names if one != name])
    return dict(name=name, where=where, anchor=anchor)


@deed(2, choose_move_crate)
def move_crate(life, name, where, anchor):
    ready(life)
    names = [one for one, _ in life.order.listing()]
    if name not in names or anchor and anchor not in names:
        raise Skip("no such crate")
    place = dict(where=where, **({"anchor": anchor} if anchor else {}))
    act(life, ["move", f"crate:{name}", where, *([f"crate:{anchor}"] if anchor else [])],
        "MoveCrate", lambda: life.order.move_crate(name, where, anchor), crate=name, place=place)


def choose_rename_crate(life, dice):
    names = [name for name, _ in life.order.listing()]
    name = one_of(dice, names)
    return name and dict(name=name, to=dice.choice(CRATES + ("Neu", "Été")))


@deed(1, choose_rename_crate)
def rename_crate(life, name, to):
    ready(life)
    names = [crate.name for crate in life.order.crates]
    if to in names or name not in [one for one, _ in life.order.listing()]:
        raise Skip("the name is taken")
    act(life, ["rename", f"crate:{name}", to], "RenameCrate",
        lambda: life.order.rename_crate(name, to), crate=name, name=to)


def choose_undo(life, dice):
    return life.undoable and {}


@deed(5, choose_undo)
def undo(life):
    back(life, "Undo", life.undoable, life.redoable, 0)


def choose_redo(life, dice):
    return life.redoable and {}


@deed(6, choose_redo)
def redo(life):
    back(life, "Redo", life.redoable, life.undoable, 2)


def back(life, method, taken_from, put_to, side):
    """The order as it was, where no merge added or took anything since. Else what merges did is
    never touched, and the rest is checked by the next comparisons only."""
    if not taken_from:
        raise Skip("nothing to take back")
    ready(life)
    step = taken_from.pop()
    listed = set(life.order.listed)
    ask(life, [method.lower()], method, {})
    if step[0] == step[2] == life.order.version:
        life.order.take_order_of(step[side + 1], step[3 - side])
        life.order.version = step[0]
        follow_flags(life)
    else:
        take_over(life)
    judge.compare(life)
    if life.order.listed != listed:
        raise Broken("undo", "other songs are listed")
    put_to.append(step)


def take_over(life):
    """The order as it is listed, which is not checked but for what is in it."""
    order = life.order
    keys = {identity: key for key, identity in life.ids.albums.items()}
    numbers = {identity: number for number, identity in life.ids.songs.items()}
    former = {key: [n for n in order.members(key)] for key in order.albums}
    hidden = [(crate, key) for crate in order.crates for key in crate.albums
              if not order.is_listed(key)]
    names = life.home.all("ListAlbums", "albums", gone=True)
    # What was gone before it was ever compared is known by its title alone.
    strangers = {order.albums[key].title: key for _, key in hidden
                 if key not in life.ids.albums}
    crates = []
    for album in names:
        key = keys.get(album["id"], strangers.get(album["title"]))
        if key not in order.albums:
            continue
        crate = next((one for one in crates if one.name == album["crate"]), None)
        if crate is None:
            crate = Crate(album["crate"])
            crates.append(crate)
        crate.albums.append(key)
    placed = {key for crate in crates for key in crate.albums}
    for home, key in hidden:
        if key in placed:
            continue
        # What split off and went while nobody could look was never seen: it will begin above the
        # album that it came from.
        above = {old for old, _ in order.albums[key].origins.values()}
        split = next((one for one in crates if above & set(one.albums)), None)
        if split is not None and key not in life.ids.albums:
            split.albums.insert(min(map(split.albums.index, above & set(split.albums))), key)
            continue
        # Listed nowhere, even among what is gone: it only keeps slots.
        # A crate that was renamed has what was beside it.
        mates = set(home.albums)
        crate = max(crates, key=lambda one: len(mates & set(one.albums)), default=None)
        if crate is None or not mates & set(crate.albums):
            crate = next((one for one in crates if one.name == home.name), None)
        if crate is None:
            crate = Crate(home.name)
            crates.append(crate)
        crate.albums.append(key)
    order.crates = crates
    slots = {}
    for song in life.home.all("ListSongs", "songs", gone=True):
        key, number = keys.get(song["album"]), numbers.get(song["id"])
        if number is not None and order.home.get(number) == key:
            slots.setdefault(key, []).append(number)
    flags = {album["id"]: album["arranged"] for album in names}
    for key, album in order.albums.items():
        found = slots.get(key, [])
        rest = [one for one in album.slots if one not in found]
        order.loose.update((key, one) for one in rest)
        album.slots = found + rest
        album.arranged = flags.get(life.ids.albums.get(key), album.arranged)
        if sorted(former[key]) != sorted(order.members(key)):
            raise Broken("undo", f"{album.title!r} holds other songs")


def choose_forget(life, dice):
    gone = [n for n, song in sorted(life.songs.items())
            if song.stash and n in life.ids.songs and n in life.order.home]
    return gone and dict(numbers=some(dice, gone))


@deed(1, choose_forget)
def forget(life, numbers):
    """The places of songs that are gone are given up."""
    ready(life)
    for number in numbers:
        song = life.songs.get(number)
        if song is None or not song.stash or number not in life.ids.songs:
            raise Skip("it isn't gone")
    ask(life, ["forget", *[f"id:{life.ids.songs[one]}" for one in numbers]], "Forget",
        dict(songs=[life.ids.songs[one] for one in numbers]))
    for number in numbers:
        life.order.drop_song(number)
        life.home.run("rm", life.songs[number].stash)
        life.songs.pop(number)
    follow_flags(life)
    judge.compare(life)
    # What was before can be had back, but its songs have no files any more.
    life.undoable, life.redoable = [], []
