"""Songs that are told apart by how they sound: each is a pair of tones, found again by ffmpeg and a
few multiplications, whatever became of its tags, its name, its format or its gain."""
import math
import operator
import os
import subprocess
import sys

# A low tone for the number's units and a high one for its twenties.
LOW = [300 + 50 * step for step in range(20)]
HIGH = [1600 + 100 * step for step in range(20)]
SOUNDS = len(LOW) * len(HIGH)
SECONDS = 3
# What is listened to: so many samples of so many a second, this late in the song.
RATE = 8_000
WINDOW = 1_024
BEFORE = 1.2
# A tone that is not this many times as strong as the next one is none.
CLEAR = 4
# ffmpeg is started once for so many files.
TOGETHER = 12

ENCODERS = {
    "mp3": ["-c:a", "libmp3lame", "-b:a", "96k", "-id3v2_version", "0", "-write_xing", "0"],
    "flac": ["-c:a", "flac", "-sample_fmt", "s16"],
    "m4a": ["-c:a", "aac", "-b:a", "96k", "-f", "ipod"],
    "ogg": ["-c:a", "libvorbis", "-q:a", "3"],
    "opus": ["-c:a", "libopus", "-b:a", "64k"],
    "wav": ["-c:a", "pcm_s16le"],
    "aiff": ["-c:a", "pcm_s16be"],
    "wv": ["-c:a", "wavpack", "-sample_fmt", "s16p"],
}


def source(sound):
    """What ffmpeg is given to make the sound: two tones, and noise that keeps every format from
    packing it into nothing."""
    tones = (LOW[sound % len(LOW)], HIGH[sound // len(LOW)])
    made = [f"sine=f={tone}:r=44100:d={SECONDS}" for tone in tones]
    made.append(f"anoisesrc=d={SECONDS}:c=pink:a=0.02:r=44100:seed={sound + 1}")
    inputs = [word for one in made for word in ("-f", "lavfi", "-i", one)]
    return [*inputs, "-filter_complex", "amix=inputs=3:normalize=0", "-ac", "1"]


def pooled(folder, sound, kind):
    """A file without tags that has the sound; it is made when it is first wanted."""
    path = os.path.join(folder, f"{sound}.{kind}")
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        unfinished = os.path.join(folder, f"new-{os.getpid()}-{sound}.{kind}")
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-threads", "1", *source(sound),
             *ENCODERS[kind], "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a",
             "+bitexact", unfinished], check=True)
        os.rename(unfinished, path)
    return path


def tables(tones):
    """For each tone what the samples are multiplied with."""
    found = []
    for tone in tones:
        turn = 2 * math.pi * tone / RATE
        found.append(
            ([math.cos(turn * place) for place in range(WINDOW)],
             [math.sin(turn * place) for place in range(WINDOW)]))
    return found


TABLES = (tables(LOW), tables(HIGH))


def strongest(samples, waves):
    """Which of the tones is heard; None where none stands out."""
    powers = []
    for cosine, sine in waves:
        powers.append(
            sum(map(operator.mul, samples, cosine)) ** 2
            + sum(map(operator.mul, samples, sine)) ** 2)
    order = sorted(range(len(powers)), key=powers.__getitem__, reverse=True)
    return order[0] if powers[order[0]] > CLEAR * max(powers[order[1]], 1) else None


def recognised(raw):
    samples = memoryview(raw[:len(raw) // 2 * 2]).cast("h")[-WINDOW:].tolist()
    if len(samples) < WINDOW:
        return None
    low, high = (strongest(samples, waves) for waves in TABLES)
    return None if low is None or high is None else low + len(LOW) * high


class Ear:
    """Which sound each file has. A file that is as it was is not listened to again. tar keeps whole
    seconds, so that two files of one length may have all else alike, one after the other, where an
    inode is used again: the time of the change tells them apart."""

    def __init__(self, scratch):
        self.known = {}
        self.folder = os.path.join(scratch, "heard")
        os.makedirs(self.folder, exist_ok=True)

    @staticmethod
    def stamp(path):
        status = os.stat(path)
        return (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns,
                status.st_size)

    def hear(self, paths):
        """The sounds of files by their paths; None where it is no sound of ours."""
        stamps = {path: self.stamp(path) for path in paths}
        unknown = [path for path in paths if stamps[path] not in self.known]
        for start in range(0, len(unknown), TOGETHER):
            some = unknown[start:start + TOGETHER]
            for path, sound in zip(some, self.listen(some)):
                self.known[stamps[path]] = sound
        return {path: self.known[stamp] for path, stamp in stamps.items()}

    def listen(self, paths):
        raws = [os.path.join(self.folder, f"{place}.raw") for place in range(len(paths))]
        words = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
        for path in paths:
            words += ["-i", f"file:{path}"]
        for place, raw in enumerate(raws):
            words += ["-map", f"{place}:a", "-ac", "1", "-ar", str(RATE), "-t", str(
                BEFORE + WINDOW / RATE), "-f", "s16le", raw]
        if subprocess.run(words, capture_output=True).returncode:
            # One that can't be read must not deafen us for the others.
            if len(paths) == 1:
                return [None]
            return [sound for path in paths for sound in self.listen([path])]
        sounds = []
        for raw in raws:
            with open(raw, "rb") as file:
                sounds.append(recognised(file.read()))
            os.unlink(raw)
        return sounds


if __name__ == "__main__":
    # sounds.py NUMBER PATH
    target = os.path.abspath(sys.argv[2])
    os.makedirs(os.path.dirname(target), exist_ok=True)
    made = pooled(os.path.dirname(target), int(sys.argv[1]), target.rsplit(".", 1)[1])
    os.rename(made, target)
