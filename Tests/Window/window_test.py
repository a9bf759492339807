#!/usr/bin/env python3
"""The page of `crated web` in a real browser: python3 window_test.py PROGRAMS-DIR [NAME…].

Each test drives one page by mouse, finger or keys, and is judged by what `crate list` says.
PROGRAMS-DIR has crated and crate; NAME… picks tests whose names contain it. Needs chromium and its
driver, selenium and axe-core-python.
"""
import contextlib
import json
import re
import shutil
import subprocess
import sys
import time
import traceback

from stand import Browser, MODIFIERS, Stand, link_of, made_up, wait_for

TESTS = []


def test(**how):
    """A test of a page: `is_phone`, `is_calm` and `crate`, the one that is open."""
    def add(function):
        TESTS.append((function.__name__, how, function))
        return function
    return add


@contextlib.contextmanager
def page(stand, crate="Music", **how):
    browser = Browser(*((390, 844) if how.get("is_phone") else (1440, 900)), **how)
    try:
        come_in(stand, browser)
        if crate != "Music":
            browser.key(str(stand.crates().index(crate) + 1))
            browser.find("heading", crate)
        yield browser
        errors = [one["message"] for one in browser.driver.get_log("browser")
                  if "Failed to load resource" not in one["message"]]
        assert not errors, errors
    finally:
        browser.end()


def come_in(stand, browser):
    browser.open(link_of(stand))
    browser.find("listbox", lambda name: name.startswith("Albums in "))
    wait_for(lambda: any(browser.names("option")), "options")
    wait_for(lambda: browser.script("return document.querySelector('#arrivals:not([hidden])')"), "all is read")


def listed(stand, crate, expected):
    """Waits until the daemon lists these titles first."""
    wait_for(lambda: stand.albums(crate)[:len(expected)] == expected,
             lambda: f"{crate}: {stand.albums(crate)}, not {expected}")


def shown(stand, browser, crate):
    """Waits until the page shows what the daemon lists."""
    titles = stand.albums(crate)
    wait_for(lambda: browser.places() and all(titles[place - 1] == title
                                              for place, title in browser.places().items()
                                              if place <= len(titles)),
             lambda: f"{browser.places()}, not {titles}")


def cursor(browser):
    return browser.script("""const grid = document.getElementById('grid');
      return document.getElementById(grid.getAttribute('aria-activedescendant'))
        ?.querySelector('.t').textContent""")


def selected(browser):
    return [node.name.split(",")[0] for node in browser.all("option")
            if node.properties.get("selected") and "," in node.name and node.attribute("aria-posinset")]


# Roles and names.

@test()
def test_roles_and_names(stand, browser):
    albums = stand.albums("Music")
    browser.find("navigation", "Crates")
    browser.find("listbox", "Crates")
    browser.find("option", f"Music, {len(albums)} albums")
    browser.find("main")
    browser.find("heading", "Music")
    browser.find("listbox", "Albums in Music")
    first = browser.find("option", "Kesäyö, Mirja Halonen, 2011")
    assert first.attribute("aria-posinset") == "1"
    assert first.attribute("aria-setsize") == str(len(albums))
    browser.find("complementary", "Album Kesäyö")
    browser.find("listbox", "Songs of Kesäyö")
    browser.find("searchbox", "Find albums and songs")
    for name in ("Undo", "Redo", "Sort", f"New arrivals, {len(albums)}", "Devices", "Keys"):
        browser.find("button", name)
    browser.none("toolbar", "Selection")
    browser.key("Space")
    browser.find("toolbar", "Selection")
    for name in ("To the top", "Up", "Down", "To the bottom", "Move to crate", "Play", "Select none"):
        browser.find("button", name)
    browser.key("Escape")
    browser.none("toolbar", "Selection")


# Keys.

@test()
def test_cursor_keys(stand, browser):
    albums = stand.albums("Music")
    for strokes, index in [(["ArrowRight"], 1), (["l", "h", "h"], 0), (["End"], len(albums) - 1),
                           (["Home"], 0), (["G"], len(albums) - 1), (["g"], 0), (["k"], 0)]:
        browser.key(*strokes)
        wait_for(lambda: cursor(browser) == albums[index], lambda: f"{strokes}: {cursor(browser)}")
    browser.key("j")
    columns = albums.index(cursor(browser))
    assert columns >= 2
    browser.key("ArrowDown", "ArrowUp", "ArrowUp")
    assert cursor(browser) == albums[0]


@test()
def test_move_by_keys(stand, browser):
    albums = stand.albums("Music")
    a, b, c, *rest = albums
    for strokes, expected in [(["J"], [b, a, c]), (["K"], [a, b, c]), (["Alt+ArrowDown"], [b, a, c]),
                              (["Alt+ArrowUp"], [a, b, c]), (["Alt+ArrowRight"], [b, a, c]),
                              (["t"], [a, b, c]), (["l", "t"], [b, a, c]), (["u"], [a, b, c]),
                              (["U"], [b, a, c]), (["Ctrl+z"], [a, b, c])]:
        browser.key(*strokes)
        listed(stand, "Music", expected)
    browser.key("Home", "b")
    listed(stand, "Music", [b, c, *rest, a])
    shown(stand, browser, "Music")
    assert cursor(browser) == a
    browser.key("Ctrl+z")
    listed(stand, "Music", albums)


@test()
def test_many_keys_at_once(stand, browser):
    a, *rest = stand.albums("Music")
    browser.key(*"JJJJJK")
    listed(stand, "Music", [*rest[:4], a, rest[4]])
    shown(stand, browser, "Music")


@test()
def test_pick_up_and_put(stand, browser):
    a, b, c, d, *rest = stand.albums("Music")
    browser.key("x")
    browser.says("1 album picked up")
    browser.key("l", "l", "p")
    listed(stand, "Music", [b, c, a, d])
    browser.key("x", "Home", "P")
    listed(stand, "Music", [c, b, a, d])


@test()
def test_put_in_another_crate(stand, browser):
    a, b, *_ = stand.albums("Music")
    first, second, *_ = stand.albums("Late night")
    browser.key("Space", "Space", "x", "2")
    browser.find("heading", "Late night")
    browser.key("p")
    listed(stand, "Late night", [first, a, b, second])
    shown(stand, browser, "Late night")


@test()
def test_to_a_crate(stand, browser):
    a, b, c, *_ = stand.albums("Music")
    browser.key("m")
    browser.find("dialog", "Move to crate")
    browser.find("listbox", "Crates to move to")
    browser.type("sun")
    browser.find("option", "Sunday")
    browser.key("Enter")
    listed(stand, "Sunday", [a])
    browser.none("dialog")
    wait_for(lambda: cursor(browser) == b, "the next one is under the cursor")
    browser.key("M")
    listed(stand, "Sunday", [b, a])
    browser.key("m")
    browser.find("dialog", "Move to crate")
    browser.type("Blue")
    browser.find("option", "New crate “Blue”")
    browser.key("Enter")
    listed(stand, "Blue", [c])
    browser.find("option", "Blue, 1 album")


@test()
def test_selection_keys(stand, browser):
    albums = stand.albums("Music")
    browser.key("Space", "Space")
    wait_for(lambda: selected(browser) == albums[:2], lambda: selected(browser))
    browser.key("Escape")
    wait_for(lambda: selected(browser) == [], lambda: selected(browser))
    browser.key("Home", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft")
    wait_for(lambda: selected(browser) == albums[:2], lambda: selected(browser))
    browser.key("i", "b")
    listed(stand, "Music", albums)
    browser.key("t")
    listed(stand, "Music", [*albums[2:], *albums[:2]])
    browser.key("Escape", "a")
    wait_for(lambda: len(selected(browser)) >= len(browser.titles()), "all")
    browser.key("Escape")


@test()
def test_scattered_ones_gather(stand, browser):
    a, b, c, d, *_ = stand.albums("Music")
    browser.key("Space", "l", "Space", "K")
    listed(stand, "Music", [a, c, b, d])
    browser.key("J")
    listed(stand, "Music", [b, a, c, d])


@test()
def test_sort_and_rename(stand, browser):
    browser.key("s")
    browser.find("menuitem", "Title")
    browser.key("ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    wait_for(lambda: stand.albums("Music") == sorted(stand.albums("Music"), key=str.casefold),
             lambda: stand.albums("Music"))
    shown(stand, browser, "Music")
    browser.key("r")
    browser.find("dialog", "Rename crate")
    browser.key("Ctrl+a")
    browser.type("All & <b>more</b>")
    browser.key("Enter")
    browser.find("heading", "All & <b>more</b>")
    assert "All & <b>more</b>" in stand.crates()


@test()
def test_crates_by_keys(stand, browser):
    browser.script("document.getElementById('crates').focus()")
    browser.key("ArrowDown", "K")
    wait_for(lambda: stand.crates()[0] == "Late night", stand.crates)
    browser.key("Enter")
    browser.find("heading", "Late night")


@test()
def test_songs_by_keys(stand, browser):
    title = stand.albums("Music")[0]
    a, b, c, d = stand.songs(title)
    browser.key("Enter")
    box = browser.find("listbox", f"Songs of {title}")
    wait_for(lambda: box.call("function () { return this === document.activeElement; }"), "focus")
    browser.find("option", a)
    for strokes, expected in [(["J"], [b, a, c, d]), (["Alt+ArrowUp"], [a, b, c, d]),
                              (["b"], [b, c, d, a]), (["t"], [a, b, c, d]),
                              (["x", "j", "j", "p"], [b, c, a, d]), (["u"], [a, b, c, d]),
                              (["Home", "Space", "Space", "b"], [c, d, a, b])]:
        browser.key(*strokes)
        wait_for(lambda: stand.songs(title) == expected, lambda: (strokes, stand.songs(title), expected))
    browser.key("Escape", "Escape")
    wait_for(lambda: browser.find("listbox", "Albums in Music").call(
        "function () { return this === document.activeElement; }"), "focus")


# The mouse.

@test()
def test_drag_between_covers(stand, browser):
    a, b, c, d, *_ = stand.albums("Music")
    browser.grasp(browser.album(a), browser.album(c).point(0.8))
    listed(stand, "Music", [b, c, a, d])
    shown(stand, browser, "Music")
    browser.says("Take back") if False else browser.find("button", "Take back")
    browser.grasp(browser.album(a), browser.album(b).point(0.2))
    listed(stand, "Music", [a, b, c, d])
    browser.grasp(browser.album(a), browser.album(d).point(0.2))
    listed(stand, "Music", [b, c, a, d])


@test()
def test_drag_selected(stand, browser):
    a, b, c, d, e, *_ = stand.albums("Music")
    browser.click(browser.album(a), modifiers=MODIFIERS["Ctrl"])
    browser.click(browser.album(c), modifiers=MODIFIERS["Ctrl"])
    assert selected(browser) == [a, c]
    browser.grasp(browser.album(b), browser.album(d).point(0.8))
    listed(stand, "Music", [a, c, d, b])
    browser.grasp(browser.album(c), browser.album(b).point(0.8))
    listed(stand, "Music", [d, b, a, c, e])


@test()
def test_ticks_ranges_and_clicks(stand, browser):
    a, b, c, *_ = stand.albums("Music")
    browser.click(browser.album(a))
    browser.click(browser.album(c), modifiers=MODIFIERS["Shift"])
    wait_for(lambda: selected(browser) == [a, b, c], lambda: selected(browser))
    browser.click(browser.album(b), dx=0.9, dy=0.08)
    wait_for(lambda: selected(browser) == [a, c], lambda: selected(browser))
    browser.click(browser.find("button", "Select none"))
    wait_for(lambda: selected(browser) == [], lambda: selected(browser))
    browser.click(browser.album(b), count=2)
    browser.find("complementary", f"Album {b}")
    box = browser.find("listbox", f"Songs of {b}")
    wait_for(lambda: box.call("function () { return this === document.activeElement; }"), "focus")


@test()
def test_drag_on_a_crate(stand, browser):
    a, b, *_ = stand.albums("Music")
    browser.grasp(browser.album(a), browser.find("option", "Sunday, 2 albums"))
    listed(stand, "Sunday", [a])
    browser.find("heading", "Music")
    browser.find("option", "Sunday, 3 albums")
    browser.grasp(browser.album(b), browser.find("option", "Music, 15 albums"))
    browser.says("that is how it stands")


@test()
def test_drag_on_new_crate(stand, browser):
    a, *_ = stand.albums("Music")
    assert not browser.script("return document.getElementById('new-crate').checkVisibility()")
    browser.grasp(browser.album(a), (600, 400), lambda: browser.find("StaticText", "New crate"))
    browser.find("dialog", "Move to crate")
    browser.type("Winter")
    browser.key("Enter")
    listed(stand, "Winter", [a])


@test()
def test_crate_springs_open(stand, browser):
    a, *_ = stand.albums("Music")
    first, second, *_ = stand.albums("Late night")
    browser.grasp(browser.album(a), browser.find("option", "Late night, 3 albums"), 1.2,
                  lambda: browser.album(second).point(0.2))
    listed(stand, "Late night", [first, a, second])
    browser.find("heading", "Late night")
    shown(stand, browser, "Late night")


@test()
def test_crate_springs_back(stand, browser):
    albums = stand.albums("Music")
    for end in ((600, 30), None):
        browser.grasp(browser.album(albums[0]), browser.find("option", "Late night, 3 albums"), 1.2,
                      lambda: browser.find("heading", "Late night") and (end or (600, 500)), drop=end is not None)
        if end is None:
            browser.key("Escape")
        browser.find("heading", "Music")
        if end is None:
            browser.mouse("mouseReleased", 600, 500)
    assert stand.albums("Music") == albums
    assert stand.albums("Late night")[0] not in albums


@test()
def test_escape_and_lost_pointer(stand, browser):
    albums = stand.albums("Music")
    x, y = browser.grasp(browser.album(albums[0]), browser.album(albums[3]), drop=False)
    browser.find("StaticText", "New crate")
    browser.key("Escape")
    browser.none("StaticText", "New crate")
    browser.mouse("mouseReleased", x, y)
    browser.says("Nothing was moved")
    assert stand.albums("Music") == albums


@test()
def test_songs_by_mouse(stand, browser):
    title = stand.albums("Music")[0]
    a, b, c, d = stand.songs(title)
    browser.grasp(browser.find("option", a), browser.find("option", c).point(0.5, 0.9))
    wait_for(lambda: stand.songs(title) == [b, c, a, d], lambda: stand.songs(title))
    browser.click(browser.find("option", b), modifiers=MODIFIERS["Ctrl"])
    browser.click(browser.find("button", "To the bottom"))
    wait_for(lambda: stand.songs(title) == [c, a, d, b], lambda: stand.songs(title))


@test()
def test_toolbar(stand, browser):
    a, b, c, d, *rest = stand.albums("Music")
    browser.click(browser.album(b), dx=0.9, dy=0.08)
    for name, expected in [("Up", [b, a, c, d]), ("Down", [a, b, c, d]), ("To the top", [b, a, c]),
                           ("To the bottom", [a, c, d])]:
        browser.click(browser.find("button", name))
        listed(stand, "Music", expected)
    browser.click(browser.find("button", "Play"))
    browser.says("Playing")
    browser.click(browser.find("button", "Move to crate"))
    browser.find("dialog", "Move to crate")
    browser.click(browser.find("option", "Sunday"))
    listed(stand, "Sunday", [b])
    browser.none("toolbar", "Selection")
    browser.click(browser.find("button", "Take back"))
    listed(stand, "Music", [a, c, d, *rest, b])
    browser.click(browser.find("button", "Undo"))
    listed(stand, "Music", [b, a, c, d])
    browser.click(browser.find("button", "Redo"))
    listed(stand, "Music", [a, c, d])


@test()
def test_buttons(stand, browser):
    browser.click(browser.find("button", "Sort"))
    browser.click(browser.find("menuitem", "Reversed"))
    listed(stand, "Music", ["Arrivals", "Windfall"])
    browser.click(browser.find("button", "Keys"))
    browser.find("dialog", "Keys")
    browser.key("Escape")
    browser.none("dialog")
    browser.click(browser.find("button", "Rename"))
    browser.find("dialog", "Rename crate")
    browser.click(browser.find("button", "Close"))
    browser.none("dialog")


# The finger.

@test(is_phone=True)
def test_phone_taps(stand, browser):
    a, b, c, d, *rest = stand.albums("Music")
    browser.tap(browser.album(a))
    browser.find("complementary", f"Album {a}")
    browser.find("option", stand.songs(a)[0])
    browser.tap(browser.find("button", "Close"))
    browser.none("complementary")
    browser.hold(browser.album(a))
    wait_for(lambda: selected(browser) == [a], lambda: selected(browser))
    browser.tap(browser.album(c))
    wait_for(lambda: selected(browser) == [a, c], lambda: selected(browser))
    browser.tap(browser.find("button", "To the bottom"))
    listed(stand, "Music", [b, d, *rest, a, c])
    browser.tap(browser.find("button", "Undo"))
    listed(stand, "Music", [a, b, c, d])
    browser.tap(browser.find("button", "Select none"))
    browser.none("toolbar")


@test(is_phone=True)
def test_phone_drag(stand, browser):
    a, b, c, d, e, *_ = stand.albums("Music")
    browser.hold(browser.album(a), browser.album(e).point(0.8))
    listed(stand, "Music", [b, c, d, e, a])
    shown(stand, browser, "Music")


@test(is_phone=True)
def test_phone_drag_on_crates(stand, browser):
    a, b, *_ = stand.albums("Music")
    first, second, *_ = stand.albums("Late night")
    browser.hold(browser.album(a), (200, 500), 0.35, lambda: browser.find("option", "Sunday, 2 albums"))
    listed(stand, "Sunday", [a])
    browser.hold(browser.album(b), (200, 500), 0.35, lambda: browser.find("option", "Late night, 3 albums"), 1.2,
                 lambda: browser.album(second).point(0.2))
    listed(stand, "Late night", [first, b, second])
    browser.hold(browser.album(first), (200, 500), 0.35, lambda: browser.find("StaticText", "New crate"))
    browser.find("dialog", "Move to crate")
    browser.type("Pocket")
    browser.tap(browser.find("option", "New crate “Pocket”"))
    listed(stand, "Pocket", [first])


@test(is_phone=True)
def test_phone_swipe_moves_nothing(stand, browser):
    albums = stand.albums("Music")
    x, y = browser.album(albums[4]).point()
    browser.touch("touchStart", (x, y))
    for step in range(1, 12):
        browser.touch("touchMove", (x, y - 16 * step))
        browser.frames(1)
    browser.touch("touchEnd")
    wait_for(lambda: browser.script("return document.getElementById('grid').scrollTop") > 60, "scrolled")
    assert stand.albums("Music") == albums
    assert not browser.script("return document.body.classList.contains('dragging')")


@test(is_phone=True)
def test_phone_lost_touch(stand, browser):
    albums = stand.albums("Music")
    browser.hold(browser.album(albums[0]), browser.album(albums[4]), drop=False)
    browser.touch("touchCancel")
    browser.says("Nothing was moved")
    assert stand.albums("Music") == albums


@test(is_phone=True)
def test_phone_crates(stand, browser):
    browser.none("navigation")
    button = browser.find("button", "Crates")
    browser.tap(button)
    browser.find("navigation", "Crates")
    time.sleep(0.3)
    browser.tap(browser.find("option", "Sunday, 2 albums"))
    browser.find("heading", "Sunday")
    browser.none("navigation")


@test(is_phone=True)
def test_phone_songs(stand, browser):
    title = stand.albums("Music")[0]
    a, b, c, d = stand.songs(title)
    browser.tap(browser.album(title))
    browser.find("option", d)
    browser.hold(browser.find("option", a), browser.find("option", c).point(0.5, 0.9))
    wait_for(lambda: stand.songs(title) == [b, c, a, d], lambda: stand.songs(title))
    browser.hold(browser.find("option", d))
    browser.tap(browser.find("button", "To the top"))
    wait_for(lambda: stand.songs(title) == [d, b, c, a], lambda: stand.songs(title))


# Finding, new arrivals, others.

@test()
def test_find(stand, browser):
    browser.key("/")
    browser.type("blue")
    browser.find("listbox", "Found")
    browser.find("option", "Blue Hour, Delmas & Roy, in Late night")
    browser.key("Enter")
    browser.find("heading", "Late night")
    wait_for(lambda: cursor(browser) == "Blue Hour", lambda: cursor(browser))
    browser.none("listbox", "Found")
    browser.key("Ctrl+f")
    browser.type("zzzz")
    wait_for(lambda: "Nothing found" in browser.script("return document.getElementById('nothing').textContent"), "none")
    browser.key("Escape")
    browser.none("listbox", "Found")
    browser.click(browser.find("searchbox", "Find albums and songs"))
    browser.type("kesa")
    browser.click(browser.find("option", "Kesäyö, Mirja Halonen, in Music"))
    browser.find("heading", "Music")


@test()
def test_find_answers_nothing_after_escape(stand, browser):
    browser.key("/")
    browser.type("blue")
    browser.key("Escape")
    time.sleep(0.4)
    browser.none("listbox", "Found")


@test()
def test_find_a_song(stand, browser):
    browser.key("/")
    browser.type("kettle sunday")
    browser.key("Escape", "/")
    browser.type("first tram")
    node = browser.find("option", lambda name: name.startswith("First Tram, "))
    crate = node.name.rsplit(", in ", 1)[1]
    browser.key("Enter")
    browser.find("heading", crate)
    wait_for(lambda: browser.script("""const box = document.getElementById('songs');
      return document.getElementById(box?.getAttribute('aria-activedescendant'))?.ariaLabel""") == "First Tram", "the song")


@test()
def test_new_arrivals(stand, browser):
    number = len(stand.albums("Music"))
    browser.click(browser.find("button", f"New arrivals, {number}"))
    browser.find("dialog", "New arrivals")

    def current():
        headings = [node.name for node in browser.all("heading") if node.name != "New arrivals"]
        return headings[0] if headings else None
    first = current()
    assert first in stand.albums("Music")
    browser.click(browser.find("button", "Late night"))
    listed(stand, "Late night", [first])
    second = wait_for(lambda: current() if current() != first else None, "the next one")
    browser.key("2")
    listed(stand, "Sunday", [second])
    third = wait_for(lambda: current() if current() != second else None, "the next one")
    browser.key("Space")
    fourth = wait_for(lambda: current() if current() != third else None, "the next one")
    browser.key("Enter")
    browser.find("dialog", "Move to crate")
    browser.type("Garden")
    browser.key("Enter")
    listed(stand, "Garden", [fourth])
    wait_for(lambda: current() != fourth, "the next one")
    browser.click(browser.find("button", "Back"))
    wait_for(lambda: current() == fourth, current)
    wait_for(lambda: fourth in stand.albums("Music"), "it is back")
    browser.key("u")
    wait_for(lambda: current() == third, current)
    browser.key("!")
    browser.says("Playing 1 album")
    browser.click(browser.find("button", "Leave it"))
    browser.click(browser.find("button", "Close"))
    browser.none("dialog")
    browser.find("button", f"New arrivals, {number - 3}")


@test(is_phone=True)
def test_phone_files_new_arrivals(stand, browser):
    browser.tap(browser.find("button", lambda name: name.startswith("New arrivals")))
    for place in range(1, 9):
        browser.tap(browser.find("button", "Sunday" if place % 2 else "Late night"))
    wait_for(lambda: len(stand.albums("Sunday")) == 6 and len(stand.albums("Late night")) == 7,
             lambda: (stand.albums("Sunday"), stand.albums("Late night")))


@test()
def test_two_at_once(stand, browser):
    a, b, c, *_ = stand.albums("Music")
    other = Browser()
    try:
        come_in(stand, other)
        stand.crate("move", c, "top")
        for one in (browser, other):
            wait_for(lambda: one.titles()[:3] == [c, a, b], lambda: one.titles())
        browser.key("J")
        wait_for(lambda: other.titles()[:3] == stand.albums("Music")[:3], lambda: other.titles())
        stand.crate("rename", "Sunday", "Monday")
        for one in (browser, other):
            one.find("option", "Monday, 2 albums")
        stand.crate("move", b, "to", "Brand new")
        for one in (browser, other):
            one.find("option", "Brand new, 1 album")
        other.key("u")
        other.none("option", "Brand new, 1 album")
        browser.none("option", "Brand new, 1 album")
    finally:
        other.end()


@test()
def test_arrival_above_moves_nothing(stand, browser):
    browser.cdp("Emulation.setDeviceMetricsOverride", width=1440, height=500, deviceScaleFactor=1, mobile=False)
    browser.script("document.getElementById('grid').scrollTop = 400")
    browser.frames(3)
    title = stand.albums("Music")[9]
    before = browser.album(title).box()
    source = stand.music / "Otto Brandt" / "Baker's Light"
    number = len(stand.albums("Music"))
    new = stand.music / "Somebody" / "Something"
    shutil.copytree(source, new)
    for file in new.glob("*.flac"):
        content = file.read_bytes()
        file.write_bytes(content.replace(b"Baker's Light", b"Baker's Night") + b"\0" * 64)
    stand.crate("sync")
    wait_for(lambda: len(stand.albums("Music")) == number + 1, lambda: stand.albums("Music"))
    wait_for(lambda: browser.album(title).attribute("aria-posinset") == "11", "its number is another one")
    assert browser.album(title).box() == before, (before, browser.album(title).box())
    browser.script("document.getElementById('grid').scrollTop = 0")
    shown(stand, browser, "Music")
    shutil.rmtree(new)
    stand.crate("sync")
    shown(stand, browser, "Music")


# When something is away.

@test()
def test_daemon_away(stand, browser):
    albums = stand.albums("Music")
    x, y = browser.grasp(browser.album(albums[0]), browser.album(albums[2]), drop=False)
    stand.daemon.kill()
    stand.daemon.wait()
    wait_for(lambda: any("away" in node.call("function () { return this.textContent; }") for node in browser.all("alert")), "an alert")
    browser.mouse("mouseReleased", x, y)
    browser.says("Crated is away")
    wait_for(lambda: browser.titles()[:3] == albums[:3], lambda: browser.titles())
    browser.key("J")
    assert browser.titles()[:3] == albums[:3]
    stand.start_daemon()
    assert stand.albums("Music") == albums
    stand.crate("move", albums[2], "top")
    wait_for(lambda: browser.titles()[:3] == [albums[2], albums[0], albums[1]], lambda: browser.titles())
    wait_for(lambda: not browser.script("return document.getElementById('away').textContent"), "it is back")
    browser.key("Home", "J")
    listed(stand, "Music", [albums[0], albums[2]])


@test()
def test_many_pages_starve_nobody(stand, browser):
    first = browser.driver.current_window_handle
    address = browser.script("return location.href")
    for _ in range(8):
        browser.driver.switch_to.new_window("tab")
        browser.open(address)
        browser.find("option", "Kesäyö, Mirja Halonen, 2011")
    browser.driver.switch_to.window(first)
    a, b, *_ = stand.albums("Music")
    browser.key("J")
    listed(stand, "Music", [b, a])
    shown(stand, browser, "Music")


@test()
def test_door(stand, browser):
    browser.script("localStorage.clear()")
    browser.open(browser.script("return location.origin"))
    text = wait_for(lambda: re.search(r"crate web --allow (\d{6})", browser.script("return document.body.innerText")), "a code")
    other = Browser()
    try:
        come_in(stand, other)
        other.click(other.find("button", "Devices"))
        other.find("dialog", "Devices")
        other.click(other.find("textbox", "Code"))
        other.type(text[1])
        other.click(other.find("button", "Let in"))
        other.says("may come in")
        browser.find("listbox", "Albums in Music")
        is_forget = lambda name: name.startswith("Forget ")
        other.key("Escape")
        other.none("dialog")
        other.click(other.find("button", "Devices"))
        other.find("button", is_forget)
        other.click(other.all("button", is_forget)[-1])
        wait_for(lambda: "Let this device in" in browser.script("return document.body.innerText"), "the door")
    finally:
        other.end()


@test()
def test_link_in_an_open_tab(stand, browser):
    browser.script("localStorage.clear()")
    browser.script("location.hash = arguments[0]", link_of(stand).split("#")[1])
    browser.find("listbox", "Albums in Music")
    assert "#" not in browser.script("return location.href")


@test(is_calm=False)
def test_glides(stand, browser):
    a, b, *_ = stand.albums("Music")
    browser.key("J")
    wait_for(lambda: browser.script("return document.getAnimations().length") or stand.albums("Music")[0] == b, "a glide")
    listed(stand, "Music", [b, a])
    wait_for(lambda: not browser.script("return document.getAnimations().length"), "its end")


# Accessibility.

def axe(browser, what):
    import axe_core_python
    import pathlib
    source = next(pathlib.Path(axe_core_python.__file__).parent.glob("**/axe.min.js")).read_text()
    browser.cdp("Runtime.evaluate", expression=source)
    found = browser.driver.execute_async_script("""const done = arguments[0];
      axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
        .then((found) => done(found.violations.map((one) => [one.id, one.help, one.nodes.map((node) => node.html.slice(0, 160) + node.any.map((any) => any.message).join(';').slice(0, 200)).slice(0, 3)])))""")
    assert not found, (what, found)


def axe_everywhere(stand, browser, press):
    axe(browser, "list")
    browser.key("Space")
    axe(browser, "selected")
    browser.key("Escape", "Home", "Enter")
    browser.find("option", stand.songs(stand.albums("Music")[0])[0])
    axe(browser, "songs")
    browser.key("Escape", "Escape", "Escape")
    for key, name in [("m", "Move to crate"), ("+", "New arrivals"), ("?", "Keys"), ("r", "Rename crate")]:
        browser.key(key)
        browser.find("dialog", name)
        axe(browser, name)
        browser.key("Escape")
        browser.none("dialog")
    browser.key("/")
    browser.type("blue")
    browser.find("listbox", "Found")
    axe(browser, "found")
    browser.key("Escape", "s")
    browser.find("menu")
    axe(browser, "menu")
    browser.key("Escape")
    if browser.is_phone:
        browser.tap(browser.find("button", "Crates"))
        time.sleep(0.3)
        axe(browser, "crates")
    browser.script("document.getElementById('devices').click()")
    browser.find("dialog", "Devices")
    axe(browser, "devices")
    browser.script("localStorage.clear()")
    browser.open(browser.script("return location.origin"))
    wait_for(lambda: "crate web --allow" in browser.script("return document.body.innerText"), "the door")
    axe(browser, "door")


@test()
def test_axe_light(stand, browser):
    axe_everywhere(stand, browser, browser.click)


@test(is_dark=True)
def test_axe_dark(stand, browser):
    axe_everywhere(stand, browser, browser.click)


@test(is_phone=True)
def test_axe_phone(stand, browser):
    axe_everywhere(stand, browser, browser.tap)


def main(programs, *names):
    stand = Stand(programs)
    failed = []
    picked = [one for one in TESTS if not names or any(name in one[0] for name in names)]
    try:
        for name, how, function in picked:
            began = time.monotonic()
            sequence = json.loads(stand.crate("status", "--json"))
            sequence = (sequence.get("status") or sequence)["sequence"]
            try:
                with page(stand, **how) as browser:
                    try:
                        function(stand, browser)
                    except Exception:
                        browser.picture(f"/tmp/window-{name}.png")
                        raise
            except Exception:
                failed.append(name)
                traceback.print_exc()
            print(f"{'failed' if name in failed else 'passed'} {name} {time.monotonic() - began:.1f} s", flush=True)
            if stand.daemon.poll() is not None:
                stand.start_daemon()
            # Fails where nothing was done.
            subprocess.run([stand.programs / "crate", "undo", "--to", str(sequence)],
                           env=stand.environment, capture_output=True)
    finally:
        stand.end()
    print(f"{len(picked) - len(failed)} of {len(picked)} passed{''.join(f', not {name}' for name in failed)}")
    return 1 if failed or not picked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
