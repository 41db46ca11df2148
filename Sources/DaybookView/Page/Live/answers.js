// Questions to the log in the words of the terminal, and their answers.

const codeNames = ['answered', 'a difference or finding', 'not answered', 'damaged log'];

/** The words of a line, as a shell reads them: quotes and backslashes keep what they hold. */
function lineWords(line) {
    const parts = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\]+)/g;
    return (line.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g) || []).map(
        (word) => [...word.matchAll(parts)].map(([, single, double = '', one, plain]) => (
            single || one || plain || double.replace(/\\(.)/g, '$1'))).join(''));
}

/** The line of a question, and the answer that the server gave. */
class Answers {
    constructor(live) {
        this.live = live;
        this.filled = '';
        this.line = make('input', {
            type: 'text', class: 'mono', 'aria-label': 'Question', spellcheck: 'false',
            autocomplete: 'off',
        });
        this.presets = make('div', { class: 'row' });
        this.state = make('span', { class: 'muted', role: 'status' });
        this.output = make('pre', { class: 'output', tabindex: 0, hidden: true });
        this.after = make('div', { class: 'row', hidden: true }, this.state, span('spring'),
            copyButton(() => this.output.textContent, this.output, 'Copy the answer'),
            button('Download', 'Save the answer as a file', () => this.save(), { class: 'quiet' }));
        this.element = make('form', {
            class: 'ask', onsubmit: (event) => {
                event.preventDefault();
                this.run(this.line.value);
            },
        }, make('div', { class: 'row' }, this.line, make('button', { type: 'submit' }, 'Run')),
        this.presets, this.after, this.output);
    }

    /** The element, with the questions that fit what a view shows; the first one is filled in. */
    shown(view) {
        const presets = presetsOf(this.live, view);
        fill(this.presets, choiceOf('Questions to begin with',
            [['', 'Begin with…'], ...presets.map(([name, line]) => [line, name])], '', (line) => {
                this.line.value = line;
                this.line.focus();
            }));
        if (this.line.value === this.filled) {
            [[, this.filled]] = presets;
            this.line.value = this.filled;
        }
        return this.element;
    }

    /** Makes the button that runs a shown command here, or null where the server runs none such. */
    runButton(command) {
        const { questions } = this.live.log;
        return questions.includes(lineWords(command)[1]) && button('Run', `Run: ${command}`, () => {
            if (this.live.words) this.live.view.go({ tab: 'ask' });
            this.run(command);
        }, { class: 'quiet' });
    }

    /** Asks a line, without the program and the log, which the server knows. */
    async run(line) {
        const words = lineWords(line);
        if (words[0] === this.live.log.program) words.shift();
        const log = words.indexOf('--log');
        if (log >= 0) words.splice(log, 2);
        this.line.value = line;
        if (this.asking) this.asking.abort();
        this.asking = new AbortController();
        const { signal } = this.asking;
        this.write('', 'Asking…');
        try {
            const { code, output, error, truncated } = await this.live.server.ask(
                '/ask', { words }, signal);
            this.fileName = words[0] === 'capture' && code === 0 ? 'scenario.yaml' : 'answer.txt';
            this.write(error + output, `${codeNames[code] || 'failed'} (${code})${
                truncated ? ', cut at 4 MB' : ''}`);
        } catch (error) {
            if (!signal.aborted) this.write('', error.message);
        }
    }

    write(text, state) {
        this.after.hidden = false;
        this.output.hidden = text === '';
        this.output.textContent = text.split('\n').map(visible).join('\n');
        this.state.textContent = state;
    }

    save() {
        const url = URL.createObjectURL(new Blob([this.output.textContent]));
        make('a', { href: url, download: this.fileName }).click();
        setTimeout(() => URL.revokeObjectURL(url), 1000);
    }
}

/** Questions to begin with, each as its name and line; the first is about what the view shows. */
function presetsOf(live, { story, place, commands }) {
    const line = (name, ...words) => [
        name, [live.log.program, ...words.map(quoted), live.log.logOption].join(' ')];
    const common = [line('newest events', 'log', '--reverse', '--limit', '20'),
        line('findings', 'audit'), line('late answers', 'late'), line('all reports', 'schema')];
    if (!story || place.row < 0) return common;
    const kind = bareKind(story.kinds[story.kind[place.row]].name);
    const searches = [['--kind', kind], ['--tag', story.source.tags[story.tags[place.row][0]]]]
        .filter(([, text]) => text).map(([option, text]) => line(
            `newest with ${text}`, 'log', option, text, '--reverse', '--limit', '20'));
    const entity = putFirst(story.changedEntities(place.row), place.entity).find(
        (each) => story.exists(each, place.row));
    if (entity === undefined) return [...searches, ...common];
    const { projection, key } = story.entities[entity];
    const fields = story.stateAt(entity, place.row);
    const { path, value } = fields.find((each) => each.path === place.path) || fields[0];
    const test = `${story.pathNames[path]} == ${JSON.stringify(story.values[value])}`;
    const rules = live.log.rules.find((each) => each !== story.source.rules);
    const ofEntity = projection ? [
        line('every change of it', 'history', projection, key),
        line(`first event after which ${test}`, 'bisect', projection, key, '--until', test),
        line('its scenario for a test', 'capture', projection, key, '--pseudonymise'),
        line(`rule set ${rules} compared`, 'compare', '--projection', projection, '--key', key,
            '--other-rules', rules),
    ] : [];
    return [
        ['this state', commands.state(entity, place.row)],
        [`who wrote ${story.pathNames[path]}`, commands.blame(entity, path, place.row)],
        ...ofEntity, ...searches, ...common,
    ];
}
