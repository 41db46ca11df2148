// The event of the moment: what it is, when, by whom, and why.

function eventPanel(page) {
    const { story, place } = page;
    const { row } = place;
    if (row < 0) {
        return [make('h2', null, 'Before the first event'), muted('Nothing had happened yet.')];
    }
    const kind = story.kind[row];
    const position = story.position[row];
    return [
        make('h2', { class: 'event-title' }, markElement(story.looks[kind]),
            make('span', { title: story.kinds[kind].name }, story.kindNames[kind]),
            span('position', `#${grouped(position)}`),
            button('Compare', 'Compare other moments with this one (m)',
                () => page.compareFrom(row), { class: 'quiet' })),
        make('dl', { class: 'facts' }, factsOf(page, row).map(([name, ...values]) => [
            make('dt', null, name), make('dd', null, values)])),
        payloadOf(page, row),
        page.live && whatIf(page, row),
        commandLine(page.commands.line(['log', position]), 'Copy the command for this event'),
    ];
}

/** What is known of an event, each as its name and values. */
function factsOf(page, row) {
    const { story, times } = page;
    const facts = [];
    const full = (clock) => times.full(story[clock][row], story.offset[row]);
    const isLate = story.isLate(row);
    facts.push([isLate ? 'Occurred' : 'Time', full('occurred')]);
    if (isLate) {
        const after = story.recorded[row] - story.occurred[row];
        facts.push(['Recorded', full('recorded'),
            span('badge warn', `${lengthText(after)} ${after > 0 ? 'later' : 'earlier'}`)]);
    }
    if (story.who(row)) facts.push(['By', story.who(row)]);
    const tags = story.tags[row].map((tag) => story.source.tags[tag]);
    if (tags.length > 0) {
        facts.push(['Tags', tags.map((tag) => button(tag, `Search ${tag}`,
            () => page.go({ query: `tag:${tag}`, tab: 'search' }), { class: 'tag' }))]);
    }
    const commit = story.commit[row];
    const cause = story.commits.causation[commit];
    if (cause > 0) {
        facts.push(['Caused by', story.causeOf[row] >= 0
            ? page.link(story.causeOf[row]) : `position ${cause} (not in this story)`]);
    }
    const effects = story.effects.get(row);
    if (effects) facts.push(['Caused', effects.slice(0, 12).map((each) => page.link(each))]);
    const size = story.commits.count[commit];
    if (size > 1) {
        const first = story.commitFirst[commit];
        facts.push(['Commit', `${size} events, ${grouped(first)} to ${grouped(first + size - 1)}`]);
    }
    const correlation = story.source.correlations[story.commits.correlation[commit]];
    if (correlation) facts.push(['Correlation', correlation]);
    return facts;
}

function payloadOf({ story, times }, row) {
    if (!story.payload) return null;
    const payload = story.payload[row] ?? null;
    if (payload === null) return muted('This program does not know the kind.');
    const names = Object.keys(payload).filter((name) => payload[name] !== null);
    const shown = (name, value) => (name.endsWith('Us') && value > 1e14
        ? times.full(value, story.offset[row]) : plainValue(value));
    return names.length > 0 && make('details', { class: 'payload', open: names.length <= 8 },
        make('summary', null, 'Payload'), make('dl', { class: 'facts mono' }, names.map((name) => [
            make('dt', null, name), make('dd', null, shown(name, payload[name]))])));
}
