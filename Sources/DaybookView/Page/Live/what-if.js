// What if: changes of the history that a reader makes, and their past beside the recorded one.

const changeOptions = {
    '--skip': 'without', '--move': 'moved', '--edit': 'edited', '--other-rules': 'other rules',
};

/** The form that leaves out, moves or edits the event of the moment, with all changes so far. */
function whatIf(page, row) {
    const { live, story } = page;
    const position = story.position[row];
    const kept = keptChanges(live.words);
    const input = (label) => make('input', { type: 'text', 'aria-label': label, size: 6 });
    const [after, value] = [input('Position'), input('Value')];
    const names = Object.keys((story.payload && story.payload[row]) || {});
    const field = choiceOf('Field', names, names[0], () => {});
    const change = (option, text) => () => changePast(page, [...live.words, option, text()]);
    const line = (...parts) => make('div', { class: 'row' }, parts);
    const form = make('details', {
        class: 'what-if', open: kept.length > 0 || live.isWhatIfOpen,
        ontoggle: () => { live.isWhatIfOpen = form.open; },
    },
    make('summary', null, 'What if'),
    make('ul', { class: 'plain' }, kept.map(([option, text, at]) => make('li', null,
        span('badge', changeOptions[option]), text, button('Remove', `Remove: ${option} ${text}`,
            () => changePast(page, live.words.toSpliced(at, 2)), { class: 'quiet' })))),
    line(button('Without this event', 'Leave it out', change('--skip', () => String(position)))),
    line(button('Move it', 'Move it after that position',
        change('--move', () => `${position}:${after.value.trim()}`)), 'after position', after),
    names.length > 0 && line(button('Edit it', 'Set that field',
        change('--edit', () => `${position}:${field.value}=${value.value}`)), field, '=', value),
    line(span('muted', 'Other rules'), live.log.rules.filter((each) => each !== story.source.rules)
        .map((rules) => button(rules, `Compare with ${rules}`,
            change('--other-rules', () => rules)))));
    return form;
}

/** The changes among the words of a story, each with its option, its text and its place there. */
function keptChanges(words) {
    return words.map((word, at) => [word, words[at + 1], at])
        .filter(([word, text]) => changeOptions[word] && text !== undefined);
}

/** Opens the story of other words at the same moment, with the two pasts beside each other. */
function changePast(page, words) {
    const { live, story } = page;
    const at = (tab) => `${fragmentOf({ ...page.place, tab }, story)}&tab=${tab}`;
    if (keptChanges(live.words).length === 0) live.plainWords = live.words;
    if (keptChanges(words).length === 0) return live.open(live.plainWords || words, at('state'));
    const [tag, rules] = [words.indexOf('--tag'), words.indexOf('--other-rules')];
    if (words.lastIndexOf('--other-rules') > rules) words.splice(rules, 2);
    if (tag >= 0) words.splice(tag, 2);
    if (words[0].startsWith('-')) {
        // Only a projection has another past: here that of what the event changed.
        const { projection } = story.entities[page.chosen(false).entity] || {};
        if (!projection) return live.say('This event changes no entity: choose another one.');
        words.unshift(projection);
    }
    live.open(words, at('alternative'));
}
