// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Panels/state-panel.js`.
    static let statePanelScript = #"""
        // States at the moment: the fields of each entity, what the event changed, and who wrote a value.

        const mostCards = 6;
        const mostFields = 150;

        function putFirst(entities, first) {
            return first < 0 ? entities : [first, ...entities.filter((each) => each !== first)];
        }

        /** All entities of a few, or the chosen one and those that the event changed. */
        function statePanel(page) {
            const { story, place } = page;
            const changed = story.changedEntities(place.row, place.since);
            const isFew = story.entities.length <= mostCards;
            const few = isFew ? story.entities.keys() : [];
            const entities = putFirst([...new Set([...changed, ...few])], place.entity);
            return [
                place.entity >= 0 && place.path >= 0 && blamePanel(page),
                place.since > -2 && make('p', { class: 'row' }, 'Compared with ', place.since < 0
                    ? 'the state before the first event' : page.link(place.since),
                span('muted', `${counted(changed.length, 'entity', 'entities')} differ`),
                button('Stop', 'Compare no longer (m)', () => page.compareFrom(place.since), {
                    class: 'quiet' })),
                entities.length === 0 && muted(place.row < 0
                    ? 'No entity exists yet.' : 'This event changed nothing that the story shows.'),
                entities.slice(0, mostCards).map(
                    (entity) => entityCard(page, entity, changed.includes(entity))),
                changed.length > mostCards && muted(
                    `The event changed ${grouped(changed.length)} entities; ${mostCards} are shown.`),
                !isFew && button(`Another of ${grouped(story.entities.length)} entities…`,
                    'Choose one (Ctrl-K)', () => page.dialogs.openPalette('entity '), { class: 'quiet' }),
            ];
        }

        /** The fields of one entity; each value is a button that asks who wrote it. */
        function entityCard(page, entity, isChanged) {
            const { story, place } = page;
            const { projection, report, key } = story.entities[entity];
            const name = story.entityNames[entity];
            const isPinned = entity === place.entity;
            const heading = [
                make('h3', null, span('muted', report ? `report ${report} ` : `${projection} `), key),
                isChanged && span('badge', place.since > -2 ? 'differs' : 'changed here'),
                story.alternatives.length > 0 && span('badge', 'as recorded'),
                page.live && projection && page.live.words[1] !== key && button('Open',
                    'Open its own story', () => page.live.open([projection, key]), { class: 'quiet' }),
                button(isPinned ? 'Release' : 'Keep', isPinned
                    ? 'Show the entities that each event changes' : 'Keep this entity in sight',
                () => page.go({ entity: isPinned ? -1 : entity, path: -1 }), {
                    class: 'quiet', 'aria-pressed': isPinned ? 'true' : 'false',
                    'aria-label': `${isPinned ? 'Release' : 'Keep'} ${name}`,
                })];
            const { first } = story.entities[entity];
            return card(name, isPinned ? 'pinned' : '', heading, story.exists(entity, place.row)
                ? [pictureOf(page, entity), fieldsOf(page, entity), commandLine(
                    page.commands.state(entity, place.row), 'Copy the command for this state'),
                story.exists(entity, place.since) && commandLine(
                    page.commands.state(entity, place.since), 'Copy the command for the other moment')]
                : muted(first < 0 ? 'It exists in another past only.'
                    : ['It does not exist yet. It begins at ', page.link(first), '.']));
        }

        /** The picture that a report's answer has after the moment, which a click shows large. */
        function pictureOf(page, entity) {
            const svg = page.story.pictureAt(entity, page.place.row);
            if (svg === null) return null;
            const source = `data:image/svg+xml,${encodeURIComponent(svg)}`;
            const alt = `Picture of ${page.story.entityNames[entity]} at this moment`;
            return button(make('img', { src: source, alt }), 'Show it large', () => page.dialogs.showLarge(
                make('img', { src: source, alt })), { class: 'report-picture' });
        }

        function fieldsOf(page, entity) {
            const { story, place: { row, since } } = page;
            const changed = new Map(story.changedFields(entity, row, since));
            const fields = story.stateAt(entity, row);
            const known = new Set(fields.map(({ path }) => path));
            for (const path of changed.keys()) if (!known.has(path)) fields.push({ path, value: -1 });
            const shown = fields.filter((each, at) => at < mostFields || changed.has(each.path))
                .sort((a, b) => changed.has(b.path) - changed.has(a.path));
            return [make('table', { class: 'fields' },
                    make('caption', { class: 'aside' }, `Fields of ${story.entityNames[entity]}`),
                    make('tbody', null, shown.map(
                        (field) => fieldRow(page, entity, field, changed.get(field.path))))),
                shown.length < fields.length && muted(
                    `${counted(fields.length - shown.length, 'more field')}: the command shows all.`)];
        }

        /** One field; `before` is the value that it had if it has changed. */
        function fieldRow(page, entity, { path, value }, before) {
            const { story, place, values } = page;
            const name = story.pathNames[path];
            const isChosen = entity === place.entity && path === place.path;
            const isChanged = before !== undefined;
            return make('tr', { class: `${isChanged ? 'changed' : ''}${isChosen ? ' chosen' : ''}` },
                make('th', { scope: 'row', title: name }, name),
                make('td', null, button(isChanged ? values.change(before, value, path)
                    : values.element(value, path), `Who wrote ${name}?`,
                () => page.go(isChosen ? { path: -1 } : { entity, path }),
                { class: 'value-button', 'aria-pressed': isChosen ? 'true' : 'false' })));
        }

        """#
}
