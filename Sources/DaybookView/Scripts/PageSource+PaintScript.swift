// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Timeline/paint.js`.
    static let paintScript = #"""
        // What is painted on the timeline: marks, late lines, arrows, commits, findings and the moment.

        /** The middle of a mark: a late one is at the end of its line that the clock shows. */
        function markHeight(timeline, row, lane) {
            const top = timeline.laneTop(lane);
            const { place } = timeline.page;
            if (place.axis === 'order' || !timeline.story.isLate(row)) return top + timeline.laneHeight / 2;
            return place.clock === 'occurred' ? top + 5 : top + timeline.laneHeight - 5;
        }

        /** Visits the marks in sight, with the pixel of each. */
        function visitMarks(timeline, margin, visit) {
            const column = timeline.columns(1);
            const { row: rows, lane: lanes } = timeline.lanes;
            const { hidden } = timeline.page;
            for (let mark = 0; mark < rows.length; mark++) {
                if (hidden[rows[mark]]) continue;
                const x = column(rows[mark]);
                if (x >= -margin && x <= timeline.width + margin) visit(rows[mark], lanes[mark], x);
            }
        }

        /** The ends of a late line. One that leaves the picture is a stub, so that it hides no lane. */
        function lateLine(timeline, row) {
            const { story, page } = timeline;
            const ends = [timeline.x(story.occurred[row]), timeline.x(story.recorded[row])];
            const here = page.place.clock === 'occurred' ? 0 : 1;
            const away = ends[1 - here];
            if (away < 0 || away > timeline.width) ends[1 - here] = ends[here] + (away < 0 ? -12 : 12);
            return ends;
        }

        function paintMarks(timeline, context, palette) {
            const { story, page } = timeline;
            if (page.place.axis === 'time') {
                context.lineWidth = 1.25;
                visitMarks(timeline, timeline.width, (row, lane) => {
                    if (!story.isLate(row)) return;
                    const top = timeline.laneTop(lane);
                    context.strokeStyle = palette.pale[story.kind[row]];
                    if (!story.inert[row]) context.strokeStyle = palette.kinds[story.kind[row]];
                    context.beginPath();
                    const [occurred, recorded] = lateLine(timeline, row);
                    context.moveTo(occurred, top + 5);
                    context.lineTo(recorded, top + timeline.laneHeight - 5);
                    context.stroke();
                });
            }
            const size = timeline.laneHeight >= 24 ? 4.5 : 3.5;
            visitMarks(timeline, 8, (row, lane, x) => {
                const kind = story.kind[row];
                traceMark(context, kind, x, markHeight(timeline, row, lane), size);
                const isPale = story.inert[row] || story.context[row];
                context.fillStyle = isPale ? palette.pale[kind] : palette.kinds[kind];
                context.fill();
            });
        }

        /** Arrows from an event to those that it caused. */
        function paintArrows(timeline, context, palette) {
            context.strokeStyle = palette.muted;
            context.globalAlpha = 0.55;
            context.lineWidth = 1;
            let count = 0;
            visitMarks(timeline, 40, (row, lane, x) => {
                const cause = timeline.story.causeOf[row];
                if (cause < 0 || timeline.page.hidden[cause] || count > 600) return;
                const from = timeline.lanesOf(cause)[0];
                if (from === undefined) return;
                count++;
                arrow(context, timeline.x(timeline.coordinate(cause)), markHeight(timeline, cause, from),
                    x, markHeight(timeline, row, lane));
            });
            context.globalAlpha = 1;
        }

        /** A curved line with a head, which stops short of the mark it points to. */
        function arrow(context, fromX, fromY, toX, toY) {
            const bend = Math.min(24, 6 + Math.abs(toX - fromX) / 4);
            const middleX = (fromX + toX) / 2 + (Math.abs(toX - fromX) < 12 ? bend : 0);
            const middleY = (fromY + toY) / 2 - (fromY === toY ? bend : 0);
            const angle = Math.atan2(toY - middleY, toX - middleX);
            const endX = toX - Math.cos(angle) * 6;
            const endY = toY - Math.sin(angle) * 6;
            context.beginPath();
            context.moveTo(fromX, fromY);
            context.quadraticCurveTo(middleX, middleY, endX, endY);
            for (const side of [-0.5, 0.5]) {
                context.moveTo(endX, endY);
                context.lineTo(endX - Math.cos(angle + side) * 5, endY - Math.sin(angle + side) * 5);
            }
            context.stroke();
        }

        /** Brackets under the lanes: events of one commit, where there is more than one. */
        function paintCommits(timeline, context, palette) {
            const { story } = timeline;
            const top = timeline.laneTop(timeline.lanes.count) + 4;
            const column = timeline.columns(1);
            context.strokeStyle = palette.muted;
            context.lineWidth = 1;
            context.beginPath();
            let last = -10;
            for (let commit = 0; commit + 1 < story.commitStart.length; commit++) {
                const start = story.commitStart[commit];
                const end = story.commitStart[commit + 1];
                if (end - start < 2) continue;
                let from = Infinity;
                let to = -Infinity;
                for (let row = start; row < end; row++) {
                    const x = column(row);
                    from = Math.min(from, x);
                    to = Math.max(to, x);
                }
                if (to < 0 || from > timeline.width || (to - from < 3 && from - last < 3)) continue;
                last = from;
                const [left, right] = [Math.max(-2, Math.round(from) - 2.5),
                    Math.min(timeline.width + 2, Math.round(to) + 2.5)];
                context.moveTo(left, top);
                context.lineTo(left, top + 5);
                context.lineTo(right, top + 5);
                context.lineTo(right, top);
            }
            context.stroke();
        }

        /** What stands in the strip under the ruler: findings, late answers, matches, the other past. */
        function paintStrip(timeline, context, palette) {
            const { story, page } = timeline;
            const visit = (row, paint) => {
                if (row < 0) return;
                const x = timeline.x(timeline.coordinate(row));
                if (x >= -6 && x <= timeline.width + 6) paint(x);
            };
            const mark = (x, color, sides) => {
                context.fillStyle = color;
                context.beginPath();
                sides.forEach(([dx, dy], at) => (at === 0
                    ? context.moveTo(x + dx, 30 + dy) : context.lineTo(x + dx, 30 + dy)));
                context.closePath();
                context.fill();
            };
            for (const row of page.matches) {
                visit(row, (x) => {
                    context.fillStyle = palette.accent;
                    context.fillRect(x - 0.5, 36, 1, 4);
                });
            }
            for (const late of story.source.late || []) {
                visit(late.event, (x) => mark(x, palette.warn, [[-4, -3], [4, -3], [0, 4]]));
            }
            for (const finding of story.source.findings || []) {
                visit(finding.event, (x) => mark(x, palette.bad, [[0, -5], [5, 0], [0, 5], [-5, 0]]));
            }
            const alternative = story.alternatives[page.place.alternative];
            if (alternative && page.place.tab === 'alternative') {
                paintAlternative(timeline, context, palette, alternative, visit);
            }
        }

        /** Where the other past leaves this one, and the events that it lacks, edits or adds. */
        function paintAlternative(timeline, context, palette, alternative, visit) {
            const bottom = timeline.laneTop(timeline.lanes.count);
            visit(alternative.divergence, (x) => {
                context.strokeStyle = palette.accent;
                context.setLineDash([4, 3]);
                context.beginPath();
                context.moveTo(x, 24);
                context.lineTo(x, bottom);
                context.stroke();
                context.setLineDash([]);
            });
            const { skipped, edited, moved } = alternative.source;
            context.lineWidth = 1.5;
            for (const row of skipped || []) {
                visit(row, (x) => {
                    context.strokeStyle = palette.bad;
                    for (const lane of timeline.lanesOf(row)) {
                        const y = markHeight(timeline, row, lane);
                        context.beginPath();
                        context.moveTo(x - 6, y - 6);
                        context.lineTo(x + 6, y + 6);
                        context.moveTo(x + 6, y - 6);
                        context.lineTo(x - 6, y + 6);
                        context.stroke();
                    }
                });
            }
            for (const row of [...(edited || []), ...(moved || [])]) {
                visit(row, (x) => {
                    context.strokeStyle = palette.accent;
                    for (const lane of timeline.lanesOf(row)) {
                        context.strokeRect(x - 6.5, markHeight(timeline, row, lane) - 6.5, 13, 13);
                    }
                });
            }
        }

        /** The moment: a line, a flag on the ruler, and a ring around the event's marks. */
        function paintMoment(timeline, context, palette) {
            const { story, page } = timeline;
            const { row } = page.place;
            if (row < 0) return;
            const x = timeline.x(timeline.coordinate(row));
            if (x < -8 || x > timeline.width + 8) {
                paintAway(timeline, context, palette, x < 0);
                return;
            }
            const bottom = timeline.laneTop(timeline.lanes.count);
            context.fillStyle = palette.accent;
            context.fillRect(x - 0.75, 22, 1.5, bottom - 22);
            for (const lane of timeline.lanesOf(row)) {
                const y = markHeight(timeline, row, lane);
                traceMark(context, story.kind[row], x, y, 4.5);
                context.fillStyle = palette.kinds[story.kind[row]];
                context.fill();
                context.lineWidth = 2;
                context.strokeStyle = palette.accent;
                context.beginPath();
                context.arc(x, y, 8, 0, Math.PI * 2);
                context.stroke();
            }
            paintFlag(timeline, context, palette, x, `#${grouped(story.position[row])}`);
        }

        function paintFlag(timeline, context, palette, x, text) {
            context.font = '600 11px system-ui, sans-serif';
            context.textBaseline = 'middle';
            const width = context.measureText(text).width + 12;
            const left = Math.min(timeline.width - width, Math.max(0, x - width / 2));
            context.fillStyle = palette.background;
            context.fillRect(left - 24, 2, width + 48, 18);
            context.fillStyle = palette.accent;
            context.fillRect(left, 2, width, 18);
            context.fillStyle = palette.background;
            context.fillText(text, left + 6, 11.5);
        }

        /** Says on which side the moment is when it is out of sight. */
        function paintAway(timeline, context, palette, isLeft) {
            context.fillStyle = palette.accent;
            const [edge, inside] = isLeft ? [2, 10] : [timeline.width - 2, timeline.width - 10];
            context.beginPath();
            context.moveTo(edge, 30);
            context.lineTo(inside, 24);
            context.lineTo(inside, 36);
            context.closePath();
            context.fill();
        }

        """#
}
