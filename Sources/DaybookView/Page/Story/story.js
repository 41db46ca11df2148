// The story: the columns that the page was written with, and what is known at any row of them.

/** A story as the page reads it. Rows are the indices of its events. */
class Story {
    constructor(source) {
        if (source.daybookStory !== 1) {
            throw new Error('This page reads stories of version 1 only.');
        }
        this.source = source;
        const events = source.events;
        this.position = withoutDifferences(events.position);
        this.count = this.position.length;
        this.occurred = withoutDifferences(events.occurredUs);
        this.recorded = withoutDifferences(events.recordedUs);
        this.offset = Int32Array.from(events.offsetS);
        this.kind = Int32Array.from(events.kind);
        this.zone = Int32Array.from(events.zone);
        this.commit = Int32Array.from(withoutDifferences(events.commit));
        this.tags = events.tags;
        this.payload = events.payload || null;
        this.kinds = source.kinds;
        this.entities = source.entities;
        this.paths = source.paths;
        this.values = source.values;
        this.projections = new Map(source.projections.map((each) => [each.name, each]));
        this.changes = new Changes(
            source.changes, this.count, this.entities.length, this.paths.length);
        this.nameThings();
        this.readCommits();
        this.readInert();
        this.orders = {
            recorded: this.orderBy(this.recorded), occurred: this.orderBy(this.occurred),
        };
        this.alternatives = (source.alternatives || []).map(
            (each) => new Alternative(each, this));
    }

    nameThings() {
        this.entityNames = this.entities.map(
            (each) => `${each.projection || each.report} ${each.key}`);
        // A report's arguments have names that are the same in all lanes.
        this.laneNames = this.entities.map((each, entity) => (each.report && each.with
            ? [each.report, ...each.with.map((part) => part.replace(/^[^=]*=/, ''))].join(' ')
            : this.entityNames[entity]));
        this.pathNames = this.paths.map((each) => each.path);
        const rank = new Map();
        this.pathRank = this.pathNames.map((name) => {
            const top = name.split(/[.[]/, 1)[0];
            if (!rank.has(top)) rank.set(top, rank.size);
            return rank.get(top);
        });
        const bare = this.kinds.map((kind) => kind.name.replace(/\.v\d+$/, ''));
        const areas = new Set(this.kinds.map((kind) => kind.area));
        this.kindNames = this.kinds.map((kind, index) => {
            const name = bare.filter((each) => each === bare[index]).length > 1
                ? kind.name : bare[index];
            const area = `${kind.area}.`;
            return areas.size === 1 && name.startsWith(area) ? name.slice(area.length) : name;
        });
        this.kindCounts = new Int32Array(this.kinds.length);
        for (const kind of this.kind) this.kindCounts[kind]++;
    }

    readCommits() {
        const commits = this.source.commits;
        this.commitFirst = withoutDifferences(commits.first);
        this.commits = commits;
        this.causeOf = new Int32Array(this.count).fill(-1);
        this.commitStart = new Int32Array(commits.count.length + 1);
        for (let row = 0; row < this.count; row++) {
            this.commitStart[this.commit[row] + 1]++;
            const cause = commits.causation[this.commit[row]];
            if (cause > 0) this.causeOf[row] = this.rowOf(cause, true);
        }
        for (let commit = 0; commit < commits.count.length; commit++) {
            this.commitStart[commit + 1] += this.commitStart[commit];
        }
    }

    /** Rows without a change of their own, and those that are here as causes only. */
    readInert() {
        this.inert = new Uint8Array(this.count);
        for (let row = 0; row < this.count; row++) {
            this.inert[row] = this.changes.isMadeAt(row) ? 0 : 1;
        }
        this.context = new Uint8Array(this.count);
        for (const row of this.source.events.context || []) this.context[row] = 1;
    }

    /** Rows by a clock; equal times keep the order of the log. */
    orderBy(times) {
        const rows = Int32Array.from({ length: this.count }, (_, row) => row);
        let sorted = true;
        for (let row = 1; row < this.count && sorted; row++) sorted = times[row - 1] <= times[row];
        if (!sorted) rows.sort((a, b) => times[a] - times[b] || a - b);
        const rank = new Int32Array(this.count);
        rows.forEach((row, index) => { rank[row] = index; });
        return { rows, rank };
    }

    /** The last row up to a position, or -1; with `exactly`, the row of that position or -1. */
    rowOf(position, exactly) {
        let low = 0;
        let high = this.count;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.position[middle] <= position) low = middle + 1;
            else high = middle;
        }
        return exactly && (low === 0 || this.position[low - 1] !== position) ? -1 : low - 1;
    }

    isLate(row) {
        return Math.abs(this.recorded[row] - this.occurred[row]) > 1e6;
    }

    actor(row) {
        return this.source.actors[this.commits.actor[this.commit[row]]] || '';
    }

    device(row) {
        return this.source.devices[this.commits.device[this.commit[row]]] || '';
    }

    tagsOf(row) {
        return this.tags[row].map((tag) => this.source.tags[tag]);
    }

    /** The row from which an entity exists; -1 if it exists in an alternative only. */
    firstRow(entity) {
        const { first } = this.entities[entity];
        return first === undefined ? 0 : first;
    }

    exists(entity, row) {
        const first = this.firstRow(entity);
        return first >= 0 && row >= first;
    }

    /**
     * The fields of an entity after a row, in the order of their declaration: path, value, and the
     * change that wrote it (-1: nobody did). No fields where the entity does not exist yet.
     */
    stateAt(entity, row, changes = this.changes, first = this.firstRow(entity)) {
        if (row < first || first === -1) return [];
        const last = changes.lastWrites(entity, row);
        const fields = [];
        const blank = (this.projections.get(this.entities[entity].projection) || {}).blank;
        if (blank) {
            blank.path.forEach((path, index) => {
                if (!last.has(path)) fields.push({ path, value: blank.value[index], change: -1 });
            });
        }
        for (const [path, change] of last) {
            if (changes.value[change] >= 0) {
                fields.push({ path, value: changes.value[change], change });
            }
        }
        return fields.sort((a, b) => this.comparePaths(a.path, b.path));
    }

    comparePaths(a, b) {
        return this.pathRank[a] - this.pathRank[b]
            || naturalOrder.compare(this.pathNames[a], this.pathNames[b]);
    }

    /** The value that a change replaced: an index of `values`, or -1 for none. */
    before(change, changes = this.changes) {
        const earlier = changes.earlier[change];
        if (earlier >= 0) return changes.value[earlier];
        const entity = this.entities[changes.entity[change]];
        const blank = (this.projections.get(entity.projection) || {}).blank;
        const at = blank ? blank.path.indexOf(changes.path[change]) : -1;
        return at < 0 ? -1 : blank.value[at];
    }

    /** The entity that the story is about, or -1. */
    get subject() {
        const { projection, key } = this.source.subject;
        return this.entities.findIndex(
            (each) => key !== null && each.projection === projection && each.key === key);
    }
}

const naturalOrder = new Intl.Collator('en', { numeric: true });
