// What a search found.

function searchPanel(page) {
    const { matches, place } = page;
    if (!place.query) {
        return [make('p', { class: 'muted' },
            'Search kinds, tags, keys, fields and values. kind:, tag:, key:, field: and value:'
            + ' look in one of them; several words must all be there.')];
    }
    const at = matches.indexOf(place.row);
    const shown = Math.max(0, Math.min(at < 0 ? 0 : at - 30, matches.length - 100));
    return [
        make('p', { role: 'status' }, matches.length === 0 ? 'No event matches.'
            : counted(matches.length, 'event')
                + (at < 0 ? '.' : `, this is number ${grouped(at + 1)}.`),
        make('span', { class: 'muted' }, ' n and N go on and back.')),
        make('ul', { class: 'list dense' },
            Array.from(matches.subarray(shown, shown + 100), (row) => matchItem(page, row))),
    ];
}

function matchItem(page, row) {
    const summary = page.values.summary(row);
    return make('li', { class: row === page.place.row ? 'here' : '' },
        make('span', { class: 'write-head' }, page.link(row),
            make('span', { class: 'muted' }, page.timeOf(row))),
        summary && make('p', { class: 'clip', title: summary }, summary));
}
