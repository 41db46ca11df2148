// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Story/changes.js`.
    static let changesScript = #"""
        // Changes of fields: what every state and every answer about a writer is made of.

        /** The numbers of a column that holds the first one and then differences. */
        function withoutDifferences(column) {
            const numbers = new Float64Array(column.length);
            let sum = 0;
            for (let index = 0; index < column.length; index++) {
                sum += column[index];
                numbers[index] = sum;
            }
            return numbers;
        }

        /** The first index from `low` to `high` where a condition that holds up to somewhere does not. */
        function endWhere(low, high, holds) {
            let [from, to] = [low, high];
            while (from < to) {
                const middle = (from + to) >> 1;
                if (holds(middle)) from = middle + 1;
                else to = middle;
            }
            return from;
        }

        /** Where each group starts, and the last one ends, in a column that is sorted by group. */
        function startsOf(groups, count) {
            const starts = new Int32Array(count + 1);
            for (const group of groups) starts[group + 1]++;
            for (let group = 0; group < count; group++) starts[group + 1] += starts[group];
            return starts;
        }

        /**
         * The changes of a story, or of one of its alternatives, in columns.
         *
         * A change is a number into `event` (the row after which it holds), `entity`, `path`, `value` (-1:
         * the field is gone) and `by` (0: the event of the row made it).
         */
        class Changes {
            constructor(columns, rows, entities, paths) {
                this.event = Int32Array.from(withoutDifferences(columns.event));
                this.count = this.event.length;
                this.entity = Int32Array.from(columns.entity);
                this.path = Int32Array.from(columns.path);
                this.value = Int32Array.from(columns.value);
                this.by = columns.by ? Float64Array.from(columns.by) : null;
                /** `rowStart[r]` to `rowStart[r + 1]` are the changes of row r. */
                this.rowStart = startsOf(this.event, rows);
                this.indexEntities(entities);
                this.indexWriters(entities, paths);
            }

            /** `ofEntity` from `entityStart[e]` to `entityStart[e + 1]` are the changes of entity e. */
            indexEntities(entities) {
                this.entityStart = startsOf(this.entity, entities);
                const next = this.entityStart.slice();
                this.ofEntity = new Int32Array(this.count);
                for (let change = 0; change < this.count; change++) {
                    this.ofEntity[next[this.entity[change]]++] = change;
                }
            }

            /** `earlier[c]` is the change before c of the same field of the same entity, or -1. */
            indexWriters(entities, paths) {
                this.earlier = new Int32Array(this.count).fill(-1);
                const last = new Int32Array(paths).fill(-1);
                const owner = new Int32Array(paths).fill(-1);
                for (let entity = 0; entity < entities; entity++) {
                    const end = this.entityStart[entity + 1];
                    for (let at = this.entityStart[entity]; at < end; at++) {
                        const change = this.ofEntity[at];
                        const path = this.path[change];
                        if (owner[path] === entity) this.earlier[change] = last[path];
                        owner[path] = entity;
                        last[path] = change;
                    }
                }
            }

            /** The last change of each field of an entity up to a row, by path. */
            lastWrites(entity, row) {
                const last = new Map();
                const [start, after] = this.entityStart.subarray(entity, entity + 2);
                const end = endWhere(start, after, (at) => this.event[this.ofEntity[at]] <= row);
                for (let at = end - 1; at >= start; at--) {
                    const change = this.ofEntity[at];
                    if (!last.has(this.path[change])) last.set(this.path[change], change);
                }
                return last;
            }

            /** All changes of a field, the earliest first. */
            writes(entity, path) {
                return Array.from(this.ofEntityAll(entity)).filter((each) => this.path[each] === path);
            }

            /** The changes of an entity, the earliest first. */
            ofEntityAll(entity) {
                return this.ofEntity.subarray(this.entityStart[entity], this.entityStart[entity + 1]);
            }

            /** The changes of a row; none before the first. With `own`, only those that its event made. */
            ofRow(row, own = false) {
                const found = [];
                const end = row < 0 ? 0 : this.rowStart[row + 1];
                for (let change = this.rowStart[Math.max(0, row)]; change < end; change++) {
                    if (!own || this.isOwn(change)) found.push(change);
                }
                return found;
            }

            /** Whether the event of its row made a change, not one that is not in the story. */
            isOwn(change) {
                return !this.by || this.by[change] === 0;
            }
        }

        """#
}
