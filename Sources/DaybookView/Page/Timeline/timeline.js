// The timeline of a story: its events as marks on lanes.

const fewMarks = 2500;

/** Draws the events in sight; `page` holds the story and the place. */
class Timeline extends LaneChart {
    constructor(page) {
        super(page);
        this.page = page;
        this.story = page.story;
        this.modes = new Map();
        this.labels.addEventListener('wheel', (event) => {
            event.preventDefault();
            this.scroll(Math.sign(event.deltaY));
        }, { passive: false });
    }

    arrange() {
        const { place } = this.page;
        if (!this.modes.has(place.lanes)) {
            this.modes.set(place.lanes, new Lanes(this.story, place.lanes));
        }
        this.lanes = this.modes.get(place.lanes);
        place.lane = this.lanes.arrange(this.most, place.entity, place.lane);
        this.label(this.lanes.names.map((name, lane) => this.labelOf(name, lane)));
    }

    labelOf(name, lane) {
        const entity = this.lanes.entities[lane];
        if (this.lanes.shown[lane] < 0) {
            return button(name, 'Show the next lanes (PageDown; PageUp goes back)',
                () => this.scroll(this.lanes.page), { class: 'others' });
        }
        if (entity < 0) return make('span', { title: name }, name);
        const isChosen = entity === this.page.place.entity;
        return button(withoutMiddle(name, 25), `Show ${name}`,
            () => this.page.go({ entity, path: -1, tab: 'state' }),
            { class: isChosen ? 'chosen' : '', 'aria-pressed': String(isChosen) });
    }

    /** Moves the lanes in sight by some; after the last ones come the first again. */
    scroll(count) {
        const { hidden, scrolled } = this.lanes;
        const isAtEnd = count > 0 && scrolled >= hidden;
        this.page.go({ lane: isAtEnd ? 0 : Math.max(0, Math.min(hidden, scrolled + count)) });
    }

    /** The axis from end to end, with a little room on both sides. */
    get whole() {
        const { place } = this.page;
        if (this.story.count === 0) return [0, 1];
        if (place.axis === 'order') return [-1, this.story.count];
        const { rows } = this.story.orders[place.clock];
        const room = Math.max(this.story.lengthBy(place.clock) * 0.02, 1000);
        const times = this.story[place.clock];
        return [times[rows[0]] - room, times[rows[rows.length - 1]] + room];
    }

    /** The place of each row on the axis. */
    get coordinates() {
        const { axis, clock } = this.page.place;
        return axis === 'order' ? this.story.orders[clock].rank : this.story[clock];
    }

    coordinate(row) {
        return this.coordinates[row];
    }

    /** Draws lanes and marks: where the range, the lanes or the filters are others. */
    drawBase() {
        const context = this.emptied(this.base);
        const { palette, place, shown, times } = this.page;
        let count = 0;
        visitMarks(this, 0, () => { count++; });
        const isDense = count > fewMarks;
        if (isDense) {
            const { kind, inert, looks } = this.story;
            this.paintBins(context, this.lanes.count, (bins) => {
                visitMarks(this, 0, (row, lane, x) => bins.add(Math.min(bins.width - 1,
                    Math.floor(x * this.ratio)), lane, looks[kind[row]], inert[row] === 1));
            });
        }
        const [from, to] = this.range;
        const { rows } = this.story.orders[place.clock];
        this.drawGrid(context, this.lanes.count, place.axis === 'order'
            ? this.orderTicks(rows.length - 1, (at) => this.story.position[rows[at]])
            : times.ticks(from, to, this.width / 80, this.story.offset[0]));
        paintCommits(this, context, palette);
        if (!isDense) {
            paintArrows(this, context, palette);
            paintMarks(this, context, palette);
        }
        paintStrip(this, context, palette);
        this.base.setAttribute('aria-label', `${counted(shown.length, 'event')} on `
            + `${counted(this.lanes.count, 'lane')} by ${place.lanes}; the table holds the same`);
    }

    /** The pixel of a row. The same arithmetic as `x`, without its calls. */
    columns() {
        const [from, to] = this.range;
        const factor = this.width / (to - from);
        const source = this.coordinates;
        return (row) => (source[row] - from) * factor;
    }

    paintAbove(context) {
        paintMoment(this, context, this.page.palette);
    }

    /** The lanes of a row. */
    lanesOf(row) {
        const { row: rows, lane: lanes } = this.lanes;
        const start = endWhere(0, rows.length, (mark) => rows[mark] < row);
        const found = new Set();
        for (let mark = start; rows[mark] === row; mark++) found.add(lanes[mark]);
        return [...found];
    }

    /** The shown row nearest to a point, or -1 where none is within reach. */
    rowAt(x, y, reach = 8) {
        const lane = this.laneAt(y);
        let nearest = [-1, reach];
        visitMarks(this, reach, (row, each, at) => {
            if (each === lane && Math.abs(at - x) < nearest[1]) nearest = [row, Math.abs(at - x)];
        });
        return nearest[0];
    }

    /** A click chooses the mark under it; on the ruler, the last event up to there. */
    clicked({ offsetX, offsetY }) {
        const { page } = this;
        const row = offsetY > rulerHeight ? this.rowAt(offsetX, offsetY, 12)
            : page.lastUpTo(this.coordinateAt(offsetX), this.coordinates);
        if (row < 0) return;
        const lane = this.laneAt(offsetY);
        const entity = lane < 0 ? -1 : this.lanes.entities[lane];
        const isOther = entity >= 0 && entity !== page.place.entity;
        page.go(isOther ? { row, entity, path: -1 } : { row });
    }

    /** Says which event is under the pointer. */
    pointed(event) {
        const { page, story } = this;
        const row = this.rowAt(event.offsetX, event.offsetY);
        const summary = row >= 0 && page.values.summary(row);
        this.showTip(event, ...(row < 0 ? [] : [make('strong', null, page.nameOf(row)),
            make('span', null, page.timeOf(row)), story.isLate(row) && make('span', null,
                `recorded ${lengthText(story.recorded[row] - story.occurred[row])} later`),
            summary && span('clip', summary)]));
    }
}
