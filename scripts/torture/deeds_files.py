"""What file managers, shells and movers do."""
import os
import unicodedata

import deeds_tags
from deeds import deed, one_of, some
from life import DISC, Skip, ToolFault

NAMES = ("Fée", "Größe", "plain", "Tøj", "Übung", "ñ")


def folder_for(life, dice, songs):
    """An album folder all of whose songs may be touched, with those songs."""
    free = {song.number for song in songs}
    found = sorted({life.album_folder(song.path) for song in songs})
    return [folder for folder in found
            if folder and free.issuperset(one.number for one in life.in_folder(folder))]


def need_loose(life, folder):
    """Nothing of what lies below the folder is packed or copied, or out of reach."""
    songs = life.in_folder(folder)
    if not songs:
        raise Skip("nothing is there")
    for song in songs:
        life.here(song.number)
    for song in life.songs.values():
        if song.path.startswith(folder + "/") and song.archive:
            raise Skip("some of it is packed")
    return songs


def choose_rename(life, dice):
    song = one_of(dice, life.free_songs())
    if song is None:
        return None
    stem = f"{dice.choice(NAMES)} {life.next_number()}"
    if dice.random() < 0.5:
        stem = f"{dice.randint(1, 20):02} {stem}"
    return dict(number=song.number, stem=stem)


@deed(3, choose_rename, while_away=True)
def rename_file(life, number, stem):
    song = life.here(number)
    path = f"{os.path.dirname(song.path)}/{stem}.{song.kind}"
    if not life.is_free(path):
        raise Skip("the name is taken")
    life.claim([song])
    life.move(song, path)


def choose_rename_folder(life, dice):
    folder = one_of(dice, folder_for(life, dice, life.free_songs()))
    if folder is None:
        return None
    artist = folder.split("/")[0] if dice.random() < 0.6 else dice.choice(NAMES)
    return dict(folder=folder, to=f"{artist}/{dice.choice(NAMES)} {life.next_number()}")


@deed(4, choose_rename_folder, while_away=True)
def rename_folder(life, folder, to):
    """A folder of albums gets another name, and perhaps another folder around it."""
    songs = need_loose(life, folder)
    if not life.is_free(to):
        raise Skip("the name is taken")
    life.claim(songs)
    life.move_groups(songs)
    life.make_folder(os.path.dirname(to))
    life.home.run("mv", os.path.join(life.root, folder), os.path.join(life.root, to))
    life.moved_folder(folder, to)


def choose_rename_artist(life, dice):
    artist = one_of(dice, sorted({song.path.split("/")[0] for song in life.free_songs()}))
    return artist and dict(folder=artist, to=f"{dice.choice(NAMES)} {life.next_number()}")


@deed(2, choose_rename_artist, while_away=True)
def rename_artist(life, folder, to):
    rename_folder(life, folder, to)


def choose_case(life, dice):
    song = one_of(dice, life.free_songs())
    if song is None:
        return None
    return dict(folder=song.path.split("/")[0] if dice.random() < 0.4
                else life.album_folder(song.path))


@deed(2, choose_case, while_away=True)
def change_case(life, folder):
    """Only the case of a folder's name."""
    songs = need_loose(life, folder)
    parent, name = os.path.split(folder)
    to = os.path.join(parent, name.swapcase())
    # Some letters have no other case; ß has two.
    if to == folder or os.path.lexists(life.home.path(life.root, to)) or len(to) != len(folder):
        raise Skip("the same name")
    life.claim(songs)
    life.move_groups(songs)
    life.home.run("mv", os.path.join(life.root, folder), os.path.join(life.root, to))
    life.moved_folder(folder, to)


def choose_form(life, dice):
    song = one_of(dice, life.free_songs())
    return song and dict(
        folder=song.path.split("/")[0], form=dice.choice(("NFD", "NFC")))


@deed(2, choose_form, while_away=True)
def change_form(life, folder, form):
    """convmv brings all names below a folder from one Unicode form to the other."""
    songs = need_loose(life, folder)
    to = unicodedata.normalize(form, folder)
    if to != folder and os.path.lexists(life.home.path(life.root, to)):
        raise Skip("there is one of each form")
    life.claim(songs)
    life.move_groups(songs)
    option = "--nfd" if form == "NFD" else "--nfc"
    life.home.run(
        "convmv", "-f", "utf8", "-t", "utf8", option, "-r", "--notest",
        os.path.join(life.root, folder))
    for song in songs:
        song.path = unicodedata.normalize(form, song.path)
        if not os.path.isfile(life.home.path(life.at(song))):
            raise ToolFault(f"convmv left no {song.path!r}")
    if to != folder:
        life.moved_folder(folder, to)


def choose_discs(life, dice):
    return choose_case(life, dice) and dict(
        folder=one_of(dice, folder_for(life, dice, life.free_songs())),
        name=dice.choice(("CD", "Disc ", "disk-")), apart=dice.random() < 0.6)


@deed(2, choose_discs, while_away=True)
def discs(life, folder, name, apart):
    """The songs of a folder are put into folders of discs, or out of them."""
    if not folder:
        raise Skip("nothing is there")
    songs = need_loose(life, folder)
    if any(life.is_spread(key) for key in life.albums_in(folder)):
        raise Skip("equal numbers in several folders would be editions")
    wanted = []
    for place, song in enumerate(songs):
        inside = f"{folder}/{name}{1 + place % 2}" if apart else folder
        path = f"{inside}/{os.path.basename(song.path)}"
        if path != song.path:
            wanted.append((song, path))
    paths = [life.plain(path) for _, path in wanted]
    if len(set(paths)) < len(paths) or not all(life.is_free(path) for _, path in wanted):
        raise Skip("a name is taken")
    life.claim([song for song, _ in wanted])
    for song, path in wanted:
        life.move(song, path)


def choose_swap(life, dice):
    pairs = [
        (one.number, other.number) for one in life.free_songs() for other in life.free_songs()
        if one.number < other.number and one.kind == other.kind
        and life.album_folder(one.path) == life.album_folder(other.path)]
    chosen = one_of(dice, pairs)
    return chosen and dict(one=chosen[0], other=chosen[1])


@deed(2, choose_swap, while_away=True)
def swap(life, one, other):
    """Two files exchange their names."""
    first, second = life.here(one), life.here(other)
    if (first.kind != second.kind
            or life.album_folder(first.path) != life.album_folder(second.path)):
        raise Skip("no neighbours any more")
    life.claim([first, second])
    here, there = first.path, second.path
    life.move(first, f"{os.path.dirname(here)}/swapped {one}.{first.kind}")
    life.move(second, here)
    life.move(first, there)


# Away and back.


def choose_delete(life, dice):
    if dice.random() < 0.3:
        chosen = one_of(dice, life.free_albums())
        songs = chosen and chosen[1]
    else:
        songs = some(dice, [song.number for song in life.free_songs()])
    return songs and dict(numbers=songs, how=dice.choice(("mv", "cp")))


@deed(4, choose_delete, while_away=True)
def delete(life, numbers, how):
    """Files go; they lie on a shelf, should one want them again."""
    if life.has_arrived:
        life.settle()
    if life.has_arrived:
        raise Skip("something came")
    life.leaving([life.here(number) for number in numbers])
    for number in numbers:
        song = life.here(number)
        if number not in life.order.home:
            raise Skip("nobody knows it")
        life.claim([song])
        life.folder_of(life.order.home[number])
        stash = f"shelf/{number}.{song.kind}"
        if how == "mv":
            life.home.run("mv", life.at(song), stash)
        else:
            life.home.run("cp", life.at(song), stash)
            life.home.run("rm", life.at(song))
        song.stash = stash
        life.gone(song)


def choose_restore(life, dice):
    songs = [n for n, song in sorted(life.songs.items()) if song.stash]
    songs = some(dice, songs, most=8)
    return songs and dict(
        numbers=songs, how=dice.choice(("mv", "cp", "cp -p")),
        renamed=dice.random() < 0.3 and f"back {life.next_number()}",
        title=dice.random() < 0.2 and f"Retour {life.next_number()}")


@deed(6, choose_restore, while_away=True)
def restore(life, numbers, how, renamed, title):
    """Files come back from the shelf, perhaps under other names and with other titles."""
    for number in numbers:
        song = life.songs.get(number)
        if song is None or not song.stash:
            raise Skip("it isn't on the shelf")
        key = life.order.home[number]
        # Most of it has to come from there, for it to go on as that.
        if life.may_have_lost_folder(key) and life.order.left(key):
            raise Skip("its folder may have another name by now, and most of it is elsewhere")
        path = song.path
        folder = life.folder_of(key)
        if life.album_folder(path) != folder:
            path = f"{folder}/{os.path.basename(path)}"
        if renamed or not life.is_free_for(song, path):
            path = f"{os.path.dirname(path)}/{renamed or 'again'} {number}.{song.kind}"
        if not life.is_free_for(song, path):
            raise Skip("its name is taken")
        if life.is_covered_path(path) or any(
                life.album_folder(path) in (copy["old"], copy["new"])
                for copy in life.copies.values()):
            raise Skip("its folder is out of reach")
        life.claim([song])
        life.coming([song])
        if title:
            tool = deeds_tags.IN_PLACE[song.kind][-1]
            life.retag(song, tool, dict(title=f"{title} {number}"))
        life.make_folder(os.path.dirname(path))
        last = os.path.join(life.root, path)
        if how == "mv":
            life.home.run("mv", song.stash, last)
        else:
            life.home.run(*how.split(), song.stash, last)
            life.home.run("rm", song.stash)
        song.path, song.stash = path, None
        life.back(song)


def choose_tar_out(life, dice):
    chosen = choose_case(life, dice)
    return chosen and dict(chosen, archive=f"{life.next_number()}.tar")


@deed(3, choose_tar_out, while_away=True)
def tar_out(life, folder, archive):
    """A folder is packed, and removed."""
    songs = need_loose(life, folder)
    if life.has_arrived:
        life.settle()
    if life.has_arrived:
        raise Skip("something came")
    life.leaving(songs)
    life.claim(songs)
    life.home.run("tar", "-C", life.root, "-cf", archive, folder)
    life.home.run("rm", "-r", os.path.join(life.root, folder))
    for song in songs:
        if song.number in life.order.home:
            life.folder_of(life.order.home[song.number])
    for song in songs:
        song.archive = archive
        life.gone(song)


def choose_tar_in(life, dice):
    archive = one_of(dice, sorted({s.archive for s in life.songs.values() if s.archive}))
    return archive and dict(archive=archive)


@deed(5, choose_tar_in, while_away=True)
def tar_in(life, archive):
    songs = [song for song in life.songs.values() if song.archive == archive]
    if not songs:
        raise Skip("no such archive")
    if any(life.is_covered_path(song.path) for song in songs):
        raise Skip("its folder is out of reach")
    life.claim(songs)
    life.coming(songs)
    life.home.run("tar", "-C", life.root, "-xf", archive)
    life.home.run("rm", archive)
    for song in songs:
        song.archive = None
        life.back(song)


# Copies.


def choose_copy(life, dice):
    folder = one_of(dice, folder_for(life, dice, life.free_songs()))
    if folder is None or DISC.match(os.path.basename(folder)):
        return None
    number = life.next_number()
    to = f"sorted {number}/{os.path.basename(folder)}"
    twins = {str(song.number): life.next_number() for song in life.in_folder(folder)}
    return dict(copy=number, folder=folder, to=to, twins=twins, albums={
        str(key): life.next_number() for key in sorted(life.albums_in(folder))})


@deed(3, choose_copy)
def copy_folder(life, copy, folder, to, twins, albums):
    """cp -r; the original or the copy goes later."""
    life.need_folder()
    songs = need_loose(life, folder)
    keys = life.albums_in(folder)
    bands = {song.fields["band"] is None for song in life.songs.values()
             if life.album_folder(song.path) == folder}
    if (not life.is_free(to) or life.untagged_in(folder) or len(bands) > 1
            or any(life.is_spread(key) for key in keys)
            or not {str(song.number) for song in songs} <= set(twins)
            or not {str(key) for key in keys} <= set(albums)):
        raise Skip("whose copy it would be is open")
    # What is gone when the copy is made would be found in it.
    life.settle()
    arriving(life)
    life.claim(songs)
    life.make_folder(os.path.dirname(to))
    life.home.run("cp", "-r", os.path.join(life.root, folder), os.path.join(life.root, to))
    frozen = {song.number for song in songs}
    made = []
    if bands == {True}:
        # Each folder has an album of its own.
        for key in sorted(keys):
            listed = life.order.songs(key)
            if not listed:
                continue
            numbers = []
            for number in listed:
                twin = twins[str(number)]
                song = life.songs[number]
                life.songs[twin] = life.twin_of(song, twin, to + song.path[len(folder):])
                numbers.append(twin)
            life.order.add_album(albums[str(key)], life.order.albums[key].title, numbers)
            made += numbers
    else:
        for song in songs:
            song.twin_file = to + song.path[len(folder):]
    life.copies[copy] = dict(frozen=frozen | set(made), old=folder, new=to, made=made)


def arriving(life):
    if life.has_deleted:
        life.settle()
    life.has_arrived = True


def choose_end_of_copy(life, dice):
    copy = one_of(dice, sorted(life.copies))
    return copy and dict(copy=copy, keep=dice.choice(("copy", "copy", "original")))


@deed(8, choose_end_of_copy)
def end_of_copy(life, copy, keep):
    """rm -r of what was copied, or of the copy."""
    life.need_folder()
    if copy not in life.copies:
        raise Skip("no such copy")
    if life.has_arrived:
        life.settle()
    its = life.copies[copy]
    if keep == "copy":
        life.move_groups([life.songs[one] for one in its["frozen"] - set(its["made"])])
    del life.copies[copy]
    goes = its["old"] if keep == "copy" else its["new"]
    life.home.run("rm", "-r", os.path.join(life.root, goes))
    life.has_deleted = True
    for twin in its["made"]:
        life.order.drop_song(twin)
        life.songs.pop(twin)
    for number in its["frozen"] - set(its["made"]):
        life.songs[number].twin_file = None
        life.changed.add(number)
    if keep == "copy":
        life.moved_folder(its["old"], its["new"])


def choose_duplicate(life, dice):
    song = one_of(dice, life.free_songs())
    return song and dict(number=song.number, how=dice.choice(("cp", "ln")))


@deed(2, choose_duplicate)
def duplicate(life, number, how):
    """A second file with the same sound and tags."""
    life.need_folder()
    song = life.here(number)
    path = f"{song.path.rsplit('.', 1)[0]} (copy).{song.kind}"
    if not life.is_free(path):
        raise Skip("the name is taken")
    life.claim([song])
    life.home.run(how, life.at(song), os.path.join(life.root, path))
    song.twin_file = path


def choose_end_of_duplicate(life, dice):
    song = one_of(dice, [
        s for _, s in sorted(life.songs.items()) if s.twin_file and s.is_here
        and not any(s.number in copy["frozen"] for copy in life.copies.values())])
    return song and dict(number=song.number, keep=dice.choice(("first", "second")))


@deed(4, choose_end_of_duplicate)
def end_of_duplicate(life, number, keep):
    life.need_folder()
    song = life.songs.get(number)
    if (song is None or not song.twin_file or not song.is_here or life.is_covered(song)
            or any(number in copy["frozen"] for copy in life.copies.values())):
        raise Skip("no duplicate")
    if keep == "second":
        song.path, song.twin_file = song.twin_file, song.path
    life.home.run("rm", os.path.join(life.root, song.twin_file))
    song.twin_file = None
    life.changed.add(number)
