// Values as text, with a class that says what they are.

/** The text of a value of JSON, and the class that it is shown in. */
function valueText(value) {
    if (typeof value === 'number') return [String(value), 'number'];
    if (value !== null && typeof value.integer === 'string') return [value.integer, 'number'];
    if (typeof value !== 'string' || value === '') return [JSON.stringify(value), 'word'];
    return [value, value === 'redacted' ? 'word' : 'text'];
}

/** A value that stands in the story as it is. */
function plainValue(value) {
    const [text, style] = valueText(value);
    return span(`value ${style}`, text);
}

/** Two elements as before → after. */
function changeOf(before, after, ...more) {
    return span('change', span('before', before),
        make('span', { class: 'arrow', 'aria-label': 'became' }, '→'), after, more);
}

/** Shows values of the story: scalars, moments as times, and fields that are gone. */
class Values {
    constructor(page) {
        this.page = page;
        this.story = page.story;
    }

    /** The text of a value by its index; -1 is a field that is not there. */
    text(index, path) {
        if (index < 0) return ['—', 'word'];
        const value = this.story.values[index];
        const isMoment = path !== undefined && this.story.paths[path].moment;
        if (isMoment && typeof value === 'number' && value !== 0) {
            return [this.page.times.short(value), 'number'];
        }
        const isSeconds = value >= 60 && /[a-z]S$/.test(this.story.pathNames[path]);
        return isSeconds && Number.isInteger(value)
            ? [`${value} = ${lengthText(value * 1e6)}`, 'number'] : valueText(value);
    }

    /** The value; its title has it as stored where it is shown another way. */
    element(index, path) {
        const [text, style] = this.text(index, path);
        const stored = index < 0 ? text : JSON.stringify(this.story.values[index]);
        return make('span', { class: `value ${style}`, title: stored !== text && stored }, text);
    }

    /** A change as before → after; a hidden value that changed says so. */
    change(before, after, path) {
        return changeOf(this.element(before, path), this.element(after, path),
            before === after && span('note', 'another hidden value'));
    }

    /** One line that says what an event changed. */
    summary(row) {
        const { changes } = this.story;
        const made = changes.ofRow(row, true).filter(
            (change) => changes.value[change] >= 0 || this.story.before(change) >= 0);
        const texts = made.slice(0, 3).map((change) => {
            const path = changes.path[change];
            const [before] = this.text(this.story.before(change), path);
            const [after] = this.text(changes.value[change], path);
            return `${this.story.pathNames[path]}: ${before} → ${after}`;
        });
        return texts.join(', ') + (made.length > 3 ? `, ${made.length - 3} more` : '');
    }
}
