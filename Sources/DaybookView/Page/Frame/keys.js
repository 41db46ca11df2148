// Keys and the actions that they run; the palette offers the same actions.

const cycled = (choices, value) => choices[(choices.indexOf(value) + 1) % choices.length];

/** The actions that every view has: what they do, their key, and the action. */
function commonActions(view) {
    const pan = (share) => () => view.go({ range: panned(view.timeline, share) });
    return [
        ['next lanes', 'l', () => view.go({ lanes: cycled(laneModes, view.place.lanes), lane: 0 })],
        ['all of the timeline', '0', () => view.go({ range: null })],
        ['zoom in', '+', () => view.zoom(0.5, view.middle)],
        ['zoom out', '-', () => view.zoom(2, view.middle)],
        ['pan to earlier', 'ArrowLeft', pan(-0.15)],
        ['pan to later', 'ArrowRight', pan(0.15)],
        ['light or dark', 't', () => view.switchTheme()],
        ['keys', '?', () => view.dialogs.help.showModal()],
    ];
}

/** The actions of the page of a story. */
function pageActions(page) {
    const go = (change) => page.go(change);
    return [
        ['event before', ',', () => page.step(-1)],
        ['event after', '.', () => page.step(1)],
        ['event of this entity before', '[', () => page.stepOf(false, -1)],
        ['event of this entity after', ']', () => page.stepOf(false, 1)],
        ['change of this field before', '{', () => page.stepOf(true, -1)],
        ['change of this field after', '}', () => page.stepOf(true, 1)],
        ['compare with this moment', 'm', () => page.compareFrom(page.place.row)],
        ['other clock', 'c',
            () => go({ clock: cycled(['recorded', 'occurred'], page.place.clock), range: null })],
        ['other axis: time or order', 'x',
            () => go({ axis: cycled(['time', 'order'], page.place.axis), range: null })],
        ['hide or show inert events', 'i', () => go({ hideInert: !page.place.hideInert })],
        ['bring the moment into sight', 'f', () => page.focus()],
        ['further lanes', 'PageDown', () => page.timeline.scroll(page.timeline.lanes.page)],
        ['lanes before', 'PageUp', () => page.timeline.scroll(-page.timeline.lanes.page)],
        ['next match', 'n', () => page.nextMatch(1)],
        ['match before', 'N', () => page.nextMatch(-1)],
        ['search', '/', () => page.frame.search.focus()],
        ...commonActions(page),
        ...tabs.map((tab, index) => [`view: ${tabNames[tab].toLowerCase()}`, String(index + 1),
            () => go({ tab })]),
    ];
}

/** Keys that do the same as another one. */
const otherKeys = { '=': '+', w: '+', _: '-', s: '-', a: 'ArrowLeft', d: 'ArrowRight' };

function listenToKeys(view) {
    const actions = new Map(view.actions.map(([, key, run]) => [key, run]));
    view.listen(document, 'keydown', (event) => {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
            event.preventDefault();
            return view.dialogs.openPalette();
        }
        const isOther = event.ctrlKey || event.metaKey || event.altKey;
        if (isOther || document.querySelector('dialog[open]')) return;
        const { target } = event;
        if (event.key === 'Escape') {
            // Firefox would clear the field.
            event.preventDefault();
            if (target.matches('input')) target.blur();
            else if (view.place.path >= 0) view.go({ path: -1 });
            return;
        }
        const writes = target.matches('input:not([type=checkbox]), select');
        if (writes && !(target.type === 'range' && event.key.length === 1)) return;
        const lower = event.key.toLowerCase();
        const run = actions.get(event.key) || actions.get(otherKeys[lower] || lower);
        if (!run || (event.key.startsWith('Page') && target.closest('.panel, .event'))) return;
        event.preventDefault();
        run();
    });
}
