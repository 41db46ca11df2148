// Keys and the actions that they run; the palette offers the same actions.

function cycled(choices, value) {
    return choices[(choices.indexOf(value) + 1) % choices.length];
}

/** The actions of a page: what they do, their key, and the action. */
function pageActions(page) {
    const go = (change) => page.go(change);
    const otherClock = () => go({
        clock: page.place.clock === 'recorded' ? 'occurred' : 'recorded', range: null,
    });
    return [
        ['event before', ',', () => page.step(-1)],
        ['event after', '.', () => page.step(1)],
        ['event of this entity before', '[', () => page.stepOf(false, -1)],
        ['event of this entity after', ']', () => page.stepOf(false, 1)],
        ['change of this field before', '{', () => page.stepOf(true, -1)],
        ['change of this field after', '}', () => page.stepOf(true, 1)],
        ['other clock', 'c', otherClock],
        ['other axis: time or order', 'x',
            () => go({ axis: page.place.axis === 'time' ? 'order' : 'time', range: null })],
        ['next lanes', 'l', () => go({ lanes: cycled(laneModes, page.place.lanes) })],
        ['hide or show inert events', 'i', () => go({ hideInert: !page.place.hideInert })],
        ['bring the moment into sight', 'f', () => page.focus()],
        ['all of the timeline', '0', () => go({ range: null })],
        ['zoom in', '+', () => page.zoom(0.5)],
        ['zoom out', '-', () => page.zoom(2)],
        ['next match', 'n', () => page.nextMatch(1)],
        ['match before', 'N', () => page.nextMatch(-1)],
        ['light or dark', 't', () => page.switchTheme()],
        ['search', '/', () => page.frame.search.focus()],
        ['keys', '?', () => page.dialogs.openHelp()],
        ...tabs.map((tab, index) => [`view: ${tabNames[tab].toLowerCase()}`, String(index + 1),
            () => go({ tab })]),
    ];
}

/** Keys that do the same as another one. */
const otherKeys = {
    '=': '+', w: '+', W: '+', '_': '-', s: '-', S: '-',
    C: 'c', X: 'x', L: 'l', I: 'i', F: 'f', T: 't',
};

function listenToKeys(page) {
    const actions = new Map(page.actions.map(([, key, run]) => [key, run]));
    const pan = (share) => () => page.go({ range: panned(page.timeline, share) });
    for (const [key, share] of [['ArrowLeft', -0.15], ['a', -0.15], ['A', -0.15],
        ['ArrowRight', 0.15], ['d', 0.15], ['D', 0.15]]) actions.set(key, pan(share));
    document.addEventListener('keydown', (event) => {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
            event.preventDefault();
            page.dialogs.openPalette();
            return;
        }
        const isOther = event.ctrlKey || event.metaKey || event.altKey;
        if (isOther || document.querySelector('dialog[open]')) return;
        const { target } = event;
        if (event.key === 'Escape') {
            if (target === page.frame.search) target.blur();
            else if (page.place.path >= 0) page.go({ path: -1 });
            return;
        }
        const writes = target.matches('input:not([type=checkbox]), select, textarea');
        if (writes && !(target.type === 'range' && event.key.length === 1)) return;
        const run = actions.get(otherKeys[event.key] || event.key);
        if (!run) return;
        event.preventDefault();
        run();
    });
}

/** Paper is light, whatever the screen is. */
function listenToPrinting(page) {
    const root = document.documentElement;
    let theme;
    addEventListener('beforeprint', () => {
        theme = root.dataset.theme;
        root.dataset.theme = 'light';
        page.readTheme();
        page.isPrinted = true;
        page.timeline.drawBase();
        page.timeline.drawAbove();
        page.table.draw();
    });
    addEventListener('afterprint', () => {
        if (theme === undefined) delete root.dataset.theme;
        else root.dataset.theme = theme;
        page.isPrinted = false;
        page.readTheme();
        page.redraw('size');
    });
}
