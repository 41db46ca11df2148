// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Panels/cycle-panel.js`.
    static let cyclePanelScript = #"""
        // Life cycles: the states that a projection declares, how often each step was taken, and where
        // the chosen entity is.

        function cyclePanel(page) {
            const { story } = page;
            const machines = story.source.machines || [];
            if (machines.length === 0) return [muted('No projection here declares a life cycle.')];
            const chosen = (story.entities[page.place.entity] || story.source.subject).projection;
            const order = ({ projection }) => (projection === chosen ? 0 : 1);
            return machines.toSorted((a, b) => order(a) - order(b)).map((each) => cycleCard(page, each));
        }

        /** The steps that entities took up to the moment: how often each, and whether it was the last. */
        function stepsTaken({ story, place }, machine, entities) {
            const { steps: { rows, entity, from, to }, values } = story;
            const isOurs = new Set(entities);
            const counts = new Map();
            const size = values.length + 1;
            let last = -1;
            for (let at = 0; at < rows.length && rows[at] <= place.row; at++) {
                if (!isOurs.has(entity[at])) continue;
                const step = (from[at] + 1) * size + to[at] + 1;
                counts.set(step, (counts.get(step) || 0) + 1);
                if (rows[at] === place.row) last = step;
            }
            const name = (state) => (state === 0 ? machine.initial : String(values[state - 1]));
            return [...counts].map(([step, count]) => ({ from: name(Math.floor(step / size)),
                to: name(step % size), count, isLast: step === last }));
        }

        function cycleCard(page, machine) {
            const { story, place } = page;
            const all = [...story.entities.keys()].filter(
                (each) => story.entities[each].projection === machine.projection);
            const entities = all.includes(place.entity) ? [place.entity] : all;
            const present = new Map();
            for (const entity of entities) {
                const field = story.stateAt(entity, place.row).find(
                    ({ path }) => story.pathNames[path] === machine.field);
                const state = field ? String(story.values[field.value]) : machine.initial;
                present.set(state, (present.get(state) || 0) + 1);
            }
            const edges = new Map();
            const edgeOf = (from, to, more) => {
                const step = JSON.stringify([from, to]);
                if (!edges.has(step)) edges.set(step, { from, to, events: [], count: 0, ...more });
                return edges.get(step);
            };
            for (const { from, event, to } of machine.transitions) edgeOf(from, to).events.push(event);
            for (const { from, to, ...rest } of stepsTaken(page, machine, entities)) {
                Object.assign(edgeOf(from, to, { isStray: true }), rest);
            }
            const steps = [...edges.values()];
            const states = [...new Set([machine.initial, ...machine.states,
                ...steps.flatMap(({ from, to }) => [from, to])])];
            return card(`Life cycle of ${machine.projection}`, '',
                make('h3', null, span('muted', 'Life cycle of '), entities.includes(place.entity)
                    ? story.entityNames[place.entity] : `every ${machine.projection}`),
                cyclePicture(states, steps, present),
                make('details', null, make('summary', null, 'Steps'), stepTable(steps)),
                commandLine(page.commands.line(['transitions', machine.projection,
                    ...page.commands.at(place.row)]), 'Copy the command for this life cycle'));
        }

        /** States one under another; steps down on the right, steps up on the left. */
        function cyclePicture(states, edges, present) {
            const [left, right, gap] = [120, 260, 56];
            const y = new Map(states.map((state, at) => [state, 24 + at * gap]));
            const height = states.length * gap;
            const parts = [];
            const counts = [];
            const spans = { 1: [], [-1]: [] };
            const ordered = edges.slice().sort((a, b) => Math.abs(y.get(a.from) - y.get(a.to))
                - Math.abs(y.get(b.from) - y.get(b.to)));
            for (const edge of ordered) {
                const [from, to] = [y.get(edge.from), y.get(edge.to)];
                const [sign, start] = to >= from ? [1, right] : [-1, left];
                const [low, high] = [Math.min(from, to), Math.max(from, to)];
                // An arc is beside those that it would cross.
                const depth = 1 + spans[sign].filter((each) => each[0] <= high && low <= each[1]).length;
                spans[sign].push([low, high]);
                const reach = sign * (20 + Math.min(depth, 4) * 22);
                const [a, b] = from === to ? [from - 6, from + 6] : [from + 6 * sign, to - 6 * sign];
                const style = `${edge.count > 0 ? 'taken' : 'untaken'}${edge.isLast ? ' last' : ''}`
                    + `${edge.isStray ? ' stray' : ''}`;
                parts.push(make('g', { class: `step ${style}` },
                    make('title', null, `${edge.from} → ${edge.to}: ${edge.events.join(', ')}`),
                    make('path', { d: `M${start} ${a}c${reach} 0 ${reach} ${b - a} ${sign * 5} ${b - a}` }),
                    make('path', { class: 'head', d: `M${start + sign} ${b}l${sign * 6} -3.5v7Z` })));
                if (edge.count > 0) {
                    const text = grouped(edge.count);
                    const x = start + reach * 0.75;
                    counts.push(make('g', { class: `count ${style}` },
                        make('rect', { x: x - 4 - text.length * 3.5, y: (a + b) / 2 - 8,
                            width: 8 + text.length * 7, height: 16, rx: 3 }),
                        make('text', { x, y: (a + b) / 2 + 4, 'text-anchor': 'middle' }, text)));
                }
            }
            for (const state of states) {
                const count = present.get(state) || 0;
                parts.push(make('g', { class: `state${count > 0 ? ' present' : ''}` },
                    make('title', null, state),
                    make('rect', { x: left, y: y.get(state) - 16, width: right - left, height: 32, rx: 4 }),
                    make('text', { x: (left + right) / 2, y: y.get(state) + 4, 'text-anchor': 'middle' },
                        shortened(state, 18), count > 1 && ` · ${grouped(count)}`)));
            }
            const words = states.filter((each) => present.get(each))
                .map((each) => `${present.get(each)} ${each}`);
            return make('svg', {
                class: 'cycle', viewBox: `0 0 380 ${height}`, role: 'img',
                'aria-label': `Present: ${words.join(', ')}. The steps are in the table below.`,
            }, parts, counts);
        }

        function stepTable(edges) {
            return make('table', { class: 'steps' },
                make('thead', null, columnHeads(['From', 'To', 'By', 'Times'])),
                make('tbody', null, edges.map((edge) => make('tr', { class: edge.count > 0 ? '' : 'pale' },
                    make('td', null, edge.from), make('td', null, edge.to),
                    make('td', null, edge.events.join(', ') || 'not declared'),
                    make('td', { class: 'number' }, grouped(edge.count))))));
        }

        """#
}
