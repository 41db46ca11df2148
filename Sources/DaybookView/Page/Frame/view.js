// What all pages have: a place that stands in the address, one way to draw, a theme and keys.

const steps = ['row', 'entity', 'path', 'tab', 'alternative', 'lanes', 'query', 'since'];

/** A page that is shown: of a story, or of a whole log. `live` is null without a server. */
class View {
    constructor(live) {
        this.live = live;
        this.dirty = new Set();
        this.isPrinted = false;
        this.ending = new AbortController();
        this.listen(window, 'popstate', () => this.readAddress());
        this.listen(window, 'hashchange', () => this.readAddress());
    }

    /** Listens until another page is shown. */
    listen(target, name, action) {
        target.addEventListener(name, action, { signal: this.ending.signal });
    }

    /** Puts the parts of the page in place of what was shown. */
    show(title, ...parts) {
        document.title = visible(title);
        fill(document.getElementById('page'), parts, this.dialogs.elements);
        listenToGestures(this.timeline);
        listenToKeys(this);
        listenToPrinting(this);
        this.readTheme();
        this.listen(matchMedia('(prefers-color-scheme: dark)'), 'change', () => this.recolor());
        const observer = new ResizeObserver(() => this.redraw('size'));
        observer.observe(this.timeline.surface);
        this.ending.signal.addEventListener('abort', () => observer.disconnect());
        this.redraw('size');
    }

    /** Asks for a part to be drawn in the next frame. */
    redraw(part) {
        if (this.dirty.size === 0) requestAnimationFrame(() => this.drawAll());
        this.dirty.add(part);
    }

    drawAll() {
        const parts = new Set(this.dirty);
        const has = (...names) => names.some((name) => parts.has(name));
        if (!this.ending.signal.aborted) this.draw(has);
        this.dirty.clear();
        const { dataset } = document.documentElement;
        dataset.drawn = String(Number(dataset.drawn || 0) + 1);
    }

    /** Writes the address when the place rests; a step back leads to another moment or view. */
    placed(before) {
        this.isStep = this.isStep || steps.some((name) => before[name] !== this.place[name]);
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.writeAddress(this.isStep), 250);
    }

    writeAddress(isStep) {
        clearTimeout(this.timer);
        this.isStep = false;
        const fragment = `#${this.fragment}`;
        if (fragment === (location.hash || '#') || this.ending.signal.aborted) return;
        if (isStep) history.pushState(null, '', fragment);
        else history.replaceState(null, '', fragment);
        if (this.say) this.say();
    }

    readAddress() {
        if (location.hash.slice(1) === this.fragment) return;
        this.read(location.hash);
        clearTimeout(this.timer);
        this.isStep = false;
    }

    zoom(factor, around) {
        const [from, to] = this.timeline.range;
        const at = around >= from && around <= to ? around : (from + to) / 2;
        const range = zoomed(this.timeline, factor, at);
        const isBeyond = factor > 1 && range === null && this.place.range === null;
        if (isBeyond && this.live && this.story) this.live.widen(this, factor);
        else this.go({ range });
    }

    get isDark() {
        const { theme } = document.documentElement.dataset;
        return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    }

    switchTheme() {
        document.documentElement.dataset.theme = this.isDark ? 'light' : 'dark';
        this.recolor();
    }

    recolor() {
        this.readTheme();
        this.redraw('size');
    }
}

/** Paper is light, whatever the screen is. */
function listenToPrinting(view) {
    const { dataset } = document.documentElement;
    let { theme } = dataset;
    const change = (isPrinted, name = '') => {
        dataset.theme = name;
        view.isPrinted = isPrinted;
        view.recolor();
        view.drawAll();
    };
    view.listen(window, 'beforeprint', () => {
        theme = dataset.theme;
        change(true, 'light');
    });
    view.listen(window, 'afterprint', () => change(false, theme));
}
