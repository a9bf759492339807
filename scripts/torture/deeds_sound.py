"""What converters do: another sound in the same place, or the same in another format."""
import os

import tags
from deeds import deed, one_of
from life import Skip, ToolFault

FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i"]
# What ffmpeg makes of each format with all its tags.
INTO = {
    "flac": ("mp3", "m4a", "ogg", "opus"), "mp3": ("m4a", "ogg", "opus", "flac"),
    "m4a": ("mp3", "opus", "flac"), "ogg": ("opus",), "opus": ("ogg",), "wv": ("flac", "opus"),
    "aiff": ("flac", "mp3", "opus"), "wav": ("flac", "mp3", "opus"),
}
# Plain tools, and what they leave: the ending, and whether the tags are lost.
PLAIN = {
    "flac": {"flac -8": ("flac", False), "opusenc": ("opus", False), "oggenc": ("ogg", False)},
    "wav": {"flac": ("flac", True), "flac -T": ("flac", False), "wavpack": ("wv", True),
            "sox": ("wav", True), "remux": ("wav", True)},
    "aiff": {"flac": ("flac", True), "sox": ("aiff", True), "remux": ("aiff", True)},
    "wv": {"wvunpack": ("wav", True)},
    "ogg": {"oggdec": ("wav", True)},
}


def ways(song):
    """The names of all ways, with the endings that they lead to."""
    found = {name: what for name, what in PLAIN.get(song.kind, {}).items()}
    for kind in INTO[song.kind]:
        found[f"into {kind}"] = (kind, False)
    if song.kind not in ("wav", "aiff"):
        found["again"] = (song.kind, False)
        found["again-orig"] = (song.kind, False)
    return found


def choose_convert(life, dice):
    song = one_of(dice, life.free_songs())
    if song is None:
        return None
    return dict(number=song.number, way=one_of(dice, sorted(ways(song))),
                sync=dice.random() < 0.3)


@deed(8, choose_convert, while_away=True)
def convert(life, number, way, sync):
    song = life.here(number)
    if way not in ways(song):
        raise Skip("another format by now")
    kind, loses_tags = ways(song)[way]
    if way == "wvunpack":
        need_bare(life, song)
    key = life.order.home[number]
    folder = life.album_folder(song.path)
    if tags.is_told_twice(life.home.path(life.at(song))) and (
            way in ("remux", "again", "again-orig") or way.startswith("into ")):
        raise Skip("which of its two kinds of tags ffmpeg believes")
    if loses_tags and (life.is_spread(key) or life.albums_in(folder) != {key}):
        raise Skip("which album a file without tags joins")
    untagged = {one.number for one in life.untagged_in(folder) if one.is_here} | {number}
    if loses_tags and 2 * len(untagged) >= len(life.in_folder(folder)):
        raise Skip("fewer songs of the folder would have tags than have none")
    if loses_tags and life.believed:
        raise Skip("nobody looks before it is tagged again")
    # By something it must be known, where no name says it.
    if not loses_tags and song.fields["track"] is None:
        raise Skip("no track number")
    path = f"{song.path.rsplit('.', 1)[0]}.{kind}"
    if path != song.path and not life.is_free(path):
        raise Skip("the name is taken")
    life.claim([song], is_sound=True)
    if loses_tags:
        life.regroup([key])
    fields = dict(song.fields)

    def between():
        if sync and life.home.is_running:
            life.home.sync()
    old = life.at(song)
    run_converter(life.home.run, way, old, os.path.join(life.root, path), fields, between)
    song.path = path
    life.reread(song)
    known = ("title", "album", "band", "track")
    # A track 0 is none (rules 2), and tools leave it out.
    if not loses_tags and any((song.fields[f] or None) != (fields[f] or None) for f in known):
        raise ToolFault(f"{way} was to keep the tags of {old}: {fields} became {song.fields}")
    if loses_tags:
        # It stays whose it is by its name alone. Who comes into a folder, as after a rename, joins
        # its album only where fewer songs are without tags than with (rules 2).
        life.settle()
        life.claim([song])
        life.retag(song, "metaflac" if kind == "flac" else "mutagen",
                   {field: value for field, value in fields.items() if value is not None})


def need_bare(life, song):
    """WavPack keeps all that was around the sound of a WAV, former tags too, and puts it back."""
    probe = os.path.join("state", "unpacked.wav")
    life.home.quietly("wvunpack", "-q", "-y", life.at(song), "-o", probe)
    former = tags.read(life.home.path(probe))
    os.unlink(life.home.path(probe))
    if any(former.values()):
        raise Skip("its former tags would come back")


def run_converter(run, way, old, new, fields, between):
    """The commands; `between` comes where both files are there."""
    beside = os.path.join(os.path.dirname(old), f"tmp_{os.path.basename(new)}")
    former = os.path.join(os.path.dirname(old), f"orig_{os.path.basename(old)}")
    if way == "flac -8":
        run("flac", "-s", "-f", "-8", old)
    elif way == "flac":
        run("flac", "-s", "--delete-input-file", old)
    elif way == "flac -T":
        words = {"TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "ALBUMARTIST": "band",
                 "TRACKNUMBER": "track", "DISCNUMBER": "disc"}
        run("flac", "-s", "--delete-input-file",
            *[word for name, field in words.items() if fields[field]
              for word in ("-T", f"{name}={fields[field]}")], old)
    elif way == "wavpack":
        run("wavpack", "-q", "-d", old)
    elif way == "wvunpack":
        run("wvunpack", "-q", "-d", old)
    elif way == "sox":
        run("sox", "-V1", old, beside, "gain", "-1")
        between()
        run("mv", beside, old)
    elif way == "remux":
        run(*FFMPEG, f"file:{old}", "-map", "0:a", "-c", "copy", f"file:{beside}")
        between()
        run("mv", beside, old)
    elif way == "again":
        run(*FFMPEG, f"file:{old}", "-map", "0:a", "-af", "volume=0.9", f"file:{beside}")
        between()
        run("mv", beside, old)
    elif way == "again-orig":
        run("mv", old, former)
        run(*FFMPEG, f"file:{former}", "-map", "0:a", "-af", "volume=0.9", f"file:{old}")
        between()
        run("rm", former)
    else:
        if way == "opusenc":
            run("opusenc", "--quiet", old, new)
        elif way == "oggenc":
            run("oggenc", "-Q", old, "-o", new)
        elif way == "oggdec":
            run("oggdec", "-Q", old)
        else:
            run(*FFMPEG, f"file:{old}", "-map", "0:a", f"file:{new}")
        between()
        run("rm", old)
