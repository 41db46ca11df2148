// The page: one place, one way to change it, and at most one drawing in a frame.

const panels = {
    state: statePanel, cycle: cyclePanel, findings: findingsPanel, late: latePanel,
    alternative: alternativePanel, search: searchPanel,
    ask: (page) => page.live.answers.shown(page),
};

/** The parts of a place that change what is on the timeline under the moment. */
const baseParts = ['folded', 'hideInert', 'clock', 'axis', 'range', 'zone', 'query', 'tab',
    'alternative', 'since'];

/** Holds a story and the place, and draws what a change of place concerns. */
class Page extends View {
    constructor(story, fragment, live = null) {
        super(live);
        this.story = story;
        this.place = placeOf(fragment, story);
        this.times = new Times(this.place.zone, story.source.clocks);
        this.values = new Values(this);
        this.commands = new Commands(story);
        this.finder = new Search(story);
        this.hidden = new Uint8Array(story.count);
        this.actions = pageActions(this);
        this.dialogs = new Dialogs(this);
        this.frame = new Frame(this);
        this.timeline = new Timeline(this);
        this.table = new EventTable(this);
        this.filter();
        this.search();
        const { frame } = this;
        this.show(story.source.title, frame.header(), frame.bar, make('main', null,
            make('div', { class: 'left' }, frame.options, this.timeline.element, frame.legend,
                this.table.element),
            make('div', { class: 'right' }, frame.event, frame.tabs, frame.panel)),
        frame.footer(), frame.status);
    }

    readTheme() {
        this.palette = new Palette(Math.max(0, ...this.story.looks) + 1);
    }

    get fragment() {
        return [...(this.live ? this.live.prefix : []), fragmentOf(this.place, this.story)]
            .filter((each) => each).join('&');
    }

    /** Takes the place of a fragment; one that is about another view leads there. */
    read(fragment) {
        if (!this.live || !this.live.leads(fragment)) this.go(placeOf(fragment, this.story));
    }

    /** Says where the reader is to those who do not see it. */
    say() {
        this.frame.status.textContent = this.place.row < 0 ? '' : this.frame.moment.textContent;
    }

    /** Changes the place and draws what the change concerns. */
    go(change) {
        const before = this.place;
        this.place = { ...before, ...change };
        const is = (name) => name in change && change[name] !== before[name];
        if (is('zone')) this.times = new Times(this.place.zone, this.story.source.clocks);
        if (is('query')) this.search();
        if (is('folded') || is('hideInert') || is('clock')) this.filter();
        if (is('lanes') || is('lane') || is('entity')) this.redraw('lanes');
        if (baseParts.some(is)) this.redraw('base');
        if (is('row') || is('folded') || is('hideInert') || is('clock')) this.redraw('reveal');
        if (is('row')) this.keepInSight();
        if (Object.keys(change).some((name) => name !== 'range' && is(name))) this.redraw('panels');
        if (is('folded')) this.redraw('legend');
        this.redraw('moment');
        this.placed(before);
    }

    draw(has) {
        if (has('size')) {
            this.timeline.measure();
            this.table.measure();
        }
        if (has('size', 'legend')) this.frame.drawLegend();
        if (has('size', 'lanes')) this.timeline.arrange();
        if (has('size', 'lanes', 'base')) this.timeline.drawBase();
        // What is measured comes before what is written, so that the browser lays out once.
        const { scrollTop } = this.frame.panel;
        if (has('size', 'reveal')) this.table.reveal();
        if (has('size', 'scroll', 'panels', 'reveal')) this.table.draw();
        if (has('size', 'panels', 'reveal')) {
            this.frame.drawBar();
            this.frame.drawTabs();
            fill(this.frame.event, eventPanel(this));
            this.drawPanel(scrollTop);
        }
        this.timeline.drawAbove();
    }

    /** Writes the panel; a button that had the focus has it again. */
    drawPanel(scrollTop) {
        const { panel } = this.frame;
        const focused = panel.contains(document.activeElement) && document.activeElement !== panel
            ? [...panel.querySelectorAll('button')].indexOf(document.activeElement) : -1;
        fill(panel, panels[this.place.tab](this));
        if (scrollTop > 0) panel.scrollTop = scrollTop;
        const again = focused >= 0 && panel.querySelectorAll('button')[focused];
        if (again) again.focus({ preventScroll: true });
    }

    /** The rows that folded kinds and hidden inert events leave, in the order of the clock. */
    filter() {
        const { story, place, hidden } = this;
        for (let row = 0; row < story.count; row++) {
            const isInert = place.hideInert && story.inert[row] === 1;
            hidden[row] = isInert || place.folded.has(story.kind[row]) ? 1 : 0;
        }
        this.shown = story.orders[place.clock].rows.filter((row) => hidden[row] === 0);
    }

    search() {
        this.matches = this.place.query ? this.finder.rows(this.place.query) : new Int32Array(0);
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
        return endWhere(0, this.shown.length, (at) => rank[this.shown[at]] <= rank[row]) - 1;
    }

    goToIndex(index) {
        const at = Math.min(index, this.shown.length - 1);
        this.go({ row: at < 0 ? -1 : this.shown[at] });
    }

    /** Goes some shown events on or back. */
    step(count) {
        const index = this.indexUpTo(this.place.row);
        const isBetween = index >= 0 && this.shown[index] !== this.place.row;
        this.goToIndex(index + count + (isBetween && count < 0 ? 1 : 0));
    }

    /** Goes to the next or last change of the chosen entity or field. */
    stepOf(isField, step) {
        const { story, place } = this;
        const { entity, path } = this.chosen(isField);
        if (entity < 0) return;
        const { changes } = story;
        const { rank } = story.orders[place.clock];
        const here = place.row < 0 ? -1 : rank[place.row];
        const [nearest] = changes.ofEntityAll(entity)
            .filter((each) => !isField || changes.path[each] === path)
            .map((each) => changes.event[each])
            .filter((row) => !this.hidden[row] && (rank[row] - here) * step > 0)
            .sort((a, b) => (rank[a] - rank[b]) * step);
        this.go({ entity, ...(isField ? { path } : {}),
            ...(nearest === undefined ? {} : { row: nearest }) });
    }

    /** The chosen entity and field, or else the first that the event changed. */
    chosen(isField) {
        const { story, place } = this;
        const { entity, path } = place;
        if (entity >= 0 && (!isField || path >= 0)) return { entity, path };
        const { changes } = story;
        const change = changes.ofRow(place.row).find(
            (each) => entity < 0 || changes.entity[each] === entity);
        return change === undefined ? { entity, path: -1 }
            : { entity: changes.entity[change], path: changes.path[change] };
    }

    /** The last shown row up to a place among numbers that grow with the clock, or -1. */
    lastUpTo(place, numbers) {
        const end = endWhere(0, this.shown.length, (at) => numbers[this.shown[at]] <= place);
        return end === 0 ? -1 : this.shown[end - 1];
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

    /** What keys zoom around. */
    get middle() {
        return this.place.row < 0 ? -Infinity : this.timeline.coordinate(this.place.row);
    }

    /** Compares each moment with a row from now on; with the same row again, no longer. */
    compareFrom(row) {
        this.go(row === this.place.since ? { since: -2 } : { since: row, tab: 'state' });
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

    /** Hides or shows a kind, or hides all others. */
    fold(kind, others) {
        const folded = new Set(others ? this.story.kinds.keys() : this.place.folded);
        if (!folded.delete(kind)) folded.add(kind);
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

    /** Offers the fields of the chosen entity, kinds and entities to the palette. */
    offerThings(offer) {
        const { story, place } = this;
        if (place.entity >= 0) {
            for (const { path } of story.stateAt(place.entity, place.row)) {
                offer('field', story.pathNames[path], () => this.go({ path, tab: 'state' }));
            }
        }
        story.kindNames.forEach((name, kind) => offer('kind', name,
            () => this.go({ query: `kind:${story.kinds[kind].name}`, tab: 'search' }),
            counted(story.kindCounts[kind], 'event')));
        story.entityNames.forEach((name, entity) => offer('entity', name,
            () => this.go({ entity, path: -1, tab: 'state' })));
    }

    /** The moments that a text names: a position, or a date with or without a time. */
    placesOf(text) {
        const { story } = this;
        const go = (kind, name, row, detail) => (
            [{ kind, name, detail, run: () => this.go({ row }) }]);
        if (/^#?\d{1,15}$/.test(text)) {
            const row = story.rowOf(Number(text.replace('#', '')));
            return go('position', row < 0 ? '0' : `${story.position[row]}`, row, 'or before it');
        }
        const date = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?/.exec(text);
        if (!date || story.count === 0) return [];
        const [, year, month, dayOfMonth, hours, minutes, seconds] = date.map(
            (each) => Number(each || 0));
        const wall = Date.UTC(year, month - 1, dayOfMonth, hours, minutes, seconds) * 1000;
        const own = story.offset[0];
        const time = wall - this.times.offsetAt(wall - this.times.offsetAt(wall, own), own);
        const row = this.lastUpTo(time, story[this.place.clock]);
        return go('time', this.times.full(time, own), row,
            row < 0 ? 'before the first event' : `after position ${story.position[row]}`);
    }
}
