// The frame of the page: header, the bar of the moment, legend, tabs and footer.

const tabNames = {
    state: 'State', cycle: 'Life cycle', findings: 'Findings', late: 'Late', alternative: 'What if',
    search: 'Search',
};

function shortened(text, most) {
    return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Builds the frame once, and writes what changes in it. */
class Frame {
    constructor(page) {
        this.page = page;
        this.story = page.story;
        this.legend = make('div', { class: 'legend', role: 'group', 'aria-label': 'Kinds' });
        this.tabs = make('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' });
        this.panel = make('div', { class: 'panel', role: 'tabpanel', id: 'panel', tabindex: 0 });
        this.event = make('section', { class: 'event', 'aria-label': 'The event of the moment' });
        this.status = make('p', { class: 'aside', role: 'status' });
        this.makeBar();
        this.makeTabs();
    }

    header() {
        const { source } = this.story;
        const words = [counted(this.story.count, 'event')];
        if (this.story.count > 0) {
            const { rows } = this.story.orders.occurred;
            const { times } = this.page;
            const [first, last] = [rows[0], rows[rows.length - 1]].map(
                (row) => times.date(this.story.occurred[row], this.story.offset[row]));
            words.push(first === last ? first : `${first} to ${last}`);
        }
        words.push(source.texts ? 'with texts' : 'texts and names left out');
        if (source.pseudonyms) words.push('ids replaced');
        this.search = make('input', {
            type: 'search', placeholder: 'Search', 'aria-label': 'Search events',
            title: 'Search (/)', spellcheck: 'false',
            oninput: () => this.page.searchSoon(this.search.value),
            onkeydown: (event) => {
                if (event.key === 'Enter') this.page.nextMatch(event.shiftKey ? -1 : 1);
            },
        });
        return make('header', { class: 'top' },
            make('div', { class: 'title' }, make('h1', { title: source.title }, source.title),
                make('p', { class: 'muted' }, words.join(' · '))),
            this.search,
            button('Go to', 'Go to anything (Ctrl-K)', () => this.page.dialogs.openPalette(), null),
            button('Theme', 'Light or dark (t)', () => this.page.switchTheme(), null),
            button('?', 'Keys (?)', () => this.page.dialogs.openHelp(), { 'aria-label': 'Keys' }));
    }

    makeBar() {
        const { page } = this;
        this.slider = make('input', {
            type: 'range', min: 0, step: 1, 'aria-label': 'Moment',
            oninput: () => page.goToIndex(Number(this.slider.value) - 1),
        });
        this.moment = make('output', { class: 'moment' });
        const choice = (name, label, options, title) => {
            const select = make('select', {
                title, 'aria-label': label,
                onchange: () => {
                    const isOtherAxis = name === 'clock' || name === 'axis';
                    page.go({ [name]: select.value, ...(isOtherAxis ? { range: null } : {}) });
                },
            }, options.map(([value, text]) => make('option', { value }, text)));
            this[`${name}Choice`] = select;
            return make('label', { class: 'choice' }, make('span', null, label), select);
        };
        this.inertSwitch = make('input', {
            type: 'checkbox', onchange: () => page.go({ hideInert: !this.inertSwitch.checked }),
        });
        this.bar = make('nav', { class: 'bar', 'aria-label': 'Moment' },
            button('‹', 'Event before (,)', () => page.step(-1),
                { 'aria-label': 'Event before' }),
            button('›', 'Event after (.)', () => page.step(1), { 'aria-label': 'Event after' }),
            this.slider, this.moment);
        this.options = make('div', {
            class: 'options', role: 'group', 'aria-label': 'Timeline options',
        },
            choice('lanes', 'Lanes', laneModes.map((mode) => [mode, mode]),
                'What a lane is (l)'),
            choice('clock', 'Clock', [['recorded', 'recorded'], ['occurred', 'occurred']],
                'Which clock (c)'),
            choice('axis', 'Axis', [['time', 'time'], ['order', 'order']],
                'Distances by time, or one for each event (x)'),
            choice('zone', 'Zone', zoneChoices(this.story).map(
                (zone) => [zone, zone === 'own' ? "event's own" : zone]),
            'The zone that times are shown in'),
            make('label', { class: 'choice', title: 'Events that change nothing shown (i)' },
                this.inertSwitch, make('span', null, 'Inert')),
            make('span', { class: 'spring' }),
            button('−', 'Zoom out (−)', () => page.zoom(2), { 'aria-label': 'Zoom out' }),
            button('+', 'Zoom in (+)', () => page.zoom(0.5), { 'aria-label': 'Zoom in' }),
            button('All', 'All of it (0)', () => page.go({ range: null }), null));
    }

    makeTabs() {
        const { source } = this.story;
        const counts = {
            findings: (source.findings || []).length, late: (source.late || []).length,
            alternative: this.story.alternatives.length,
        };
        this.tabButtons = tabs.map((tab, index) => button(
            tabNames[tab], `${tabNames[tab]} (${index + 1})`, () => this.page.go({ tab }),
            { role: 'tab', id: `tab-${tab}`, 'aria-controls': 'panel' }));
        this.tabButtons.forEach((each, index) => {
            if (counts[tabs[index]] > 0) {
                each.append(make('span', { class: 'count' }, grouped(counts[tabs[index]])));
            }
        });
        this.tabs.append(...this.tabButtons);
        this.tabs.addEventListener('keydown', (event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (!step) return;
            event.preventDefault();
            event.stopPropagation();
            const at = (tabs.indexOf(this.page.place.tab) + step + tabs.length) % tabs.length;
            this.page.go({ tab: tabs[at] });
            this.tabButtons[at].focus();
        });
    }

    footer() {
        const { source } = this.story;
        const facts = [
            ['log', source.log.id], ['head', source.log.head], ['version', source.version],
            ['rules', source.rules], ['time zones', source.tzdata],
        ].filter(([, value]) => value);
        const omitted = (source.omitted && source.omitted.why) || [];
        return make('footer', { class: 'bottom' },
            commandLine(source.command, 'Copy the command that wrote this page'),
            make('p', { class: 'muted facts-line' }, facts.map(([name, value]) => make('span', {
                title: `${name} ${value}`,
            }, `${name} ${shortened(String(value), 24)}`))),
            [].concat(omitted).map((why) => make('p', { class: 'muted' }, why)));
    }

    /** Writes the bar: the slider, the moment in words, and what is chosen. */
    drawBar() {
        const { page, story } = this;
        const { place, shown } = page;
        const index = page.indexUpTo(place.row);
        this.slider.max = String(shown.length);
        this.slider.value = String(index + 1);
        const text = place.row < 0 ? 'before the first event'
            : `#${grouped(story.position[place.row])} · ${page.timeOf(place.row)}`;
        this.moment.textContent = text;
        this.slider.setAttribute('aria-valuetext', text);
        for (const name of ['lanes', 'clock', 'axis', 'zone']) {
            this[`${name}Choice`].value = place[name];
        }
        this.inertSwitch.checked = !place.hideInert;
        if (document.activeElement !== this.search) this.search.value = place.query;
    }

    drawTabs() {
        this.tabButtons.forEach((each, index) => {
            const isChosen = tabs[index] === this.page.place.tab;
            each.setAttribute('aria-selected', String(isChosen));
            each.tabIndex = isChosen ? 0 : -1;
        });
        this.panel.setAttribute('aria-labelledby', `tab-${this.page.place.tab}`);
    }

    drawLegend() {
        const { story, page } = this;
        const { folded } = page.place;
        const order = story.kinds.map((_, kind) => kind)
            .filter((kind) => story.kindCounts[kind] > 0);
        fill(this.legend, order.map((kind) => button('', folded.has(kind)
            ? 'Show this kind' : 'Hide this kind; with Shift: hide all others',
        (event) => page.fold(kind, event.shiftKey), {
            class: 'kind-choice', 'aria-pressed': folded.has(kind) ? 'false' : 'true',
        })));
        order.forEach((kind, at) => append(this.legend.children[at], [markElement(kind),
            make('span', { title: story.kinds[kind].name }, story.kindNames[kind]),
            make('span', { class: 'count' }, grouped(story.kindCounts[kind]))]));
        if (folded.size > 0) {
            this.legend.append(button('Show all', 'Show all kinds',
                () => page.go({ folded: new Set() }), { class: 'quiet' }));
        }
    }
}
