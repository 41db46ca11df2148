// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Timeline/gestures.js`.
    static let gesturesScript = #"""
        // What the mouse and the wheel do on the timeline.

        /** Zooms by a factor around a coordinate, within the whole axis and one thousandth of a second. */
        function zoomed(timeline, factor, around) {
            const [from, to] = timeline.range;
            const { axis, clock } = timeline.view.place;
            const least = [axis, clock].includes('order') ? 4 : 1000;
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
            const { surface, view } = timeline;
            let drag = null;
            surface.addEventListener('wheel', (event) => {
                event.preventDefault();
                const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
                const amount = (event.deltaMode === 1 ? 16 : 1) * (event.deltaY || event.deltaX);
                if (sideways) {
                    view.go({ range: panned(timeline, (event.deltaX || event.deltaY) / timeline.width) });
                } else {
                    view.zoom(Math.exp(amount * 0.002), timeline.coordinateAt(event.offsetX));
                }
            }, { passive: false });
            surface.addEventListener('pointerdown', (event) => {
                if (event.button !== 0) return;
                surface.setPointerCapture(event.pointerId);
                const selects = event.shiftKey || event.offsetY < rulerHeight;
                drag = { x: event.offsetX, range: timeline.range, selects, moved: false };
            });
            surface.addEventListener('pointermove', (event) => {
                if (!drag) return timeline.pointed(event);
                const away = event.offsetX - drag.x;
                if (!drag.moved && Math.abs(away) < 4) return;
                drag.moved = true;
                timeline.tip.hidden = true;
                if (drag.selects) {
                    timeline.selection = [drag.x, event.offsetX];
                    view.redraw('moment');
                } else {
                    const length = drag.range[1] - drag.range[0];
                    const from = drag.range[0] - (away / timeline.width) * length;
                    view.go({ range: bounded(timeline, from, length) });
                }
            });
            surface.addEventListener('pointerup', (event) => {
                const done = drag;
                drag = null;
                timeline.selection = null;
                if (!done) return;
                if (!done.moved) timeline.clicked(event);
                else if (done.selects) {
                    view.go({ range: [done.x, event.offsetX].sort((a, b) => a - b).map(
                        (x) => timeline.coordinateAt(Math.max(0, Math.min(timeline.width, x)))) });
                }
            });
            surface.addEventListener('pointercancel', () => { drag = null; });
            surface.addEventListener('pointerleave', () => { timeline.tip.hidden = true; });
        }

        """#
}
