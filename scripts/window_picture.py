#!/usr/bin/env python3
"""A picture of the page of `crated web`: made-up songs with made-up covers, a daemon and a page of
its own, in a browser that nobody sees.

Usage: window_picture.py DIRECTORY-OF-PROGRAMS PICTURE.webp
"""
import base64
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests/Window"))
from stand import Browser, Stand, link_of, wait_for  # noqa: E402

SIZE = (1200, 760)


def main():
    programs, picture = sys.argv[1:3]
    stand = Stand(programs)
    try:
        browser = Browser(*SIZE)
        try:
            browser.open(link_of(stand))
            browser.find("listbox", "Albums in Music")
            wait_for(lambda: browser.script(
                "return [...document.images].filter((image) => image.complete).length > 12"
                " && [...document.images].every((image) => image.complete)"), "the covers")
            time.sleep(1)  # What glides or fades has come to rest.
            shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 85})
            pathlib.Path(picture).write_bytes(base64.b64decode(shot["data"]))
        finally:
            browser.end()
    finally:
        stand.end()


if __name__ == "__main__":
    main()
