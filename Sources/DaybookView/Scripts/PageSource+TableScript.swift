// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Timeline/table.js`.
    static let tableScript = #"""
        // The table of the events in order. Only the rows in sight exist, so its length costs nothing.

        const rowHeight = 28;

        /** The events that are shown, one to a row; keys move within it as they do in a list. */
        class EventTable {
            constructor(page) {
                this.page = page;
                this.story = page.story;
                this.head = make('thead', null);
                [this.before, this.after] = [0, 1].map(() => make(
                    'tr', { class: 'gap', 'aria-hidden': 'true' }, make('td', { colspan: 5 })));
                this.body = make('tbody', null);
                this.table = make('table', { class: 'events' },
                    make('caption', { class: 'aside' }, 'Events in order'), this.head, this.body);
                this.element = make('section', {
                    class: 'table', tabindex: 0, 'aria-label': 'Events',
                    onkeydown: (event) => this.key(event), onscroll: () => page.redraw('scroll'),
                }, this.table);
                this.rows = [];
            }

            /** Takes the height of the window, and makes as many rows as it has room for. */
            measure() {
                this.size = Math.ceil(this.element.clientHeight / rowHeight) + 2;
            }

            makeRow() {
                const cells = ['number', 'time', 'kind', 'what', 'who'].map(
                    (name) => make('td', { class: name }));
                const go = () => this.page.go({ row: row.row });
                const row = { cells, link: button('', '', go, { class: 'link' }) };
                cells[0].append(row.link);
                row.element = make('tr', { onclick: go }, cells);
                return row;
            }

            /** Writes the rows in sight. */
            draw() {
                const { shown, place } = this.page;
                const time = place.clock === 'recorded' ? 'Recorded' : 'Occurred';
                fill(this.head, columnHeads(['Position', time, 'Kind', 'Changes', 'By']));
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
                const { element, link } = cells;
                const isHere = row === page.place.row;
                const isPale = story.inert[row] || story.context.has(row);
                element.className = [isHere && 'here', isPale && 'pale',
                    page.matches.includes(row) && 'match'].filter((each) => each).join(' ');
                element.setAttribute('aria-rowindex', String(index + 2));
                element.setAttribute('aria-current', String(isHere));
                const { zone, clock } = page.place;
                if (cells.row === row && cells.zone === zone && cells.clock === clock) return;
                Object.assign(cells, { row, zone, clock });
                link.textContent = grouped(story.position[row]);
                link.setAttribute('aria-label', `Go to position ${story.position[row]}`);
                const full = (time) => page.times.full(time, story.offset[row]);
                const kind = story.kind[row];
                const summary = page.values.summary(row);
                const write = (cell, title, ...content) => {
                    fill(cells.cells[cell], content);
                    cells.cells[cell].title = visible(title);
                };
                write(1, story.isLate(row) ? `occurred ${full(story.occurred[row])}, recorded ${
                    full(story.recorded[row])}` : '', page.timeOf(row));
                cells.cells[1].classList.toggle('late', story.isLate(row));
                write(2, story.kinds[kind].name, span('mark-place', markElement(story.looks[kind])),
                    story.kindNames[kind]);
                write(3, summary, summary || (story.context.has(row) ? 'caused another event' : ''));
                write(4, story.who(row), story.who(row));
            }

            /** Brings the moment into sight. */
            reveal() {
                const { row } = this.page.place;
                const index = this.page.indexUpTo(row);
                if (index < 0 || this.page.shown[index] !== row) return;
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
                    Home: -1e9, End: 1e9,
                };
                if (!(event.key in steps)) return;
                event.preventDefault();
                event.stopPropagation();
                const { page } = this;
                page.goToIndex(Math.max(0, page.indexUpTo(page.place.row) + steps[event.key]));
            }
        }

        """#
}
