// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Story/values.js`.
    static let valuesScript = #"""
        // Values as text, with a class that says what they are.

        /** The text of a value of JSON, and the class that it is shown in. */
        function valueText(value) {
            if (value === null) return ['null', 'word'];
            if (typeof value === 'string') {
                if (value === '') return ['""', 'word'];
                return [value, value === 'redacted' ? 'word' : 'text'];
            }
            if (typeof value === 'object') {
                if (typeof value.integer === 'string') return [value.integer, 'number'];
                return [JSON.stringify(value), 'word'];
            }
            return [String(value), typeof value === 'number' ? 'number' : 'word'];
        }

        /** Shows values of the story: scalars, moments as times, and fields that are gone. */
        class Values {
            constructor(story, times) {
                this.story = story;
                this.times = times;
            }

            /** The text of a value by its index; -1 is a field that is not there. */
            text(index, path) {
                if (index < 0) return ['—', 'word'];
                const value = this.story.values[index];
                const isMoment = path !== undefined && this.story.paths[path].moment;
                if (isMoment && typeof value === 'number' && value !== 0) {
                    return [this.times.short(value), 'number'];
                }
                return valueText(value);
            }

            element(index, path) {
                const [text, style] = this.text(index, path);
                return make('span', { class: `value ${style}`, title: this.title(index, text) }, text);
            }

            /** The value as stored where it is shown another way or may be cut. */
            title(index, text) {
                if (index < 0) return null;
                const stored = JSON.stringify(this.story.values[index]);
                return stored === text ? null : stored;
            }

            /** A change as before → after; a hidden value that changed says so. */
            change(before, after, path) {
                const same = before === after;
                return make('span', { class: 'change' },
                    make('span', { class: 'before' }, this.element(before, path)),
                    make('span', { class: 'arrow', 'aria-label': 'became' }, '→'),
                    this.element(after, path),
                    same && make('span', { class: 'note' }, 'another hidden value'));
            }

            /** One line that says what an event changed. */
            summary(row) {
                const { changes } = this.story;
                const texts = [];
                const end = changes.rowStart[row + 1];
                let more = 0;
                for (let change = changes.rowStart[row]; change < end; change++) {
                    if (changes.by && changes.by[change] !== 0) continue;
                    if (texts.length === 3) {
                        more++;
                        continue;
                    }
                    const path = changes.path[change];
                    const [before] = this.text(this.story.before(change), path);
                    const [after] = this.text(changes.value[change], path);
                    texts.push(`${this.story.pathNames[path]}: ${before} → ${after}`);
                }
                return texts.join(', ') + (more > 0 ? `, ${more} more` : '');
            }
        }

        """#
}
