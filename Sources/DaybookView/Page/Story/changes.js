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

/**
 * The changes of a story, or of one of its alternatives, in columns.
 *
 * A change is a number into `event` (the row after which it holds), `entity`, `path`, `value` (-1:
 * the field is gone) and `by` (0: the event of the row made it).
 */
class Changes {
    constructor(columns, rows, entities, paths) {
        this.event = Int32Array.from(withoutDifferences(columns.event));
        this.entity = Int32Array.from(columns.entity);
        this.path = Int32Array.from(columns.path);
        this.value = Int32Array.from(columns.value);
        this.by = columns.by ? Float64Array.from(columns.by) : null;
        this.indexRows(rows);
        this.indexEntities(entities);
        this.indexWriters(entities, paths);
    }

    get count() {
        return this.event.length;
    }

    /** `rowStart[r]` to `rowStart[r + 1]` are the changes of row r. */
    indexRows(rows) {
        this.rowStart = new Int32Array(rows + 1);
        let change = 0;
        for (let row = 0; row <= rows; row++) {
            while (change < this.count && this.event[change] < row) change++;
            this.rowStart[row] = change;
        }
        this.rowStart[rows] = this.count;
    }

    /** `ofEntity` from `entityStart[e]` to `entityStart[e + 1]` are the changes of entity e. */
    indexEntities(entities) {
        this.entityStart = new Int32Array(entities + 1);
        for (const entity of this.entity) this.entityStart[entity + 1]++;
        for (let entity = 0; entity < entities; entity++) {
            this.entityStart[entity + 1] += this.entityStart[entity];
        }
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

    /** The end within `ofEntity` of an entity's changes up to a row. */
    endOf(entity, row) {
        let low = this.entityStart[entity];
        let high = this.entityStart[entity + 1];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.event[this.ofEntity[middle]] <= row) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** The last change of each field of an entity up to a row, by path. */
    lastWrites(entity, row) {
        const last = new Map();
        const seen = new Set();
        for (let at = this.endOf(entity, row) - 1; at >= this.entityStart[entity]; at--) {
            const change = this.ofEntity[at];
            const path = this.path[change];
            if (seen.has(path)) continue;
            seen.add(path);
            last.set(path, change);
        }
        return last;
    }

    /** All changes of a field, the earliest first. */
    writes(entity, path) {
        const writes = [];
        const end = this.entityStart[entity + 1];
        for (let at = this.entityStart[entity]; at < end; at++) {
            if (this.path[this.ofEntity[at]] === path) writes.push(this.ofEntity[at]);
        }
        return writes;
    }

    /** Whether the event of a row made a change itself. */
    isMadeAt(row) {
        for (let change = this.rowStart[row]; change < this.rowStart[row + 1]; change++) {
            if (!this.by || this.by[change] === 0) return true;
        }
        return false;
    }
}
