// Who wrote a value, and all before: every change of one field, the latest first.

const mostWrites = 60;

function blamePanel(page) {
    const { story, place, commands } = page;
    const { entity, path, row } = place;
    const writes = story.changes.writes(entity, path);
    let upTo = 0;
    while (upTo < writes.length && story.changes.event[writes[upTo]] <= row) upTo++;
    const earlier = writes.slice(0, upTo).reverse();
    const later = writes.slice(upTo);
    const list = make('ol', { class: 'writes' });
    const shownLater = later.slice(0, 5).reverse();
    for (const change of shownLater) list.append(writeItem(page, change, 'later'));
    earlier.slice(0, mostWrites).forEach((change, at) => {
        list.append(writeItem(page, change, at === 0 ? 'writer' : ''));
    });
    const name = story.pathNames[path];
    return make('section', { class: 'card blame', 'aria-label': `Who wrote ${name}` },
        make('header', { class: 'card-head' },
            make('h3', null, make('span', { class: 'muted' }, 'Who wrote '), name),
            make('span', { class: 'muted' }, counted(writes.length, 'change')),
            button('Close', 'Close (Esc)', () => page.go({ path: -1 }), { class: 'quiet' })),
        fieldPicture(page, writes),
        later.length > shownLater.length && make('p', { class: 'muted' },
            `${grouped(later.length - shownLater.length)} later changes`),
        writes.length > 0 && list,
        earlier.length > mostWrites && make('p', { class: 'muted' },
            `${grouped(earlier.length - mostWrites)} before: go to an earlier one to see them.`),
        earlier.length === 0 && make('p', { class: 'muted' },
            'No event had written it at this moment: it is as a new one has it.'),
        commandLine(commands.blame(entity, path, row), 'Copy the command for this blame'));
}

/** One change: its event, when, and before → after. */
function writeItem(page, change, style) {
    const { story, values } = page;
    const { changes } = story;
    const row = changes.event[change];
    const by = changes.by ? changes.by[change] : 0;
    const value = values.change(story.before(change), changes.value[change], changes.path[change]);
    if (by > 0) {
        return make('li', { class: style },
            make('span', { class: 'write-head' }, `position ${by} (not in this story)`),
            value, commandLine(page.commands.events(by, by), 'Copy the command for that event'));
    }
    return make('li', { class: style },
        make('span', { class: 'write-head' }, page.link(row),
            make('span', { class: 'muted' }, page.timeOf(row)),
            style === 'later' && make('span', { class: 'badge' }, 'later')),
        value);
}

/** A field of numbers as a line of steps, with the moment in it. */
function fieldPicture(page, writes) {
    const { story } = page;
    const points = [];
    for (const change of writes) {
        const value = story.values[story.changes.value[change]];
        if (typeof value !== 'number') return null;
        points.push([story.changes.event[change], value]);
    }
    if (points.length < 4) return null;
    const numbers = points.map(([, value]) => value);
    const low = numbers.reduce((least, each) => Math.min(least, each));
    const high = numbers.reduce((most, each) => Math.max(most, each));
    const last = Math.max(1, story.count - 1);
    const x = (row) => (row / last) * 380;
    const y = (value) => 44 - ((value - low) / (high - low || 1)) * 40;
    // One point for each half pixel is all that the picture can show.
    let line = `M${x(points[0][0]).toFixed(1)} ${y(points[0][1]).toFixed(1)}`;
    let lastX = -1;
    for (const [row, value] of points.slice(1)) {
        if (x(row) - lastX < 0.5) continue;
        lastX = x(row);
        line += `H${lastX.toFixed(1)}V${y(value).toFixed(1)}`;
    }
    return draw('svg', {
        class: 'picture', viewBox: '0 0 380 48', role: 'img', preserveAspectRatio: 'none',
        'aria-label': `${grouped(low)} to ${grouped(high)} over the story`,
    },
    draw('path', { class: 'steps', d: `${line}H380` }),
    draw('path', { class: 'now', d: `M${x(Math.max(0, page.place.row)).toFixed(1)} 0V48` }));
}
