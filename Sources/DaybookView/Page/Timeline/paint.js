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
    const column = timeline.columns();
    const { row: rows, lane: lanes } = timeline.lanes;
    const { hidden } = timeline.page;
    for (let mark = 0; mark < rows.length; mark++) {
        if (hidden[rows[mark]]) continue;
        const x = column(rows[mark]);
        if (x >= -margin && x <= timeline.width + margin) visit(rows[mark], lanes[mark], x);
    }
}

/** A path through points. */
function pathOf(context, ...points) {
    context.beginPath();
    points.forEach(([x, y], at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    return context;
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
            const look = story.looks[story.kind[row]];
            context.strokeStyle = (story.inert[row] ? palette.pale : palette.kinds)[look];
            const [from, to] = lateLine(timeline, row);
            pathOf(context, [from, top + 5], [to, top + timeline.laneHeight - 5]).stroke();
        });
    }
    const size = timeline.laneHeight >= 24 ? 4.5 : 3.5;
    visitMarks(timeline, 8, (row, lane, x) => {
        const look = story.looks[story.kind[row]];
        const isPale = story.inert[row] || story.context.has(row);
        context.fillStyle = (isPale ? palette.pale : palette.kinds)[look];
        fillMark(context, look, x, markHeight(timeline, row, lane), size);
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
    const column = timeline.columns();
    context.strokeStyle = palette.muted;
    context.lineWidth = 1;
    context.beginPath();
    let last = -10;
    for (let commit = 0; commit + 1 < story.commitStart.length; commit++) {
        const start = story.commitStart[commit];
        let [from, to] = [column(start), column(start)];
        if (story.commitStart[commit + 1] - start < 2) continue;
        for (let row = start; row < story.commitStart[commit + 1]; row++) {
            from = Math.min(from, column(row));
            to = Math.max(to, column(row));
        }
        if (to < 0 || from > timeline.width || (to - from < 3 && from - last < 3)) continue;
        last = from;
        const left = Math.max(-2, Math.round(from) - 2.5);
        const right = Math.min(timeline.width + 2, Math.round(to) + 2.5);
        context.moveTo(left, top);
        for (const [x, y] of [[left, 5], [right, 5], [right, 0]]) context.lineTo(x, top + y);
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
        pathOf(context, ...sides.map(([dx, dy]) => [x + dx, 30 + dy])).fill();
    };
    for (const row of page.matches) {
        visit(row, (x) => mark(x, palette.accent, [[-0.5, 6], [0.5, 6], [0.5, 10], [-0.5, 10]]));
    }
    for (const late of story.source.late || []) {
        visit(late.event, (x) => mark(x, palette.warn, [[-4, -3], [4, -3], [0, 4]]));
    }
    for (const finding of story.source.findings || []) {
        visit(finding.event, (x) => mark(x, palette.bad, [[0, -5], [5, 0], [0, 5], [-5, 0]]));
    }
    const alternative = page.place.tab === 'alternative'
        && story.alternatives[page.place.alternative];
    // A dashed line is the moment compared with, or where the other past leaves this one.
    context.strokeStyle = palette.accent;
    context.setLineDash([4, 3]);
    for (const row of [page.place.since, alternative ? alternative.divergence : -1]) {
        visit(row, (x) => pathOf(
            context, [x, 24], [x, timeline.laneTop(timeline.lanes.count)]).stroke());
    }
    context.setLineDash([]);
    if (alternative) paintAlternative(timeline, context, palette, alternative, visit);
}

/** The events that the other past lacks, edits or moves. */
function paintAlternative(timeline, context, palette, alternative, visit) {
    const { skipped, edited, moved } = alternative.source;
    context.lineWidth = 1.5;
    const visitLanes = (rows, color, paint) => (rows || []).forEach((row) => visit(row, (x) => {
        context.strokeStyle = color;
        for (const lane of timeline.lanesOf(row)) paint(x, markHeight(timeline, row, lane));
    }));
    visitLanes(skipped, palette.bad, (x, y) => {
        pathOf(context, [x - 6, y - 6], [x + 6, y + 6]).stroke();
        pathOf(context, [x + 6, y - 6], [x - 6, y + 6]).stroke();
    });
    visitLanes([...(edited || []), ...(moved || [])], palette.accent,
        (x, y) => context.strokeRect(x - 6.5, y - 6.5, 13, 13));
}

/** The moment: a line, a flag on the ruler, and a ring around the event's marks. */
function paintMoment(timeline, context, palette) {
    const { story, page } = timeline;
    const { row } = page.place;
    if (row < 0) return;
    const x = timeline.x(timeline.coordinate(row));
    const bottom = timeline.laneTop(timeline.lanes.count);
    const look = story.looks[story.kind[row]];
    context.fillStyle = palette.accent;
    if (x < -8 || x > timeline.width + 8) {
        // Out of sight, an arrow says on which side it is.
        const [edge, inside] = x < 0 ? [2, 10] : [timeline.width - 2, timeline.width - 10];
        pathOf(context, [edge, 30], [inside, 24], [inside, 36]).fill();
        return;
    }
    context.fillRect(x - 0.75, 22, 1.5, bottom - 22);
    for (const lane of timeline.lanesOf(row)) {
        const y = markHeight(timeline, row, lane);
        context.fillStyle = palette.kinds[look];
        fillMark(context, look, x, y, 4.5);
        context.lineWidth = 2;
        context.strokeStyle = palette.accent;
        context.beginPath();
        context.arc(x, y, 8, 0, Math.PI * 2);
        context.stroke();
    }
    // Its position on the ruler.
    const text = `#${grouped(story.position[row])}`;
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
