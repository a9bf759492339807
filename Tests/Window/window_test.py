#!/usr/bin/env python3
"""The page of `crated web` in a real browser: python3 window_test.py PROGRAMS-DIR [NAME…].

Each test drives one page by mouse, finger or keys, and is judged by what `crate list` says.
PROGRAMS-DIR has crated and crate; NAME… picks tests whose names contain it. Needs chromium and its
driver, selenium, and axe-core-python.
"""
import json
import subprocess
import sys
import time
import traceback

import arrivals_tests  # noqa: F401
import axe_tests  # noqa: F401
import hands_tests  # noqa: F401
import keys_tests  # noqa: F401
import whole_tests  # noqa: F401
from page import TESTS, page
from stand import Stand


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
            print("failed" if name in failed else "passed", name,
                  f"{time.monotonic() - began:.1f} s", flush=True)
            if stand.daemon.poll() is not None:
                stand.start_daemon()
            if stand.web.poll() is not None:
                print("the server ended:", stand.web.returncode)
                stand.start_web()
            # Fails where nothing was done.
            subprocess.run([stand.programs / "crate", "undo", "--to", str(sequence)],
                           env=stand.environment, capture_output=True)
    finally:
        stand.end()
    print(f"{len(picked) - len(failed)} of {len(picked)} passed" +
          "".join(f", not {name}" for name in failed))
    return 1 if failed or not picked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
