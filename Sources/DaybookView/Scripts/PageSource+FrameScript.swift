// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Frame/frame.js`.
    static let frameScript = #"""
        // The frame of the page: header, the bar of the moment, legend, tabs and footer.

        const tabNames = {
            state: 'State', cycle: 'Life cycle', findings: 'Findings', late: 'Late', alternative: 'What if',
            search: 'Search', ask: 'Ask',
        };

        const shortened = (text, most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;

        /** The choices over a timeline, each a part of the place with what else it changes; and zooms. */
        function timelineOptions(view, selects, choices, ...others) {
            return make('div', { class: 'options', role: 'group', 'aria-label': 'Timeline options' },
                choices.map(([name, label, values, title, change]) => {
                    selects[name] = choiceOf(label, values, view.place[name],
                        (value) => view.go({ [name]: value, ...change }), { title });
                    return make('label', { class: 'choice' }, make('span', null, label), selects[name]);
                }), others, span('spring'),
                button('−', 'Zoom out (−)', () => view.zoom(2, view.middle), { 'aria-label': 'Zoom out' }),
                button('+', 'Zoom in (+)', () => view.zoom(0.5, view.middle), { 'aria-label': 'Zoom in' }),
                button('All', 'All of it (0)', () => view.go({ range: null }), null));
        }

        /** The header of a view: a title, a line of words, and what leads elsewhere. */
        function headerOf(view, title, words, ...controls) {
            return make('header', { class: 'top' },
                make('div', { class: 'title' }, make('h1', { title }, title),
                    muted(words.filter((word) => word).join(' · '))), controls,
                button('Go to', 'Go to anything (Ctrl-K)', () => view.dialogs.openPalette(), null),
                button('Theme', 'Light or dark (t)', () => view.switchTheme(), null),
                button('?', 'Keys (?)', () => view.dialogs.help.showModal(), { 'aria-label': 'Keys' }));
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
                const { source, count, orders: { occurred: { rows } } } = this.story;
                const { live, times } = this.page;
                const [first, last] = (count > 0 ? [rows[0], rows[count - 1]] : []).map(
                    (row) => times.date(this.story.occurred[row], this.story.offset[row]));
                this.search = make('input', {
                    type: 'search', placeholder: 'Search', 'aria-label': 'Search events',
                    title: 'Search (/)', spellcheck: 'false',
                    oninput: () => this.page.searchSoon(this.search.value), onkeydown: (event) => {
                        if (event.key === 'Enter') this.page.nextMatch(event.shiftKey ? -1 : 1);
                    },
                });
                return headerOf(this.page, source.title, [
                    counted(count, 'event'), first === last ? first : `${first} to ${last}`,
                    source.texts ? 'with texts' : 'texts and names left out',
                    source.pseudonyms && 'ids replaced',
                ], live && [live.note, button('Whole log', 'All of it by time', () => live.openLog(''))],
                this.search);
            }

            makeBar() {
                const { page } = this;
                this.slider = make('input', {
                    type: 'range', min: 0, step: 1, 'aria-label': 'Moment',
                    oninput: () => page.goToIndex(Number(this.slider.value) - 1),
                });
                this.moment = make('output', { class: 'moment' });
                const zones = zoneChoices(this.story).map(
                    (zone) => [zone, zone === 'own' ? "event's own" : zone]);
                this.inertSwitch = make('input', {
                    type: 'checkbox', onchange: () => page.go({ hideInert: !this.inertSwitch.checked }),
                });
                this.bar = make('nav', { class: 'bar', 'aria-label': 'Moment' },
                    button('‹', 'Event before (,)', () => page.step(-1), { 'aria-label': 'Event before' }),
                    button('›', 'Event after (.)', () => page.step(1), { 'aria-label': 'Event after' }),
                    this.slider, this.moment);
                this.choices = {};
                this.options = timelineOptions(page, this.choices, [
                    ['lanes', 'Lanes', laneModes, 'What a lane is (l)', { lane: 0 }],
                    ['clock', 'Clock', ['recorded', 'occurred'], 'Which clock (c)', { range: null }],
                    ['axis', 'Axis', ['time', 'order'], 'Distances by time, or one for each event (x)',
                        { range: null }],
                    ['zone', 'Zone', zones, 'The zone that times are shown in', {}],
                ], make('label', { class: 'choice', title: 'Events that change nothing shown (i)' },
                    this.inertSwitch, make('span', null, 'Inert')));
            }

            makeTabs() {
                const { source } = this.story;
                const counts = {
                    findings: (source.findings || []).length, late: (source.late || []).length,
                    alternative: this.story.alternatives.length,
                };
                this.tabButtons = tabs.map((tab, index) => button(
                    [tabNames[tab], counts[tab] > 0 && span('count', grouped(counts[tab]))],
                    `${tabNames[tab]} (${index + 1})`, () => this.page.go({ tab }),
                    { role: 'tab', id: `tab-${tab}`, 'aria-controls': 'panel' }));
                this.tabs.append(...this.tabButtons);
                this.tabs.addEventListener('keydown', (event) => {
                    if (!['ArrowRight', 'ArrowLeft'].includes(event.key)) return;
                    event.preventDefault();
                    event.stopPropagation();
                    const order = event.key === 'ArrowRight' ? tabs : tabs.toReversed();
                    const tab = cycled(order, this.page.place.tab);
                    this.page.go({ tab });
                    this.tabButtons[tabs.indexOf(tab)].focus();
                });
            }

            footer() {
                const { source } = this.story;
                const facts = [
                    ['log', source.log.id], ['head', source.log.head], ['version', source.version],
                    ['rules', source.rules], ['time zones', source.tzdata]].filter(([, value]) => value);
                const { why = [] } = source.omitted || {};
                return make('footer', { class: 'bottom' },
                    commandLine(source.command, 'Copy the command that wrote this page'),
                    make('p', { class: 'muted facts-line' }, facts.map(([name, value]) => make(
                        'span', { title: `${name} ${value}` }, `${name} ${shortened(String(value), 24)}`))),
                    [why].flat().map((each) => each && muted(each)));
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
                for (const [name, select] of Object.entries(this.choices)) select.value = place[name];
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
                const order = [...story.kinds.keys()].filter((kind) => story.kindCounts[kind] > 0);
                fill(this.legend, order.map((kind) => button([markElement(story.looks[kind]),
                    make('span', { title: story.kinds[kind].name }, story.kindNames[kind]),
                    span('count', grouped(story.kindCounts[kind])),
                ], folded.has(kind) ? 'Show this kind' : 'Hide this kind; with Shift: hide all others',
                (event) => page.fold(kind, event.shiftKey), {
                    class: 'kind-choice', 'aria-pressed': folded.has(kind) ? 'false' : 'true',
                })), folded.size > 0 && button('Show all', 'Show all kinds',
                    () => page.go({ folded: new Set() }), { class: 'quiet' }));
            }
        }

        """#
}
