"""What taggers do. Where only some songs of an album get another title, tools that make a file
beside the old one are left out: whether that was seen on its own decides where the new album begins
(rules 3)."""
import tags
from deeds import deed, one_of, some
from life import Skip

# What changes a file and no second one.
IN_PLACE = {
    kind: [tool for tool in tools if tool not in tags.BESIDE] for kind, tools in tags.TOOLS.items()}
# With these no song is ever there with its former and its new tags at once.
NEVER_TWICE = {
    kind: [tool for tool in tools if tool != "ffmpeg-orig"] for kind, tools in tags.TOOLS.items()}


# What a new album's number has more than that of the one all of whose songs it got.
REGROUPED = 1_000_000


def tool_for(dice, song, choices=None):
    return dice.choice((choices or tags.TOOLS)[song.kind])


def choose_titles(life, dice):
    songs = some(dice, [song.number for song in life.free_songs()])
    return songs and dict(changes=[
        [one, tool_for(dice, life.songs[one]), f"Titre {life.next_number()}"] for one in songs])


@deed(3, choose_titles, while_away=True)
def titles(life, changes):
    for number, tool, title in changes:
        song = life.here(number)
        life.claim([song])
        life.retag(song, tool, dict(title=title))


def choose_tracks(life, dice):
    chosen = one_of(dice, [one for one in life.free_albums() if len(one[1]) > 1])
    if chosen is None:
        return None
    songs = chosen[1]
    wanted = [life.songs[one].fields["track"] or place + 20 for place, one in enumerate(songs)]
    if dice.random() < 0.3:
        wanted = [place + dice.randint(1, 30) * 10 for place in range(len(wanted))]
    dice.shuffle(wanted)
    return dict(changes=[
        [one, tool_for(dice, life.songs[one]), track] for one, track in zip(songs, wanted)
        if dice.random() < 0.7])


@deed(3, choose_tracks, while_away=True)
def tracks(life, changes):
    """Several songs of one album get other numbers."""
    if not changes or life.is_spread(life.order.home.get(changes[0][0])):
        raise Skip("equal numbers in several folders would be editions")
    for number, tool, track in changes:
        song = life.here(number)
        life.claim([song])
        life.retag(song, tool, dict(track=track))


def whole_album(life, dice, choices=None):
    chosen = one_of(dice, life.free_albums())
    if chosen is None:
        return None
    key, songs = chosen
    songs = list(songs)
    if dice.random() < 0.3:
        dice.shuffle(songs)
    tools = [[one, tool_for(dice, life.songs[one], choices)] for one in songs]
    return dict(key=key, tools=tools,
                sync_after=dice.randint(1, len(songs)) if dice.random() < 0.4 else None)


def need_tools(life, tools):
    """Whether each tool knows its song's format, which a shortened history may have left as it
    was."""
    for number, tool in tools:
        if number in life.songs and tool not in tags.TOOLS[life.songs[number].kind]:
            raise Skip("another format by now")


def retag_whole(life, key, tools, sync_after, changes, title):
    """Every song of an album, and what is to come back into it one day, as one would who tidies
    up everything."""
    if key not in life.order.albums:
        raise Skip("no such album")
    chosen = [number for number, _ in tools]
    if sorted(chosen) != sorted(life.order.songs(key)):
        raise Skip("other songs by now")
    songs = [life.here(number) for number in chosen]
    need_tools(life, tools)
    life.need_whole(key)
    life.claim(songs)
    is_same = life.order.is_whole(key)
    if not is_same and life.order.members(key) != life.order.songs(key):
        raise Skip("what is gone would come back to another group")
    if not is_same and any(tool in tags.BESIDE for _, tool in tools):
        raise Skip("where the new album begins depends on what is seen of it first")
    life.regroup([key], is_part=not is_same)
    for number in life.order.members(key):
        song = life.songs[number]
        if song.stash:
            life.retag(song, IN_PLACE[song.kind][0], changes)
    for place, (song, (_, tool)) in enumerate(zip(songs, tools)):
        if place == sync_after and life.home.is_running:
            life.home.sync()
        life.retag(song, tool, changes)
    if is_same:
        life.order.albums[key].title = title
    else:
        new = key + REGROUPED
        while new in life.order.albums:
            new += REGROUPED
        life.order.regroup(key, new, title)
        life.parted.add(new)
        life.decided()


def choose_retitle(life, dice):
    chosen = whole_album(life, dice)
    return chosen and dict(chosen, title=f"Titolo {life.next_number()}")


@deed(4, choose_retitle, while_away=True)
def retitle(life, key, tools, sync_after, title):
    """A whole album gets another title: it stays where it is, as it is."""
    retag_whole(life, key, tools, sync_after, dict(album=title), title)


def choose_reband(life, dice):
    band = None if dice.random() < 0.3 else f"Band {life.next_number()}"
    # ffmpeg doesn't remove what it can't spell.
    chosen = whole_album(life, dice, tags.TOOLS if band else {
        kind: [tool for tool in tools if not tool.startswith("ffmpeg")]
        for kind, tools in tags.TOOLS.items()})
    if chosen is None:
        return None
    return dict(chosen, band=band)


@deed(3, choose_reband, while_away=True)
def reband(life, key, tools, sync_after, band):
    """A whole album gets another album artist, or none."""
    if band is None and key in life.order.albums and life.is_spread(key):
        raise Skip("without an album artist each folder has an album of its own")
    if all(life.songs[one].fields["band"] == band for one, _ in tools if one in life.songs):
        raise Skip("it has that already")
    title = key in life.order.albums and life.order.albums[key].title
    retag_whole(life, key, tools, sync_after, dict(band=band), title)


# Parts of albums.


def choose_split(life, dice):
    chosen = one_of(dice, [one for one in life.free_albums() if len(one[1]) > 1])
    if chosen is None:
        return None
    songs = some(dice, chosen[1], most=len(chosen[1]) - 1)
    if dice.random() < 0.3:
        dice.shuffle(songs)
    number = life.next_number()
    return dict(
        key=number, title=f"Disque {number}",
        tools=[[one, tool_for(dice, life.songs[one], IN_PLACE)] for one in songs],
        sync_after=dice.randint(1, len(songs)) if dice.random() < 0.3 else None)


@deed(4, choose_split, while_away=True)
def split(life, key, title, tools, sync_after):
    """Some songs of an album get another title."""
    need_tools(life, tools)
    songs = [life.here(number) for number, _ in tools]
    old = life.order.home.get(songs[0].number)
    if (old is None or any(life.order.home.get(song.number) != old for song in songs)
            or len(songs) >= len(life.order.songs(old)) or key in life.order.albums):
        raise Skip("no part of an album")
    life.need_tagged(old)
    # Albums that split off the same one in one look may stand in any order (rules 3), too.
    life.claim(songs)
    life.regroup([old], is_part=True)
    retag_parts(life, songs, tools, sync_after, title)
    life.order.split([song.number for song in songs], key, title)
    life.folders[key] = life.folder_of(old)
    life.parted.add(key)


def retag_parts(life, songs, tools, sync_after, title):
    for place, (song, (_, tool)) in enumerate(zip(songs, tools)):
        if place == sync_after and life.home.is_running:
            life.home.sync()
        life.retag(song, tool, dict(album=title))


def choose_enter(life, dice):
    """Songs of an album, and another one that came out of the same one."""
    pairs = []
    for key, songs in life.free_albums():
        for other in sorted(life.order.albums):
            if other != key and life.are_beside(key, other):
                pairs.append((key, songs, other))
    chosen = one_of(dice, pairs)
    if chosen is None:
        return None
    key, songs, other = chosen
    songs = some(dice, songs, most=len(songs))
    choices = NEVER_TWICE if life.home.is_running else None
    return dict(
        target=other, title=life.order.albums[other].title,
        tools=[[one, tool_for(dice, life.songs[one], choices)] for one in songs],
        sync_after=dice.randint(1, len(songs)) if dice.random() < 0.3 else None)


@deed(6, choose_enter, while_away=True)
def enter(life, target, title, tools, sync_after):
    """Songs are retagged to be of an album beside theirs, perhaps back to the one they were of."""
    need_tools(life, tools)
    songs = [life.here(number) for number, _ in tools]
    old = life.order.home.get(songs[0].number)
    if (old is None or any(life.order.home.get(song.number) != old for song in songs)
            or target not in life.order.albums or target == old
            or life.order.albums[target].title != title or not life.are_beside(old, target)):
        raise Skip("no neighbours")
    if life.home.is_running and any(tool not in NEVER_TWICE[life.songs[one].kind]
                                    for one, tool in tools):
        raise Skip("seen beside what it was, it may be a song of its own (rules 3)")
    life.need_tagged(old)
    life.need_tagged(target)
    if life.may_have_lost_folder(target):
        raise Skip("its folder may have another name by now")
    leaves_none = len(songs) == len(life.order.songs(old))
    if leaves_none and (life.order.members(old) != life.order.songs(old)):
        raise Skip("what is gone would still have the former title")
    life.claim(songs)
    life.regroup([old, target], is_part=True)
    retag_parts(life, songs, tools, sync_after, title)
    life.order.enter([song.number for song in songs], target)
    if leaves_none:
        life.decided()
