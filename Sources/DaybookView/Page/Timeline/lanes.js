// Lanes: the rows of the timeline, by what a reader chose.

/** Marks on lanes: which rows of the story stand on which lane. */
class Lanes {
    constructor(story, mode, most, pinned) {
        this.names = [];
        /** The entity of each lane, or -1. */
        this.entities = [];
        if (mode === 'entity') {
            this.byEntity(story, most, pinned);
        } else {
            this.byValue(story, mode, most);
        }
        this.count = this.names.length;
    }

    byValue(story, mode, most) {
        const texts = {
            kind: (row) => story.kindNames[story.kind[row]],
            actor: (row) => story.actor(row) || 'no actor',
            device: (row) => story.device(row) || 'no device',
        };
        const counts = new Map();
        const names = new Array(story.count);
        for (let row = 0; row < story.count; row++) {
            names[row] = texts[mode](row);
            counts.set(names[row], (counts.get(names[row]) || 0) + 1);
        }
        const chosen = this.choose([...counts.keys()], (name) => counts.get(name), most);
        const laneOf = new Map(chosen.map((name, lane) => [name, lane]));
        this.names = chosen;
        const others = this.nameOthers(counts.size - chosen.length);
        this.entities = this.names.map(() => -1);
        this.row = Int32Array.from({ length: story.count }, (_, row) => row);
        this.lane = Int32Array.from(
            names, (name) => (laneOf.has(name) ? laneOf.get(name) : others));
    }

    byEntity(story, most, pinned) {
        const { changes } = story;
        const all = story.entities.map((_, entity) => entity);
        const size = (entity) => (entity === pinned ? Infinity
            : changes.entityStart[entity + 1] - changes.entityStart[entity]);
        const chosen = putFirst(
            this.choose(all.filter((entity) => size(entity) > 0), size, most - 1),
            pinned);
        const laneOf = new Int32Array(story.entities.length).fill(-1);
        chosen.forEach((entity, lane) => { laneOf[entity] = lane; });
        this.names = chosen.map((entity) => story.laneNames[entity]);
        this.entities = chosen.slice();
        const left = all.filter((entity) => size(entity) > 0).length - chosen.length;
        const others = this.nameOthers(left);
        let hasInert = false;
        for (let row = 0; row < story.count && !hasInert; row++) hasInert = story.inert[row] === 1;
        const none = this.names.length;
        if (hasInert) this.names.push('changes nothing shown');
        while (this.entities.length < this.names.length) this.entities.push(-1);

        const rows = new Int32Array(changes.count + story.count);
        const lanes = new Int32Array(changes.count + story.count);
        let count = 0;
        for (let row = 0; row < story.count; row++) {
            const start = count;
            const end = changes.rowStart[row + 1];
            for (let change = changes.rowStart[row]; change < end; change++) {
                if (changes.by && changes.by[change] !== 0) continue;
                const own = laneOf[changes.entity[change]];
                const lane = own < 0 ? others : own;
                let known = false;
                for (let each = start; each < count && !known; each++) known = lanes[each] === lane;
                if (known) continue;
                rows[count] = row;
                lanes[count++] = lane;
            }
            if (count === start) {
                rows[count] = row;
                lanes[count++] = none;
            }
        }
        this.row = rows.subarray(0, count);
        this.lane = lanes.subarray(0, count);
    }

    /** The largest lanes that fit, in the order in which they came. */
    choose(all, size, most) {
        if (all.length <= most) return all;
        const largest = all.slice().sort((a, b) => size(b) - size(a));
        const kept = new Set(largest.slice(0, Math.max(1, most - 1)));
        return all.filter((each) => kept.has(each));
    }

    nameOthers(count) {
        if (count > 0) this.names.push(`${grouped(count)} others`);
        return this.names.length - 1;
    }
}
