// Two pasts side by side: the recorded one and another.

function alternativePanel(page) {
    const { story, place } = page;
    const alternative = story.alternatives[place.alternative];
    if (!alternative) {
        return [make('p', { class: 'muted' },
            'This story has no other past. The command what-if makes one.')];
    }
    const { source, divergence } = alternative;
    const different = [...alternative.first.keys()]
        .map((entity) => ({ entity, fields: alternative.differences(entity, place.row) }))
        .filter(({ fields }) => fields.length > 0);
    const fieldCount = different.reduce((sum, { fields }) => sum + fields.length, 0);
    return [
        story.alternatives.length > 1 && alternativeChoice(page),
        make('section', { class: 'card', 'aria-label': 'The other past' },
            make('header', { class: 'card-head' }, make('h3', null,
                make('span', { class: 'muted' },
                    source.kind === 'rules' ? 'Other rules: ' : 'What if: '),
                source.title)),
            divergence < 0
                ? make('p', null, 'The two pasts are equal at every moment.')
                : make('p', null, 'The pasts part at ', page.link(divergence), '. ',
                    differenceText(different.length, fieldCount)),
            eventsOfAlternative(page, alternative),
            commandLine(source.command, 'Copy the command for this past')),
        different.slice(0, 40).map(({ entity, fields }) => differenceCard(page, entity, fields)),
        different.length > 40 && make('p', { class: 'muted' },
            `${grouped(different.length - 40)} more entities: the command shows them all.`),
    ];
}

function alternativeChoice(page) {
    const { story, place } = page;
    const choice = make('select', {
        'aria-label': 'Which other past',
        onchange: () => page.go({ alternative: Number(choice.value) }),
    }, story.alternatives.map((each, index) => make('option', {
        value: index, selected: index === place.alternative,
    }, each.source.title)));
    return choice;
}

/** The events that the other past lacks, edits, moves and adds. */
function eventsOfAlternative(page, alternative) {
    const { skipped, edited, moved, added } = alternative.source;
    const items = [];
    const add = (name, rows) => {
        for (const row of (rows || []).slice(0, 20)) {
            items.push(make('li', null, make('span', { class: 'badge' }, name), page.link(row)));
        }
    };
    add('left out', skipped);
    add('edited', edited);
    add('moved', moved);
    if (added && added.origin) {
        added.origin.forEach((origin, at) => {
            if (origin !== 'inserted' || at >= 20) return;
            items.push(make('li', null, make('span', { class: 'badge' }, 'inserted'),
                `${page.story.kindNames[added.kind[at]]}, `
                + page.times.full(added.occurredUs[at], added.offsetS[at])));
        });
    }
    return items.length > 0 && make('ul', { class: 'plain' }, items);
}

function differenceText(entities, fields) {
    return fields === 0 ? 'At this moment they are equal.'
        : `At this moment ${counted(fields, 'field')} of`
            + ` ${counted(entities, 'entity', 'entities')} differ${fields === 1 ? 's' : ''}.`;
}

function differenceCard(page, entity, fields) {
    const { story, place, values } = page;
    const here = story.exists(entity, place.row);
    const row = ([path, recorded, other]) => make('tr', null,
        make('th', { scope: 'row', title: story.pathNames[path] }, story.pathNames[path]),
        make('td', null, make('button', {
            type: 'button', class: 'value-button', title: 'Who wrote it?',
            onclick: () => page.go({ entity, path, tab: 'state' }),
        }, values.element(recorded, path))),
        make('td', { class: 'other' }, values.element(other, path)));
    return make('section', { class: 'card', 'aria-label': story.entityNames[entity] },
        make('header', { class: 'card-head' }, make('h3', null, story.entityNames[entity]),
            !here && make('span', { class: 'badge' }, 'exists in the other past only')),
        make('table', { class: 'fields versus' },
            make('thead', null, make('tr', null, make('th', { scope: 'col' }, 'Field'),
                make('th', { scope: 'col' }, 'Recorded'),
                make('th', { scope: 'col' }, 'Other past'))),
            make('tbody', null, fields.slice(0, mostFields).map(row))));
}
