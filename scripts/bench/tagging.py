"""Puts tags and covers into made-up songs, by mutagen."""
import base64
import io

from mutagen import aiff, apev2, flac, id3, mp3, mp4, oggopus, oggvorbis, wave, wavpack

KINDS = {
    "mp3": mp3.MP3, "flac": flac.FLAC, "m4a": mp4.MP4, "ogg": oggvorbis.OggVorbis,
    "opus": oggopus.OggOpus, "wav": wave.WAVE, "aiff": aiff.AIFF, "wv": wavpack.WavPack,
}
FRAMES = {
    "title": id3.TIT2, "artist": id3.TPE1, "album": id3.TALB, "albumartist": id3.TPE2,
    "date": id3.TDRC, "genre": id3.TCON,
}
ATOMS = {
    "title": "\xa9nam", "artist": "\xa9ART", "album": "\xa9alb", "albumartist": "aART",
    "date": "\xa9day", "genre": "\xa9gen",
}
APE_KEYS = {"albumartist": "Album Artist", "date": "Year"}
IDS = {"musicbrainz_trackid": "Track Id", "musicbrainz_albumid": "Album Id"}


def tagged(kind, sound, tags, cover):
    """The bytes of a song with tags: text, and track and disc as pairs of number and total."""
    stream = io.BytesIO(sound)
    audio = KINDS[kind](stream)
    if audio.tags is None:
        audio.add_tags()
    if kind in ("mp3", "wav", "aiff"):
        write_id3(audio.tags, tags, cover)
    elif kind == "m4a":
        write_atoms(audio.tags, tags, cover)
    elif kind == "wv":
        write_ape(audio.tags, tags, cover)
    else:
        write_comments(kind, audio, tags, cover)
    stream.seek(0)
    if kind == "mp3":
        audio.tags.save(stream, v1=0)
    else:
        audio.save(stream)
    return stream.getvalue()


def write_id3(frames, tags, cover):
    for key, value in tags.items():
        if key in FRAMES:
            frames.add(FRAMES[key](encoding=3, text=value))
        elif key == "track":
            frames.add(id3.TRCK(encoding=3, text=f"{value[0]}/{value[1]}"))
        elif key == "disc":
            frames.add(id3.TPOS(encoding=3, text=f"{value[0]}/{value[1]}"))
        elif key == "musicbrainz_trackid":
            frames.add(id3.UFID(owner="http://musicbrainz.org", data=value.encode()))
        else:
            frames.add(id3.TXXX(encoding=3, desc=f"MusicBrainz {IDS[key]}", text=value))
    if cover:
        frames.add(id3.APIC(encoding=3, mime="image/jpeg", type=3, desc="", data=cover))


def write_atoms(atoms, tags, cover):
    for key, value in tags.items():
        if key in ATOMS:
            atoms[ATOMS[key]] = [value]
        elif key in ("track", "disc"):
            atoms["trkn" if key == "track" else "disk"] = [value]
        else:
            name = f"----:com.apple.iTunes:MusicBrainz {IDS[key]}"
            atoms[name] = [mp4.MP4FreeForm(value.encode())]
    if cover:
        atoms["covr"] = [mp4.MP4Cover(cover, mp4.MP4Cover.FORMAT_JPEG)]


def write_ape(items, tags, cover):
    for key, value in tags.items():
        text = f"{value[0]}/{value[1]}" if isinstance(value, tuple) else value
        items[APE_KEYS.get(key, key.upper() if key in IDS else key.capitalize())] = text
    if cover:
        items["Cover Art (Front)"] = apev2.APEValue(b"cover.jpg\0" + cover, apev2.BINARY)


def write_comments(kind, audio, tags, cover):
    for key, value in tags.items():
        if isinstance(value, tuple):
            audio.tags[key + "number"] = [str(value[0])]
            audio.tags[key + "total"] = [str(value[1])]
        else:
            audio.tags[key] = [value]
    if not cover:
        return
    picture = flac.Picture()
    picture.type, picture.mime, picture.data = 3, "image/jpeg", cover
    if kind == "flac":
        audio.add_picture(picture)
    else:
        audio.tags["metadata_block_picture"] = [base64.b64encode(picture.write()).decode()]
