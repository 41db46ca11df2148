// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Panels/cycle-panel.js`.
    static let cyclePanelScript = #"""
        // Life cycles: the states that a projection declares, how often each step was taken, and where
        // the chosen entity is.

        function cyclePanel(page) {
            const { story } = page;
            const machines = story.source.machines || [];
            if (machines.length === 0) {
                return [make('p', { class: 'muted' }, 'No projection here declares a life cycle.')];
            }
            return machines.map((machine) => cycleCard(page, machine));
        }

        /** The steps that entities took up to the moment: `from → to` and how often, and the last one. */
        function stepsTaken(story, machine, row, entity) {
            const { changes } = story;
            const taken = new Map();
            let last = null;
            const isOurs = story.entities.map((each, index) => (
                each.projection === machine.projection && (entity < 0 || index === entity)));
            const end = row < 0 ? 0 : changes.rowStart[row + 1];
            for (let change = 0; change < end; change++) {
                if (!isOurs[changes.entity[change]]) continue;
                if (story.pathNames[changes.path[change]] !== machine.field) continue;
                if (changes.value[change] < 0) continue;
                const before = story.before(change);
                const isFirst = changes.earlier[change] < 0
                    && changes.event[change] <= story.firstRow(changes.entity[change]);
                const from = isFirst || before < 0 ? machine.initial : String(story.values[before]);
                const step = JSON.stringify([from, String(story.values[changes.value[change]])]);
                taken.set(step, (taken.get(step) || 0) + 1);
                if (changes.event[change] === row) last = step;
            }
            return { taken, last };
        }

        /** The state of an entity at the moment. */
        function presentState(story, machine, row, entity) {
            if (!story.exists(entity, row)) return machine.initial;
            const field = story.stateAt(entity, row).find(
                (each) => story.pathNames[each.path] === machine.field);
            return field ? String(story.values[field.value]) : machine.initial;
        }

        function cycleCard(page, machine) {
            const { story, place } = page;
            const chosen = place.entity >= 0
                && story.entities[place.entity].projection === machine.projection ? place.entity : -1;
            const { taken, last } = stepsTaken(story, machine, place.row, chosen);
            const present = new Map();
            story.entities.forEach((each, entity) => {
                if (each.projection !== machine.projection || (chosen >= 0 && entity !== chosen)) return;
                const state = presentState(story, machine, place.row, entity);
                present.set(state, (present.get(state) || 0) + 1);
            });
            const edges = new Map();
            for (const { from, event, to } of machine.transitions) {
                const step = JSON.stringify([from, to]);
                if (!edges.has(step)) edges.set(step, { from, to, events: [], count: 0 });
                edges.get(step).events.push(event);
            }
            for (const [step, count] of taken) {
                const [from, to] = JSON.parse(step);
                if (!edges.has(step)) edges.set(step, { from, to, events: [], count, isStray: true });
                edges.get(step).count = count;
                edges.get(step).isLast = step === last;
            }
            const states = [...new Set([machine.initial, ...machine.states,
                ...[...edges.values()].flatMap(({ from, to }) => [from, to])])];
            return make('section', { class: 'card', 'aria-label': `Life cycle of ${machine.projection}` },
                make('header', { class: 'card-head' },
                    make('h3', null, make('span', { class: 'muted' }, 'Life cycle of '),
                        chosen >= 0 ? story.entityNames[chosen] : `every ${machine.projection}`)),
                cyclePicture(machine, states, [...edges.values()], present),
                make('details', null, make('summary', null, 'Steps'), stepTable([...edges.values()])),
                commandLine(page.commands.transitions(machine.projection, place.row),
                    'Copy the command for this life cycle'));
        }

        /** States one under another; steps down on the right, steps up on the left. */
        function cyclePicture(machine, states, edges, present) {
            const [left, right, gap] = [120, 260, 56];
            const y = new Map(states.map((state, at) => [state, 24 + at * gap]));
            const height = states.length * gap;
            const parts = [];
            const counts = [];
            const spans = { right: [], left: [] };
            const ordered = edges.slice().sort((a, b) => Math.abs(y.get(a.from) - y.get(a.to))
                - Math.abs(y.get(b.from) - y.get(b.to)));
            for (const edge of ordered) {
                const [from, to] = [y.get(edge.from), y.get(edge.to)];
                const side = to >= from ? 'right' : 'left';
                const depth = depthOf(spans[side], Math.min(from, to), Math.max(from, to));
                const sign = side === 'right' ? 1 : -1;
                const start = side === 'right' ? right : left;
                const isSelf = from === to;
                const reach = start + sign * (20 + depth * 22);
                const [a, b] = isSelf ? [from - 6, from + 6] : [from + 6 * sign, to - 6 * sign];
                const style = `${edge.count > 0 ? 'taken' : 'untaken'}${edge.isLast ? ' last' : ''}`
                    + `${edge.isStray ? ' stray' : ''}`;
                parts.push(draw('g', { class: `step ${style}` },
                    draw('title', null, `${edge.from} → ${edge.to}: ${eventsOf(edge)}`),
                    draw('path', {
                        d: `M${start} ${a}C${reach} ${a} ${reach} ${b} ${start + sign * 5} ${b}`,
                    }),
                    draw('path', {
                        class: 'head',
                        d: `M${start + sign} ${b}L${start + sign * 7} ${b - 3.5}V${b + 3.5}Z`,
                    })));
                if (edge.count > 0) {
                    const text = grouped(edge.count);
                    const x = start + sign * (20 + depth * 22) * 0.75;
                    counts.push(draw('g', { class: `count ${style}` },
                        draw('rect', { x: x - 4 - text.length * 3.5, y: (a + b) / 2 - 8,
                            width: 8 + text.length * 7, height: 16, rx: 3 }),
                        draw('text', { x, y: (a + b) / 2 + 4, 'text-anchor': 'middle' }, text)));
                }
            }
            for (const state of states) {
                const count = present.get(state) || 0;
                parts.push(draw('g', { class: `state${count > 0 ? ' present' : ''}` },
                    draw('title', null, state),
                    draw('rect', { x: left, y: y.get(state) - 16, width: right - left, height: 32, rx: 4 }),
                    draw('text', { x: (left + right) / 2, y: y.get(state) + 4, 'text-anchor': 'middle' },
                        stateLabel(state, count))));
            }
            const words = states.filter((each) => present.get(each))
                .map((each) => `${present.get(each)} ${each}`);
            return draw('svg', {
                class: 'cycle', viewBox: `0 0 380 ${height}`, role: 'img',
                'aria-label': `Present: ${words.join(', ')}. The steps are in the table below.`,
            }, parts, counts);
        }

        /** The events of a step in words. */
        function eventsOf(edge) {
            return edge.events.join(', ') || 'not declared';
        }

        function stateLabel(state, count) {
            const text = state.length > 18 ? `${state.slice(0, 17)}…` : state;
            return count > 1 ? `${text} · ${grouped(count)}` : text;
        }

        /** How far out an arc goes: beside the arcs that it would cross. */
        function depthOf(spans, low, high) {
            let depth = 1;
            const isTaken = (each) => each.depth === depth && each.low <= high && low <= each.high;
            while (spans.some(isTaken)) depth++;
            spans.push({ low, high, depth });
            return Math.min(depth, 4);
        }

        function stepTable(edges) {
            return make('table', { class: 'steps' },
                make('thead', null, make('tr', null,
                    ['From', 'To', 'By', 'Times'].map((name) => make('th', { scope: 'col' }, name)))),
                make('tbody', null, edges.map((edge) => make('tr', { class: edge.count > 0 ? '' : 'pale' },
                    make('td', null, edge.from), make('td', null, edge.to),
                    make('td', null, eventsOf(edge)),
                    make('td', { class: 'number' }, grouped(edge.count))))));
        }

        """#
}
