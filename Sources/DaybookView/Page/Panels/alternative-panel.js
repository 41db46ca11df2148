// Two pasts side by side: the recorded one and another.

const mostCompared = 40;

function alternativePanel(page) {
    const { story, place } = page;
    const alternative = story.alternatives[place.alternative];
    if (!alternative) {
        return [muted('This story has no other past. The command what-if makes one.')];
    }
    const { source, divergence } = alternative;
    const different = [...alternative.first.keys()]
        .map((entity) => ({ entity, fields: alternative.differences(entity, place.row) }))
        .filter(({ fields }) => fields.length > 0);
    const fields = different.reduce((sum, each) => sum + each.fields.length, 0);
    return [
        story.alternatives.length > 1 && choiceOf('Which other past',
            story.alternatives.map((each, index) => [index, each.source.title]), place.alternative,
            (chosen) => page.go({ alternative: Number(chosen) })),
        card('The other past', '', make('h3', null,
            span('muted', source.kind === 'rules' ? 'Other rules: ' : 'What if: '), source.title),
        divergence < 0 ? make('p', null, 'The two pasts are equal at every moment.')
            : make('p', null, 'The pasts part at ', page.link(divergence), '. At this moment ',
                fields === 0 ? 'they are equal.' : `${counted(fields, 'field')} of ${
                    counted(different.length, 'entity', 'entities')} differ.`),
        eventsOfAlternative(page, alternative),
        commandLine(source.command, 'Copy the command for this past')),
        different.slice(0, mostCompared).map(
            ({ entity, fields: each }) => differenceCard(page, entity, each)),
        different.length > mostCompared && muted(
            `${grouped(different.length - mostCompared)} more entities: the command shows all.`),
    ];
}

/** The events that the other past lacks, edits, moves and adds. */
function eventsOfAlternative(page, alternative) {
    const { skipped, edited, moved, added } = alternative.source;
    const item = (name, content) => make('li', null, span('badge', name), content);
    const rows = (name, list) => (list || []).slice(0, 20).map((row) => item(name, page.link(row)));
    const inserted = ((added && added.origin) || []).slice(0, 20).map(
        (origin, at) => origin === 'inserted' && item('inserted',
            `${page.story.kindNames[added.kind[at]]}, `
            + page.times.full(added.occurredUs[at], added.offsetS[at])));
    return make('ul', { class: 'plain' }, rows('left out', skipped), rows('edited', edited),
        rows('moved', moved), inserted);
}

function differenceCard(page, entity, fields) {
    const { story, place, values } = page;
    const row = ([path, recorded, other]) => make('tr', null,
        make('th', { scope: 'row', title: story.pathNames[path] }, story.pathNames[path]),
        make('td', null, button(values.element(recorded, path), 'Who wrote it?',
            () => page.go({ entity, path, tab: 'state' }), { class: 'value-button' })),
        make('td', { class: 'other' }, values.element(other, path)));
    return card(story.entityNames[entity], '', [make('h3', null, story.entityNames[entity]),
        !story.exists(entity, place.row) && span('badge', 'exists in the other past only')],
    make('table', { class: 'fields versus' },
        make('thead', null, columnHeads(['Field', 'Recorded', 'Other past'])),
        make('tbody', null, fields.slice(0, mostFields).map(row))));
}
