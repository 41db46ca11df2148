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
    }

    line(words) {
        const { program = 'replay', logOption } = this.story.source;
        return [program, ...words].map(quoted).concat(logOption || []).join(' ');
    }

    /** The option of a moment; none at the head of the log. */
    at(row) {
        const position = row < 0 ? 0 : this.story.position[row];
        return row === this.story.count - 1 && position === this.story.source.log.events
            ? [] : ['--at', position];
    }

    /** The words that name an entity, or a report after its own word or option. */
    named(entity, word) {
        const { projection, report, key, with: arguments_ } = this.story.entities[entity];
        return report ? [word, report, ...(arguments_ || []).flatMap((each) => ['--with', each])]
            : [projection, key];
    }

    state(entity, row) {
        const isReport = this.story.entities[entity].report;
        return this.line([...(isReport ? [] : ['state']), ...this.named(entity, 'report'),
            ...this.at(row)]);
    }

    blame(entity, path, row) {
        const name = this.story.pathNames[path];
        const field = this.story.entities[entity].report ? name.split('[', 1)[0] : name;
        return this.line(['blame', ...this.named(entity, '--report'), field, ...this.at(row)]);
    }
}
