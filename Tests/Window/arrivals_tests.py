"""New arrivals: many on a phone, and what a screen reader says of them."""
import random
import shutil
import time

from page import listed, test
from stand import made_up, wait_for

NUMBER = 25
TARGETS = ["Late night", "Sunday", "Winter", "Garden", "Kitchen"]
SILENT = {"none", "generic", "InlineTextBox", "ListMarker"}
DIALOG = """\
dialog New arrivals
  banner
    heading New arrivals
    button Close
  progressbar Albums done
  heading Kesäyö (focused)
  paragraph
    StaticText Mirja Halonen
    StaticText  · 2011
  paragraph
    StaticText 4 songs
    StaticText  · 16:50
  list Songs
    listitem
      StaticText A Lamp in the Hall
    listitem
      StaticText Landing
    listitem
      StaticText The Long Way Round
    listitem
      StaticText Kettle
  group Put it on top of
    button Late night
    button Sunday
  button Leave it
  button Another crate
  button Back
  button Play
  status
    StaticText Kesäyö, Mirja Halonen: 1 of 16"""


def new_albums(stand):
    titles = [f"Newcomer {number}" for number in range(1, NUMBER + 1)]
    for title in titles:
        (stand.music / "New" / title).mkdir(parents=True)
        (stand.music / "New" / title / "1.flac").write_bytes(made_up.flac(
            60, {"TITLE": "One", "ARTIST": "Late", "ALBUM": title}))
    stand.crate("sync")
    return titles


def arrival(browser):
    """The title of the album that is asked about."""
    return browser.script("return document.querySelector('dialog.triage h3')?.textContent")


@test(is_phone=True)
def test_phone_files_new_albums_within_a_minute(stand, browser):
    for crate, title in zip(TARGETS[2:], stand.albums("Music")):
        stand.crate("move", title, "to", crate)
    address = browser.script("return location.origin")
    browser.open("about:blank")
    titles = new_albums(stand)
    browser.open(address)
    dice = random.Random(25)
    plan = {title: dice.choice(TARGETS) for title in titles}
    taps = 0

    def tap(name):
        nonlocal taps
        node = browser.find("button", name)
        _, y, _, height = node.box()
        assert y >= 0 and y + height <= 844, f"{name} would have to be scrolled to"
        browser.tap(node)
        taps += 1

    def file(title, crate):
        wait_for(lambda: arrival(browser) == title, lambda: f"{arrival(browser)}, not {title}")
        tap(crate)

    began = time.monotonic()
    tap(lambda name: name.startswith("New arrivals"))
    for number, title in enumerate(titles):
        if number == 9:  # A slip of the finger.
            file(title, next(crate for crate in TARGETS if crate != plan[title]))
            tap("Back")
        file(title, plan[title])
    wait_for(lambda: arrival(browser) not in titles, lambda: arrival(browser))
    tap("Close")
    seconds = time.monotonic() - began
    for crate in TARGETS:
        listed(stand, crate, [title for title in reversed(titles) if plan[title] == crate])
    assert taps == NUMBER + 4, taps
    assert seconds < 60, seconds
    print(f"{NUMBER} albums: {taps} taps, {seconds:.1f} s")
    tap("Undo")
    listed(stand, "Music", titles[-1:])
    shutil.rmtree(stand.music / "New")
    stand.crate("sync")


def said(browser, role, name):
    """What is in a thing, as a screen reader has it: roles and names, by Chromium's tree."""
    nodes = browser.cdp("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}

    def name_of(node):
        return node.get("name", {}).get("value", "")

    def lines(node, depth, above):
        kind, text = node["role"]["value"], name_of(node)
        is_silent = node["ignored"] or kind in SILENT or kind == "StaticText" and text in above
        if not is_silent:
            is_focused = {"name": "focused", "value": {"type": "booleanOrUndefined", "value": True}}
            focus = " (focused)" if is_focused in node.get("properties", []) else ""
            yield "  " * depth + f"{kind} {text}".rstrip() + focus
        for child in node.get("childIds", []):
            yield from lines(by_id[child], depth + (not is_silent), above if is_silent else text)

    top = next(node for node in nodes if not node["ignored"]
               and node["role"]["value"] == role and name_of(node) == name)
    return "\n".join(lines(top, 0, ""))


@test()
def test_what_is_said_of_new_arrivals(stand, browser):
    def tree():
        return said(browser, "dialog", "New arrivals")
    browser.key("+")
    browser.find("dialog", "New arrivals")
    wait_for(lambda: len(browser.all("listitem")) == 4, "the songs")
    assert tree() == DIALOG, tree()
    browser.key("1")
    browser.says("Kesäyö is on top of Late night")
    wait_for(lambda: "Kesäyö" not in arrival(browser), "the next one")
    assert f"heading {arrival(browser)} (focused)" in tree(), tree()
    assert "status\n    StaticText Kesäyö is on top of Late night" in tree(), tree()
