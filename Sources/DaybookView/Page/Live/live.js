// A live page: which view of the log is shown, and what is asked of the server for it.

/** Holds the log that a server answers for, and shows one view of it after another. */
class Live {
    constructor(server, log) {
        Object.assign(this, { server, log, events: log.log.events, view: null });
        this.kinds = [...new Set(log.kinds.map(bareKind))];
        /** The words of the story that is shown, as after `replay view`; null for the whole log. */
        this.words = null;
        this.note = make('p', { class: 'note', role: 'status' });
        this.say = (text) => fill(this.note, text);
        this.answers = new Answers(this);
        runButton = (command) => this.answers.runButton(command);
        server.tell = (text) => this.say(text);
    }

    static async begin() {
        const server = new Server(partsOf(location.hash).get('token') || '');
        tabs.push('ask');
        const live = new Live(server, await server.ask('/log'));
        await live.read(location.hash);
        live.follow();
    }

    /** The first parts of the fragment of every view. */
    get prefix() {
        return [`token=${this.server.token}`, this.words === null ? 'log=1'
            : `story=${encodeURIComponent(JSON.stringify(this.words))}`];
    }

    /** Shows the view that a fragment names, or else the one that the server begins with. */
    read(fragment) {
        const parts = partsOf(fragment);
        if (parts.has('story')) return this.open(parts.get('story'), fragment);
        const { words, storyEvents } = this.log;
        return parts.has('log') || (words.length === 0 && this.events > storyEvents)
            ? this.openLog(fragment) : this.open(words, fragment);
    }

    /** Shows another view where a fragment names one; whether it did. */
    leads(fragment) {
        const isOther = partsOf(fragment).get('story')
            !== (this.words ? JSON.stringify(this.words) : undefined);
        if (isOther) this.read(fragment);
        return isOther;
    }

    /**
     * Asks for a story and shows it, at the place of a fragment; `settle` then changes the page.
     * The words may be in JSON, as a fragment has them.
     */
    async open(words, fragment = '', settle = undefined) {
        const signal = this.wantView();
        const slow = setTimeout(() => this.say('Reading the log…'), 250);
        try {
            const list = typeof words === 'string' ? JSON.parse(words) : words;
            const source = await this.server.ask('/story', { words: list }, signal);
            this.words = list;
            this.say('');
            this.show(() => new Page(new Story(source, this.kinds), fragment, this), settle);
        } catch (error) {
            if (signal.aborted) return;
            if (this.view === null) this.openLog('');
            this.say(error.message);
        } finally {
            clearTimeout(slow);
        }
    }

    openLog(fragment) {
        this.wantView();
        this.words = null;
        this.show(() => new Overview(this, fragment));
    }

    /** Gives up the view that was asked for before; the signal ends when another one is wanted. */
    wantView() {
        if (this.asking) this.asking.abort();
        this.asking = new AbortController();
        return this.asking.signal;
    }

    /** Shows a view in place of the last one, to which a step back leads. */
    show(makeView, settle = () => {}) {
        if (this.view) this.view.ending.abort();
        this.view = makeView();
        globalThis.daybookPage = this.view;
        settle(this.view);
        this.view.writeAddress(/[#&](story|log)=/.test(location.hash));
    }

    openRange(from, to, fragment, settle) {
        const last = to >= this.events ? [] : ['--to', String(to)];
        return this.open(['--from', String(from), ...last], fragment, settle);
    }

    /** Opens the events around a position, as many as a story should have. */
    openAround(position, place = '') {
        const { storyEvents } = this.log;
        const from = Math.max(1, position - (storyEvents >> 1));
        return this.openRange(from, from + storyEvents - 1, `${place}&at=${position}`);
    }

    /** Leads from a story of a range to a larger part of the log. */
    widen({ place, story, timeline }, factor) {
        if (story.source.subject.kind !== 'range' || story.count === this.events) return;
        const isTime = place.axis === 'time';
        const [from, to] = isTime ? timeline.whole
            : [story.position[0] - 1, story.position[story.count - 1] + 1];
        const more = ((to - from) * (factor - 1)) / 2;
        this.openLog(`clock=${isTime ? place.clock : 'order'}&lanes=${place.lanes}`
            + `&range=${rangeText([from - more, to + more])}`);
    }

    /** Hears of new events as long as the page is open. */
    async follow() {
        for (;;) {
            const { events } = await this.server.ask(`/head?after=${this.events}`);
            const isNew = events !== this.events;
            this.events = events;
            if (isNew && this.words) this.grown();
            else if (isNew) this.view.refresh();
        }
    }

    /** Shows new events to a reader at the end of the log; to others says that there are. */
    grown() {
        const isAtHead = !this.words.some((word) => /^--(to|at|valid-at)(=|$)/.test(word));
        const isTyping = document.querySelector('dialog[open]')
            || document.activeElement.matches('input:not([type=range], [type=checkbox]), select');
        const show = () => (isAtHead ? this.refresh() : this.openAround(this.events));
        if (isAtHead && !isTyping) show();
        else {
            const count = this.events - this.view.story.source.log.events;
            fill(this.note, counted(count, 'new event'), button('Show', 'Show them', show));
        }
    }

    /** Asks for the story again, and keeps the reader's place and scrolling. */
    async refresh() {
        if (this.isRefreshing) return;
        this.isRefreshing = true;
        const { view } = this;
        const wasAtEnd = view.place.row === view.story.count - 1;
        await this.open(this.words, '', (page) => {
            page.go({ ...placeOf(view.fragment, page.story), range: view.place.range });
            page.drawAll();
            page.frame.panel.scrollTop = view.frame.panel.scrollTop;
            if (!wasAtEnd) page.table.element.scrollTop = view.table.element.scrollTop;
        });
        this.isRefreshing = false;
        if (this.words && this.view.story.source.log.events < this.events) this.grown();
    }

    /** What the palette offers of the log: entities, tags and positions by what was typed. */
    offers(text) {
        const open = (name, run) => ({ kind: 'open', name, run });
        const [first = '', ...rest] = lineWords(text.replace(/^(open|entity|tag)\s+/, ''));
        const position = Number(first.replace('#', ''));
        if (position > 0 && position <= this.events) {
            return [open(`events around ${position}`, () => this.openAround(position))];
        }
        if (first.includes(':')) return [open(`tag ${first}`, () => this.open(['--tag', first]))];
        const key = rest.join(' ');
        return this.log.projections.filter(({ name }) => (
            key ? name === first : first !== '' && name.includes(first)))
            .map(({ name }) => open(`${name} ${key}`, () => this.open(key ? [name, key] : [name])));
    }
}
