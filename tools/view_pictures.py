"""Takes the pictures of docs/view.md; part of tools/view-test.

The stories are those of the documents' example files and the made one of view_stories.py. Sizes, theme and
fonts (DejaVu, which CI installs) are fixed, and what differs from run to run, the ids of logs and the times
of recording, stands in small print only. A palette of 256 colours makes a picture about 60 KB.
"""
import importlib.util
import io
import os

import view_logs
import view_stories

WIDE, NARROW = (1280, 800), (390, 800)
# Debian's fonts in place of those that the machine prefers.
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>{folder}</cachedir>
<match target="pattern"><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
<match target="pattern"><test name="family"><string>ui-monospace</string></test>
<edit name="family" mode="assign" binding="same"><string>DejaVu Sans Mono</string></edit></match>
<match target="pattern"><test name="family"><string>monospace</string></test>
<edit name="family" mode="assign" binding="same"><string>DejaVu Sans Mono</string></edit></match>
<match target="pattern"><test name="family"><string>system-ui</string></test>
<edit name="family" mode="assign" binding="same"><string>DejaVu Sans</string></edit></match>
<match target="pattern"><test name="family"><string>sans-serif</string></test>
<edit name="family" mode="assign" binding="same"><string>DejaVu Sans</string></edit></match>
</fontconfig>"""
PHONE = ["session", "phone-1"]
DAY = ["entry", "babyconnect-ba9a7f3877590967-1", "--report", "daily", "--with", "baby=mia",
       "--with", "date=2020-03-08"]
# The name of each picture; the words of its story, or None for the made one; size; theme; and what a
# reader did.
PICTURES = [
    ("timeline", None, WIDE, "light", "p.go({ row: 42, lanes: 'kind', clock: 'occurred' })"),
    ("state", PHONE, WIDE, "light", "p.go({ row: p.story.rowOf(125) })"),
    ("compare", PHONE, WIDE, "light", "p.go({ row: p.story.count - 1, since: p.story.rowOf(120) })"),
    ("blame", PHONE, WIDE, "light", "p.go({ entity: p.story.subject, path: path('whyLogin') })"),
    ("life-cycle", PHONE, WIDE, "light", "p.go({ tab: 'cycle' })"),
    ("findings", DAY, WIDE, "light", "p.go({ tab: 'findings' })"),
    ("late", DAY, WIDE, "light", "p.go({ tab: 'late' })"),
    ("what-if", [*PHONE, "--skip", "125"], WIDE, "light", "p.go({ row: p.story.count - 1 })"),
    ("report", DAY, WIDE, "light", "p.go({ entity: p.story.entities.findIndex((e) => e.report) })"),
    ("search", None, WIDE, "light", "p.go({ query: 'edited', tab: 'search', row: 30 })"),
    ("dark", None, WIDE, "dark", "p.go({ row: 42, clock: 'recorded', axis: 'time' })"),
    ("narrow", PHONE, NARROW, "light", "p.go({ entity: p.story.subject, path: path('status') })"),
]


def fonts(folder):
    """The environment of a browser that has those fonts alone."""
    path = os.path.join(folder, "fonts.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(FONTS.format(folder=folder))
    return {**os.environ, "FONTCONFIG_FILE": path}


def take(page, name, theme, act, target):
    """Repeats a reader's actions, and writes the visible part."""
    page.ask(f"""(() => {{
        const p = daybookPage;
        const path = (name) => p.story.pathNames.indexOf(name);
        document.documentElement.dataset.theme = '{theme}';
        p.readTheme();
        p.redraw('size');
        {act};
        document.activeElement.blur();
    }})()""")
    page.rest()
    page.page.wait_for_timeout(250)
    write(page.page.screenshot(), os.path.join(target, f"{name}.png"))


def write(png, path):
    """Writes a picture with a palette, where the package for it is installed."""
    from PIL import Image
    with Image.open(io.BytesIO(png)) as picture:
        reduced = picture.convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=0)
        reduced.save(path, optimize=True)
    print(f"    {path}: {os.path.getsize(path) // 1024} KB")


def make(test, browser, browse, binary, folder, target):
    """Writes each picture into a folder; `browse(context, path)` opens a page."""
    os.makedirs(target, exist_ok=True)
    log = view_logs.tour(binary, folder)
    for number, (name, words, size, theme, act) in enumerate(PICTURES):
        if words is None:
            path = test.write(name, view_stories.small())
        else:
            path, _ = log.view(words, f"picture-{number}")
        context = browser.new_context(viewport={"width": size[0], "height": size[1]},
                                      color_scheme=theme, locale="en-GB", timezone_id="UTC")
        page = browse(context, path)
        take(page, name, theme, act, target)
        context.close()
    # The served page has pictures of its own: the overview of a log, and the questions asked there.
    if importlib.util.find_spec("view_live"):
        served = getattr(importlib.import_module("view_live"), "pictures", None)
        if served:
            served(browser, binary, folder, lambda page, name: take(page, name, "light", "0", target))
    size = sum(os.path.getsize(os.path.join(target, each)) for each in os.listdir(target))
    if size > 1_000_000:
        raise AssertionError(f"the pictures take {size} bytes; at most 1,000,000")
