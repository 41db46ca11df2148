// The story: the columns that the page was written with, and what is known at any row of them.

/** A story as the page reads it. Rows are the indices of its events. */
class Story {
    /** `order` lists kinds without versions: the same kind then looks alike in several stories. */
    constructor(source, order = []) {
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
        this.commit = Int32Array.from(withoutDifferences(events.commit));
        this.tags = events.tags;
        this.payload = events.payload || null;
        ({ kinds: this.kinds, entities: this.entities, paths: this.paths, values: this.values,
            alternatives: this.alternatives = [] } = source);
        this.projections = new Map(source.projections.map((each) => [each.name, each]));
        this.changes = new Changes(
            source.changes, this.count, this.entities.length, this.paths.length);
        const { event = [], ...steps } = source.steps || {};
        this.steps = { rows: withoutDifferences(event), ...steps };
        this.nameThings();
        this.readCommits();
        this.readInert();
        this.orders = {
            recorded: this.orderBy(this.recorded), occurred: this.orderBy(this.occurred),
        };
        /** How each kind looks: a number for its colour and shape. */
        const places = this.kinds.map((each) => order.indexOf(bareKind(each.name)));
        this.looks = places.map((at, kind) => (at < 0 ? order.length + kind : at));
        this.pictures = new Map((source.pictures || []).map(
            ({ entity, event, svg }) => [entity, { rows: withoutDifferences(event), svg }]));
        this.alternatives = this.alternatives.map((each) => new Alternative(each, this));
    }

    nameThings() {
        this.entityNames = this.entities.map(
            (each) => `${each.projection || each.report} ${each.key}`);
        // A report's arguments have names that are the same in all lanes.
        this.laneNames = this.entities.map((each, entity) => (each.report && each.with
            ? [each.report, ...each.with.map((part) => part.replace(/^[^=]*=/, ''))].join(' ')
            : this.entityNames[entity]));
        this.pathNames = this.paths.map((each) => each.path);
        const tops = this.pathNames.map((name) => name.split(/[.[]/, 1)[0]);
        const rank = new Map([...new Set(tops)].map((top, at) => [top, at]));
        this.pathRank = tops.map((top) => rank.get(top));
        const bare = this.kinds.map((kind) => bareKind(kind.name));
        const areas = new Set(this.kinds.map((kind) => kind.area));
        this.kindNames = this.kinds.map(({ name, area }, kind) => {
            const isTwice = bare.some((each, other) => each === bare[kind] && other !== kind);
            const shown = isTwice ? name : bare[kind];
            return areas.size === 1 && shown.startsWith(`${area}.`)
                ? shown.slice(area.length + 1) : shown;
        });
        this.kindCounts = new Int32Array(this.kinds.length);
        for (const kind of this.kind) this.kindCounts[kind]++;
    }

    readCommits() {
        const commits = this.source.commits;
        this.commitFirst = withoutDifferences(commits.first);
        this.commits = commits;
        this.commitStart = startsOf(this.commit, commits.count.length);
        /** The row that caused each row, or -1. */
        this.causeOf = Int32Array.from(this.commit, (commit) => {
            const cause = commits.causation[commit];
            return cause > 0 ? this.rowOf(cause, true) : -1;
        });
        /** The rows that a row caused; -1 has those without a cause here. */
        this.effects = Map.groupBy(this.causeOf.keys(), (row) => this.causeOf[row]);
    }

    /** Rows without a change of their own, and those that are here as causes only. */
    readInert() {
        this.inert = new Uint8Array(this.count).fill(1);
        this.changes.event.forEach((row, change) => {
            if (this.changes.isOwn(change)) this.inert[row] = 0;
        });
        this.context = new Set(this.source.events.context);
    }

    /** Rows by a clock; equal times keep the order of the log. */
    orderBy(times) {
        const rows = Int32Array.from({ length: this.count }, (_, row) => row);
        const isSorted = times.every((time, row) => row === 0 || times[row - 1] <= time);
        if (!isSorted) rows.sort((a, b) => times[a] - times[b] || a - b);
        const rank = new Int32Array(this.count);
        rows.forEach((row, index) => { rank[row] = index; });
        return { rows, rank };
    }

    /** The time from the first event to the last one by a clock. */
    lengthBy(clock) {
        const { rows } = this.orders[clock];
        return this.count === 0 ? 0 : this[clock][rows[this.count - 1]] - this[clock][rows[0]];
    }

    /** The last row up to a position, or -1; with `exactly`, the row of that position or -1. */
    rowOf(position, exactly) {
        const row = endWhere(0, this.count, (each) => this.position[each] <= position) - 1;
        return exactly && row >= 0 && this.position[row] !== position ? -1 : row;
    }

    /** The picture of a report's answer after a row as the text of an SVG, or null. */
    pictureAt(entity, row) {
        const { rows, svg } = this.pictures.get(entity) || { rows: [] };
        const at = endWhere(0, rows.length, (each) => rows[each] <= row) - 1;
        return at < 0 ? null : this.source.svgs[svg[at]];
    }

    isLate(row) {
        return Math.abs(this.recorded[row] - this.occurred[row]) > 1e6;
    }

    /** The `actor` or `device` of an event; an empty text if it has none. */
    by(row, name) {
        return this.source[`${name}s`][this.commits[name][this.commit[row]]] || '';
    }

    /** Who recorded an event, and on which device. */
    who(row) {
        return [this.by(row, 'actor'), this.by(row, 'device')].filter((each) => each).join(' on ');
    }

    /** Whether an entity exists after a row; those of an alternative only have -1 as first row. */
    exists(entity, row) {
        const { first } = this.entities[entity];
        return first >= 0 && row >= first;
    }

    /**
     * The fields of an entity after a row, in the order of their declaration: path, value, and the
     * change that wrote it (-1: nobody did). No fields where the entity does not exist yet.
     */
    stateAt(entity, row, changes = this.changes, first = this.entities[entity].first) {
        if (row < first || first === -1) return [];
        const last = changes.lastWrites(entity, row);
        const blank = this.blankOf(entity);
        const fields = [
            ...blank.path.map((path, at) => ({ path, value: blank.value[at], change: -1 }))
                .filter(({ path }) => !last.has(path)),
            ...[...last].map(([path, change]) => ({ path, value: changes.value[change], change }))
                .filter(({ value }) => value >= 0)];
        return fields.sort((a, b) => this.comparePaths(a.path, b.path));
    }

    /** The fields in which two states differ, each as [path, value here, value there]. */
    differences(here, there) {
        const others = new Map(there.map((each) => [each.path, each.value]));
        const differences = [];
        for (const { path, value } of here) {
            const other = others.has(path) ? others.get(path) : -1;
            if (other !== value) differences.push([path, value, other]);
            others.delete(path);
        }
        for (const [path, value] of others) differences.push([path, -1, value]);
        return differences.sort((a, b) => this.comparePaths(a[0], b[0]));
    }

    /** The entities that the event of a row changed, or that differ from another row's. */
    changedEntities(row, since = -2) {
        const { changes } = this;
        const changed = (from, to) => [...new Set(changes.entity.subarray(
            changes.rowStart[from], changes.rowStart[to + 1]))];
        if (since < -1) return row < 0 ? [] : changed(row, row);
        return changed(Math.min(row, since) + 1, Math.max(row, since)).filter(
            (entity) => this.changedFields(entity, row, since).length > 0);
    }

    /** The fields that the event of a row changed, or that differ: each as [path, value before]. */
    changedFields(entity, row, since = -2) {
        const { changes } = this;
        return since > -2 ? this.differences(this.stateAt(entity, since), this.stateAt(entity, row))
            : changes.ofRow(row).filter((each) => changes.entity[each] === entity)
                .map((each) => [changes.path[each], this.before(each), changes.value[each]])
                .filter(([, before, after]) => before >= 0 || after >= 0);
    }

    /** The fields of an entity before any event; a report has none. */
    blankOf(entity) {
        const projection = this.projections.get(this.entities[entity].projection);
        return (projection && projection.blank) || { path: [], value: [] };
    }

    comparePaths(a, b) {
        return this.pathRank[a] - this.pathRank[b]
            || naturalOrder.compare(this.pathNames[a], this.pathNames[b]);
    }

    /**
     * The value that a change replaced: an index of `values`, or -1 for none. Nothing was there
     * before an entity's first event.
     */
    before(change) {
        const { changes } = this;
        const [entity, earlier] = [changes.entity[change], changes.earlier[change]];
        if (earlier >= 0) return changes.value[earlier];
        const [first] = changes.ofEntityAll(entity);
        if (changes.event[change] === this.entities[entity].first
            && (!changes.isOwn(change) || changes.isOwn(first))) return -1;
        const blank = this.blankOf(entity);
        const at = blank.path.indexOf(changes.path[change]);
        return at < 0 ? -1 : blank.value[at];
    }

    /** The entity that the story is about, or -1. */
    get subject() {
        const { projection, key } = this.source.subject;
        return this.entities.findIndex(
            (each) => key !== null && each.projection === projection && each.key === key);
    }
}

/** The name of a kind without its version. */
const bareKind = (name) => name.replace(/\.v\d+$/, '');

const naturalOrder = new Intl.Collator('en', { numeric: true });
