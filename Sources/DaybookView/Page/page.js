// The page: one place, one way to change it, and at most one drawing in a frame.

const panels = {
    state: statePanel, cycle: cyclePanel, findings: findingsPanel, late: latePanel,
    alternative: alternativePanel, search: searchPanel,
};

/** The parts of a place that change what is on the timeline under the moment. */
const baseParts = [
    'folded', 'hideInert', 'clock', 'axis', 'range', 'zone', 'query', 'tab', 'alternative',
];

/** Holds the story and the place, and draws what a change of place concerns. */
class Page {
    constructor(source) {
        this.story = new Story(source);
        this.place = placeOf(location.hash, this.story);
        this.times = new Times(this.place.zone);
        this.values = new Values(this.story, this.times);
        this.commands = new Commands(this.story);
        this.finder = new Search(this.story);
        this.hidden = new Uint8Array(this.story.count);
        this.isMatch = new Uint8Array(this.story.count);
        this.matches = new Int32Array(0);
        this.dirty = new Set();
        this.drawings = 0;
        this.isPrinted = false;
        this.actions = pageActions(this);
        this.dialogs = new Dialogs(this);
        this.frame = new Frame(this);
        this.timeline = new Timeline(this);
        this.table = new EventTable(this);
        this.address = new Address(this);
        this.filter();
        this.search();
        this.build();
    }

    build() {
        const { frame } = this;
        document.title = visible(this.story.source.title);
        fill(document.getElementById('page'),
            frame.header(), frame.bar,
            make('main', null,
                make('div', { class: 'left' }, frame.options, this.timeline.element, frame.legend,
                    this.table.element),
                make('div', { class: 'right' }, frame.event, frame.tabs, frame.panel)),
            frame.footer(), frame.status, this.dialogs.help, this.dialogs.palette);
        listenToGestures(this.timeline);
        listenToKeys(this);
        listenToPrinting(this);
        this.readTheme();
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
            this.readTheme();
            this.redraw('base');
        });
        this.redraw('size');
    }

    /** Changes the place and draws what the change concerns. */
    go(change) {
        const before = this.place;
        this.place = { ...before, ...change };
        const is = (name) => name in change && change[name] !== before[name];
        if (is('zone')) {
            this.times = new Times(this.place.zone);
            this.values.times = this.times;
        }
        if (is('query')) this.search();
        if (is('folded') || is('hideInert') || is('clock')) this.filter();
        if (is('lanes') || is('entity')) this.redraw('lanes');
        if (baseParts.some(is)) this.redraw('base');
        if (is('row') || is('folded') || is('hideInert') || is('clock')) this.redraw('reveal');
        if (is('row')) this.keepInSight();
        if (Object.keys(change).some((name) => name !== 'range' && is(name))) this.redraw('panels');
        if (is('folded')) this.redraw('legend');
        this.redraw('moment');
        this.address.change(before, this.place);
    }

    /** Asks for a part to be drawn in the next frame. */
    redraw(part) {
        if (this.dirty.size === 0) requestAnimationFrame(() => this.draw());
        this.dirty.add(part);
    }

    draw() {
        const parts = new Set(this.dirty);
        const has = (...names) => names.some((name) => parts.has(name));
        if (has('size')) {
            this.timeline.measure();
            this.table.measure();
        }
        if (has('size', 'legend')) this.frame.drawLegend();
        if (has('size', 'lanes')) this.timeline.arrange();
        if (has('size', 'lanes', 'base')) this.timeline.drawBase();
        if (has('size', 'panels', 'reveal')) {
            this.frame.drawBar();
            this.frame.drawTabs();
            fill(this.frame.event, eventPanel(this));
            this.drawPanel();
        }
        if (has('size', 'reveal')) this.table.reveal();
        if (has('size', 'scroll', 'panels', 'reveal')) this.table.draw();
        this.timeline.drawAbove();
        this.dirty.clear();
        this.drawings++;
        document.documentElement.dataset.drawn = String(this.drawings);
    }

    /** Writes the panel; a button that had the focus has it again. */
    drawPanel() {
        const { panel } = this.frame;
        const focused = panel.contains(document.activeElement) && document.activeElement !== panel
            ? [...panel.querySelectorAll('button')].indexOf(document.activeElement) : -1;
        const { scrollTop } = panel;
        fill(panel, panels[this.place.tab](this));
        panel.scrollTop = scrollTop;
        if (focused >= 0) {
            const buttons = panel.querySelectorAll('button');
            if (buttons[focused]) buttons[focused].focus({ preventScroll: true });
        }
    }

    /** The rows that folded kinds and hidden inert events leave, in the order of the clock. */
    filter() {
        const { story, place, hidden } = this;
        let count = 0;
        for (let row = 0; row < story.count; row++) {
            const isHidden = place.folded.has(story.kind[row])
                || (place.hideInert && story.inert[row] === 1);
            hidden[row] = isHidden ? 1 : 0;
            if (!isHidden) count++;
        }
        const { rows } = story.orders[place.clock];
        this.shown = new Int32Array(count);
        let at = 0;
        for (const row of rows) if (!hidden[row]) this.shown[at++] = row;
    }

    search() {
        this.matches = this.place.query ? this.finder.rows(this.place.query) : new Int32Array(0);
        this.isMatch.fill(0);
        for (const row of this.matches) this.isMatch[row] = 1;
    }

    /** Searches when the typing rests. */
    searchSoon(query) {
        clearTimeout(this.typing);
        this.typing = setTimeout(() => this.go({ query, tab: query ? 'search' : 'state' }), 120);
    }

    nextMatch(step) {
        const { matches, place } = this;
        if (matches.length === 0) return;
        const next = step > 0 ? matches.find((row) => row > place.row)
            : matches.findLast((row) => row < place.row);
        this.go({ row: next === undefined ? matches[step > 0 ? 0 : matches.length - 1] : next });
    }

    /** The number of shown events up to a row by the clock, less one; -1 before all. */
    indexUpTo(row) {
        if (row < 0) return -1;
        const { rank } = this.story.orders[this.place.clock];
        let low = 0;
        let high = this.shown.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (rank[this.shown[middle]] <= rank[row]) low = middle + 1;
            else high = middle;
        }
        return low - 1;
    }

    shownIndex(row) {
        const index = this.indexUpTo(row);
        return index >= 0 && this.shown[index] === row ? index : -1;
    }

    goToIndex(index) {
        const at = Math.max(-1, Math.min(index, this.shown.length - 1));
        this.go({ row: at < 0 ? -1 : this.shown[at] });
    }

    /** Goes some shown events on or back. */
    step(count) {
        const index = this.indexUpTo(this.place.row);
        const isBetween = index >= 0 && this.shown[index] !== this.place.row;
        const target = count === -Infinity ? 0 : count === Infinity ? this.shown.length - 1
            : index + count + (isBetween && count < 0 ? 1 : 0);
        this.goToIndex(target);
    }

    /** Goes to the next or last change of the chosen entity or field. */
    stepOf(isField, step) {
        const { story, place } = this;
        const { entity, path } = this.chosen(isField);
        if (entity < 0) return;
        const { changes } = story;
        const { rank } = story.orders[place.clock];
        const here = place.row < 0 ? -1 : rank[place.row];
        let nearest = -1;
        for (let at = changes.entityStart[entity]; at < changes.entityStart[entity + 1]; at++) {
            const change = changes.ofEntity[at];
            const row = changes.event[change];
            if (this.hidden[row] || (isField && changes.path[change] !== path)) continue;
            if ((rank[row] - here) * step <= 0) continue;
            if (nearest < 0 || (rank[nearest] - rank[row]) * step > 0) nearest = row;
        }
        this.go(nearest < 0 ? { entity } : { row: nearest, entity, ...(isField ? { path } : {}) });
    }

    /** The chosen entity and field, or else the first that the event changed. */
    chosen(isField) {
        const { story, place } = this;
        const { entity, path } = place;
        if (entity >= 0 && (!isField || path >= 0)) return { entity, path };
        const { changes } = story;
        if (place.row < 0) return { entity: -1, path: -1 };
        const end = changes.rowStart[place.row + 1];
        for (let change = changes.rowStart[place.row]; change < end; change++) {
            if (entity < 0 || changes.entity[change] === entity) {
                return { entity: changes.entity[change], path: changes.path[change] };
            }
        }
        return { entity, path: -1 };
    }

    /** The last shown row up to a coordinate of the axis, or -1. */
    lastUpTo(coordinate) {
        return this.lastWhere((row) => this.timeline.coordinate(row) <= coordinate);
    }

    lastAtTime(time) {
        return this.lastWhere((row) => this.story[this.place.clock][row] <= time);
    }

    lastWhere(isBefore) {
        let low = 0;
        let high = this.shown.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (isBefore(this.shown[middle])) low = middle + 1;
            else high = middle;
        }
        return low === 0 ? -1 : this.shown[low - 1];
    }

    /** Moves the range after the moment where it would leave it. */
    keepInSight() {
        const { range, row } = this.place;
        if (!range || row < 0) return;
        const at = this.timeline.coordinate(row);
        if (at >= range[0] && at <= range[1]) return;
        const length = range[1] - range[0];
        this.place.range = bounded(this.timeline, at - length / 2, length);
        this.redraw('base');
    }

    zoom(factor) {
        const [from, to] = this.timeline.range;
        const at = this.place.row < 0 ? from : this.timeline.coordinate(this.place.row);
        const around = at >= from && at <= to ? at : (from + to) / 2;
        this.go({ range: zoomed(this.timeline, factor, around) });
    }

    /** Brings about forty events around the moment into sight. */
    focus() {
        const index = Math.max(0, this.indexUpTo(this.place.row));
        if (this.shown.length === 0) return;
        const at = (each) => this.timeline.coordinate(
            this.shown[Math.max(0, Math.min(this.shown.length - 1, each))]);
        const room = Math.max((at(index + 20) - at(index - 20)) * 0.05, 1);
        this.go({ range: [at(index - 20) - room, at(index + 20) + room] });
    }

    fold(kind, others) {
        const folded = new Set(this.place.folded);
        if (others) {
            this.story.kinds.forEach((_, each) => folded.add(each));
            folded.delete(kind);
        } else if (!folded.delete(kind)) {
            folded.add(kind);
        }
        this.go({ folded });
    }

    /** The position and kind of a row. */
    nameOf(row) {
        const { story } = this;
        return `#${grouped(story.position[row])} ${story.kindNames[story.kind[row]]}`;
    }

    /** A button that goes to a row. */
    link(row) {
        return button(
            this.nameOf(row), 'Go to this event', () => this.go({ row }), { class: 'link' });
    }

    timeOf(row) {
        return this.times.short(this.story[this.place.clock][row], this.story.offset[row]);
    }

    get isDark() {
        const { theme } = document.documentElement.dataset;
        return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    }

    readTheme() {
        this.palette = new Palette(this.story.kinds.length);
    }

    switchTheme() {
        document.documentElement.dataset.theme = this.isDark ? 'light' : 'dark';
        this.readTheme();
        this.redraw('base');
    }
}
