// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Timeline/gestures.js`.
    static let gesturesScript = #"""
        // What the mouse and the wheel do on the timeline.

        /** Zooms by a factor around a coordinate, within the whole axis and one thousandth of a second. */
        function zoomed(timeline, factor, around) {
            const [from, to] = timeline.range;
            const least = timeline.page.place.axis === 'order' ? 4 : 1000;
            const [first, last] = timeline.whole;
            const length = Math.min(last - first, Math.max(least, (to - from) * factor));
            const share = (around - from) / (to - from);
            return bounded(timeline, around - share * length, length);
        }

        function panned(timeline, share) {
            const [from, to] = timeline.range;
            return bounded(timeline, from + share * (to - from), to - from);
        }

        /** A range that stays within the axis; the whole axis is null. */
        function bounded(timeline, from, length) {
            const [first, last] = timeline.whole;
            if (length >= last - first) return null;
            const start = Math.min(Math.max(from, first), last - length);
            return [start, start + length];
        }

        /** Listens to the surface of a timeline. */
        function listenToGestures(timeline) {
            const { surface, page } = timeline;
            let drag = null;
            surface.addEventListener('wheel', (event) => {
                event.preventDefault();
                const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
                const amount = (event.deltaMode === 1 ? 16 : 1) * (event.deltaY || event.deltaX);
                if (sideways) {
                    page.go({ range: panned(timeline, (event.deltaX || event.deltaY) / timeline.width) });
                } else {
                    const around = timeline.coordinateAt(event.offsetX);
                    page.go({ range: zoomed(timeline, Math.exp(amount * 0.002), around) });
                }
            }, { passive: false });
            surface.addEventListener('pointerdown', (event) => {
                if (event.button !== 0) return;
                surface.setPointerCapture(event.pointerId);
                const selects = event.shiftKey || event.offsetY < rulerHeight;
                drag = { x: event.offsetX, y: event.offsetY, range: timeline.range, selects, moved: false };
            });
            surface.addEventListener('pointermove', (event) => {
                if (!drag) {
                    showTip(timeline, event);
                    return;
                }
                const away = event.offsetX - drag.x;
                if (!drag.moved && Math.abs(away) < 4) return;
                drag.moved = true;
                timeline.tip.hidden = true;
                if (drag.selects) {
                    timeline.selection = [drag.x, event.offsetX];
                    page.redraw('moment');
                } else {
                    const [from, to] = drag.range;
                    const length = to - from;
                    page.go({ range: bounded(timeline, from - (away / timeline.width) * length, length) });
                }
            });
            surface.addEventListener('pointerup', (event) => {
                const done = drag;
                drag = null;
                timeline.selection = null;
                if (!done) return;
                if (!done.moved) clicked(timeline, event);
                else if (done.selects) selected(timeline, done.x, event.offsetX);
            });
            surface.addEventListener('pointercancel', () => { drag = null; });
            surface.addEventListener('pointerleave', () => { timeline.tip.hidden = true; });
            surface.addEventListener('dblclick', (event) => {
                page.go({ range: zoomed(timeline, 0.25, timeline.coordinateAt(event.offsetX)) });
            });
        }

        /** A click chooses the mark under it; on the ruler, the last event up to there. */
        function clicked(timeline, event) {
            const { page } = timeline;
            if (event.offsetY < rulerHeight) {
                const row = page.lastUpTo(timeline.coordinateAt(event.offsetX));
                if (row >= 0) page.go({ row });
                return;
            }
            const row = timeline.rowAt(event.offsetX, event.offsetY, 12);
            if (row < 0) return;
            const lane = Math.floor((event.offsetY - rulerHeight) / timeline.laneHeight);
            const entity = timeline.lanes.entities[lane];
            const isOther = entity >= 0 && entity !== page.place.entity;
            page.go(isOther ? { row, entity, path: -1 } : { row });
        }

        function selected(timeline, x, otherX) {
            const from = timeline.coordinateAt(Math.max(0, Math.min(x, otherX)));
            const to = timeline.coordinateAt(Math.min(timeline.width, Math.max(x, otherX)));
            if (to > from) timeline.page.go({ range: [from, to] });
        }

        /** Says which event is under the pointer. */
        function showTip(timeline, event) {
            const { tip, page, story } = timeline;
            const row = timeline.rowAt(event.offsetX, event.offsetY);
            tip.hidden = row < 0;
            if (row < 0) return;
            const summary = page.values.summary(row);
            fill(tip,
                make('strong', null, page.nameOf(row)),
                make('span', null, page.timeOf(row)),
                story.isLate(row) && make('span', null,
                    `recorded ${lengthText(story.recorded[row] - story.occurred[row])} later`),
                summary && make('span', { class: 'clip' }, summary));
            const left = event.offsetX + 320 > timeline.width ? event.offsetX - 308 : event.offsetX + 12;
            tip.style.left = `${Math.max(0, left)}px`;
            tip.style.top = `${Math.min(timeline.height - 84, event.offsetY + 12)}px`;
        }

        """#
}
