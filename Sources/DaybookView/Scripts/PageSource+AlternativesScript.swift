// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Story/alternatives.js`.
    static let alternativesScript = #"""
        // Alternatives: pasts that were folded beforehand, with other events or by other rules.

        /** One other past, over the rows of the story. */
        class Alternative {
            constructor(source, story) {
                this.source = source;
                this.story = story;
                this.changes = new Changes(
                    source.changes, story.count, story.entities.length, story.paths.length);
                this.first = new Map(source.entities.map((entity, at) => [entity, source.first[at]]));
                this.divergence = this.firstDifference();
            }

            /** The fields of an entity in this past after a row. */
            stateAt(entity, row) {
                return this.first.has(entity)
                    ? this.story.stateAt(entity, row, this.changes, this.first.get(entity))
                    : this.story.stateAt(entity, row);
            }

            /** The fields of an entity that differ after a row, each as [path, value here, value there]. */
            differences(entity, row) {
                return this.story.differences(this.story.stateAt(entity, row), this.stateAt(entity, row));
            }

            /** The first row after which some entity is another, or -1. */
            firstDifference() {
                return [...this.first.keys()].reduce((first, entity) => {
                    const row = this.firstDifferenceOf(entity, first < 0 ? this.story.count : first);
                    return row < 0 ? first : row;
                }, -1);
            }

            /** The first row before a limit after which an entity is another, or -1. */
            firstDifferenceOf(entity, limit) {
                const pasts = [this.story.changes, this.changes];
                const starts = new Set([this.story.entities[entity].first, this.first.get(entity)]);
                const rows = new Set(starts);
                for (const changes of pasts) {
                    for (const change of changes.ofEntityAll(entity)) rows.add(changes.event[change]);
                }
                // Whole states are only compared where the changes of a row differ.
                const made = (changes, row) => JSON.stringify(changes.ofRow(row)
                    .filter((each) => changes.entity[each] === entity)
                    .map((each) => [changes.path[each], changes.value[each]]));
                const first = [...rows].filter((row) => row >= 0 && row < limit).sort((a, b) => a - b)
                    .find((row) => (starts.has(row) || made(pasts[0], row) !== made(pasts[1], row))
                        && this.differences(entity, row).length > 0);
                return first === undefined ? -1 : first;
            }
        }

        """#
}
