// Findings of the audit, late answers, and what a search found: each at its moment.

function findingsPanel(page) {
    const { story, place, commands } = page;
    const findings = story.source.findings || [];
    if (findings.length === 0) return [muted('No event of this story breaks a rule of the audit.')];
    return [make('ul', { class: 'list' }, findings.map((finding) => make('li', {
        class: finding.event >= 0 && finding.event === place.row ? 'here' : '',
    }, span('write-head', span('badge bad', finding.rule),
        finding.event >= 0 ? page.link(finding.event)
            : span('muted', `position ${finding.position} (not in this story)`),
        finding.entity >= 0 && button(story.entityNames[finding.entity], 'Show this entity',
            () => page.go({ entity: finding.entity, path: -1, tab: 'state' }), { class: 'tag' })),
    make('p', null, finding.summary), finding.text && muted(finding.text),
    commandLine(commands.line(['audit', '--rule', finding.rule]),
        'Copy the command for this finding'))))];
}

function latePanel(page) {
    const { late = [] } = page.story.source;
    if (late.length === 0) return [muted('These events changed no report that had been issued.')];
    const groups = Map.groupBy(late, (each) => `${each.report}\n${each.issued}\n${each.event}`);
    return [make('ul', { class: 'list' }, [...groups.values()].map((group) => {
        const [{ event, report, issued }] = group;
        return make('li', { class: event === page.place.row ? 'here' : '' },
            span('write-head', page.link(event), span('badge warn', 'late')),
            make('p', null, `${report}, issued at position ${grouped(issued)}`),
            make('table', { class: 'fields' }, make('tbody', null, group.map((each) => make(
                'tr', null, make('th', { scope: 'row', title: each.field }, each.field),
                make('td', null, changeOf(plainValue(each.before), plainValue(each.after))))))));
    })), commandLine(page.commands.line(['late']), 'Copy the command for late answers')];
}

function searchPanel(page) {
    const { matches, place } = page;
    if (!place.query) {
        return [muted('Search kinds, tags, keys, fields, values and payloads. kind:, tag:, key:,'
            + ' field:, value: and payload: look in one of them; several words must all occur.')];
    }
    const at = matches.indexOf(place.row);
    const shown = Math.max(0, Math.min(at < 0 ? 0 : at - 30, matches.length - 100));
    return [
        make('p', { role: 'status' }, matches.length === 0 ? 'No event matches.'
            : counted(matches.length, 'event')
                + (at < 0 ? '.' : `, this is number ${grouped(at + 1)}.`),
        span('muted', ' n and N go on and back.')),
        make('ul', { class: 'list dense' },
            Array.from(matches.subarray(shown, shown + 100), (row) => make('li', {
                class: row === place.row ? 'here' : '',
            }, span('write-head', page.link(row), span('muted', page.timeOf(row))),
            make('p', { class: 'clip' }, page.values.summary(row))))),
    ];
}
