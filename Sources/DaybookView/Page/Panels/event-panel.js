// The event of the moment: what it is, when, by whom, and why.

function eventPanel(page) {
    const { story, place, commands } = page;
    const { row } = place;
    if (row < 0) {
        return [make('h2', null, 'Before the first event'),
            make('p', { class: 'muted' }, 'Nothing had happened yet.')];
    }
    const kind = story.kind[row];
    const position = story.position[row];
    const facts = make('dl', { class: 'facts' });
    const fact = (name, ...values) => append(
        facts, [make('dt', null, name), make('dd', null, values)]);
    const isLate = story.isLate(row);
    fact(isLate ? 'Occurred' : 'Time', page.times.full(story.occurred[row], story.offset[row]));
    if (isLate) {
        const after = story.recorded[row] - story.occurred[row];
        fact('Recorded', page.times.full(story.recorded[row], story.offset[row]),
            make('span', { class: 'badge warn' },
                `${lengthText(after)} ${after > 0 ? 'later' : 'earlier'}`));
    }
    const who = [story.actor(row), story.device(row)].filter((each) => each);
    if (who.length > 0) fact('By', who.join(' on '));
    const tags = story.tagsOf(row);
    if (tags.length > 0) {
        fact('Tags', tags.map((tag) => button(tag, `Search ${tag}`,
            () => page.go({ query: `tag:${tag}`, tab: 'search' }), { class: 'tag' })));
    }
    const cause = story.commits.causation[story.commit[row]];
    if (cause > 0) {
        fact('Caused by', story.causeOf[row] >= 0
            ? page.link(story.causeOf[row]) : `position ${cause} (not in this story)`);
    }
    const effects = effectsOf(story, row);
    if (effects.length > 0) fact('Caused', effects.slice(0, 12).map((each) => page.link(each)));
    const commit = story.commit[row];
    const size = story.commits.count[commit];
    if (size > 1) {
        const first = story.commitFirst[commit];
        fact('Commit', `${size} events, ${grouped(first)} to ${grouped(first + size - 1)}`);
    }
    const correlation = story.source.correlations[story.commits.correlation[commit]];
    if (correlation) fact('Correlation', correlation);
    return [
        make('h2', { class: 'event-title' }, markElement(kind),
            make('span', { title: story.kinds[kind].name }, story.kindNames[kind]),
            make('span', { class: 'position' }, `#${grouped(position)}`)),
        facts,
        payloadOf(story, row),
        commandLine(commands.events(position, position), 'Copy the command for this event'),
    ];
}

/** The rows that an event caused. */
function effectsOf(story, row) {
    if (!story.effects) {
        story.effects = new Map();
        story.causeOf.forEach((cause, each) => {
            if (cause < 0) return;
            if (!story.effects.has(cause)) story.effects.set(cause, []);
            story.effects.get(cause).push(each);
        });
    }
    return story.effects.get(row) || [];
}

function payloadOf(story, row) {
    if (!story.payload) return null;
    const payload = story.payload[row];
    if (payload === null || payload === undefined) {
        return make('p', { class: 'muted' }, 'This program does not know the kind.');
    }
    const names = Object.keys(payload);
    if (names.length === 0) return null;
    return make('details', { class: 'payload', open: names.length <= 6 },
        make('summary', null, 'Payload'),
        make('dl', { class: 'facts mono' }, names.map((name) => {
            const [text, style] = valueText(payload[name]);
            return [make('dt', null, name),
                make('dd', null, make('span', { class: `value ${style}` }, text))];
        })));
}
