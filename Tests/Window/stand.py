"""A daemon, the page's server and a real browser, for the tests of the page.

Things are found as a screen reader finds them: by role and name, in Chromium's accessibility tree.
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from selenium import webdriver

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "scripts"))
import made_up  # noqa: E402

LIMIT = 15.0  # Seconds that anything may take.


def wait_for(question, what, limit=LIMIT):
    """The first answer that counts as true."""
    end = time.monotonic() + limit
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"not within {limit} s: {what() if callable(what) else what}")
        time.sleep(0.02)


def start_web(stand):
    """Starts what serves the page: `crated web`, or the command in CRATED_WEB."""
    command = os.environ.get("CRATED_WEB", "").split() or [stand.programs / "crated", "web"]
    return subprocess.Popen([*map(str, command)], env=stand.environment,
                            stdout=stand.log, stderr=stand.log)


def link_of(stand):
    """A link that lets one device in."""
    command = os.environ.get("CRATE_WEB", "").split() or [stand.programs / "crate", "web"]
    return stand.run(*command, "--link").strip()


class Stand:
    def __init__(self, programs, fill=made_up.music, crates=made_up.CRATES):
        self.programs = pathlib.Path(programs).resolve()
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="window-"))
        self.music = self.root / "Music"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        names = ["home", "config/crated", "data", "cache", "state", "run"]
        for name in names:
            (self.root / name).mkdir(parents=True)
        (self.root / "run").chmod(0o700)
        (self.root / "config/crated/config.toml").write_text(
            f'music_folders = ["{self.music}"]\n' + ("" if "CRATED_WEB" in os.environ
                                                     else f'web = "127.0.0.1:{self.port}"\n'))
        kept = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
        self.environment = kept | {
            "HOME": f"{self.root}/home", "NO_COLOR": "1", "WEB_ADDRESS": f"127.0.0.1:{self.port}"} | {
            f"XDG_{name.upper()}_{'DIR' if name == 'runtime' else 'HOME'}": f"{self.root}/{place}"
            for name, place in [("config", "config"), ("data", "data"), ("cache", "cache"),
                                ("state", "state"), ("runtime", "run")]}
        self.log = open(self.root / "log", "ab")
        self.music.mkdir()
        fill(self.music)
        self.start_daemon()
        for name, titles in crates:
            for title in titles:
                self.crate("move", title, "to", name)
        self.start_web()

    def restart_daemon(self):
        self.daemon.terminate()
        self.daemon.wait()
        self.start_daemon()

    def start_web(self):
        self.web = start_web(self)
        wait_for(self.is_served, "the page is served")

    def start_daemon(self):
        self.daemon = subprocess.Popen([self.programs / "crated"], env=self.environment,
                                       stdout=self.log, stderr=self.log)
        wait_for(lambda: subprocess.run([self.programs / "crate", "sync"], env=self.environment,
                                        capture_output=True).returncode == 0, "the daemon answers")

    def is_served(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return self.web.poll() is None and (self.root / "run/crated/org.crated.Web").exists()
        except OSError:
            return False

    def run(self, *command):
        done = subprocess.run([*map(str, command)], env=self.environment, capture_output=True,
                              text=True)
        assert done.returncode == 0, (command, done.stderr, (self.root / "log").read_text()[-2000:])
        return done.stdout

    def crate(self, *arguments):
        return self.run(self.programs / "crate", *arguments)

    def albums(self, crate):
        """The titles of a crate, as `crate list` says; none of one that is not there yet."""
        if crate not in self.crates():
            return []
        return [album["title"] for album in self.listed(crate)]

    def songs(self, album):
        return [song["title"] for song in self.listed(f"album:{album}")]

    def crates(self):
        return [crate["name"] for crate in self.listed()]

    def listed(self, *what):
        return [json.loads(line) for line in self.crate("list", "--json", *what).splitlines()]

    def end(self):
        for process in (self.web, self.daemon):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
        self.log.close()
        shutil.rmtree(self.root, ignore_errors=True)


KEYS = {  # What the browser calls a key, and its number.
    "Enter": ("Enter", 13), "Escape": ("Escape", 27), "Space": ("Space", 32), "Tab": ("Tab", 9),
    "ArrowLeft": ("ArrowLeft", 37), "ArrowUp": ("ArrowUp", 38), "ArrowRight": ("ArrowRight", 39),
    "ArrowDown": ("ArrowDown", 40), "Home": ("Home", 36), "End": ("End", 35),
    "PageDown": ("PageDown", 34), "PageUp": ("PageUp", 33),
}
MODIFIERS = {"Alt": 1, "Ctrl": 2, "Shift": 8}


class Browser:
    def __init__(self, width=1440, height=900, is_dark=False, is_phone=False, is_calm=True):
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                         "--disable-gpu", f"--window-size={width},{height}",
                         "--hide-scrollbars", "--no-first-run", "--force-color-profile=srgb"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
        self.driver = webdriver.Chrome(options=options, service=service)
        self.is_phone = is_phone
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=2 if is_phone else 1, mobile=is_phone)
        if is_phone:
            self.cdp("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        self.dress(is_dark, is_calm)
        self.cdp("Accessibility.enable")

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def dress(self, is_dark=False, is_calm=True):
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if is_calm else "no-preference"}])

    def open(self, address):
        self.driver.get(address)

    def end(self):
        self.driver.quit()

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    # What is there.

    def all(self, role, name=None):
        """The nodes with a role and a name, or names that a function accepts."""
        root = self.cdp("DOM.getDocument", depth=0)["root"]["nodeId"]
        given = {"role": role} | ({"accessibleName": name} if isinstance(name, str) else {})
        found = self.cdp("Accessibility.queryAXTree", nodeId=root, **given)["nodes"]
        nodes = [Node(self, node) for node in found if not node["ignored"]]
        return [node for node in nodes if not callable(name) or name(node.name)]

    def find(self, role, name=None, limit=LIMIT):
        return wait_for(lambda: self.all(role, name)[:1],
                        lambda: f"{role} {name}: {self.names(role)}", limit)[0]

    def names(self, role):
        return [node.name for node in self.all(role)]

    def none(self, role, name=None):
        wait_for(lambda: not self.all(role, name), f"no {role} {name}")

    def says(self, part):
        """Waits until the status says it."""
        wait_for(lambda: part in self.said(), lambda: f"“{part}”, but “{self.said()}”")

    def said(self):
        return self.script("return document.getElementById('said').textContent")

    def places(self):
        """The titles of the albums that have a card, by their places from 1."""
        return dict(self.script("""return [...document.querySelectorAll('#grid [role=option]')]
          .filter((one) => one.checkVisibility())
          .map((one) => [Number(one.ariaPosInSet), one.querySelector('.t').textContent])"""))

    def titles(self):
        return [title for _, title in sorted(self.places().items())]

    def album(self, title):
        return self.find("option", lambda name: name == title or name.startswith(f"{title}, "))

    # Hands.

    def key(self, *strokes):
        """Presses keys, such as `a`, `Enter`, `Alt+ArrowUp`."""
        for stroke in strokes:
            *held, name = stroke.split("+") if len(stroke) > 1 else [stroke]
            if name == "Space":
                name, text = " ", " "
            else:
                text = name if len(name) == 1 else "\r" if name == "Enter" else ""
            code, number = KEYS.get("Space" if name == " " else name, ("", ord(name.upper()[0])))
            modifiers = sum(MODIFIERS[one] for one in held)
            if len(name) == 1 and name.isupper():
                modifiers |= 8
            common = {"key": name, "code": code or f"Key{name.upper()}", "modifiers": modifiers,
                      "windowsVirtualKeyCode": number}
            text = "" if modifiers & 3 else text
            self.cdp("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown",
                     **common, **({"text": text} if text else {}))
            self.cdp("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        self.cdp("Input.insertText", text=text)

    def mouse(self, kind, x, y, button="left", held=False, count=1, modifiers=0):
        self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, modifiers=modifiers,
                 button=button if kind != "mouseMoved" or held else "none",
                 buttons=1 if held or kind == "mousePressed" else 0, clickCount=count)

    def click(self, node, dx=0.5, dy=0.5, modifiers=0, count=1):
        x, y = node.point(dx, dy) if isinstance(node, Node) else node
        self.mouse("mouseMoved", x, y)
        for number in range(1, count + 1):
            self.mouse("mousePressed", x, y, count=number, modifiers=modifiers)
            self.mouse("mouseReleased", x, y, count=number, modifiers=modifiers)

    def grasp(self, node, *stops, drop=True, steps=8):
        """Presses the mouse on a thing, and drags it over stops: points, nodes or seconds."""
        x, y = node.point()
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y)
        for stop in stops:
            if isinstance(stop, (int, float)):
                time.sleep(stop)
                continue
            to = stop() if callable(stop) else stop
            to = to.point() if isinstance(to, Node) else to
            for step in range(1, steps + 1):
                self.mouse("mouseMoved", x + (to[0] - x) * step / steps,
                           y + (to[1] - y) * step / steps, held=True)
            x, y = to
            self.frames(2)
        if drop:
            self.mouse("mouseReleased", x, y)
        return x, y

    def touch(self, kind, *points):
        self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[
            {"x": x, "y": y} for x, y in points])

    def tap(self, node):
        self.touch("touchStart", node.point() if isinstance(node, Node) else node)
        self.touch("touchEnd")

    def hold(self, node, *stops, drop=True, steps=8, held=0.45):
        """Holds a finger on a thing, and drags it over stops."""
        x, y = node.point()
        self.touch("touchStart", (x, y))
        time.sleep(held)
        for stop in stops:
            if isinstance(stop, (int, float)):
                time.sleep(stop)
                continue
            to = stop() if callable(stop) else stop
            to = to.point() if isinstance(to, Node) else to
            for step in range(1, steps + 1):
                self.touch("touchMove", (x + (to[0] - x) * step / steps,
                                         y + (to[1] - y) * step / steps))
                self.frames(1)
            x, y = to
        if drop:
            self.touch("touchEnd")
        return x, y

    def frames(self, number=1):
        for _ in range(number):
            self.driver.execute_async_script(
                "const done = arguments[0]; requestAnimationFrame(() => done())")

    def picture(self, path):
        self.frames(2)
        import base64
        shot = self.cdp("Page.captureScreenshot", format="png")
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))


class Node:
    """One thing of the accessibility tree."""

    def __init__(self, browser, node):
        self.browser = browser
        self.name = node.get("name", {}).get("value", "")
        self.role = node["role"]["value"]
        self.properties = {one["name"]: one["value"].get("value")
                           for one in node.get("properties", [])}
        self.id = node.get("backendDOMNodeId")

    def attribute(self, name):
        return self.call("function (name) { return this.getAttribute(name); }", name)

    def call(self, function, *arguments):
        thing = self.browser.cdp("DOM.resolveNode", backendNodeId=self.id)["object"]["objectId"]
        answer = self.browser.cdp(
            "Runtime.callFunctionOn", objectId=thing, functionDeclaration=function,
            arguments=[{"value": one} for one in arguments], returnByValue=True)
        return answer["result"].get("value")

    def box(self):
        return self.call("""function () {
          const thing = this.nodeType === 3 ? this.parentElement : this;
          const { x, y, width, height } = thing.getBoundingClientRect();
          return [x, y, width, height]; }""")

    def point(self, dx=0.5, dy=0.4):
        self.call("""function () { this.closest?.('dialog')
          && this.scrollIntoView({ block: 'nearest' }); }""")
        x, y, width, height = self.box()
        return x + width * dx, y + height * dy
