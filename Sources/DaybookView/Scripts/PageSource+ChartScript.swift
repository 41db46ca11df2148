// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Timeline/chart.js`.
    static let chartScript = #"""
        // A chart of lanes over an axis of time or order, on a canvas with a second one above it.

        const rulerHeight = 40;
        const commitHeight = 16;

        /** A long name by its ends: keys of one source often begin alike. */
        function withoutMiddle(name, most) {
            if (name.length <= most) return name;
            const end = most >> 1;
            return `${name.slice(0, most - end - 1)}…${name.slice(-end)}`;
        }

        /** What the timeline of a story and that of a whole log have in common. */
        class LaneChart {
            constructor(view) {
                this.view = view;
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
                this.width = 0;
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
                }
                this.most = Math.max(3, Math.floor((this.height - rulerHeight - commitHeight) / 20));
            }

            /** Writes the labels of the lanes, each an element. */
            label(elements) {
                const room = this.height - rulerHeight - commitHeight;
                const height = Math.floor(room / Math.max(1, elements.length));
                this.laneHeight = Math.max(16, Math.min(40, height));
                this.labels.style.setProperty('--lane', `${this.laneHeight}px`);
                elements.forEach((label) => label.classList.add('lane-label'));
                fill(this.labels, elements);
            }

            get range() {
                return this.view.place.range || this.whole;
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

            laneAt(y) {
                return Math.floor((y - rulerHeight) / this.laneHeight);
            }

            /** A canvas made empty, to be drawn on in pixels of the page. */
            emptied(canvas) {
                const context = canvas.getContext('2d');
                context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
                context.clearRect(0, 0, this.width, this.height);
                return context;
            }

            /** Paints bins that `count` adds, by columns of the canvas. */
            paintBins(context, lanes, count) {
                const bins = new Bins(this.base.width, lanes);
                count(bins);
                bins.paint(context, this.view.palette, Math.round(rulerHeight * this.ratio),
                    this.laneHeight * this.ratio);
            }

            /** Draws what moves over the marks: cheap, so that it follows a slider. */
            drawAbove() {
                const context = this.emptied(this.above);
                if (this.paintAbove) this.paintAbove(context);
                if (!this.selection) return;
                const [from, to] = this.selection;
                context.globalAlpha = 0.15;
                context.fillStyle = this.view.palette.accent;
                context.fillRect(Math.min(from, to), 0, Math.abs(to - from), this.height);
                context.globalAlpha = 1;
            }

            /** Draws the lines of the lanes and the ticks of the axis. */
            drawGrid(context, lanes, ticks) {
                const { palette } = this.view;
                context.fillStyle = palette.line;
                for (let lane = 0; lane <= lanes; lane++) {
                    context.fillRect(0, this.laneTop(lane), this.width, 1);
                }
                context.font = '11px system-ui, sans-serif';
                context.textBaseline = 'middle';
                let free = -Infinity;
                for (const tick of ticks) {
                    const x = Math.round(this.x(tick.time));
                    context.fillStyle = palette.line;
                    context.fillRect(x, 20, 1, this.laneTop(lanes) - 20);
                    const width = context.measureText(tick.label).width;
                    if (x - width / 2 < free || x + width / 2 > this.width || x < width / 2) continue;
                    context.fillStyle = tick.isDay ? palette.text : palette.muted;
                    context.fillText(tick.label, x - width / 2, 11);
                    free = x + width / 2 + 12;
                }
            }

            /** The ticks of an axis by order, up to a last one: `positionAt` gives the position of each. */
            orderTicks(last, positionAt) {
                const [from, to] = this.range;
                const least = (to - from) / (this.width / 80);
                const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
                const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least);
                const ticks = [];
                const start = Math.max(0, Math.ceil(from / step) * step);
                for (let at = start; at <= Math.min(to, last); at += step) {
                    ticks.push({ time: at, label: `#${grouped(positionAt(at))}` });
                }
                return ticks;
            }

            /** Shows lines of text beside the pointer. */
            showTip(event, ...lines) {
                this.tip.hidden = lines.length === 0;
                fill(this.tip, lines);
                const left = event.offsetX + 320 > this.width ? event.offsetX - 308 : event.offsetX + 12;
                this.tip.style.left = `${Math.max(0, left)}px`;
                this.tip.style.top = `${Math.min(this.height - 84, event.offsetY + 12)}px`;
            }
        }

        """#
}
