// The palette, which goes anywhere by a few letters, and the help that lists the keys.

/** What the mouse does, and keys that are no action of their own. */
const otherHelp = [['Home End', 'first and last event, in the table'],
    ['A D W S', 'pan and zoom, as the arrows and + − do'],
    ['Wheel', 'zoom; with Shift: pan; on the lanes: further lanes'],
    ['Drag', 'pan; on the ruler or with Shift: a range'],
    ['Ctrl-K', 'go to anything'], ['Esc', 'close']];

/** The dialogs of a view. */
class Dialogs {
    constructor(view) {
        this.view = view;
        const head = (dialog, title) => make('header', { class: 'card-head' },
            make('h2', null, title),
            button('Close', 'Close (Esc)', () => this[dialog].close(), { class: 'quiet' }));
        this.help = make('dialog', { class: 'help', 'aria-label': 'Keys' }, head('help', 'Keys'),
            make('dl', null, [...view.actions.map(([name, key]) => [key, name]), ...otherHelp].map(
                ([keys, text]) => make('div', null,
                    make('dt', null, keys.split(' ').map((key) => make('kbd', null, key))),
                    make('dd', null, text)))));
        this.picture = make('div', null);
        this.large = make('dialog', { class: 'large', 'aria-label': 'Picture' },
            head('large', 'Picture'), this.picture);
        this.input = make('input', {
            type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'choices',
            'aria-label': 'Go to', autocomplete: 'off', spellcheck: 'false',
            placeholder: 'Position, time, kind, entity, field or action',
            oninput: () => this.list(), onkeydown: (event) => this.key(event),
        });
        this.choices = make('ul', { id: 'choices', role: 'listbox', 'aria-label': 'Choices' });
        this.palette = make('dialog', { class: 'palette', 'aria-label': 'Go to anything' },
            this.input, this.choices);
        this.elements = [this.help, this.large, this.palette];
        this.elements.forEach((dialog) => dialog.addEventListener('click', (event) => {
            if (event.target === dialog) dialog.close();
        }));
    }

    /** Shows a picture in a dialog of its own. */
    showLarge(picture) {
        fill(this.picture, picture);
        this.large.showModal();
    }

    openPalette(text = '') {
        if (this.palette.open) return;
        this.input.value = text;
        this.palette.showModal();
        this.list();
    }

    /** Everything that fits the text, the nearest first. */
    found(text) {
        const { view } = this;
        const found = [view.story && view.placesOf(text), view.live && view.live.offers(text)]
            .flat().filter((each) => each);
        const words = text.toLowerCase().split(/\s+/).filter((word) => word);
        const fits = (name) => words.every((word) => name.includes(word));
        const offer = (kind, name, run, detail) => {
            if (found.length < 60 && fits(`${kind} ${name}`.toLowerCase())) {
                found.push({ kind, name, run, detail });
            }
        };
        for (const [name, key, run] of view.actions) offer('action', name, run, key);
        if (view.story) view.offerThings(offer);
        return found;
    }

    list() {
        this.offers = this.found(this.input.value);
        this.at = 0;
        fill(this.choices, this.offers.map((offer, index) => make('li', {
            role: 'option', id: `choice-${index}`, onclick: () => this.choose(index),
        }, span('muted', offer.kind), span('clip', offer.name), span('muted', offer.detail))),
        this.offers.length === 0 && make('li', {
            role: 'option', 'aria-selected': 'false', 'aria-disabled': 'true', class: 'muted',
        }, 'Nothing fits.'));
        this.light();
    }

    light() {
        this.offers.forEach((_, index) => {
            const choice = this.choices.children[index];
            choice.setAttribute('aria-selected', String(index === this.at));
            if (index === this.at) choice.scrollIntoView({ block: 'nearest' });
        });
        this.input.setAttribute('aria-activedescendant',
            this.offers.length > 0 ? `choice-${this.at}` : '');
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
