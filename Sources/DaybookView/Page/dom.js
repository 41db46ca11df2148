// Elements. Everything that a story holds becomes text, a title or a label, never markup.

/**
 * Makes an element of HTML.
 *
 * A property `onclick` adds a listener; `true` gives an attribute without a value, and `false`,
 * `null` and `undefined` give none. Names of tags and properties never come from a story.
 */
function make(tag, properties, ...children) {
    return filled(document.createElement(tag), properties, children);
}

/** Makes an element of SVG, by the rules of `make`. */
function draw(tag, properties, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    return filled(element, properties, children);
}

function filled(element, properties, children) {
    for (const [name, value] of Object.entries(properties || {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith('on')) {
            element.addEventListener(name.slice(2), value);
        } else {
            element.setAttribute(name, value === true ? '' : visible(String(value)));
        }
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

const unseen =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

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

/** Copies a text, also where a browser has no clipboard for files. */
async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = make('textarea', { class: 'aside', 'aria-hidden': 'true' });
        area.value = text;
        const host = document.querySelector('dialog[open]') || document.body;
        host.append(area);
        const focused = document.activeElement;
        area.select();
        const copied = document.execCommand('copy');
        area.remove();
        if (focused) focused.focus();
        return copied;
    }
}

/** A command in one line, with a button that copies it. */
function commandLine(command, label) {
    const copier = button('Copy', `Copy: ${command}`, async () => {
        copier.textContent = (await copy(command)) ? 'Copied' : 'Select it';
        setTimeout(() => { copier.textContent = 'Copy'; }, 1200);
    }, { class: 'quiet', 'aria-label': label || 'Copy the command' });
    return make('div', { class: 'command' },
        make('code', { title: command }, command), copier);
}

/** A number with thin groups of thousands, the same everywhere. */
function grouped(number) {
    return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

/** A number with its noun. */
function counted(number, noun, plural) {
    return `${grouped(number)} ${number === 1 ? noun : plural || `${noun}s`}`;
}
