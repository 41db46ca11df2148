"""Firefox for tools/view-test, over plain WebDriver BiDi, with the part of Playwright's pages that it uses.

Playwright drives only a Firefox of its own. Debian's has a socket for WebDriver BiDi, which needs nothing
but the standard library: JSON in the frames of a websocket. `Firefox(binary, folder).new_page()` gives a page
whose locators, keyboard and mouse have the names that they have in Playwright, so that one test uses both
browsers. A selector is CSS, with `:visible` and `:has-text('…')` at its end, or `text=…`; `>>` looks inside,
and `nth=N` takes one. A click waits until its element is the one under the pointer.
"""
import base64
import json
import os
import re
import signal
import socket
import struct
import time
import types

import processes

# Seconds that an element, an answer or the browser itself may take.
PATIENCE = 120
# What a new profile does at first is of no use here, and asks the network.
PREFERENCES = {
    "app.update.enabled": False, "browser.aboutwelcome.enabled": False,
    "browser.cache.disk.enable": False, "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False, "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0, "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 0, "layout.css.prefers-color-scheme.content-override": 1,
}
KEYS = {
    "Alt": "\ue00a", "ArrowDown": "\ue015", "ArrowLeft": "\ue012", "ArrowRight": "\ue014",
    "ArrowUp": "\ue013", "Backspace": "\ue003", "Control": "\ue009", "Delete": "\ue017", "End": "\ue010",
    "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011", "PageDown": "\ue00f", "PageUp": "\ue00e",
    "Shift": "\ue008", "Tab": "\ue004",
}
# The elements of a selector, and the place of one where a pointer can meet it.
FINDER = r"""(selector) => {
    const textOf = (each) => (each.textContent || '').replace(/\s+/g, ' ').trim().toLowerCase();
    const isSeen = (each) => each.getClientRects().length > 0
        && getComputedStyle(each).visibility !== 'hidden';
    let found = [document];
    for (const part of selector.split(' >> ')) {
        const inside = (css) => [...new Set(found.flatMap((each) => [...each.querySelectorAll(css)]))];
        if (part.startsWith('nth=')) {
            const at = Number(part.slice(4));
            found = found.slice(at, at === -1 ? undefined : at + 1);
        } else if (part.startsWith('text=')) {
            const wanted = part.slice(5).toLowerCase();
            const having = inside('body *, *').filter((each) => textOf(each).includes(wanted)
                && !each.matches('script, style, noscript'));
            found = having.filter((each) => !having.some((other) => other !== each && each.contains(other)));
        } else {
            const [, css, text, seen] = part.match(/^(.*?)(?::has-text\('(.*)'\))?(:visible)?$/);
            found = inside(css).filter((each) => (text === undefined || textOf(each).includes(text.toLowerCase()))
                && (!seen || isSeen(each)));
        }
    }
    return found;
}"""
POINTED = r"""(element) => {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const box = element.getClientRects()[0];
    if (!box) return null;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const met = document.elementFromPoint(x, y);
    const label = element.closest('label');
    return met && (element.contains(met) || met.contains(element) || (label && label.contains(met)))
        ? [x, y] : null;
}"""

# How many events of a kind the page has met, counted from the first time that this is asked.
MET_LAST = {"keyUp": "keyup", "pointerDown": "mousedown", "pointerUp": "mouseup", "scroll": "wheel"}
MET = """(() => {
    if (!globalThis.metByTest) {
        globalThis.metByTest = {};
        for (const name of ['keyup', 'mousedown', 'mouseup', 'wheel']) {
            metByTest[name] = 0;
            addEventListener(name, () => { metByTest[name]++; }, { capture: true, passive: true });
        }
    }
    return metByTest;
})()"""


class WebSocket:
    """Text messages to and from a server on this machine (RFC 6455)."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.waiting = b""
        while b"\r\n\r\n" not in self.waiting:
            self.waiting += self.more()
        head, self.waiting = self.waiting.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(f"Firefox refuses a websocket: {head[:100]!r}")

    def more(self):
        read = self.socket.recv(1 << 16)
        if not read:
            raise ConnectionError("Firefox closed the websocket")
        return read

    def take(self, count):
        parts, length = [self.waiting], len(self.waiting)
        while length < count:
            parts.append(self.more())
            length += len(parts[-1])
        read = b"".join(parts)
        self.waiting = read[count:]
        return read[:count]

    def send(self, text):
        self.frame(1, text.encode())

    def frame(self, opcode, payload):
        """A frame with its mask."""
        length = len(payload)
        mask = os.urandom(4)
        masking = int.from_bytes((mask * (length // 4 + 1))[:length], "big")
        masked = (int.from_bytes(payload, "big") ^ masking).to_bytes(length, "big")
        head = bytes([0x80 | opcode])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", length)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", length)
        self.socket.sendall(head + mask + masked)

    def receive(self):
        """The next message; a ping is answered."""
        message = b""
        while True:
            first, second = self.take(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self.take(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.take(8))
            payload = self.take(length)
            opcode = first & 0x0F
            if opcode == 9:
                self.frame(10, payload)
            elif opcode == 8:
                raise ConnectionError("Firefox ended the session")
            elif opcode in (0, 1):
                message += payload
                if first & 0x80:
                    return message.decode()


class Firefox:
    """A Firefox without a window, with a profile of its own in a folder, and one session."""

    def __init__(self, binary, folder, width=1440, height=900):
        self.size = {"width": width, "height": height}
        profile = os.path.join(folder, "firefox")
        os.makedirs(profile)
        with open(os.path.join(profile, "user.js"), "w", encoding="utf-8") as file:
            for name, value in PREFERENCES.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.output = os.path.join(folder, "firefox.txt")
        with open(self.output, "wb") as output:
            self.process = processes.start(
                [binary, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0",
                 "about:blank"],
                stdin=processes.DEVNULL, stdout=output, stderr=output,
                env={**os.environ, "HOME": folder, "TZ": "UTC"})
        try:
            self.socket = WebSocket(self.port(), "/session")
            self.count, self.pages = 0, {}
            self.version = self.send("session.new", {"capabilities": {}})["capabilities"]["browserVersion"]
            self.send("session.subscribe", {"events": [
                "log.entryAdded", "network.beforeRequestSent", "browsingContext.userPromptOpened"]})
        except BaseException:
            self.close()
            raise

    def port(self):
        """The port that the browser chose and wrote on its standard error."""
        end = time.monotonic() + PATIENCE * 2
        while time.monotonic() < end and self.process.poll() is None:
            with open(self.output, encoding="utf-8", errors="replace") as file:
                said = re.search(r"WebDriver BiDi listening on ws://[\w.\[\]:]*:(\d+)", file.read())
            if said:
                return int(said[1])
            time.sleep(0.05)
        with open(self.output, encoding="utf-8", errors="replace") as file:
            raise ConnectionError(f"Firefox does not start: {file.read()[-300:]}")

    def send(self, method, parameters):
        """The result of a command; what happens meanwhile goes to the page that it is about."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.count:
                if message["type"] == "error":
                    raise AssertionError(f"{method}: {message['error']}: {message['message'][:400]}")
                return message["result"]
            if message["type"] == "event":
                self.happened(message["method"], message["params"])

    def happened(self, name, parameters):
        context = parameters.get("context") or (parameters.get("source") or {}).get("context")
        page = self.pages.get(context)
        if page is None:
            return
        if name == "network.beforeRequestSent":
            page.tell("request", types.SimpleNamespace(url=parameters["request"]["url"]))
        elif name == "log.entryAdded":
            page.tell("console", types.SimpleNamespace(text=parameters.get("text") or ""))
        else:
            page.tell("dialog", types.SimpleNamespace(dismiss=lambda: self.send(
                "browsingContext.handleUserPrompt", {"context": context, "accept": False})))

    def new_page(self):
        context = self.send("browsingContext.create", {"type": "tab"})["context"]
        page = self.pages[context] = Page(self, context)
        self.send("browsingContext.setViewport", {"context": context, "viewport": self.size})
        return page

    def close(self):
        processes.end(self.process, signal.SIGTERM)


class Page:
    def __init__(self, browser, context):
        self.browser, self.context = browser, context
        self.listeners = {}
        self.keyboard, self.mouse = Keyboard(self), Mouse(self)

    def on(self, name, listener):
        """Calls a listener with each `console` message or error, `dialog` and `request`."""
        self.listeners.setdefault(name, []).append(listener)

    def tell(self, name, what):
        for listener in self.listeners.get(name, []):
            listener(what)

    def goto(self, url):
        self.browser.send("browsingContext.navigate", {
            "context": self.context, "url": url, "wait": "complete"})

    def evaluate(self, expression):
        """The value of an expression in the page, or of its promise."""
        return self.result(self.browser.send("script.evaluate", {
            "expression": expression, "target": {"context": self.context}, "awaitPromise": True,
            "userActivation": True}))

    def call(self, function, *arguments):
        """The value of a function in the page, of arguments that JSON has."""
        listed = ", ".join(json.dumps(argument) for argument in arguments)
        return self.evaluate(f"({function})({listed})")

    @staticmethod
    def result(answer):
        if answer["type"] == "exception":
            raise AssertionError(json.dumps(answer["exceptionDetails"])[:400])
        return local(answer["result"])

    def perform(self, kind, actions, **more):
        """Performs actions, and waits until the page has met their last event.

        The browser answers earlier, and the next question could overtake the event.
        """
        last = MET_LAST.get(actions[-1]["type"])
        met = self.evaluate(MET) if last else {}
        self.browser.send("input.performActions", {
            "context": self.context,
            "actions": [{"type": kind, "id": kind, "actions": actions, **more}]})
        count = sum(each["type"] == actions[-1]["type"] for each in actions)
        end = time.monotonic() + 2
        while last and time.monotonic() < end and self.evaluate(MET)[last] < met[last] + count:
            time.sleep(0.01)

    def title(self):
        return self.evaluate("document.title")

    def locator(self, selector):
        return Locator(self, selector)

    def wait_for_selector(self, selector, timeout=PATIENCE * 1000):
        self.until(timeout / 1000, f"'{selector}' is there", lambda: self.locator(selector).count() > 0)

    def wait_for_timeout(self, milliseconds):
        time.sleep(milliseconds / 1000)
        # What the browser had to say meanwhile is read.
        self.evaluate("0")

    @staticmethod
    def until(seconds, what, holds):
        end = time.monotonic() + seconds
        while True:
            found = holds()
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"after {seconds} s it does not hold that {what}")
            time.sleep(0.03)

    def screenshot(self):
        """The page as it is in sight, as PNG."""
        return base64.b64decode(self.browser.send("browsingContext.captureScreenshot", {
            "context": self.context})["data"])

    def close(self):
        del self.browser.pages[self.context]
        self.browser.send("browsingContext.close", {"context": self.context})


def local(value):
    """A value of a page's script as Python has it."""
    kind = value["type"]
    if kind in ("null", "undefined"):
        return None
    if kind in ("array", "set"):
        return [local(each) for each in value["value"]]
    if kind == "object":
        return {name: local(each) for name, each in value["value"]}
    if kind in ("string", "boolean"):
        return value["value"]
    if kind == "number" and not isinstance(value["value"], str):
        return value["value"]
    if kind == "number" and value["value"] == "-0":
        return 0
    raise AssertionError(f"the page gave a {kind}: {str(value)[:200]}")


class Locator:
    """The elements of a selector, found anew with each use."""

    def __init__(self, page, selector):
        self.page, self.selector = page, selector

    @property
    def first(self):
        return self.nth(0)

    @property
    def last(self):
        return self.nth(-1)

    def nth(self, index):
        return Locator(self.page, f"{self.selector} >> nth={index}")

    def count(self):
        return self.page.call(f"(selector) => ({FINDER})(selector).length", self.selector)

    def of_element(self, function, *arguments):
        """The value of a function of the first element, which is waited for."""
        self.page.wait_for_selector(self.selector)
        listed = "".join(f", {json.dumps(argument)}" for argument in arguments)
        return self.page.evaluate(
            f"({function})(({FINDER})({json.dumps(self.selector)})[0]{listed})")

    def text_content(self):
        return self.of_element("(element) => element.textContent")

    def bounding_box(self):
        return self.of_element("""(element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return { x, y, width, height };
        }""")

    def place(self):
        """Where a pointer meets the element, which is waited for."""
        return self.page.until(
            PATIENCE, f"a pointer meets '{self.selector}'", lambda: self.of_element(POINTED))

    def click(self):
        self.page.mouse.click(*self.place())

    def hover(self):
        self.page.mouse.move(*self.place())

    def check(self):
        self.become(True)

    def uncheck(self):
        self.become(False)

    def become(self, checked):
        if self.of_element("(element) => element.checked") != checked:
            self.click()

    def fill(self, text):
        self.of_element("""(element, text) => {
            element.focus();
            element.value = text;
            element.dispatchEvent(new Event('input', { bubbles: true }));
            element.dispatchEvent(new Event('change', { bubbles: true }));
        }""", text)

    def select_option(self, value):
        self.fill(value)


class Keyboard:
    def __init__(self, page):
        self.page = page

    def press(self, keys):
        """Presses one key, or several as in `Control+k`, and lets them go."""
        names = [keys] if len(keys) == 1 else keys.split("+")
        codes = [KEYS.get(name, name) for name in names]
        self.page.perform("key", [{"type": "keyDown", "value": code} for code in codes]
                          + [{"type": "keyUp", "value": code} for code in reversed(codes)])

    def type(self, text):
        self.page.perform("key", [{"type": kind, "value": each} for each in text
                                  for kind in ("keyDown", "keyUp")])


class Mouse:
    def __init__(self, page):
        self.page, self.at = page, (0, 0)

    def pointer(self, *actions):
        self.page.perform("pointer", list(actions), parameters={"pointerType": "mouse"})

    def move(self, x, y, steps=1):
        from_x, from_y = self.at
        self.pointer(*({
            "type": "pointerMove", "duration": 0, "x": round(from_x + (x - from_x) * step / steps),
            "y": round(from_y + (y - from_y) * step / steps)} for step in range(1, steps + 1)))
        self.at = (x, y)

    def down(self):
        self.pointer({"type": "pointerDown", "button": 0})

    def up(self):
        self.pointer({"type": "pointerUp", "button": 0})

    def click(self, x, y):
        self.move(x, y)
        self.down()
        self.up()

    def wheel(self, delta_x, delta_y):
        self.page.perform("wheel", [{
            "type": "scroll", "x": round(self.at[0]), "y": round(self.at[1]), "deltaX": delta_x,
            "deltaY": delta_y}])
