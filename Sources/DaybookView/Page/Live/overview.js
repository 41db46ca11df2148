// The whole log by bins: how many events of which kinds, when, on which lanes.

/** Shows a log before any event of it is read; going closer opens the story of what is in sight. */
class Overview extends View {
    constructor(live, fragment) {
        super(live);
        const parts = partsOf(fragment);
        const oneOf = (choices, name) => choices.find((each) => each === parts.get(name));
        this.place = {
            clock: oneOf(overviewClocks, 'clock'), lanes: oneOf(laneModes, 'lanes') || 'kind',
            range: rangeOf(parts.get('range') || ''),
        };
        this.times = new Times(live.log.zone || 'UTC', live.log.clocks);
        const otherClock = () => this.go({
            clock: cycled(overviewClocks, this.place.clock), range: null });
        this.actions = [['other clock, or order', 'c', otherClock], ...commonActions(this)];
        this.dialogs = new Dialogs(this);
        this.timeline = new BinChart(this);
        this.choices = {};
        this.status = make('p', { class: 'muted overview-status', role: 'status' });
        this.legend = make('ul', { class: 'legend', tabindex: 0, 'aria-label': 'Kinds' });
        this.parts = make('section', { class: 'table', tabindex: 0, 'aria-label': 'Parts' });
        const { log } = live.log;
        this.show(`${live.log.logOption.replace('--log ', '') || 'The log'}`,
            headerOf(this, 'Whole log', [
                counted(live.events, 'event'), `log ${shortened(log.id, 12)}`,
                live.log.texts ? 'with texts' : 'texts and names left out',
                live.log.pseudonyms && 'ids replaced'], live.note),
            make('main', { class: 'overview' },
                make('div', { class: 'left' }, timelineOptions(this, this.choices, [
                    ['lanes', 'Lanes', laneModes, 'What a lane is (l)', {}],
                    ['clock', 'Clock', overviewClocks, 'Which axis (c)', { range: null }],
                ], this.status), this.timeline.element, this.legend, this.parts),
                make('div', { class: 'right' }, make('div', { class: 'panel' },
                    card('Open', '', make('h2', null, 'Open an entity, a tag or a position'),
                        make('p', null, live.log.projections.map(({ name, summary }) => button(
                            name, summary, () => this.dialogs.openPalette(`${name} `),
                            { class: 'tag' })))),
                    card('Ask', '', make('h2', null, 'Ask'), live.answers.shown(this))))),
            make('footer', { class: 'bottom' }, commandLine(
                `${live.log.program} view ${live.log.logOption}`)));
        if (!this.place.clock) this.begin();
    }

    /** Chooses the clock that tells more, as for a story, and asks for the bins. */
    async begin() {
        const [recorded, occurred] = await Promise.all(['recorded', 'occurred'].map(
            (clock) => this.live.server.ask(`/bins?clock=${clock}&lanes=kind&width=1&most=1`)));
        const span = ({ whole }) => (whole ? whole[1] - whole[0] : 0);
        this.place.clock = span(recorded) * 10 < span(occurred) ? 'occurred' : 'recorded';
        this.go({});
    }

    get fragment() {
        const { clock, lanes, range } = this.place;
        return [...this.live.prefix, clock && `clock=${clock}`, `lanes=${lanes}`,
            range && `range=${rangeText(range)}`].filter((each) => each).join('&');
    }

    read(fragment) {
        if (!this.live.leads(fragment)) this.live.openLog(fragment);
    }

    readTheme() {
        this.palette = new Palette(this.live.kinds.length);
    }

    go(change) {
        const before = this.place;
        this.place = { ...before, ...change };
        this.refresh();
        this.placed(before);
    }

    /**
     * Draws what is known of the range at once, and asks for its bins: one question at a time, and
     * of those that wait meanwhile only the last one.
     */
    async refresh() {
        this.redraw('base');
        const { clock, lanes, range } = this.place;
        const { width, most } = this.timeline;
        if (!clock || !width) return;
        const ends = range ? `&from=${Math.floor(range[0])}&to=${Math.ceil(range[1])}` : '';
        this.wanted = `/bins?clock=${clock}&lanes=${lanes}&width=${width}&most=${most}${ends}`;
        if (this.isAsking) return;
        this.isAsking = true;
        try {
            while (this.wanted && !this.ending.signal.aborted) {
                const asked = this.wanted;
                this.wanted = null;
                this.take(await this.live.server.ask(asked));
            }
        } catch (error) {
            this.live.say(error.message);
        }
        this.isAsking = false;
    }

    take(answer) {
        if (answer.clock !== this.place.clock || answer.lanes !== this.place.lanes) return;
        this.timeline.answer = answer;
        this.kinds = answer.kinds.map(bareKind);
        this.looks = this.kinds.map((kind) => Math.max(0, this.live.kinds.indexOf(kind)));
        this.redraw('bins');
        this.redraw('base');
        const isBehind = answer.read < answer.events;
        this.status.textContent = `${counted(answer.count, 'event')} in sight`
            + (isBehind ? `, ${grouped(answer.read)} of ${grouped(answer.events)} read` : '');
        if (isBehind) setTimeout(() => this.refresh(), 300);
        clearTimeout(this.rest);
        const isFew = answer.count > 0
            && answer.positions[1] - answer.positions[0] < this.live.log.storyEvents;
        if (isFew && !this.wanted) this.rest = setTimeout(() => this.openInSight(answer), 150);
    }

    /** Opens the story of the events in sight, once they are few. */
    openInSight({ positions: [first, last], clock, lanes }) {
        const { range } = this.place;
        if (this.ending.signal.aborted) return;
        // A margin leaves room to pan, and to zoom out a little.
        const margin = (this.live.log.storyEvents - (last - first)) >> 1;
        const axis = clock === 'order' ? 'clock=recorded&axis=order' : `clock=${clock}&axis=time`;
        this.live.openRange(Math.max(1, first - margin), last + margin,
            `${axis}&lanes=${lanes}`, (page) => {
                if (range === null) return;
                const { rank } = page.story.orders.recorded;
                const at = (position) => rank[Math.max(0, page.story.rowOf(position))];
                const [from, to] = clock !== 'order' ? range
                    : [at(Math.ceil(range[0])) - 0.5, at(Math.floor(range[1])) + 0.5];
                page.go({ range: [from, to], row: page.lastUpTo(to, page.timeline.coordinates) });
            });
    }

    /** Opens the events around the last one up to a coordinate, on a lane if one is given. */
    async openAt(coordinate, lane) {
        const { clock, lanes } = this.place;
        const named = lane === undefined ? '' : `&lane=${encodeURIComponent(lane)}`;
        const { position } = await this.live.server.ask(
            `/near?clock=${clock}&at=${Math.ceil(coordinate)}&lanes=${lanes}${named}`);
        if (position) {
            this.live.openAround(position, clock === 'order' ? 'axis=order'
                : `clock=${clock}&axis=time&lanes=${lanes}`);
        }
    }

    draw(has) {
        const { timeline } = this;
        if (has('size')) {
            const { width } = timeline;
            timeline.measure();
            if (width !== timeline.width) this.refresh();
        }
        for (const [name, select] of Object.entries(this.choices)) select.value = this.place[name];
        if (!timeline.answer) return;
        if (has('size', 'bins')) {
            timeline.arrange();
            fill(this.legend, this.kinds.map((kind, at) => make('li', { class: 'kind-choice' },
                markElement(this.looks[at]), make('span', null, kind))));
            fill(this.parts, partsTable(this));
        }
        timeline.drawBase();
        timeline.drawAbove();
    }

    /** A coordinate of the axis in words. */
    textOf(coordinate) {
        return this.place.clock === 'order' ? `#${grouped(Math.max(1, Math.floor(coordinate)))}`
            : this.times.short(Math.round(coordinate / second) * second);
    }
}

const overviewClocks = ['recorded', 'occurred', 'order'];

/** The range in sight in a few parts, each with its events and a button that goes closer. */
function partsTable(view) {
    const { answer } = view.timeline;
    const parts = Array.from({ length: 12 }, () => ({ count: 0, lanes: new Map() }));
    const length = (answer.to - answer.from) / parts.length;
    view.timeline.eachCell((lane, from, to, count) => {
        const part = parts[Math.min(parts.length - 1, Math.floor((from - answer.from) / length))];
        part.count += count;
        part.lanes.set(lane, (part.lanes.get(lane) || 0) + count);
    });
    const row = ({ count, lanes }, at) => {
        const from = answer.from + at * length;
        const largest = [...lanes].sort((a, b) => b[1] - a[1]).slice(0, 3)
            .map(([lane, each]) => `${bareKind(answer.names[lane].name)} ${grouped(each)}`);
        return count > 0 && make('tr', null,
            make('td', null, button(view.textOf(from), 'Go closer', () => view.go({
                range: [from, from + length] }), { class: 'link' })),
            make('td', { class: 'number' }, grouped(count)), make('td', null, largest.join(', ')));
    };
    return make('table', { class: 'events parts' },
        make('caption', { class: 'aside' }, 'Parts in sight'),
        make('thead', null, columnHeads(['From', 'Events', 'Most on'])),
        make('tbody', null, parts.map(row)));
}
