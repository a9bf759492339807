"""The page by keys, and the roles and names of what it shows."""
from page import cursor, listed, selected, shown, test
from stand import wait_for


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
    for name in ("To the top", "Up", "Down", "To the bottom", "Move to crate", "Play",
                 "Select none"):
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
    for strokes, expected in [(["J"], [b, a, c]), (["K"], [a, b, c]),
                              (["Alt+ArrowDown"], [b, a, c]), (["Alt+ArrowUp"], [a, b, c]),
                              (["Alt+ArrowRight"], [b, a, c]),
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
        wait_for(lambda: stand.songs(title) == expected,
                 lambda: (strokes, stand.songs(title), expected))
        wait_for(lambda: browser.script("""return [...document.querySelectorAll('#songs bdi')]
          .map((one) => one.textContent)""") == expected, "the page shows it")
    browser.key("Escape", "Escape")
    wait_for(lambda: browser.find("listbox", "Albums in Music").call(
        "function () { return this === document.activeElement; }"), "focus")
