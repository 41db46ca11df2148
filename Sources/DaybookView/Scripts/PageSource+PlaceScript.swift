// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Frame/place.js`.
    static let placeScript = #"""
        // The place in the story: all that a reader chose, as it stands in the fragment of the address.

        const laneModes = ['entity', 'kind', 'actor', 'device'];
        const tabs = ['state', 'cycle', 'findings', 'late', 'alternative', 'search'];

        /** Where a reader starts: at the end, with everything in sight. */
        function firstPlace(story) {
            // The log's own clock, except where all was recorded at once, long after it occurred.
            const isImport = story.lengthBy('recorded') * 10 < story.lengthBy('occurred');
            const clock = isImport ? 'occurred' : 'recorded';
            // Time, except where one gap is most of it and would leave the events on a few pixels.
            const { [clock]: times, orders: { [clock]: { rows } } } = story;
            let gap = 0;
            for (let at = 1; at < rows.length; at++) {
                gap = Math.max(gap, times[rows[at]] - times[rows[at - 1]]);
            }
            const isGap = gap * 2 > story.lengthBy(clock) && rows.length > 2 && gap > 0;
            return {
                row: story.count - 1, clock, axis: isGap ? 'order' : 'time', lanes: 'entity',
                /** The part of the axis in sight, or null for all of it. */
                range: null,
                /** How many of the largest lanes are above those in sight. */
                lane: 0, folded: new Set(), hideInert: false, entity: story.subject, path: -1,
                since: -2, // The row that the moment is compared with; -2 for none.
                tab: /comparison|what-if/.test(story.source.subject.kind) ? 'alternative' : 'state',
                alternative: 0, query: '', zone: story.source.zone || 'own',
            };
        }

        function zoneChoices(story) {
            return [...new Set(['own', 'UTC', ...story.source.clocks.map((clock) => clock.zone)])];
        }

        /** A range of a fragment as two numbers, or null. */
        function rangeOf(text) {
            const range = text.split('_').map(Number);
            return range.length === 2 && range.every(Number.isFinite) && range[0] < range[1] ? range : null;
        }

        const rangeText = (range) => range ? range.map(Math.round).join('_') : '';

        /**
         * The parts of a fragment: a name, the part of the place, how it is written, and how it is read;
         * what is written wrongly is read as undefined.
         */
        function fragmentParts(story) {
            const oneOf = (choices) => [String, (text) => (choices.includes(text) ? text : undefined)];
            const indexIn = (names) => [(index) => (index < 0 ? '' : names[index]),
                (text) => names.indexOf(text)];
            const kindNames = story.kinds.map((kind) => kind.name);
            const rowPart = [
                (row) => (row < -1 ? '' : String(row < 0 ? 0 : story.position[row])),
                (text) => (/^\d{1,16}$/.test(text) ? story.rowOf(Number(text)) : undefined)];
            return [
                ['at', 'row', ...rowPart], ['since', 'since', ...rowPart],
                ['clock', 'clock', ...oneOf(['recorded', 'occurred'])],
                ['axis', 'axis', ...oneOf(['time', 'order'])],
                ['lanes', 'lanes', ...oneOf(laneModes)],
                ['lane', 'lane', String, (text) => Math.floor(Number(text)) || 0],
                ['tab', 'tab', ...oneOf(tabs)],
                ['zone', 'zone', ...oneOf(zoneChoices(story))],
                ['alternative', 'alternative', String,
                    (text) => (story.alternatives[text] ? Number(text) : undefined)],
                ['range', 'range', rangeText, rangeOf],
                ['fold', 'folded', (kinds) => [...kinds].map((kind) => kindNames[kind]).join(' '),
                    (text) => new Set(text.split(' ').map((name) => kindNames.indexOf(name))
                        .filter((kind) => kind >= 0))],
                ['inert', 'hideInert', (isOn) => (isOn ? 'hidden' : ''), (text) => text === 'hidden'],
                ['entity', 'entity', ...indexIn(story.entityNames)],
                ['field', 'path', ...indexIn(story.pathNames)],
                ['search', 'query', String, String],
            ];
        }

        /** The fragment of a place. What is as at first is left out. */
        function fragmentOf(place, story) {
            const first = firstPlace(story);
            return fragmentParts(story)
                .map(([name, part, write]) => [name, write(place[part]), write(first[part])])
                .filter(([, text, usual]) => text !== usual)
                .map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&');
        }

        /** The names and values in a fragment. */
        function partsOf(fragment) {
            const parts = new Map();
            for (const part of fragment.replace(/^#/, '').split('&')) {
                const [name, ...rest] = part.split('=');
                try {
                    parts.set(name, decodeURIComponent(rest.join('=')));
                } catch {
                    // A link may be cut anywhere.
                }
            }
            return parts;
        }

        /** The place of a fragment. What it does not say, or says wrongly, is as at first. */
        function placeOf(fragment, story) {
            const place = firstPlace(story);
            const texts = partsOf(fragment);
            for (const [name, part, , read] of fragmentParts(story)) {
                const value = texts.has(name) ? read(texts.get(name)) : undefined;
                if (value !== undefined) place[part] = value;
            }
            return place;
        }

        """#
}
