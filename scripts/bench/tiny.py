"""Tiny songs of own bytes, for folders that no person has: an eighth of a second of noise, and tags
of one letter more or less. Tens of thousands are made in seconds."""
import os
import random
import struct

RATE = 8_000
SAMPLES = 1_000
FRAMES = {"title": b"TIT2", "artist": b"TPE1", "album": b"TALB"}
# An ID3 tag's sizes have seven bits in a byte, of which these tags need one.
TEXT_MOST = 126


def song(sound, **tags):
    """A WAV file; those of one number sound the same."""
    noise = random.Random(sound).randbytes(SAMPLES)
    wave = struct.pack("<IHHIIHH", 16, 1, 1, RATE, RATE, 1, 8)
    chunks = b"fmt " + wave + chunk(b"data", noise) + chunk(b"id3 ", identity(tags))
    return chunk(b"RIFF", b"WAVE" + chunks)


def chunk(name, content):
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def identity(tags):
    """An ID3 tag, version 2.4."""
    frames = b""
    for name, text in tags.items():
        content = b"\x03" + text.encode()
        assert len(content) <= TEXT_MOST, f"{text} is too long"
        frames += FRAMES[name] + struct.pack(">IH", len(content), 0) + content
    return b"ID3\x04\0\0" + struct.pack(">BBBB", 0, 0, len(frames) >> 7, len(frames) & 127) + frames


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
