#!/usr/bin/env python3
"""Makes a folder of songs that are like a person's: artists, albums, discs, eight formats, covers
on 60 of 100 albums. The same songs for the same seed.

    music.py FOLDER --songs N [--seed N] [--small]

Up to 20,000 songs have 100 kB to 1 MB; more, or --small, 10 to 40 kB. A stamp beside the folder
says when it is whole; then it is used again. Templates of the sound are kept beside it, too.
"""
import argparse
import json
import multiprocessing
import os
import random
import shutil
import sys
import time

import names
import sounds
import tagging

VERSION = 1
LARGE = (100_000, 1_000_000)
SMALL = (10_000, 40_000)
# Song numbers of an album begin at its own multiple of this.
SONGS_OF_ALBUM = 64
ALBUMS_OF_ARTIST = 2.5


def stamp_path(folder):
    return folder + ".made"


def is_made(folder, parameters):
    try:
        with open(stamp_path(folder)) as file:
            return json.load(file) == parameters and os.path.isdir(folder)
    except (OSError, ValueError):
        return False


def make(folder, songs, seed=1, small=None):
    """Makes the folder, or finds it made. Returns whether it had to be made."""
    small = songs > 20_000 if small is None else small
    parameters = {"version": VERSION, "songs": songs, "seed": seed, "small": small}
    if is_made(folder, parameters):
        return False
    for stale in (folder, stamp_path(folder)):
        shutil.rmtree(stale, ignore_errors=True) if os.path.isdir(stale) else remove(stale)
    templates = os.path.join(
        os.path.dirname(folder), "templates-small" if small else "templates-large")
    sounds.make(templates, *(SMALL if small else LARGE))
    albums = list(plan(songs, seed))
    with multiprocessing.Pool(2, prepare, (folder, templates, seed)) as processes:
        for _ in processes.imap_unordered(make_album, albums, chunksize=8):
            pass
    with open(stamp_path(folder), "w") as file:
        json.dump(parameters, file)
    return True


def remove(path):
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def plan(songs, seed):
    """Albums, as their number and how many songs they have."""
    number = 0
    while songs > 0:
        dice = random.Random(f"{seed}/size/{number}")
        kind = dice.random()
        if kind < 0.08:
            count = dice.randint(1, 3)
        elif kind < 0.16:
            count = dice.randint(22, 32)
        else:
            count = dice.randint(7, 13)
        count = min(count, songs)
        yield number, count
        songs -= count
        number += 1


# What a process that makes albums has: set once, by `prepare`.
work = {}


def prepare(folder, templates, seed):
    work.update(folder=folder, seed=seed, sounds=sounds.Sounds(templates))


def make_album(planned):
    number, count = planned
    seed = work["seed"]
    dice = random.Random(f"{seed}/album/{number}")
    artist = names.artist(random.Random(f"{seed}/artist/{int(number / ALBUMS_OF_ARTIST)}"))
    # The number keeps two albums of one name apart.
    album = {
        "artist": artist, "albumartist": artist, "date": str(dice.randint(1958, 2024)),
        "album": f"{names.phrase(dice)} {number}" if dice.random() < 0.3 else names.phrase(dice),
        "genre": dice.choice(names.GENRES),
    }
    if dice.random() < 0.35:
        album["musicbrainz_albumid"] = names.musicbrainz(dice)
    kinds = list(sounds.FORMATS)
    kind = dice.choices(kinds, [sounds.FORMATS[kind][2] for kind in kinds])[0]
    cover = dice.choice(work["sounds"].covers) if dice.random() < 0.6 else None
    folder = os.path.join(
        work["folder"], names.file_name(artist), names.file_name(f"{album['album']} ({number})"))
    discs = 2 if count >= 22 else 1
    for index in range(count):
        make_song(album, dice, kind, cover, folder, number, index, count, discs)


def make_song(album, dice, kind, cover, folder, number, index, count, discs):
    tags = dict(album, title=names.title(dice))
    if "musicbrainz_albumid" in tags:
        tags["musicbrainz_trackid"] = names.musicbrainz(dice)
    songs_of_disc = -(-count // discs)
    disc, track = index // songs_of_disc + 1, index % songs_of_disc + 1
    tags["track"] = (track, songs_of_disc)
    if discs > 1:
        tags["disc"] = (disc, discs)
        folder = os.path.join(folder, f"CD{disc}")
    if dice.random() < 0.02:
        del tags["albumartist"]
    sound = work["sounds"].song(
        kind, dice.randrange(sounds.LENGTHS),
        (work["seed"] % 1000) * 10_000_000 + number * SONGS_OF_ALBUM + index)
    data = tagging.tagged(kind, sound, tags, cover)
    os.makedirs(folder, exist_ok=True)
    name = names.file_name(f"{track:02d} {tags['title']}")
    with open(os.path.join(folder, f"{name}.{kind}"), "wb") as file:
        file.write(data)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--songs", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", default=None)
    options = parser.parse_args()
    begin = time.monotonic()
    folder = os.path.abspath(options.folder)
    if make(folder, options.songs, options.seed, options.small):
        print(f"{options.songs} songs in {time.monotonic() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
