"""Made-up albums with made-up covers, for pictures of Crated."""
import hashlib
import os
import struct
import zlib

# Artist, title, year, and the colours of the cover; the last one came first.
ALBUMS = [
    ("Mirja Halonen", "Kesäyö", 2011, "0b3954 bfd7ea ff6663 e0ff4f"),
    ("The Paper Lanterns", "Harbour Songs", 1998, "22577a 38a3a5 57cc99 f6ae2d"),
    ("Quartet for Empty Rooms", "Staircases", 1974, "2b2d42 8d99ae edf2f4 ef233c"),
    ("Otto Brandt", "Baker's Light", 2015, "3d315b 444b6e f8f991 9ab87a"),
    ("Ines Calado", "Maré Alta", 1986, "264653 2a9d8f e9c46a e76f51"),
    ("The Paper Lanterns", "Second Winter", 2003, "355070 6d597a b56576 eaac8b"),
    ("Tomoko Arai", "夜の電車", 1981, "10002b 5a189a c77dff ffba08"),
    ("Low Country Choir", "Hymns for a Flood", 1969, "5f0f40 9a031e fb8b24 e9d8a6"),
    ("Delmas & Roy", "Blue Hour", 1959, "03045e 0077b6 90e0ef f8f7ff"),
    ("Ada Winter", "The Long Field", 2020, "606c38 283618 fefae0 dda15e"),
    ("Otto Brandt", "Four in the Morning", 2017, "001219 005f73 ee9b00 ca6702"),
    ("Ines Calado", "Sal", 1991, "f4f1de e07a5f 3d405b 81b29a"),
    ("North Pier", "Departures", 1978, "1d3557 457b9d f1faee e63946"),
    ("Ada Winter", "Thaw", 2023, "012a4a 2c7da0 a9d6e5 ff9f1c"),
    ("Night Ferry", "Ropes and Gulls", 1996, "0d1b2a 415a77 e0e1dd f4a261"),
    ("Saint Orchard", "Plum", 2008, "3c1642 086375 affc41 1dd3b0"),
    ("Low Country Choir", "Levee", 1972, "432818 99582a ffe6a7 bb9457"),
    ("Delmas & Roy", "Duets in Grey", 1961, "212529 6c757d e9ecef d90429"),
    ("Tomoko Arai", "Paper Moon", 1984, "240046 7b2cbf e0aaff ff8500"),
    ("Saint Orchard", "Windfall", 2014, "132a13 4f772d ecf39e f3722c"),
    ("North Pier", "Arrivals", 1980, "03071e 9d0208 ffba08 f48c06"),
]
SONGS = ["Low Tide", "The Long Way Round", "Ropes", "A Lamp in the Hall", "Kettle", "High Water",
         "Landing", "First Tram"]
CRATES = [("Late night", ["Blue Hour", "Four in the Morning", "夜の電車"]),
          ("Sunday", ["The Long Field", "Hymns for a Flood"])]


def png(width, height, rgb):
    lines = b"".join(b"\0" + rgb[3 * width * y:3 * width * (y + 1)] for y in range(height))

    def chunk(name, content):
        return (struct.pack(">I", len(content)) + name + content
                + struct.pack(">I", zlib.crc32(name + content)))

    form = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", form)
            + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def cover(number, colors, side=240):
    """A few shapes in four colours, other ones for each number."""
    dark, middle, light, bright = (bytes.fromhex(color) for color in colors.split())

    def pixel(x, y):
        if number % 5 == 0:  # A sun above the sea.
            if (x - .62) ** 2 + (y - .38) ** 2 < .05:
                return bright if y < .5 or int(y * 40) % 2 else middle
            return dark if y > .5 and int(y * 24) % 3 else middle if y > .5 else light
        if number % 5 == 1:  # Hills.
            for ink, base, height in [(dark, .8, .09), (middle, .62, .13), (bright, .42, .1)]:
                wave = 1 - abs(((x * 2.2 + base * 7) % 2) - 1)
                if y > base - height * wave:
                    return ink
            return light
        if number % 5 == 2:  # Quarters of circles in a grid.
            column, row = int(x * 4), int(y * 4)
            turn = (column * 3 + row * 5 + number) % 4
            u, v = x * 4 - column, y * 4 - row
            u, v = (1 - u if turn & 1 else u), (1 - v if turn & 2 else v)
            inside = u * u + v * v < .95
            return [dark, bright][turn % 2] if inside else [light, middle][(column + row) % 2]
        if number % 5 == 3:  # Rings.
            ring = int(((x - .3) ** 2 + (y - .7) ** 2) ** .5 * 9)
            return [dark, middle, light, bright][ring % 4]
        stripe = int((x + y) * 7)  # Slanted stripes behind a disc.
        if (x - .5) ** 2 + (y - .5) ** 2 < .07:
            return bright
        return [dark, middle, dark, light][stripe % 4]

    return png(side, side, b"".join(pixel((x + .5) / side, (y + .5) / side)
                                    for y in range(side) for x in range(side)))


def flac(seconds, tags):
    """A file with the length and the tags of a song; the sound itself is noise."""
    text = b"\x04\0\0\0none" + struct.pack("<I", len(tags))
    for name, value in tags.items():
        comment = f"{name}={value}".encode()
        text += struct.pack("<I", len(comment)) + comment
    noise = hashlib.shake_128(text).digest(8000)
    rates = (44100 << 44) | (1 << 41) | (15 << 36) | (seconds * 44100)
    information = struct.pack(">HH", 4096, 4096) + bytes(6) + rates.to_bytes(8, "big") + noise[:16]
    return (b"fLaC\0" + len(information).to_bytes(3, "big") + information
            + b"\x84" + len(text).to_bytes(3, "big") + text + b"\xff\xf8" + noise)


def music(folder):
    for number, (artist, title, year, colors) in reversed(list(enumerate(ALBUMS))):
        place = f"{folder}/{artist}/{title}"
        os.makedirs(place)
        for track in range(1, 5 + number % 4):
            tags = {"TITLE": SONGS[(number + track * 3) % len(SONGS)], "ARTIST": artist,
                    "ALBUM": title, "TRACKNUMBER": track, "DATE": year}
            with open(f"{place}/{track:02}.flac", "wb") as file:
                file.write(flac(150 + (number * 67 + track * 41) % 260, tags))
        with open(f"{place}/cover.png", "wb") as file:
            file.write(cover(number, colors))
