"""The page by mouse and by finger."""
import time

from page import listed, resize, scrolled, selected, shown, test
from stand import MODIFIERS, wait_for


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
                      lambda: browser.find("heading", "Late night") and (end or (600, 500)),
                      drop=end is not None)
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


def crates_are(stand, browser, expected):
    wait_for(lambda: stand.crates() == expected, stand.crates)
    names = """return [...document.querySelectorAll('#crates b')].map((name) => name.textContent)"""
    wait_for(lambda: browser.script(names) == expected, lambda: browser.script(names))


@test()
def test_crates_by_mouse(stand, browser):
    a, b, c = stand.crates()
    row = lambda name: browser.find("option", lambda text: text.startswith(f"{name}, "))
    browser.grasp(row(c), row(a).point(0.5, 0.2))
    crates_are(stand, browser, [c, a, b])
    browser.grasp(row(c), row(b).point(0.5, 0.9))
    crates_are(stand, browser, [a, b, c])
    browser.find("heading", a)
    x, y = browser.grasp(row(a), row(c), drop=False)
    browser.key("Escape")
    browser.mouse("mouseReleased", x, y)
    browser.says("Nothing was moved")
    browser.click(row(c))
    browser.find("heading", c)
    crates_are(stand, browser, [a, b, c])


@test()
def test_toolbar(stand, browser):
    a, b, c, d, *rest = stand.albums("Music")
    browser.click(browser.album(b), dx=0.9, dy=0.08)
    for name, expected in [("Up", [b, a, c, d]), ("Down", [a, b, c, d]), ("To the top", [b, a, c]),
                           ("To the bottom", [a, c, d])]:
        browser.click(browser.find("button", name))
        listed(stand, "Music", expected)
    browser.click(browser.find("button", "Play"))
    browser.says("lay")  # It plays, or no player runs.
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
    browser.hold(browser.album(a), (200, 500), 0.35,
                 lambda: browser.find("option", "Sunday, 2 albums"))
    listed(stand, "Sunday", [a])
    browser.hold(browser.album(b), (200, 500), 0.35,
                 lambda: browser.find("option", "Late night, 3 albums"), 1.2,
                 lambda: browser.album(second).point(0.2))
    listed(stand, "Late night", [first, b, second])
    browser.hold(browser.album(first), (200, 500), 0.35,
                 lambda: browser.find("StaticText", "New crate"))
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
    wait_for(lambda: scrolled(browser) > 60, "scrolled")
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
def test_phone_moves_crates(stand, browser):
    a, b, c = stand.crates()
    row = lambda name: browser.find("option", lambda text: text.startswith(f"{name}, "))
    browser.tap(browser.find("button", "Crates"))
    browser.find("navigation", "Crates")
    time.sleep(0.3)
    browser.hold(row(c), row(a).point(0.5, 0.2))
    crates_are(stand, browser, [c, a, b])
    browser.tap(row(b))
    browser.find("heading", b)


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


@test()
def test_pulled_by_the_edge(stand, browser):
    resize(browser, 1440, 520)
    first, *rest = stand.albums("Music")
    browser.grasp(browser.album(first), (700, 505), drop=False)
    wait_for(lambda: rest[-1] in browser.titles(), lambda: browser.titles())
    wait_for(lambda: browser.script("""const grid = document.getElementById('grid');
      return grid.scrollTop > grid.scrollHeight - grid.clientHeight - 2"""), "the end")
    x, y = browser.album(rest[-1]).point(0.8)
    browser.mouse("mouseMoved", x, y, held=True)
    browser.frames(2)
    browser.mouse("mouseReleased", x, y)
    listed(stand, "Music", [*rest, first])
    shown(stand, browser, "Music")


@test(is_phone=True)
def test_phone_list_stays_where_it_was(stand, browser):
    title = stand.albums("Music")[0]
    browser.hold(browser.album(title), (200, 690), 0.5,
                 lambda: browser.find("option", "Sunday, 2 albums"))
    listed(stand, "Sunday", [title])
    assert scrolled(browser) == 0
