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
        const there = new Map(this.stateAt(entity, row).map((each) => [each.path, each.value]));
        const differences = [];
        for (const { path, value } of this.story.stateAt(entity, row)) {
            const other = there.has(path) ? there.get(path) : -1;
            if (other !== value) differences.push([path, value, other]);
            there.delete(path);
        }
        for (const [path, value] of there) differences.push([path, -1, value]);
        return differences.sort((a, b) => this.story.comparePaths(a[0], b[0]));
    }

    /** The first row after which some entity is another, or -1. */
    firstDifference() {
        let first = -1;
        for (const entity of this.first.keys()) {
            const row = this.firstDifferenceOf(entity, first < 0 ? this.story.count : first);
            if (row >= 0) first = row;
        }
        return first;
    }

    firstDifferenceOf(entity, limit) {
        const rows = new Set();
        for (const changes of [this.story.changes, this.changes]) {
            const end = changes.entityStart[entity + 1];
            for (let at = changes.entityStart[entity]; at < end; at++) {
                rows.add(changes.event[changes.ofEntity[at]]);
            }
        }
        rows.add(this.story.firstRow(entity));
        rows.add(this.first.get(entity));
        // The walk compares the fields that change at each row, not whole states.
        const here = new Map();
        const there = new Map();
        const different = new Set();
        for (const row of [...rows].filter((each) => each >= 0).sort((a, b) => a - b)) {
            if (row >= limit) return -1;
            const touched = [
                ...this.apply(this.story.changes, entity, row, here),
                ...this.apply(this.changes, entity, row, there),
            ];
            for (const path of touched) {
                if (here.get(path) === there.get(path)) different.delete(path);
                else different.add(path);
            }
            if (different.size > 0 && this.differences(entity, row).length > 0) return row;
            if (touched.length === 0 && this.differences(entity, row).length > 0) return row;
        }
        return -1;
    }

    apply(changes, entity, row, state) {
        const touched = [];
        for (let change = changes.rowStart[row]; change < changes.rowStart[row + 1]; change++) {
            if (changes.entity[change] !== entity) continue;
            state.set(changes.path[change], changes.value[change]);
            touched.push(changes.path[change]);
        }
        return touched;
    }
}
