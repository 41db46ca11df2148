// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Panels/findings-panel.js`.
    static let findingsPanelScript = #"""
        // Findings of the audit and late answers, each at its moment.

        function findingsPanel(page) {
            const { story } = page;
            const findings = story.source.findings || [];
            if (findings.length === 0) {
                return [make('p', { class: 'muted' }, 'The audit found nothing in this story.')];
            }
            return [make('ul', { class: 'list' }, findings.map((finding) => {
                const isHere = finding.event >= 0 && finding.event === page.place.row;
                return make('li', { class: isHere ? 'here' : '' },
                    make('span', { class: 'write-head' },
                        make('span', { class: 'badge bad' }, finding.rule),
                        finding.event >= 0 ? page.link(finding.event) : make('span', { class: 'muted' },
                            `position ${finding.position} (not in this story)`),
                        finding.entity >= 0 && button(story.entityNames[finding.entity],
                            'Show this entity',
                            () => page.go({ entity: finding.entity, path: -1, tab: 'state' }),
                            { class: 'tag' })),
                    make('p', null, finding.summary),
                    finding.text && make('p', { class: 'muted' }, finding.text),
                    commandLine(page.commands.audit(finding.rule), 'Copy the command for this finding'));
            }))];
        }

        function latePanel(page) {
            const { story } = page;
            const late = story.source.late || [];
            if (late.length === 0) {
                return [make('p', { class: 'muted' }, 'No answer that was given is another one today.')];
            }
            const groups = new Map();
            for (const each of late) {
                const key = `${each.report}\n${each.issued}\n${each.event}`;
                if (!groups.has(key)) groups.set(key, []);
                groups.get(key).push(each);
            }
            return [make('ul', { class: 'list' }, [...groups.values()].map((group) => {
                const [{ event, report, issued }] = group;
                return make('li', { class: event === page.place.row ? 'here' : '' },
                    make('span', { class: 'write-head' }, page.link(event),
                        make('span', { class: 'badge warn' }, 'late')),
                    make('p', null, `${report}, issued at position ${grouped(issued)}`),
                    make('table', { class: 'fields' }, make('tbody', null, group.map((each) => make(
                        'tr', null, make('th', { scope: 'row', title: each.field }, each.field),
                        make('td', null, plainChange(each.before, each.after)))))));
            })), commandLine(page.commands.late(), 'Copy the command for late answers')];
        }

        /** A change whose values stand in the story as they are. */
        function plainChange(before, after) {
            const shown = (value) => {
                const [text, style] = valueText(value);
                return make('span', { class: `value ${style}` }, text);
            };
            return make('span', { class: 'change' }, make('span', { class: 'before' }, shown(before)),
                make('span', { class: 'arrow', 'aria-label': 'became' }, '→'), shown(after));
        }

        """#
}
