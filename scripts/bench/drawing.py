"""A picture of how figures grow with the library, both axes logarithmic: what takes as much longer
as there is more of it is as steep as the grey lines."""
import math
from html import escape

from figures import seconds

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 70, 260, 44, 50
COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#7b4b94", "#b07d2b", "#44546a", "#a63d5c", "#2a7f62")
# Lines that end closer to each other have their names moved apart.
LINE = 17


def growth(title, sizes, figures):
    """The picture as SVG: a line for each name in `figures`, which has seconds, more than 0, for each
    of the sizes."""
    values = [value for row in figures.values() for value in row]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    first, last = math.log10(sizes[0]), math.log10(sizes[-1])

    def x(size):
        return LEFT + wide * (math.log10(size) - first) / (last - first)

    def y(value):
        return TOP + tall * (high - math.log10(value)) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fbfaf7"/>',
        f'<text x="{LEFT}" y="26" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    for power in range(low, high + 1):
        level = y(10.0 ** power)
        parts.append(
            f'<path d="M{LEFT} {level:.1f}H{LEFT + wide}" stroke="#ddd"/>'
            f'<text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end"'
            f' fill="#555">{tick(10.0 ** power)}</text>')
        # As much more as there are more songs.
        end = 10.0 ** power * sizes[-1] / sizes[0]
        share = 1 if end <= 10.0 ** high else (high - power) / (last - first)
        if power < high:
            parts.append(
                f'<path d="M{LEFT} {level:.1f}L{LEFT + wide * share:.1f}'
                f' {max(y(end), TOP):.1f}" stroke="#ddd" stroke-dasharray="3 4"/>')
    for size in sizes:
        parts.append(
            f'<text x="{x(size):.1f}" y="{HEIGHT - 20}" text-anchor="middle"'
            f' fill="#555">{size:,} songs</text>')
    ends = sorted(figures, key=lambda name: -figures[name][-1])
    lowest = TOP - LINE
    for number, name in enumerate(ends):
        row, colour = figures[name], COLOURS[number % len(COLOURS)]
        points = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in zip(sizes, row))
        level = max(y(row[-1]), lowest + LINE)
        lowest = level
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>'
            for size, value in zip(sizes, row)
        ]
        parts.append(
            f'<text x="{LEFT + wide + 12}" y="{level + 4:.1f}" fill="{colour}">{escape(name)}:'
            f" {seconds(row[-1])}</text>")
    return "\n".join([*parts, "</svg>", ""])


def tick(value):
    return f"{value:g} s" if value >= 1 else f"{value * 1e3:g} ms"
