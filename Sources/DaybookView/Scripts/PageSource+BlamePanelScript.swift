// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Panels/blame-panel.js`.
    static let blamePanelScript = #"""
        // Who wrote a value, and all before: every change of one field, the latest first.

        const mostWrites = 24;

        function blamePanel(page) {
            const { story, commands, place: { entity, path, row } } = page;
            const writes = story.changes.writes(entity, path);
            const upTo = endWhere(0, writes.length, (at) => story.changes.event[writes[at]] <= row);
            // Some later ones stand above it, and all before below it, as far as a reader reads.
            const shown = writes.slice(Math.max(0, upTo - mostWrites), upTo + 5).reverse();
            const name = story.pathNames[path];
            return card(`Who wrote ${name}`, 'blame', [
                make('h3', null, span('muted', 'Who wrote '), name),
                span('muted', counted(writes.length, 'change')),
                button('Close', 'Close (Esc)', () => page.go({ path: -1 }), { class: 'quiet' }),
            ],
            shown.length > 0 && make('ol', { class: 'writes' }, shown.map((change) => writeItem(
                page, change, story.changes.event[change] > row ? 'later'
                    : change === writes[upTo - 1] ? 'writer' : ''))),
            shown.length < writes.length && muted('Go to one of them to see those before and after it.'),
            upTo === 0 && muted('No event had written it at this moment: it is as a new one has it.'),
            commandLine(commands.blame(entity, path, row), 'Copy the command for this blame'));
        }

        /** One change: its event, when, and before → after. */
        function writeItem(page, change, style) {
            const { story, values } = page;
            const { changes } = story;
            const row = changes.event[change];
            const by = changes.by ? changes.by[change] : 0;
            const value = values.change(story.before(change), changes.value[change], changes.path[change]);
            return make('li', { class: style },
                span('write-head', by > 0 ? `position ${by} (not in this story)`
                    : [page.link(row), span('muted', page.timeOf(row)),
                        by < 0 && span('badge', 'as time passed'),
                        style === 'later' && span('badge', 'later')]), value,
                by > 0 && commandLine(page.commands.line(['log', by]), 'Copy the command for that event'));
        }

        """#
}
