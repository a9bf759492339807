"""Finding, new arrivals, several pages at once, what is away, the door."""
import random
import re
import shutil
import time

from page import alert, come_in, cursor, listed, resize, shown, test, text
from stand import Browser, link_of, wait_for, made_up


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
    wait_for(lambda: "Nothing found" in text(browser), "none")
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
      return document.getElementById(box?.getAttribute('aria-activedescendant'))?.ariaLabel""")
             == "First Tram", "the song")


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
    browser.says("lay")  # It plays, or no player runs.
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
    resize(browser, 1440, 500)
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
    wait_for(lambda: browser.album(title).attribute("aria-posinset") == "11",
             "its number is another one")
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
    wait_for(lambda: "away" in alert(browser) and browser.all("alert"), "an alert")
    browser.mouse("mouseReleased", x, y)
    browser.says("Crated is away")
    wait_for(lambda: browser.titles()[:3] == albums[:3], lambda: browser.titles())
    browser.key("J")
    assert browser.titles()[:3] == albums[:3]
    stand.start_daemon()
    assert stand.albums("Music") == albums
    stand.crate("move", albums[2], "top")
    wait_for(lambda: browser.titles()[:3] == [albums[2], albums[0], albums[1]],
             lambda: browser.titles())
    wait_for(lambda: not alert(browser), "it is back")
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
    code = wait_for(lambda: re.search(r"crate web --allow (\d{6})", text(browser)), "a code")
    other = Browser()
    try:
        come_in(stand, other)
        other.click(other.find("button", "Devices"))
        other.find("dialog", "Devices")
        other.click(other.find("textbox", "Code"))
        other.type(code[1])
        other.click(other.find("button", "Let in"))
        other.says("may come in")
        browser.find("listbox", "Albums in Music")
        is_forget = lambda name: name.startswith("Forget ")
        other.key("Escape")
        other.none("dialog")
        other.click(other.find("button", "Devices"))
        other.find("button", is_forget)
        other.click(other.all("button", is_forget)[-1])
        wait_for(lambda: "Let this device in" in text(browser), "the door")
    finally:
        other.end()


@test()
def test_link_in_an_open_tab(stand, browser):
    browser.script("localStorage.clear()")
    browser.script("location.hash = arguments[0]", link_of(stand).split("#")[1])
    browser.find("listbox", "Albums in Music")
    assert "#" not in browser.script("return location.href")


@test()
def test_crate_that_was_open_is_gone(stand, browser):
    browser.key("2")
    browser.find("heading", "Late night")
    address = browser.script("return location.origin")
    browser.open("about:blank")
    stand.crate("rename", "Late night", "Early morning")
    browser.open(address)
    browser.find("heading", "Music")
    shown(stand, browser, "Music")


@test(is_calm=False)
def test_glides(stand, browser):
    a, b, *_ = stand.albums("Music")
    browser.key("J")
    wait_for(lambda: browser.script("return document.getAnimations().length")
             or stand.albums("Music")[0] == b, "a glide")
    listed(stand, "Music", [b, a])
    wait_for(lambda: not browser.script("return document.getAnimations().length"), "its end")


@test()
def test_hidden_page_catches_up(stand, browser):
    a, b, c, *_ = stand.albums("Music")
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    stand.crate("move", b, "top")
    stand.crate("move", c, "to", "Sunday")
    stand.crate("move", "Blue Hour", "to", "Music", "bottom")
    browser.driver.switch_to.window(first)
    shown(stand, browser, "Music")
    browser.find("option", "Sunday, 3 albums")
    browser.find("option", "Late night, 2 albums")


@test()
def test_strange_titles(stand, browser):
    title = '<img src=x onerror="document.title=1"> \u202eesrever\u2066'
    folder = stand.music / "Strange"
    for number, (artist, name) in enumerate([
            ("<b>Nobody</b>", title), ("\u0642\u0645\u0631", "\u0628\u062d\u0631"),
            ("A" * 3000, "Long " * 5000)]):
        (folder / str(number)).mkdir(parents=True)
        (folder / str(number) / "1.flac").write_bytes(made_up.flac(
            60, {"TITLE": name, "ARTIST": artist, "ALBUM": name, "ALBUMARTIST": artist}))
    stand.crate("sync")
    browser.find("option", lambda name: name.startswith("\u0628\u062d\u0631, \u0642\u0645\u0631"))
    browser.find("option", lambda name: name.startswith("Long Long"))
    node = browser.find("option", lambda name: name.startswith("<img src=x"))
    browser.click(node)
    browser.find("complementary", lambda name: name.startswith("Album <img src=x"))
    assert browser.script("return document.querySelectorAll('#grid b, #album b').length") == 0
    assert browser.script("return document.title") != "1"
    assert browser.script("return document.documentElement.scrollWidth <= innerWidth")
    shutil.rmtree(folder)
    stand.crate("sync")
    browser.none("option", lambda name: name.startswith("Long Long"))


@test()
def test_album_goes_and_comes_back(stand, browser):
    title = stand.albums("Music")[1]
    place = next(stand.music.glob(f"*/{title}"))
    place.rename(stand.root / "elsewhere")
    stand.crate("sync")
    browser.none("option", lambda name: name.startswith(f"{title}, "))
    (stand.root / "elsewhere").rename(place)
    stand.crate("sync")
    shown(stand, browser, "Music")
    browser.find("option", lambda name: name.startswith(f"{title}, "))


@test()
def test_server_away(stand, browser):
    a, b, *_ = stand.albums("Music")
    stand.web.kill()
    stand.web.wait()
    wait_for(lambda: "away" in alert(browser), "an alert")
    browser.key("J")
    browser.says("Crated is away")
    stand.crate("move", b, "top")
    browser.key("/")
    browser.type(a)
    said = lambda: browser.script("return document.getElementById('nothing').textContent")
    wait_for(lambda: said() == "Crated is away", said)
    stand.start_web()
    # The search is made now.
    browser.find("option", lambda name: name.startswith(f"{a}, ") and ", in " in name)
    browser.key("Escape")
    wait_for(lambda: not alert(browser), "it is back")
    shown(stand, browser, "Music")
    browser.key("Home", "J")
    listed(stand, "Music", [a, b])


@test()
def test_new_ones_have_a_dot(stand, browser):
    address = browser.script("return location.origin")
    browser.open("about:blank")
    folder = stand.music / "Late" / "Comer"
    folder.mkdir(parents=True)
    (folder / "1.flac").write_bytes(made_up.flac(
        60, {"TITLE": "One", "ARTIST": "Late", "ALBUM": "Comer"}))
    stand.crate("sync")
    browser.open(address)
    wait_for(lambda: browser.album("Comer").attribute("aria-description") == "New", "a new one")
    assert browser.album("Thaw").attribute("aria-description") is None
    stand.crate("move", "Comer", "bottom")
    browser.key("End")
    wait_for(lambda: browser.album("Comer").attribute("aria-description") is None, "it was moved")
    shutil.rmtree(folder.parent)
    stand.crate("sync")


@test()
def test_random_moves_keep_all_in_step(stand, browser):
    other = Browser()
    dice = random.Random(55)
    try:
        come_in(stand, other)
        for _ in range(60):
            one = dice.choice([browser, other])
            act = dice.choice(["key", "key", "command", "crate", "undo"])
            if act == "key":
                one.key(*dice.choice(["J", "K", "ljJ", "lt", "b", "GK", "gJJ", "x", "p", "P",
                                      " l K"]))
            elif act == "crate":
                one.key(dice.choice("123"))
            elif act == "undo":
                one.key("u")
            else:
                crate = dice.choice(["Music", "Late night", "Sunday"])
                if crate in stand.crates():
                    titles = stand.albums(crate)
                    stand.crate("move", f"album:{dice.choice(titles)}", "to",
                                dice.choice(["Music", "Late night", "Sunday"]),
                                dice.choice(["top", "bottom"]))
        for crate in stand.crates():
            for one in (browser, other):
                one.key("Escape", "Escape", str(stand.crates().index(crate) + 1))
                one.find("heading", crate)
                shown(stand, one, crate)
                wait_for(lambda: one.album(one.titles()[0]).attribute("aria-setsize")
                         == str(len(stand.albums(crate))), crate)
    finally:
        other.end()


@test()
def test_folder_away(stand, browser):
    other = stand.root / "Second"
    (other / "Far").mkdir(parents=True)
    (other / "Far" / "1.flac").write_bytes(made_up.flac(
        60, {"TITLE": "One", "ARTIST": "Nobody", "ALBUM": "Far"}))
    config = stand.root / "config/crated/config.toml"
    before = config.read_text()
    config.write_text(before.replace(f'["{stand.music}"]', f'["{stand.music}", "{other}"]'))
    stand.restart_daemon()
    browser.find("option", "Far, Nobody")
    other.rename(stand.root / "Elsewhere")
    browser.find("option", "Far, Nobody, away")
    (stand.root / "Elsewhere").rename(other)
    browser.find("option", "Far, Nobody")
    config.write_text(before)
    stand.restart_daemon()
    stand.crate("forget", "--yes", "album:Far")
    browser.none("option", "Far, Nobody, away")
