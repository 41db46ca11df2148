// Search over kinds, tags, entities, fields and values.

const scopes = ['kind', 'tag', 'key', 'field', 'value'];

/** The words of a query; `tag:x` looks at tags only, and quotes keep blanks. */
function wordsOf(query) {
    const words = [];
    for (const [, scope, quote, plain] of query.matchAll(/(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)) {
        const text = quote === undefined ? plain : quote;
        if (scope && !scopes.includes(scope)) words.push({ scope: null, text: `${scope}:${text}` });
        else words.push({ scope: scope || null, text });
    }
    return words.map(({ scope, text }) => ({ scope, text: text.toLowerCase() }))
        .filter(({ text }) => text !== '');
}

/** Finds the rows that match every word of a query. */
class Search {
    constructor(story) {
        this.story = story;
        this.lists = null;
    }

    /** The texts that words are looked for in, made when they are first needed. */
    prepare() {
        if (this.lists) return;
        const { story } = this;
        const lower = (texts) => texts.map((text) => String(text).toLowerCase());
        this.lists = {
            kind: lower(story.kinds.map((kind) => kind.name)),
            tag: lower(story.source.tags),
            key: lower(story.entityNames),
            field: lower(story.pathNames),
            value: lower(story.values.map((value) => valueText(value)[0])),
        };
    }

    rows(query) {
        const words = wordsOf(query);
        if (words.length === 0) return new Int32Array(0);
        this.prepare();
        const { count } = this.story;
        const matches = words.map((word) => this.matching(word));
        const rows = [];
        for (let row = 0; row < count; row++) {
            if (matches.every((match) => match[row] === 1)) rows.push(row);
        }
        return Int32Array.from(rows);
    }

    /** A flag for each row: whether a word occurs in it. */
    matching({ scope, text }) {
        const { story } = this;
        const { changes } = story;
        const flags = {};
        for (const name of scopes) {
            const asked = scope === null || scope === name;
            flags[name] = Uint8Array.from(this.lists[name],
                (each) => (asked && each.includes(text) ? 1 : 0));
        }
        const match = new Uint8Array(story.count);
        for (let row = 0; row < story.count; row++) {
            if (flags.kind[story.kind[row]]) match[row] = 1;
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
