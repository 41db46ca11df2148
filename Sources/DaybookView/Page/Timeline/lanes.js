// Lanes: the rows of the timeline, by what a reader chose.

/**
 * The marks of a story by what they belong to (an entity, a kind, an actor, a device), and the
 * lanes that are in sight.
 *
 * Mark m stands for the event of row `row[m]` and belongs to `owner[m]`; it is on lane `lane[m]`.
 */
class Lanes {
    constructor(story, mode) {
        this.mode = mode;
        if (mode === 'entity') this.byEntity(story);
        else this.byValue(story, mode);
        this.sizes = new Int32Array(this.owners.length);
        for (const owner of this.owner) this.sizes[owner]++;
        this.lane = new Int32Array(this.row.length);
    }

    byValue(story, mode) {
        const textOf = (row) => (mode === 'kind' ? story.kindNames[story.kind[row]]
            : story.by(row, mode) || `no ${mode}`);
        this.row = Int32Array.from({ length: story.count }, (_, row) => row);
        const texts = Array.from(this.row, textOf);
        this.owners = [...new Set(texts)];
        const known = new Map(this.owners.map((text, owner) => [text, owner]));
        this.owner = Int32Array.from(texts, (text) => known.get(text));
    }

    /** An event is on the lane of each entity that it changed, or on a last one for all others. */
    byEntity(story) {
        const { changes } = story;
        const none = story.entities.length;
        const rows = [];
        const owners = [];
        for (let row = 0; row < story.count; row++) {
            const changed = new Set(changes.ofRow(row, true).map((each) => changes.entity[each]));
            if (changed.size === 0) changed.add(none);
            for (const owner of changed) {
                rows.push(row);
                owners.push(owner);
            }
        }
        this.row = Int32Array.from(rows);
        this.owner = Int32Array.from(owners);
        this.owners = [...story.laneNames, 'changes nothing shown'];
    }

    /**
     * Puts as many owners in sight as fit, in their order; of more, the largest after those that
     * were scrolled away, with a lane for all others. Returns how many were scrolled away.
     */
    arrange(most, pinned, scrolled) {
        const isByEntity = this.mode === 'entity';
        const none = isByEntity ? this.owners.length - 1 : -1;
        const kept = isByEntity && pinned >= 0 ? [pinned] : [];
        const last = this.sizes[none] > 0 ? [none] : [];
        const owners = [...this.owners.keys()].filter(
            (owner) => owner !== none && owner !== kept[0] && this.sizes[owner] > 0);
        const room = Math.max(2, most - last.length - kept.length);
        const isAll = owners.length <= room;
        if (!isAll) owners.sort((a, b) => this.sizes[b] - this.sizes[a] || a - b);
        /** How many lanes are not in sight, and how many are on a page. */
        this.hidden = isAll ? 0 : owners.length - room + 1;
        this.page = room - 1;
        this.scrolled = Math.max(0, Math.min(scrolled, this.hidden));
        const shown = isAll ? owners : owners.slice(this.scrolled, this.scrolled + this.page);
        /** The owner of each lane; -1 is the lane of the others. */
        this.shown = [...kept, ...shown, ...(isAll ? [] : [-1]), ...last];
        this.count = this.shown.length;
        this.names = this.shown.map((owner) => (owner < 0
            ? `${grouped(this.hidden)} others` : this.owners[owner]));
        this.entities = this.shown.map((owner) => (isByEntity && owner !== none ? owner : -1));
        const laneOf = new Int32Array(this.owners.length).fill(this.shown.indexOf(-1));
        this.shown.forEach((owner, lane) => { if (owner >= 0) laneOf[owner] = lane; });
        this.owner.forEach((owner, mark) => { this.lane[mark] = laneOf[owner]; });
        return this.scrolled;
    }
}
