// The commands of `replay` that give the answers on the page.

/** An argument as a shell reads it. */
function quoted(argument) {
    const text = String(argument);
    return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

/** Writes commands for the log of a story. */
class Commands {
    constructor(story) {
        this.story = story;
        this.program = story.source.program || 'replay';
    }

    line(words) {
        const log = this.story.source.logOption;
        return [quoted(this.program), ...words.map(quoted), ...(log ? [log] : [])].join(' ');
    }

    /** The option of a moment; none at the head of the log. */
    at(row) {
        const position = row < 0 ? 0 : this.story.position[row];
        return row === this.story.count - 1 && position === this.story.source.log.events
            ? [] : ['--at', position];
    }

    /** The words that name an entity or a report. */
    named(entity) {
        const { projection, report, key, with: arguments_ } = this.story.entities[entity];
        if (!report) return [projection, key];
        return (arguments_ || []).flatMap((each) => ['--with', each]);
    }

    state(entity, row) {
        const { report } = this.story.entities[entity];
        const words = report
            ? ['report', report, ...this.named(entity)] : ['state', ...this.named(entity)];
        return this.line([...words, ...this.at(row)]);
    }

    blame(entity, path, row) {
        const { report } = this.story.entities[entity];
        const name = this.story.pathNames[path];
        const words = report
            ? ['blame', '--report', report, ...this.named(entity), name.split('[', 1)[0]]
            : ['blame', ...this.named(entity), name];
        return this.line([...words, ...this.at(row)]);
    }

    /** The events between two positions. */
    events(from, to) {
        return this.line(['log', '--from', from, '--to', to]);
    }

    transitions(projection, row) {
        return this.line(['transitions', projection, ...this.at(row)]);
    }

    audit(rule) {
        return this.line(['audit', ...(rule ? ['--rule', rule] : [])]);
    }

    late() {
        return this.line(['late']);
    }
}
