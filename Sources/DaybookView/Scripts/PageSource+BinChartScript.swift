// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Live/bin-chart.js`.
    static let binChartScript = #"""
        // The timeline of a whole log: bins of events, as the server counted them.

        /** Draws the last answer of bins, stretched to the range that is asked for meanwhile. */
        class BinChart extends LaneChart {
            answer = null;

            /** The axis from end to end, with a little room on both sides. */
            get whole() {
                if (!this.answer || !this.answer.whole) return [0, 1];
                const [first, last] = this.answer.whole;
                const room = this.view.place.clock === 'order' ? 1 : Math.max((last - first) * 0.02, 1000);
                return [first - room, last + room];
            }

            arrange() {
                const mode = this.view.place.lanes;
                this.label(this.answer.names.map(({ name, count, rest }) => make('span', {
                    title: `${name}: ${counted(count, 'event')}`, class: rest ? 'others' : '',
                }, span('', withoutMiddle(bareKind(name), 30)), span('count', grouped(count)))));
                this.base.setAttribute('aria-label', `${counted(this.answer.count, 'event')} on `
                    + `${counted(this.answer.names.length, 'lane')} by ${mode}; the table holds the same`);
            }

            /** Visits the cells of the answer: lane, ends on the axis, number of events, kind. */
            eachCell(visit) {
                const { from, to, width, cells } = this.answer;
                const length = (to - from) / width;
                cells.forEach((lane, at) => {
                    let bin = 0;
                    for (let cell = 0; cell < lane.length; cell += 3) {
                        bin += lane[cell];
                        const start = from + bin * length;
                        visit(at, start, start + length, lane[cell + 1], lane[cell + 2]);
                    }
                });
            }

            drawBase() {
                const context = this.emptied(this.base);
                const { place, times } = this.view;
                const { names, whole } = this.answer;
                const { looks } = this.view;
                const [from, to] = this.range;
                const column = (place) => Math.round(this.x(place) * this.ratio);
                const paint = (bins) => this.eachCell((lane, start, end, count, at) => {
                    const right = Math.min(bins.width, Math.max(column(start) + 1, column(end)));
                    for (let x = Math.max(0, column(start)); x < right; x++) {
                        bins.add(x, lane, looks[at], false, count);
                    }
                });
                this.paintBins(context, names.length, paint);
                this.drawGrid(context, names.length, place.clock === 'order'
                    ? this.orderTicks(whole ? whole[1] : 1, (at) => at)
                    : times.ticks(from, to, this.width / 80));
            }

            /** A click opens the events there, on the lane under it if this is not the rest of all. */
            clicked({ offsetX, offsetY }) {
                const lane = this.answer && this.answer.names[this.laneAt(offsetY)];
                this.view.openAt(
                    this.coordinateAt(offsetX + 2), lane && !lane.rest ? lane.name : undefined);
            }

            /** Says what the bin under the pointer holds. */
            pointed(event) {
                let found = null;
                const at = this.coordinateAt(event.offsetX);
                const lane = this.laneAt(event.offsetY);
                if (this.answer) {
                    this.eachCell((each, from, to, count, kind) => {
                        if (each === lane && from <= at && at < to) found = { from, count, kind };
                    });
                }
                this.showTip(event, ...(found === null ? [] : [
                    make('strong', null, this.answer.names[lane].name),
                    make('span', null, `${counted(found.count, 'event')}, ${this.view.textOf(found.from)}`),
                    make('span', null, `last: ${this.answer.kinds[found.kind]}`)]));
            }
        }

        """#
}
