"""No violation of WCAG 2.2 AA, as axe-core sees it."""
import time

from page import alert, test, text
from stand import wait_for


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe(browser, what):
    import axe_core_python
    import pathlib
    source = next(pathlib.Path(axe_core_python.__file__).parent.glob("**/axe.min.js")).read_text()
    browser.cdp("Runtime.evaluate", expression=source)
    found = browser.driver.execute_async_script("""const [rules, done] = arguments;
      const why = (node) => node.any.map(({ message }) => message).join('; ').slice(0, 200);
      const where = (node) => `${node.html.slice(0, 160)} ${why(node)}`;
      axe.run(document, { runOnly: rules }).then(({ violations }) => done(violations.map(
        ({ id, help, nodes }) => [id, help, nodes.slice(0, 3).map(where)])))""", RULES)
    assert not found, (what, found)


def axe_everywhere(stand, browser, press):
    axe(browser, "list")
    browser.key("Space")
    axe(browser, "selected")
    browser.key("Escape", "Home", "Enter")
    browser.find("option", stand.songs(stand.albums("Music")[0])[0])
    axe(browser, "songs")
    browser.key("Escape", "Escape", "Escape")
    for key, name in [("m", "Move to crate"), ("+", "New arrivals"), ("?", "Keys"),
                      ("r", "Rename crate")]:
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
    wait_for(lambda: "crate web --allow" in text(browser), "the door")
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


@test()
def test_axe_away(stand, browser):
    albums = stand.albums("Music")
    stand.daemon.kill()
    stand.daemon.wait()
    wait_for(lambda: "away" in alert(browser) and browser.all("alert"), "an alert")
    for is_dark in (False, True):
        browser.dress(is_dark)
        axe(browser, "away")
    assert browser.titles() == albums[:len(browser.titles())]
