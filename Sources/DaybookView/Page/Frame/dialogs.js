// The palette, which goes anywhere by a few letters, and the help that lists the keys.

const keyHelp = [
    ['Moment', [
        [', .', 'Event before, event after'],
        ['[ ]', 'Event of this entity before, after'],
        ['{ }', 'Change of this field before, after'],
        ['Home End', 'First and last event (in the table)'],
        ['c', 'Other clock: recorded or occurred'],
    ]],
    ['Timeline', [
        ['← → A D', 'Pan'],
        ['+ − W S', 'Zoom in, zoom out'],
        ['f', 'Bring the moment into sight, closer'],
        ['0', 'All of it'],
        ['x', 'Axis by time or by order'],
        ['l', 'Lanes by entity, kind, actor, device'],
        ['i', 'Hide or show events that change nothing shown'],
        ['Wheel', 'Zoom; with Shift: pan'],
        ['Drag', 'Pan; on the ruler or with Shift: a range'],
    ]],
    ['Page', [
        ['Ctrl-K', 'Go to anything'],
        ['/', 'Search; n and N go on and back'],
        ['1 … 6', 'Tabs on the right'],
        ['t', 'Light or dark'],
        ['Esc', 'Close'],
        ['?', 'These keys'],
    ]],
];

function helpGroup([title, keys]) {
    const keyElement = (key) => (key === '…' ? ` ${key} ` : make('kbd', null, key));
    return make('section', null, make('h3', null, title),
        make('dl', null, keys.map(([key, text]) => [
            make('dt', null, key.split(' ').map(keyElement)), make('dd', null, text),
        ])));
}

/** The dialogs of a page. */
class Dialogs {
    constructor(page) {
        this.page = page;
        this.help = make('dialog', { class: 'help', 'aria-labelledby': 'help-title' },
            make('header', { class: 'card-head' }, make('h2', { id: 'help-title' }, 'Keys'),
                button('Close', 'Close (Esc)', () => this.help.close(), { class: 'quiet' })),
            make('div', { class: 'help-groups' }, keyHelp.map(helpGroup)));
        this.input = make('input', {
            type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'choices',
            'aria-label': 'Go to', autocomplete: 'off', spellcheck: 'false',
            placeholder: 'Position, time, kind, entity, field or action',
            oninput: () => this.list(), onkeydown: (event) => this.key(event),
        });
        this.choices = make('ul', {
            id: 'choices', role: 'listbox', 'aria-label': 'Places and actions',
        });
        this.palette = make('dialog', { class: 'palette', 'aria-label': 'Go to anything' },
            this.input, this.choices);
        for (const dialog of [this.help, this.palette]) {
            dialog.addEventListener('click', (event) => {
                if (event.target === dialog) dialog.close();
            });
        }
    }

    openHelp() {
        if (!this.help.open) this.help.showModal();
    }

    openPalette(text = '') {
        if (this.palette.open) return;
        this.input.value = text;
        this.palette.showModal();
        this.list();
    }

    /** Everything that fits the text, the nearest first. */
    found(text) {
        const { page } = this;
        const { story } = page;
        const found = this.placesOf(text.trim());
        const words = text.toLowerCase().split(/\s+/).filter((word) => word);
        const fits = (name) => words.every((word) => name.includes(word));
        const offer = (kind, name, run, detail) => {
            if (found.length < 60 && fits(`${kind} ${name}`.toLowerCase())) {
                found.push({ kind, name, run, detail });
            }
        };
        for (const [name, key, run] of page.actions) offer('action', name, run, key);
        if (page.place.entity >= 0) {
            for (const { path } of story.stateAt(page.place.entity, page.place.row)) {
                offer('field', story.pathNames[path], () => page.go({ path, tab: 'state' }));
            }
        }
        story.kindNames.forEach((name, kind) => offer('kind', name,
            () => page.go({ query: `kind:${story.kinds[kind].name}`, tab: 'search' }),
            counted(story.kindCounts[kind], 'event')));
        for (let entity = 0; entity < story.entities.length && found.length < 60; entity++) {
            offer('entity', story.entityNames[entity],
                () => page.go({ entity, path: -1, tab: 'state' }));
        }
        return found;
    }

    /** The moments that a text names: a position, or a date with or without a time. */
    placesOf(text) {
        const { page } = this;
        const { story } = page;
        if (/^#?\d{1,15}$/.test(text)) {
            const position = Number(text.replace('#', ''));
            const row = story.rowOf(position);
            const exact = row >= 0 && story.position[row] === position;
            return [{
                kind: 'position', name: `${row < 0 ? 0 : story.position[row]}`,
                detail: exact ? 'event' : 'the last event before', run: () => page.go({ row }),
            }];
        }
        const date = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?/.exec(text);
        if (!date || story.count === 0) return [];
        const [, year, month, dayOfMonth, hours, minutes, seconds] = date.map(
            (each) => Number(each || 0));
        const wall = Date.UTC(year, month - 1, dayOfMonth, hours, minutes, seconds) * 1000;
        const own = story.offset[0];
        const time = wall - page.times.offsetAt(wall - page.times.offsetAt(wall, own), own);
        const row = page.lastAtTime(time);
        return [{
            kind: 'time', name: page.times.full(time, own),
            detail: row < 0 ? 'before the first event' : `after position ${story.position[row]}`,
            run: () => page.go({ row }),
        }];
    }

    list() {
        this.offers = this.found(this.input.value);
        this.at = 0;
        fill(this.choices, this.offers.map((offer, index) => make('li', {
            role: 'option', id: `choice-${index}`, onclick: () => this.choose(index),
        },
        make('span', { class: 'muted' }, offer.kind), make('span', { class: 'clip' }, offer.name),
        make('span', { class: 'muted' }, offer.detail || ''))));
        if (this.offers.length === 0) {
            fill(this.choices, make('li', {
                role: 'option', 'aria-selected': 'false', 'aria-disabled': 'true', class: 'muted',
            }, 'Nothing fits.'));
        }
        this.light();
    }

    light() {
        this.offers.forEach((_, index) => {
            const choice = this.choices.children[index];
            choice.setAttribute('aria-selected', String(index === this.at));
            if (index === this.at) choice.scrollIntoView({ block: 'nearest' });
        });
        if (this.offers.length > 0) {
            this.input.setAttribute('aria-activedescendant', `choice-${this.at}`);
        } else {
            this.input.removeAttribute('aria-activedescendant');
        }
    }

    key(event) {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step && this.offers.length > 0) {
            event.preventDefault();
            this.at = (this.at + step + this.offers.length) % this.offers.length;
            this.light();
        } else if (event.key === 'Enter') {
            event.preventDefault();
            this.choose(this.at);
        }
    }

    choose(index) {
        const offer = this.offers[index];
        if (!offer) return;
        this.palette.close();
        offer.run();
    }
}
