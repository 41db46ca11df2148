// Elements. Everything that a story holds becomes text, a title or a label, never markup.

const drawn = ['svg', 'g', 'path', 'rect', 'text', 'title'];

/**
 * Makes an element of HTML or SVG.
 *
 * A property `onclick` adds a listener; `true` gives an attribute without a value, and `false`,
 * `null` and `undefined` give none. Names of tags and properties never come from a story.
 */
function make(tag, properties, ...children) {
    const element = drawn.includes(tag)
        ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? '' : visible(String(value)));
    }
    append(element, children);
    return element;
}

function append(element, children) {
    for (const child of children) {
        if (Array.isArray(child)) append(element, child);
        else if (child instanceof Node) element.append(child);
        else if (child !== null && child !== undefined && child !== false) {
            element.append(visible(String(child)));
        }
    }
}

const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A text whose characters are all seen: those that control a terminal, end a line or turn the
 * direction of what follows are written as their code, so that no text can pass for another.
 */
function visible(text) {
    return text.replace(unseen, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Puts children in place of those that an element has. */
function fill(element, ...children) {
    element.replaceChildren();
    append(element, children);
}

/** A button with a text, and a title that names its key. */
function button(text, title, action, properties) {
    return make('button', { type: 'button', title, onclick: action, ...properties }, text);
}

const muted = (...children) => make('p', { class: 'muted' }, children);

const span = (style, ...children) => make('span', { class: style }, children);

/** The row of a table that names its columns. */
function columnHeads(names) {
    return make('tr', null, names.map((name) => make('th', { scope: 'col' }, name)));
}

/** A card with a heading of its own and controls beside it. */
function card(label, style, heading, ...children) {
    return make('section', { class: `card ${style}`, 'aria-label': label },
        make('header', { class: 'card-head' }, heading), children);
}

/** A choice among values, each a text or a value and its text. */
function choiceOf(label, choices, chosen, action, properties) {
    const select = make('select', {
        'aria-label': label, onchange: () => action(select.value), ...properties,
    }, choices.map((choice) => [choice].flat()).map(
        ([value, text = value]) => make('option', { value, selected: value === chosen }, text)));
    return select;
}

/** A button that copies a text; where a browser has no clipboard, it selects the text instead. */
function copyButton(textOf, element, label) {
    const copier = button('Copy', label, async () => {
        try {
            await navigator.clipboard.writeText(textOf());
            copier.textContent = 'Copied';
        } catch {
            getSelection().selectAllChildren(element);
            copier.textContent = 'Selected';
        }
        setTimeout(() => { copier.textContent = 'Copy'; }, 1200);
    }, { class: 'quiet', 'aria-label': label });
    return copier;
}

/** Makes the button that runs a command, or null: a page without a server runs none. */
let runButton = () => null;

/** A command in one line, with a button that copies it. */
function commandLine(command, label = 'Copy the command') {
    const code = make('code', { title: command }, command);
    return make('div', { class: 'command' }, code, copyButton(() => command, code, label),
        runButton(command));
}

/** A number with thin groups of thousands, the same everywhere. */
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');

function counted(number, noun, plural) {
    return `${grouped(number)} ${number === 1 ? noun : plural || `${noun}s`}`;
}
