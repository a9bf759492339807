"""Sound for made-up songs: a few files of each format and length, encoded once by ffmpeg, of which
every song gets a copy that differs in some bytes of its sound."""
import io
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

# What ffmpeg is asked for, about how many bytes a second that makes, and how many songs of a
# hundred are such.
FORMATS = {
    "mp3": (["-c:a", "libmp3lame", "-b:a", "128k", "-id3v2_version", "0"], 16_000, 50),
    "flac": (["-c:a", "flac", "-sample_fmt", "s16"], 95_000, 20),
    "m4a": (["-c:a", "aac", "-b:a", "128k", "-f", "ipod"], 16_000, 15),
    "ogg": (["-c:a", "libvorbis", "-q:a", "4", "-page_duration", "200000"], 15_000, 5),
    "opus": (["-c:a", "libopus", "-b:a", "96k", "-page_duration", "200000"], 12_000, 4),
    "wav": (["-c:a", "pcm_s16le"], 176_400, 2),
    "aiff": (["-c:a", "pcm_s16be"], 176_400, 2),
    "wv": (["-c:a", "wavpack", "-sample_fmt", "s16p"], 95_000, 2),
}
LENGTHS = 8
COVERS = 6


def make(folder, smallest, largest):
    """Encodes what is missing; the lengths are such that files have from so many bytes to so
    many."""
    os.makedirs(folder, exist_ok=True)
    wanted = []
    for kind, (options, rate, _) in FORMATS.items():
        for length in range(LENGTHS):
            size = smallest * (largest / smallest) ** (length / (LENGTHS - 1))
            wanted.append((sound_path(folder, kind, length), noise(size / rate, length) + options))
    for number in range(COVERS):
        pixels = int(60 * 1.35 ** number) * (1 if largest < 100_000 else 2)
        picture = f"gradients=s={pixels}x{pixels}:seed={number + 1}:d=1:r=1"
        picture += ",noise=alls=12:all_seed=3"
        wanted.append(
            (cover_path(folder, number), ["-f", "lavfi", "-i", picture, "-frames:v", "1"]))
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda one: encode(*one), wanted))


def noise(seconds, seed):
    kind = f"anoisesrc=d={seconds:.3f}:c=pink:r=44100:a=0.15:seed={seed + 1}"
    tone = f"sine=f={220 + 55 * seed}:r=44100:d={seconds:.3f}"
    return [
        "-f", "lavfi", "-i", kind, "-f", "lavfi", "-i", tone, "-filter_complex", "amerge",
        "-ac", "2",
    ]


def encode(path, arguments):
    if os.path.exists(path):
        return
    stem, ending = os.path.splitext(path)
    unfinished = f"{stem}.new{ending}"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-threads", "1", *arguments, "-map_metadata",
         "-1", "-fflags", "+bitexact", unfinished], check=True)
    os.rename(unfinished, path)


def sound_path(folder, kind, length):
    return os.path.join(folder, f"{length}.{kind}")


def cover_path(folder, number):
    return os.path.join(folder, f"cover-{number}.jpg")


class Sounds:
    """The files of a folder that `make` has filled, in memory."""

    def __init__(self, folder):
        self.templates = {
            kind: [read(sound_path(folder, kind, length)) for length in range(LENGTHS)]
            for kind in FORMATS
        }
        self.covers = [read(cover_path(folder, number)) for number in range(COVERS)]
        self.pages = {}

    def song(self, kind, length, number):
        """A file that sounds like no other: the number stands in its sound."""
        if kind in ("ogg", "opus"):
            return self.ogg(kind, length, number)
        data = bytearray(self.templates[kind][length])
        mark = b"%016d" % number
        # Far enough in to be sound in each of the formats, whatever the container puts first.
        place = {"mp3": 700, "flac": len(data) // 2, "wv": 2_000}.get(kind, len(data) // 2)
        data[place:place + len(mark)] = mark
        if kind == "flac":
            # The sum of the samples, by which FLAC files are told apart.
            data[26:42] = mark
        return data

    def ogg(self, kind, length, number):
        """Ogg has a checksum on every page."""
        from mutagen.ogg import OggPage

        pages = self.pages.get((kind, length))
        if pages is None:
            stream = io.BytesIO(self.templates[kind][length])
            pages = []
            while stream.tell() < len(self.templates[kind][length]):
                pages.append(OggPage(stream))
            self.pages[kind, length] = pages
        marked = len(pages) - 1
        out = []
        for place, page in enumerate(pages):
            if place == marked:
                packets = page.packets
                longest = max(range(len(packets)), key=lambda at: len(packets[at]))
                packet = packets[longest]
                middle = len(packet) // 2
                mark = b"%08d" % number
                page.packets = list(packets)
                page.packets[longest] = packet[:middle] + mark + packet[middle + len(mark):]
                out.append(page.write())
                page.packets = packets
            else:
                out.append(page.write())
        return bytearray(b"".join(out))


def read(path):
    with open(path, "rb") as file:
        return file.read()
