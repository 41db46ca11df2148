// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Panels/state-panel.js`.
    static let statePanelScript = #"""
        // States at the moment: the fields of each entity, what the event changed, and who wrote a value.

        const mostCards = 6;
        const mostFields = 150;

        /** The entities to show: all of a few, or the chosen one and those that the event changed. */
        function entitiesAt(page) {
            const { story, place } = page;
            const changed = [];
            if (place.row >= 0) {
                const { changes } = story;
                const end = changes.rowStart[place.row + 1];
                for (let change = changes.rowStart[place.row]; change < end; change++) {
                    if (!changed.includes(changes.entity[change])) changed.push(changes.entity[change]);
                }
            }
            if (story.entities.length <= mostCards) {
                const all = story.entities.map((_, entity) => entity);
                return { entities: putFirst(all, place.entity), changed };
            }
            return { entities: putFirst(changed, place.entity).slice(0, mostCards), changed };
        }

        function putFirst(entities, first) {
            return first < 0 ? entities : [first, ...entities.filter((each) => each !== first)];
        }

        function statePanel(page) {
            const { story, place } = page;
            const { entities, changed } = entitiesAt(page);
            const parts = [];
            if (place.entity >= 0 && place.path >= 0) parts.push(blamePanel(page));
            if (entities.length === 0) {
                parts.push(make('p', { class: 'muted' }, place.row < 0
                    ? 'No entity exists yet.' : 'This event changed nothing that the story shows.'));
            }
            for (const entity of entities) parts.push(entityCard(page, entity, changed.includes(entity)));
            if (changed.length > mostCards) {
                parts.push(make('p', { class: 'muted' },
                    `The event changed ${grouped(changed.length)} entities; ${mostCards} are shown.`));
            }
            if (story.entities.length > mostCards) {
                parts.push(button(`Another of ${grouped(story.entities.length)} entities…`,
                    'Choose an entity (Ctrl-K)', () => page.dialogs.openPalette('entity '),
                    { class: 'quiet' }));
            }
            return parts;
        }

        /** The fields of one entity; each value is a button that asks who wrote it. */
        function entityCard(page, entity, isChanged) {
            const { story, place, commands } = page;
            const { projection, report, key } = story.entities[entity];
            const fields = story.stateAt(entity, place.row);
            const isPinned = entity === place.entity;
            const heading = make('header', { class: 'card-head' },
                make('h3', null, make('span', { class: 'muted' },
                    `${report ? 'report ' : ''}${projection || report} `), key),
                isChanged && make('span', { class: 'badge' }, 'changed here'),
                button(isPinned ? 'Release' : 'Keep', isPinned
                    ? 'Show the entities that each event changes' : 'Keep this entity in sight',
                () => page.go({ entity: isPinned ? -1 : entity, path: -1 }), {
                    class: 'quiet', 'aria-pressed': isPinned ? 'true' : 'false',
                    'aria-label': `${isPinned ? 'Release' : 'Keep'} ${story.entityNames[entity]}`,
                }));
            const card = make('section', {
                class: `card${isPinned ? ' pinned' : ''}`, 'aria-label': story.entityNames[entity],
            }, heading);
            if (!story.exists(entity, place.row)) {
                const first = story.firstRow(entity);
                append(card, [make('p', { class: 'muted' },
                    first < 0 ? 'It exists in another past only.' : 'It does not exist yet. It begins at ',
                    first >= 0 && page.link(first), first >= 0 && '.')]);
                return card;
            }
            const changedNow = changesOf(story, entity, place.row);
            const rows = [];
            for (const [path, change] of changedNow) {
                if (story.changes.value[change] < 0) fields.push({ path, value: -1, change });
            }
            const shown = fields.length > mostFields
                ? fields.filter((each, at) => at < mostFields || changedNow.has(each.path)) : fields;
            for (const field of shown) {
                rows.push(fieldRow(page, entity, field, changedNow.get(field.path)));
            }
            append(card, [make('table', { class: 'fields' },
                make('caption', { class: 'aside' }, `Fields of ${story.entityNames[entity]}`),
                make('tbody', null, rows))]);
            if (shown.length < fields.length) {
                append(card, [make('p', { class: 'muted' },
                    `${counted(fields.length - shown.length, 'more field')}: the command shows all.`)]);
            }
            append(card, [commandLine(
                commands.state(entity, place.row), 'Copy the command for this state')]);
            return card;
        }

        /** The changes of an entity at a row, by path. */
        function changesOf(story, entity, row) {
            const { changes } = story;
            const found = new Map();
            if (row < 0) return found;
            for (let change = changes.rowStart[row]; change < changes.rowStart[row + 1]; change++) {
                if (changes.entity[change] === entity) found.set(changes.path[change], change);
            }
            return found;
        }

        function fieldRow(page, entity, field, changed) {
            const { story, place, values } = page;
            const name = story.pathNames[field.path];
            const isChosen = entity === place.entity && field.path === place.path;
            const content = changed === undefined
                ? values.element(field.value, field.path)
                : values.change(story.before(changed), field.value, field.path);
            const style = `${changed === undefined ? '' : 'changed'}${isChosen ? ' chosen' : ''}`;
            return make('tr', { class: style },
                make('th', { scope: 'row', title: name }, name),
                make('td', null, make('button', {
                    type: 'button', class: 'value-button', 'aria-pressed': isChosen ? 'true' : 'false',
                    title: `Who wrote ${name}?`,
                    onclick: () => page.go(isChosen ? { path: -1 } : { entity, path: field.path }),
                }, content)));
        }

        """#
}
