"""What stands in the tags of a file, read by mutagen; and how real tools write it there. The fields
are title, artist, album, band (the album artist), track and disc; None is: no such tag.

    tags.py FILE FIELD=VALUE…     writes by mutagen; an empty value removes"""
import os
import struct
import sys

import mutagen
from mutagen import id3
from mutagen.aiff import AIFF
from mutagen.mp4 import MP4
from mutagen.wave import WAVE

FIELDS = ("title", "artist", "album", "band", "track", "disc")
FRAMES = dict(title="TIT2", artist="TPE1", album="TALB", band="TPE2", track="TRCK", disc="TPOS")
ATOMS = dict(
    title="\xa9nam", artist="\xa9ART", album="\xa9alb", band="aART", track="trkn", disc="disk")
WORDS = dict(
    title="TITLE", artist="ARTIST", album="ALBUM", band="ALBUMARTIST", track="TRACKNUMBER",
    disc="DISCNUMBER")
# APEv2 has its own two, in WavPack.
APE = dict(WORDS, track="Track", disc="Disc", band="Album Artist")
# The INFO chunk of a WAV, which ffmpeg and others write and mutagen doesn't read.
INFO = {b"INAM": "title", b"IART": "artist", b"IPRD": "album", b"IPRT": "track"}
FFMPEG = dict(
    title="title", artist="artist", album="album", band="album_artist", track="track", disc="disc")
KID3 = dict(
    title="Title", artist="Artist", album="Album", band="Album Artist", track="Track Number",
    disc="Disc Number")
EYED3 = dict(title="-t", artist="-a", album="-A", band="-b", track="-n", disc="-d")
PARSLEY = dict(
    title="--title", artist="--artist", album="--album", band="--albumArtist", track="--tracknum",
    disc="--disk")

# What takes each format in place, without leaving it out of sight for a moment or longer.
TOOLS = {
    "mp3": ["mid3v2", "eyeD3", "kid3-cli", "ffmpeg", "ffmpeg-orig", "copied"],
    "flac": ["metaflac", "kid3-cli", "ffmpeg", "ffmpeg-orig", "copied"],
    "m4a": ["AtomicParsley", "kid3-cli", "mutagen", "ffmpeg", "ffmpeg-orig", "copied"],
    "ogg": ["vorbiscomment", "kid3-cli", "ffmpeg", "ffmpeg-orig", "copied"],
    "opus": ["kid3-cli", "mutagen", "ffmpeg", "ffmpeg-orig", "copied"],
    "wav": ["mutagen", "copied"],
    "aiff": ["mutagen", "kid3-cli", "copied"],
    "wv": ["mutagen", "copied"],
}
# Those that make a new file beside the old one, which the daemon may see.
BESIDE = ("ffmpeg", "ffmpeg-orig", "copied", "AtomicParsley")


def first(values):
    return str(values[0]) if values else None


def number(text):
    digits = (text or "").split("/")[0].strip()
    return int(digits) if digits.isdigit() else None


def chunks(data):
    """The chunks of a RIFF file or list, with what is in them."""
    place = 12
    while place + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, place)
        yield name, data[place + 8:place + 8 + size]
        place += 8 + size + size % 2


def read_info(path):
    """What the INFO chunk of a WAV says."""
    with open(path, "rb") as file:
        data = file.read()
    found = {}
    for name, body in chunks(data):
        if name == b"LIST" and body[:4] == b"INFO":
            # A list has its kind where a file has the rest of its head.
            for word, value in chunks(bytes(8) + body):
                text = value.rstrip(b"\0").decode(errors="replace").strip()
                if word in INFO and text:
                    found[INFO[word]] = text
    return found


def is_told_twice(path):
    """Whether a WAV has both kinds of tags, or another file the album artist in another spelling, as
    beets writes it: tools may read either, and ffmpeg loses one where it finds the other."""
    found = mutagen.File(path).tags
    if path.endswith(".wav"):
        return bool(read_info(path)) and found is not None
    is_vorbis = path.endswith((".flac", ".ogg", ".opus")) and found is not None
    return is_vorbis and any(key in found for key in (APE["band"], FFMPEG["band"]))


def read(path):
    """The fields of a file; all of them None where it has no tags."""
    file = mutagen.File(path)
    if file is None:
        raise ValueError(f"mutagen doesn't know {path}")
    found = dict.fromkeys(FIELDS)
    if isinstance(file, WAVE):
        found.update(read_info(path))
    for field in FIELDS if file.tags is not None else ():
        if isinstance(file.tags, id3.ID3):
            frame = file.tags.get(FRAMES[field])
            found[field] = first(frame.text) if frame else found[field]
        elif isinstance(file, MP4):
            values = file.tags.get(ATOMS[field])
            found[field] = first(values) if values else None
            if values and field in ("track", "disc"):
                # Of a pair, a zero stands for none.
                found[field] = str(values[0][0] or "")
        else:
            for key in (WORDS[field], APE[field]):
                values = file.tags.get(key)
                if values:
                    found[field] = str(values[0])
                    break
    found = {field: value or None for field, value in found.items()}
    # A track of zero counts where it is written, as beets does (rules 2).
    found["track"] = number(found["track"])
    found["disc"] = number(found["disc"]) or None
    return found


def write(path, changes):
    """By mutagen, in place."""
    file = mutagen.File(path)
    if file.tags is None:
        file.add_tags()
    for field, value in changes.items():
        if isinstance(file.tags, id3.ID3):
            file.tags.delall(FRAMES[field])
            if value is not None:
                file.tags.add(getattr(id3, FRAMES[field])(encoding=3, text=[str(value)]))
        elif isinstance(file, MP4):
            file.tags.pop(ATOMS[field], None)
            if value is not None:
                pair = [(int(value), 0)] if field in ("track", "disc") else [str(value)]
                file.tags[ATOMS[field]] = pair
        else:
            is_ape = path.endswith(".wv")
            for key in {WORDS[field], APE[field], FFMPEG[field]}:
                if key in file.tags:
                    del file.tags[key]
            if value is not None:
                file.tags[(APE if is_ape else WORDS)[field]] = str(value)
    if isinstance(file, (WAVE, AIFF)):
        file.save(v2_version=4)
    else:
        file.save()


def commands(tool, path, changes, current):
    """The commands by which a tool makes the changes; `current` are the fields as they are."""
    folder, name = os.path.split(path)
    if tool == "mid3v2":
        gone = [FRAMES[field] for field, value in changes.items() if value is None]
        there = [(field, value) for field, value in changes.items() if value is not None]
        made = []
        if gone:
            made.append(["mid3v2", "--delete-frames=" + ",".join(gone), path])
        if there:
            made.append(
                ["mid3v2", *[w for f, v in there for w in ("--" + FRAMES[f], str(v))], path])
        return made
    if tool == "eyeD3":
        words = [w for f, v in changes.items() for w in (EYED3[f], "" if v is None else str(v))]
        return [["eyeD3", "-Q", *words, path]]
    if tool == "kid3-cli":
        words = []
        for field, value in changes.items():
            words += ["-c", f"set \"{KID3[field]}\" \"{'' if value is None else value}\" 2"]
        return [["kid3-cli", *words, path]]
    if tool == "metaflac":
        words = []
        for field, value in changes.items():
            words.append(f"--remove-tag={WORDS[field]}")
            if value is not None:
                words.append(f"--set-tag={WORDS[field]}={value}")
        return [["metaflac", *words, path]]
    if tool == "vorbiscomment":
        after = {**current, **changes}
        words = [w for f, v in after.items() if v is not None for w in ("-t", f"{WORDS[f]}={v}")]
        return [["vorbiscomment", "-w", "-R", *words, path]]
    if tool == "AtomicParsley":
        words = [w for f, v in changes.items() for w in (PARSLEY[f], "" if v is None else str(v))]
        return [["AtomicParsley", path, *words, "--overWrite"]]
    if tool == "mutagen":
        return [mutagen_words(path, changes)]
    if tool == "copied":
        beside = os.path.join(folder, f"new-{name}")
        return [["cp", path, beside], mutagen_words(beside, changes), ["mv", beside, path]]
    if tool == "ffmpeg":
        beside = os.path.join(folder, f"tmp_{name}")
        return [remuxing(path, beside, changes), ["mv", beside, path]]
    if tool == "ffmpeg-orig":
        former = os.path.join(folder, f"orig_{name}")
        return [["mv", path, former], remuxing(former, path, changes), ["rm", former]]
    raise ValueError(tool)


def mutagen_words(path, changes):
    pairs = [f"{field}={'' if value is None else value}" for field, value in changes.items()]
    return ["/usr/bin/python3", "-B", os.path.abspath(__file__), path, *pairs]


def remuxing(old, new, changes):
    """ffmpeg with the same sound in a new file. Ogg has its tags with the stream."""
    option = "-metadata:s:a:0" if new.endswith((".ogg", ".opus")) else "-metadata"
    words = []
    for field, value in changes.items():
        words += [option, f"{FFMPEG[field]}={'' if value is None else value}"]
    return [
        "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", f"file:{old}", "-map", "0:a", "-c", "copy",
        *words, f"file:{new}",
    ]


if __name__ == "__main__":
    pairs = [word.split("=", 1) for word in sys.argv[2:]]
    write(sys.argv[1], {field: value or None for field, value in pairs})
