#!/usr/bin/env python3
"""Measures the page of `crated web` in Chromium, with 8,000 albums in one crate, and prints one
table: each figure with its bar, met or not. Exits with 1 where a bar is missed.

    window.py --programs DIRECTORY --report FILE [--albums N] [--rounds N]

The time of a frame and of the main thread is that thread's processor time. Of what is measured by
the clock the best round counts: other programs can only add to it.
"""
import argparse
import itertools
import math
import os
import pathlib
import platform
import sys
import time

import processes
from figures import Row, median, megabytes, percentile, table

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Window"))
from stand import LIMIT, Browser, Stand, link_of, made_up, wait_for  # noqa: E402

FRAMES = 240
DROPS = 15
SPEED = 3  # Pixels a millisecond.
# Connections that browsers keep are closed after 75 seconds.
IDLE_AFTER = 80
IDLE_SECONDS = 30

# Resolves `covered` when every cover on the screen has been painted.
WITNESS = """globalThis.covered = new Promise((resolve) => {
  const isSeen = (card) => card.checkVisibility() && card.getBoundingClientRect().top < innerHeight;
  document.addEventListener('load', async ({ target }) => {
    if (!target.closest?.('#grid')) return;
    await target.decode();
    requestAnimationFrame(() => setTimeout(() => {
      target.isPainted = true;
      const cards = [...document.querySelectorAll('#grid .card')].filter(isSeen);
      if (cards.every((card) => card.querySelector('img')?.isPainted)) resolve(performance.now());
    }));
  }, true);
});"""
# Milliseconds from the next drop until a card glides, and until the daemon's sentence is shown.
NEXT_DROP = """globalThis.dropped = new Promise((resolve) => {
  addEventListener('pointerup', ({ timeStamp }) => {
    const since = () => performance.now() - timeStamp, said = document.getElementById('said');
    const glide = new Promise((done) => {
      const look = () => document.getAnimations().some(({ effect }) =>
        effect.target.matches('.card')) ? done(since()) : requestAnimationFrame(look);
      requestAnimationFrame(look);
    });
    const sentence = new Promise((done) =>
      new MutationObserver(() => done(since())).observe(said, { childList: true }));
    resolve(Promise.all([glide, sentence]));
  }, { once: true, capture: true });
});"""
# Bytes of the page's own files as they were sent, each counted once.
SENT = """const all = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
  const own = all.filter(({ name }) => !/\\/(covers|call|devices|enter)/.test(name));
  const sizes = new Map(own.map(({ name, encodedBodySize }) => [name, encodedBodySize]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)"""


def filling(count):
    def fill(folder):
        """Makes so many albums of one song, each with a cover of its own."""
        covers = [made_up.cover(number, one[3]) for number, one in enumerate(made_up.ALBUMS)]
        for number in range(count):
            artist, title, year, _ = made_up.ALBUMS[number % len(covers)]
            album = folder / f"{number:05}"
            album.mkdir()
            tags = {"TITLE": "Song", "ARTIST": artist, "ALBUM": f"{title} {number}", "DATE": year}
            (album / "1.flac").write_bytes(made_up.flac(200, tags))
            # What follows the end of a picture makes it another one.
            (album / "cover.png").write_bytes(covers[number % len(covers)] + b"%d" % number)
    return fill


class Page:
    """A browser in which the page is open, and how long its main thread has run."""

    def __init__(self, stand):
        self.browser = Browser(is_calm=False)
        # The tree for screen readers costs the page's thread as much again.
        self.browser.cdp("Accessibility.disable")
        self.browser.cdp("Performance.enable", timeDomain="threadTicks")
        self.browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=WITNESS)
        self.browser.open(link_of(stand))
        self.load_wall = self.value("covered")
        self.load_thread = self.ran()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.end()

    def value(self, expression):
        """What a promise of the page resolves to."""
        answer = self.browser.cdp(
            "Runtime.evaluate", awaitPromise=True, returnByValue=True, expression=f"""
              Promise.race([{expression}, new Promise((_, reject) => setTimeout(
                () => reject(new Error('not within {LIMIT} s')), {LIMIT} * 1000))])""")
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def metric(self, name):
        metrics = self.browser.cdp("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == name)

    def ran(self):
        """Milliseconds that the main thread has run."""
        return self.metric("TaskDuration") * 1e3

    def frames(self, act=lambda: None):
        """Milliseconds that the main thread runs for each of some frames, and for being asked."""
        taken = []
        end = self.ran()
        for _ in range(FRAMES):
            act()
            self.value("new Promise(requestAnimationFrame)")
            begin, end = end, self.ran()
            taken.append(end - begin)
        return taken

    def top(self):
        return self.browser.script("return document.getElementById('grid').scrollTop")

    def size(self):
        """How many cards there are, and the bytes of the heap."""
        self.browser.cdp("HeapProfiler.collectGarbage")
        cards = self.browser.script("return document.querySelectorAll('.card').length")
        return cards, self.metric("JSHeapUsedSize")


def milliseconds(*values):
    return " / ".join(f"{value:.0f}" if value >= 100 else f"{value:.1f}" for value in values) + " ms"


def quantiles(taken):
    return median(taken), percentile(taken, 0.95)


def row(what, values, bars, show=milliseconds, notes=()):
    return Row(what, show(*values), f"≤ {show(*bars)}", notes=tuple(notes),
               met=all(value <= bar for value, bar in zip(values, bars)))


def loading(stand, rounds):
    with Page(stand) as page:
        cold = page.load_wall
    pages = []
    for _ in range(rounds):
        with Page(stand) as page:
            pages.append((page.load_wall, page.load_thread))
    walls, threads = zip(*pages)
    return [
        row("link to covers", [min(walls)], [400], notes=[
            f"{rounds} rounds: " + ", ".join(milliseconds(*one) for one in pages),
            f"covers that were never asked for before: {milliseconds(cold)}"]),
        row("link to covers, main thread", [min(threads)], [150])]


def moving(page):
    """The rows about frames."""
    browser = page.browser
    asking = milliseconds(*quantiles(page.frames()))
    browser.grasp(browser.album(browser.titles()[2]), (700, 400), drop=False)
    steps = itertools.count()

    def about():
        turn = next(steps) / 9
        browser.mouse("mouseMoved", 620 + 250 * math.sin(turn), 450 + 300 * math.cos(turn),
                      held=True)
    dragging = page.frames(about)
    browser.mouse("mouseMoved", 620, 890, held=True)
    time.sleep(0.5)
    begin = page.top()
    pulled = page.frames()
    way = page.top() - begin
    cards, heap = page.size()
    browser.key("Escape")
    browser.mouse("mouseReleased", 620, 890)
    last = time.monotonic()

    def wheel():
        nonlocal last
        begin, last = last, time.monotonic()
        browser.cdp("Input.dispatchMouseEvent", type="mouseWheel", x=620, y=450, deltaX=0,
                    deltaY=SPEED * (last - begin) * 1e3)
    scrolled = page.frames(wheel)
    cards, heap = max(cards, page.size()[0]), max(heap, page.size()[1])
    return [
        row("a frame while dragging, p50 / p95", quantiles(dragging), [6, 10], notes=[
            f"in this and the next two rows, being asked takes {asking} of it"]),
        row("a frame while pulled by the edge, p50 / p95", quantiles(pulled), [6, 10], notes=[
            f"over {way:.0f} pixels"]),
        row("a frame of scrolling, p50", [median(scrolled)], [10], notes=[
            f"over {page.top():.0f} pixels; p95 {milliseconds(percentile(scrolled, 0.95))}"]),
        row("cards", [cards], [80], show="{:.0f}".format),
        row("heap", [heap], [25 << 20], show=megabytes)]


def dropping(page):
    browser = page.browser
    browser.script("document.getElementById('grid').scrollTop = 0")
    time.sleep(0.5)
    taken = []
    for number in range(DROPS):
        titles = browser.titles()
        album, place = titles[1 + number % 3], titles[5 + number % 4]
        x, y = browser.grasp(browser.album(album), browser.album(place).point(0.8), drop=False)
        browser.script(NEXT_DROP)
        browser.mouse("mouseReleased", x, y)
        taken.append(page.value("dropped"))
        time.sleep(0.5)
    glides, sentences = zip(*taken)
    return [
        row(f"drop to {what}", [min(times)], [most], notes=[
            f"of {DROPS}; p50 / p95 {milliseconds(*quantiles(times))}"])
        for what, times, most in [("glide", glides, 50), ("the daemon's sentence", sentences, 100)]]


def resting(stand, page):
    """The rows about the page's files, and about what serves them."""
    pid = stand.web.pid
    sent = page.browser.script(SENT)
    time.sleep(IDLE_AFTER)
    before = processes.switches(pid)
    time.sleep(IDLE_SECONDS)
    woken = sum(processes.switches(pid).values()) - sum(before.values())
    return [
        row("the page, compressed", [sent], [40 << 10], show=lambda size: f"{size / 1024:.2f} KiB"),
        row("memory of crated web at rest", [processes.resident(pid)], [15 << 20], show=megabytes,
            notes=[f"of its own: {megabytes(processes.own(pid))}"]),
        row(f"wakeups of crated web in {IDLE_SECONDS} s, a page open", [woken], [0], show=str)]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, help="where crated and crate are")
    parser.add_argument("--report", required=True, help="the table goes there, too")
    parser.add_argument("--albums", type=int, default=8_000)
    parser.add_argument("--rounds", type=int, default=9, help="how often the page is opened")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    stand = Stand(options.programs, fill=filling(options.albums), crates=())
    try:
        rows = loading(stand, options.rounds)
        with Page(stand) as page:
            wait_for(lambda: page.browser.script(
                "return !document.getElementById('arrivals').hidden"), "all is read")
            time.sleep(1)
            rows += moving(page) + dropping(page) + resting(stand, page)
    finally:
        stand.end()
    text = (f"{options.albums} albums; {os.cpu_count()} processors, Linux {platform.release()},"
            f" load {load:.1f} at the beginning\n\n{table(rows)}")
    print(text, end="")
    pathlib.Path(options.report).write_text(text)
    sys.exit(0 if all(one.met for one in rows) else 1)


if __name__ == "__main__":
    main()
