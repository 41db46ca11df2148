"""Uses each control of the page of `replay view` by key and by mouse, over any story; part of tools/view-test.

tools/view-test checks the effect of each control on a made story. Here each must act on the stories of real
logs, on a hundred thousand events, and while a server answers, and the page must report no error.
"""
import processes

# A key, the part of the place that it changes, and what it is after the key where that is always the same.
KEYS = [
    (",", "row", None), (",", "row", None), (".", "row", None), ("c", "clock", None), ("c", "clock", None),
    ("x", "axis", None), ("x", "axis", None), ("l", "lanes", None), ("l", "lanes", None),
    ("l", "lanes", None), ("l", "lanes", None), ("i", "hideInert", None), ("i", "hideInert", None),
    ("2", "tab", "cycle"), ("3", "tab", "findings"), ("4", "tab", "late"), ("5", "tab", "alternative"),
    ("6", "tab", "search"), ("1", "tab", "state"), ("+", "range", None), ("ArrowLeft", "range", None),
    ("ArrowRight", "range", None), ("-", "range", None), ("f", "range", None), ("0", "range", None),
    ("m", "since", None), ("m", "since", -2),
]


class Walk:
    def __init__(self, test, browsed, what):
        self.test, self.browsed, self.what = test, browsed, what

    def place(self, name):
        """A part of the place, as a text that can be compared."""
        return self.browsed.ask(f"JSON.stringify(daybookPage.place.{name})")

    def changes(self, control, name, act):
        before = self.place(name)
        act()
        processes.wait_until(lambda: self.place(name) != before)
        self.browsed.rest()
        self.test.differ(f"{self.what}: {control}", self.place(name), before)

    def keys(self):
        for key, name, value in KEYS:
            self.browsed.free()
            if value is None and key != "0":
                self.changes(f"key {key}", name, lambda key=key: self.browsed.key(key))
            else:
                self.browsed.key(key)
                if value is not None:
                    self.test.equal(f"{self.what}: key {key}", self.browsed.place(name), value)
        self.test.equal(f"{self.what}: key 0", self.browsed.place("range"), None)
        self.writers()
        self.browsed.key("/")
        self.browsed.page.keyboard.type("e")
        self.browsed.page.wait_for_selector("#panel [role=status]", timeout=120_000)
        self.browsed.free()
        self.browsed.key("n")
        self.browsed.key("N")
        self.browsed.ask("daybookPage.go({ query: '', tab: 'state' })")
        self.browsed.key("Control+k")
        self.browsed.page.keyboard.type("1")
        self.browsed.key("Enter")
        self.test.equal(f"{self.what}: Ctrl-K 1", self.browsed.ask("daybookPage.place.row <= 0"), True)

    def writers(self):
        """The events of an entity and of a field, and who wrote the field."""
        self.browsed.ask("""(() => {
            const { story } = daybookPage;
            const { changes } = story;
            const row = [...story.position.keys()].reverse().find((each) => changes.ofRow(each).length > 0);
            daybookPage.go({ row, tab: 'state', entity: changes.entity[changes.ofRow(row)[0]], path: -1 });
        })()""")
        for key in ["[", "]", "{", "}"]:
            self.browsed.key(key)
        self.test.equal(f"{self.what}: the writers", self.browsed.page.locator(".blame .writes li").count() > 0,
                        True)
        self.browsed.key("Escape")
        self.test.equal(f"{self.what}: Esc", self.browsed.place("path"), -1)

    def mouse(self):
        browsed, page = self.browsed, self.browsed.page
        self.changes("button before", "row", lambda: (
            browsed.ask("daybookPage.go({ row: daybookPage.shown.at(-1), range: null })"),
            browsed.click("[aria-label='Event before']"), browsed.click("[aria-label='Event before']")))
        self.changes("slider", "row", lambda: page.locator("input[type=range]").fill("2"))
        self.changes("a row of the table", "row", lambda: page.locator(
            ".events tbody tr:not(.here) .link").first.click())
        for label, name in [("Lanes", "lanes"), ("Clock", "clock"), ("Axis", "axis"), ("Zone", "zone")]:
            choice = page.locator(f".options select[aria-label={label}]")
            others = browsed.ask(f"""[...document.querySelector('.options select[aria-label={label}]').options]
                .map((each) => each.value).filter((each) => each !== daybookPage.place.{name})""")
            first = browsed.place(name)
            self.changes(f"choice {label}", name, lambda: choice.select_option(others[0]))
            self.changes(f"choice {label} back", name, lambda: choice.select_option(first))
        box = page.locator(".surface").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        self.changes("wheel", "range", lambda: page.mouse.wheel(0, -400))
        self.changes("drag", "range", lambda: (
            page.mouse.down(), page.mouse.move(x - 60, y, steps=4), page.mouse.up()))
        self.changes("a range of the ruler", "range", lambda: (
            page.mouse.move(box["x"] + 100, box["y"] + 10), page.mouse.down(),
            page.mouse.move(box["x"] + 300, box["y"] + 10, steps=4), page.mouse.up()))
        browsed.ask("daybookPage.go({ range: null })")
        self.changes("the ruler", "row", lambda: page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 10))
        self.changes("a kind", "folded.size", lambda: page.locator(".kind-choice").first.click())
        self.changes("all kinds", "folded.size", lambda: page.locator(".legend >> text=Show all").click())
        for tab in ["cycle", "findings", "late", "alternative", "search", "state"]:
            browsed.click(f"#tab-{tab}")
            self.test.equal(f"{self.what}: tab {tab}", browsed.place("tab"), tab)
        self.writers()
        browsed.click(".card .value-button")
        self.test.equal(f"{self.what}: a value", page.locator(".blame").count(), 1)
        browsed.click(".blame >> text=Close")
        self.changes("Compare", "since", lambda: browsed.click(".event >> text=Compare"))
        self.changes("Stop", "since", lambda: browsed.click(".panel >> text=Stop"))
        browsed.click("[aria-label=Keys]")
        browsed.click("dialog.help >> text=Close")


def walk(test, browsed, what):
    """Each control, by key and by mouse."""
    browsed.rest()
    steps = Walk(test, browsed, what)
    steps.keys()
    steps.mouse()
    test.equal(f"{what}: complaints", browsed.complaints, [])


def check(test, browse, made):
    """The stories of whole logs: the tour's, and the recorded half year's."""
    for log in made:
        if log.name not in ("tour", "half-year"):
            continue
        path, _ = log.view([], "walk")
        page = browse(path)
        walk(test, page, log.name)
        page.close()
