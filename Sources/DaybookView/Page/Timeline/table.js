// The table of the events in order. Only the rows in sight exist, so its length costs nothing.

const rowHeight = 28;

/** The events that are shown, one to a row; keys move within it as they do in a list. */
class EventTable {
    constructor(page) {
        this.page = page;
        this.story = page.story;
        this.head = make('tr', null);
        [this.before, this.after] = [0, 1].map(() => make(
            'tr', { class: 'gap', 'aria-hidden': 'true' }, make('td', { colspan: 5 })));
        this.body = make('tbody', null);
        this.table = make('table', { class: 'events' },
            make('caption', { class: 'aside' }, 'Events in order'),
            make('thead', null, this.head), this.body);
        this.element = make('section', {
            class: 'table', tabindex: 0, 'aria-label': 'Events',
            onkeydown: (event) => this.key(event),
            onscroll: () => page.redraw('scroll'),
        }, this.table);
        this.rows = [];
    }

    /** Takes the height of the window, and makes as many rows as it has room for. */
    measure() {
        this.size = Math.ceil(this.element.clientHeight / rowHeight) + 2;
    }

    makeRow() {
        const row = { cells: ['number', 'time', 'kind', 'what', 'who'].map(
            (name) => make('td', { class: name })) };
        row.link = button('', '', () => this.page.go({ row: row.row }), { class: 'link' });
        row.cells[0].append(row.link);
        row.mark = make('span', { class: 'mark-place' });
        row.kind = make('span', null);
        row.cells[2].append(row.mark, row.kind);
        row.element = make('tr', { onclick: () => this.page.go({ row: row.row }) }, row.cells);
        return row;
    }

    /** Writes the rows in sight. */
    draw() {
        const { shown, place } = this.page;
        if (this.headClock !== place.clock) {
            this.headClock = place.clock;
            const time = place.clock === 'recorded' ? 'Recorded' : 'Occurred';
            fill(this.head, ['Position', time, 'Kind', 'Changes', 'By'].map(
                (name) => make('th', { scope: 'col' }, name)));
        }
        this.table.setAttribute('aria-rowcount', String(shown.length + 1));
        // Paper does not scroll: it has the rows around the moment.
        const wanted = this.page.isPrinted ? this.page.indexUpTo(place.row) - (this.size >> 1)
            : Math.floor(this.element.scrollTop / rowHeight) - 1;
        const first = Math.max(0, Math.min(wanted, shown.length - this.size));
        const count = Math.min(this.size + 1, shown.length - first);
        const elements = [this.before];
        for (let at = 0; at < count; at++) {
            if (at === this.rows.length) this.rows.push(this.makeRow());
            this.write(this.rows[at], shown[first + at], first + at);
            elements.push(this.rows[at].element);
        }
        elements.push(this.after);
        this.before.style.height = `${first * rowHeight}px`;
        this.after.style.height = `${Math.max(0, shown.length - first - count) * rowHeight}px`;
        this.before.hidden = first === 0;
        if (this.body.childElementCount !== elements.length) this.body.replaceChildren(...elements);
    }

    write(cells, row, index) {
        const { story, page } = this;
        const isHere = row === page.place.row;
        cells.element.classList.toggle('here', isHere);
        cells.element.classList.toggle('pale', story.inert[row] === 1 || story.context[row] === 1);
        cells.element.classList.toggle('match', page.isMatch[row] === 1);
        cells.element.setAttribute('aria-rowindex', String(index + 2));
        if (isHere) cells.element.setAttribute('aria-current', 'true');
        else cells.element.removeAttribute('aria-current');
        const { zone, clock } = page.place;
        if (cells.row === row && cells.zone === zone && cells.clock === clock) return;
        Object.assign(cells, { row, zone, clock });
        const kind = story.kind[row];
        cells.link.textContent = grouped(story.position[row]);
        cells.link.setAttribute('aria-label', `Go to position ${story.position[row]}`);
        cells.cells[1].textContent = page.timeOf(row);
        cells.cells[1].title = story.isLate(row)
            ? `occurred ${page.times.full(story.occurred[row], story.offset[row])}, recorded `
                + page.times.full(story.recorded[row], story.offset[row]) : '';
        cells.cells[1].classList.toggle('late', story.isLate(row));
        if (cells.kindShown !== kind) {
            cells.kindShown = kind;
            fill(cells.mark, markElement(kind));
            cells.kind.textContent = visible(story.kindNames[kind]);
            cells.cells[2].title = visible(story.kinds[kind].name);
        }
        const summary = page.values.summary(row);
        cells.cells[3].textContent = visible(summary)
            || (story.context[row] ? 'caused another event' : '');
        cells.cells[3].title = visible(summary);
        const who = [story.actor(row), story.device(row)].filter((each) => each).join(' on ');
        cells.cells[4].textContent = visible(who);
        cells.cells[4].title = visible(who);
    }

    /** Brings the moment into sight. */
    reveal() {
        const index = this.page.shownIndex(this.page.place.row);
        if (index < 0) return;
        const top = index * rowHeight;
        const room = this.element.clientHeight - rowHeight;
        const { scrollTop } = this.element;
        if (top < scrollTop || top + rowHeight > scrollTop + room) {
            this.element.scrollTop = Math.max(0, top - Math.floor(room / 2));
        }
    }

    key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const steps = {
            ArrowDown: 1, ArrowUp: -1, PageDown: this.size - 4, PageUp: 4 - this.size,
            Home: -Infinity, End: Infinity,
        };
        if (!(event.key in steps)) return;
        event.preventDefault();
        event.stopPropagation();
        this.page.step(steps[event.key]);
    }
}
