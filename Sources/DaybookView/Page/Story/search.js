// Search over kinds, tags, entities, fields, values and payloads.

const scopes = ['kind', 'tag', 'key', 'field', 'value', 'payload'];

/** A word of a query: `tag:x` looks at tags only, and quotes keep blanks. */
const queryWord = new RegExp(`(?:(${scopes.join('|')}):)?(?:"([^"]+)"|(\\S+))`, 'g');

/** The texts and numbers in a value of JSON, without the names of its fields. */
function leavesOf(value) {
    return value !== null && typeof value === 'object'
        ? Object.values(value).flatMap(leavesOf) : [String(value)];
}

/** Finds the rows that match every word of a query. */
class Search {
    constructor(story) {
        this.story = story;
    }

    /** The texts that words are looked for in, made when they are first needed. */
    prepared() {
        const { story } = this;
        const lower = (texts) => texts.map((text) => String(text).toLowerCase());
        return {
            kind: lower(story.kinds.map((kind) => kind.name)),
            tag: lower(story.source.tags),
            key: lower(story.entityNames),
            field: lower(story.pathNames),
            value: lower(story.values.map((value) => valueText(value)[0])),
            payload: lower((story.payload || []).map((each) => leavesOf(each).join('\n'))),
        };
    }

    rows(query) {
        const words = Array.from(query.toLowerCase().matchAll(queryWord),
            ([, scope, quote, plain]) => ({ scope, text: quote || plain }));
        if (words.length === 0) return new Int32Array(0);
        this.lists = this.lists || this.prepared();
        const matches = words.map((word) => this.matching(word));
        return Int32Array.from(matches[0].keys()).filter(
            (row) => matches.every((match) => match[row] === 1));
    }

    /** A flag for each row: whether a word occurs in it. */
    matching({ scope, text }) {
        const { story, story: { changes } } = this;
        const flags = {};
        for (const name of scopes) {
            const asked = scope === undefined || scope === name;
            flags[name] = Uint8Array.from(this.lists[name],
                (each) => (asked && each.includes(text) ? 1 : 0));
        }
        const match = new Uint8Array(story.count);
        for (let row = 0; row < story.count; row++) {
            if (flags.kind[story.kind[row]] || flags.payload[row]) match[row] = 1;
            for (const tag of story.tags[row]) if (flags.tag[tag]) match[row] = 1;
        }
        for (let change = 0; change < changes.count; change++) {
            const value = changes.value[change];
            if (flags.key[changes.entity[change]] || flags.field[changes.path[change]]
                || (value >= 0 && flags.value[value])) match[changes.event[change]] = 1;
        }
        return match;
    }
}
