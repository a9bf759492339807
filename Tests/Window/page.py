"""What the tests of the page share: a page that is open, and questions about it."""
import contextlib

from stand import Browser, link_of, wait_for

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
    wait_for(lambda: browser.script("return !document.getElementById('arrivals').hidden"),
             "all is read")


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
            if node.properties.get("selected") and "," in node.name
            and node.attribute("aria-posinset")]


def text(browser):
    return browser.script("return document.body.innerText")


def alert(browser):
    return browser.script("return document.getElementById('away').textContent")


def scrolled(browser):
    return browser.script("return document.getElementById('grid').scrollTop")


def resize(browser, width, height):
    browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                deviceScaleFactor=1, mobile=False)
    browser.frames(3)
