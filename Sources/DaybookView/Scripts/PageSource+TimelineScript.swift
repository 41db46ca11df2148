// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Timeline/timeline.js`.
    static let timelineScript = #"""
        // The timeline: lanes of marks on a canvas, with a second canvas for the moment above it.

        const rulerHeight = 40;
        const commitHeight = 16;
        const fewMarks = 2500;

        /** A long name by its ends: keys of one source often begin alike. */
        function withoutMiddle(name, most) {
            if (name.length <= most) return name;
            const end = most >> 1;
            return `${name.slice(0, most - end - 1)}…${name.slice(-end)}`;
        }

        /** Draws the events in sight; `page` holds the story and the place. */
        class Timeline {
            constructor(page) {
                this.page = page;
                this.story = page.story;
                this.base = make('canvas', { class: 'layer', role: 'img' });
                this.above = make('canvas', { class: 'layer', 'aria-hidden': 'true' });
                this.labels = make('div', { class: 'lane-labels', role: 'group', 'aria-label': 'Lanes' });
                this.tip = make('div', { class: 'tip', hidden: true });
                this.surface = make('div', {
                    class: 'surface', tabindex: 0, role: 'group',
                    'aria-label': 'Timeline: arrows pan, plus and minus zoom; the table has the same',
                }, this.base, this.above, this.tip);
                this.element = make('section', { class: 'timeline', 'aria-label': 'Timeline' },
                    this.labels, this.surface);
                this.ratio = 1;
                this.width = 0;
                new ResizeObserver(() => page.redraw('size')).observe(this.surface);
            }

            /** Takes the size of the window; the canvas never has more lanes than fit. */
            measure() {
                const box = this.surface.getBoundingClientRect();
                this.ratio = Math.min(2, window.devicePixelRatio || 1);
                this.width = Math.max(60, Math.floor(box.width));
                this.height = Math.max(120, Math.floor(box.height));
                for (const canvas of [this.base, this.above]) {
                    canvas.width = Math.round(this.width * this.ratio);
                    canvas.height = Math.round(this.height * this.ratio);
                    canvas.style.width = `${this.width}px`;
                    canvas.style.height = `${this.height}px`;
                }
                this.most = Math.max(3, Math.floor((this.height - rulerHeight - commitHeight) / 20));
            }

            arrange() {
                const { place } = this.page;
                this.lanes = new Lanes(this.story, place.lanes, this.most, place.entity);
                const room = this.height - rulerHeight - commitHeight;
                const height = Math.floor(room / Math.max(1, this.lanes.count));
                this.laneHeight = Math.max(16, Math.min(40, height));
                fill(this.labels, this.lanes.names.map((name, lane) => this.label(name, lane)));
            }

            label(name, lane) {
                const entity = this.lanes.entities[lane];
                const isChosen = entity >= 0 && entity === this.page.place.entity;
                const label = entity < 0
                    ? make('span', { class: 'lane-label', title: name }, name)
                    : button(withoutMiddle(name, 25), `Show ${name}`, () => {
                        this.page.go({ entity, path: -1, tab: 'state' });
                    }, {
                        class: `lane-label${isChosen ? ' chosen' : ''}`,
                        'aria-pressed': isChosen ? 'true' : 'false',
                    });
                label.style.top = `${rulerHeight + lane * this.laneHeight}px`;
                label.style.height = `${this.laneHeight}px`;
                label.style.lineHeight = `${this.laneHeight}px`;
                return label;
            }

            /** The axis from end to end, with a little room on both sides. */
            get whole() {
                const { place } = this.page;
                if (this.story.count === 0) return [0, 1];
                if (place.axis === 'order') return [-1, this.story.count];
                const { rows } = this.story.orders[place.clock];
                const times = this.story[place.clock];
                const from = times[rows[0]];
                const to = times[rows[rows.length - 1]];
                const room = Math.max((to - from) * 0.02, 1000);
                return [from - room, to + room];
            }

            get range() {
                return this.page.place.range || this.whole;
            }

            /** The place of a row on the axis. */
            coordinate(row, clock = this.page.place.clock) {
                return this.page.place.axis === 'order'
                    ? this.story.orders[this.page.place.clock].rank[row] : this.story[clock][row];
            }

            /** Where a coordinate is in the canvas, in pixels of the page. */
            x(coordinate) {
                const [from, to] = this.range;
                return ((coordinate - from) / (to - from)) * this.width;
            }

            coordinateAt(x) {
                const [from, to] = this.range;
                return from + (x / this.width) * (to - from);
            }

            laneTop(lane) {
                return rulerHeight + lane * this.laneHeight;
            }

            /** Draws lanes and marks: where the range, the lanes or the filters are others. */
            drawBase() {
                const context = this.base.getContext('2d');
                const { palette } = this.page;
                context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
                context.clearRect(0, 0, this.width, this.height);
                const marks = this.countInSight();
                this.isDense = marks > fewMarks;
                if (this.isDense) this.drawBins(context, palette);
                this.drawLanes(context, palette);
                this.drawRuler(context, palette);
                paintCommits(this, context, palette);
                if (!this.isDense) {
                    paintArrows(this, context, palette);
                    paintMarks(this, context, palette);
                }
                paintStrip(this, context, palette);
                const shown = this.page.shown.length;
                this.base.setAttribute('aria-label',
                    `${counted(shown, 'event')} on ${counted(this.lanes.count, 'lane')}`
                    + ` by ${this.page.place.lanes}; the table holds the same events`);
            }

            /** The pixel of a row, or -1 out of sight. The same arithmetic as `x`, without its calls. */
            columns(scale) {
                const { place } = this.page;
                const [from, to] = this.range;
                const factor = (this.width * scale) / (to - from);
                const source = place.axis === 'order'
                    ? this.story.orders[place.clock].rank : this.story[place.clock];
                return (row) => (source[row] - from) * factor;
            }

            countInSight() {
                const column = this.columns(1);
                const { row: rows } = this.lanes;
                const { hidden } = this.page;
                let count = 0;
                for (let mark = 0; mark < rows.length; mark++) {
                    const row = rows[mark];
                    if (hidden[row]) continue;
                    const x = column(row);
                    if (x >= 0 && x <= this.width) count++;
                }
                return count;
            }

            drawBins(context, palette) {
                const width = this.base.width;
                const bins = new Bins(width, this.lanes.count);
                const column = this.columns(this.ratio);
                const { row: rows, lane: lanes } = this.lanes;
                const { hidden } = this.page;
                const { kind, inert } = this.story;
                for (let mark = 0; mark < rows.length; mark++) {
                    const row = rows[mark];
                    if (hidden[row]) continue;
                    const x = Math.floor(column(row));
                    if (x >= 0 && x < width) bins.add(x, lanes[mark], kind[row], inert[row] === 1);
                }
                const height = Math.round(this.laneHeight * this.ratio);
                const top = (lane) => lane * this.laneHeight * this.ratio;
                const image = context.createImageData(
                    width, Math.ceil(this.lanes.count * this.laneHeight * this.ratio) + 1);
                bins.paint(new Uint32Array(image.data.buffer), palette, top, height);
                context.putImageData(image, 0, Math.round(rulerHeight * this.ratio));
            }

            drawLanes(context, palette) {
                context.fillStyle = palette.line;
                for (let lane = 0; lane <= this.lanes.count; lane++) {
                    context.fillRect(0, this.laneTop(lane), this.width, 1);
                }
            }

            drawRuler(context, palette) {
                const [from, to] = this.range;
                const { place, times } = this.page;
                context.font = '11px system-ui, sans-serif';
                context.textBaseline = 'middle';
                const bottom = this.laneTop(this.lanes.count);
                let free = -Infinity;
                const own = this.story.count > 0 ? this.story.offset[0] : 0;
                const ticks = place.axis === 'order'
                    ? this.orderTicks(from, to) : times.ticks(from, to, this.width / 80, own);
                for (const tick of ticks) {
                    const x = Math.round(this.x(tick.time));
                    context.fillStyle = palette.line;
                    context.fillRect(x, 20, 1, bottom - 20);
                    const width = context.measureText(tick.label).width;
                    if (x - width / 2 < free || x + width / 2 > this.width || x < width / 2) continue;
                    context.fillStyle = tick.isDay ? palette.text : palette.muted;
                    context.fillText(tick.label, x - width / 2, 11);
                    free = x + width / 2 + 12;
                }
            }

            /** Draws the moment over the marks: cheap, so that it follows a slider. */
            drawAbove() {
                const context = this.above.getContext('2d');
                context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
                context.clearRect(0, 0, this.width, this.height);
                paintMoment(this, context, this.page.palette);
            }

            /** The lanes of a row. */
            lanesOf(row) {
                const { row: rows, lane: lanes } = this.lanes;
                let low = 0;
                let high = rows.length;
                while (low < high) {
                    const middle = (low + high) >> 1;
                    if (rows[middle] < row) low = middle + 1;
                    else high = middle;
                }
                const found = [];
                for (; low < rows.length && rows[low] === row; low++) found.push(lanes[low]);
                return found;
            }

            /** The shown row nearest to a point, or -1 where none is within reach. */
            rowAt(x, y, reach = 8) {
                const lane = Math.floor((y - rulerHeight) / this.laneHeight);
                if (lane < 0 || lane >= this.lanes.count) return -1;
                const column = this.columns(1);
                const { row: rows, lane: lanes } = this.lanes;
                let nearest = -1;
                let distance = reach;
                for (let mark = 0; mark < rows.length; mark++) {
                    if (lanes[mark] !== lane || this.page.hidden[rows[mark]]) continue;
                    const away = Math.abs(column(rows[mark]) - x);
                    if (away < distance) {
                        distance = away;
                        nearest = rows[mark];
                    }
                }
                return nearest;
            }

            orderTicks(from, to) {
                const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6];
                const step = steps.find((each) => each >= (to - from) / (this.width / 80)) || 1e6;
                const ticks = [];
                const { rows } = this.story.orders[this.page.place.clock];
                for (let at = Math.max(0, Math.ceil(from / step) * step); at <= to; at += step) {
                    if (at >= rows.length) break;
                    ticks.push({ time: at, label: `#${grouped(this.story.position[rows[at]])}` });
                }
                return ticks;
            }
        }

        """#
}
