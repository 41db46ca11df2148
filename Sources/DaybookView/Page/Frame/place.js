// The place in the story: all that a reader chose, as it stands in the fragment of the address.

const laneModes = ['entity', 'kind', 'actor', 'device'];
const tabs = ['state', 'cycle', 'findings', 'late', 'alternative', 'search'];

/** The log's own clock, except where all was recorded at once, long after it occurred. */
function firstClock(story) {
    const span = ({ rows }, times) => times[rows[rows.length - 1]] - times[rows[0]];
    if (story.count === 0) return 'recorded';
    const { recorded, occurred } = story.orders;
    return span(recorded, story.recorded) * 10 < span(occurred, story.occurred)
        ? 'occurred' : 'recorded';
}

/** Time, except where one gap is most of it and would leave the events on a few pixels. */
function firstAxis(story) {
    const clock = firstClock(story);
    const { rows } = story.orders[clock];
    const times = story[clock];
    let gap = 0;
    for (let at = 1; at < rows.length; at++) {
        gap = Math.max(gap, times[rows[at]] - times[rows[at - 1]]);
    }
    const span = rows.length < 3 ? 0 : times[rows[rows.length - 1]] - times[rows[0]];
    return gap * 2 > span && span > 0 ? 'order' : 'time';
}

/** Where a reader starts: at the end, with everything in sight. */
function firstPlace(story) {
    return {
        row: story.count - 1,
        clock: firstClock(story),
        axis: firstAxis(story),
        lanes: 'entity',
        /** The part of the axis in sight, or null for all of it. */
        range: null,
        folded: new Set(),
        hideInert: false,
        entity: story.subject,
        path: -1,
        tab: ['comparison', 'what-if'].includes(story.source.subject.kind)
            ? 'alternative' : 'state',
        alternative: 0,
        query: '',
        zone: story.source.zone || 'own',
    };
}

/** The fragment of a place. What is as at first is left out. */
function fragmentOf(place, story) {
    const first = firstPlace(story);
    const parts = [];
    const add = (name, value) => parts.push(`${name}=${encodeURIComponent(value)}`);
    if (place.row !== first.row) add('at', place.row < 0 ? 0 : story.position[place.row]);
    for (const name of ['clock', 'axis', 'lanes', 'tab', 'zone', 'alternative']) {
        if (place[name] !== first[name]) add(name, place[name]);
    }
    if (place.range) add('range', place.range.map((each) => Math.round(each)).join('_'));
    for (const kind of place.folded) add('fold', story.kinds[kind].name);
    if (place.hideInert) add('inert', 'hidden');
    if (place.entity !== first.entity) {
        add('entity', place.entity < 0 ? '' : story.entityNames[place.entity]);
    }
    if (place.path >= 0) add('field', story.pathNames[place.path]);
    if (place.query) add('search', place.query);
    return parts.join('&');
}

/** The place of a fragment. What it does not say, or says wrongly, is as at first. */
function placeOf(fragment, story) {
    const place = firstPlace(story);
    for (const part of fragment.replace(/^#/, '').split('&')) {
        const at = part.indexOf('=');
        if (at > 0) readPart(place, part.slice(0, at), decoded(part.slice(at + 1)), story);
    }
    return place;
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return '';
    }
}

function readPart(place, name, value, story) {
    const oneOf = (choices) => { if (choices.includes(value)) place[name] = value; };
    switch (name) {
    case 'at':
        if (/^\d{1,16}$/.test(value)) place.row = story.rowOf(Number(value));
        break;
    case 'clock': oneOf(['recorded', 'occurred']); break;
    case 'axis': oneOf(['time', 'order']); break;
    case 'lanes': oneOf(laneModes); break;
    case 'tab': oneOf(tabs); break;
    case 'zone': oneOf(zoneChoices(story)); break;
    case 'alternative':
        if (story.alternatives[Number(value)]) place.alternative = Number(value);
        break;
    case 'range': {
        const range = value.split('_').map(Number);
        if (range.length === 2 && range.every(Number.isFinite) && range[0] < range[1]) {
            place.range = range;
        }
        break;
    }
    case 'fold': {
        const kind = story.kinds.findIndex((each) => each.name === value);
        if (kind >= 0) place.folded.add(kind);
        break;
    }
    case 'inert': place.hideInert = value === 'hidden'; break;
    case 'entity': place.entity = story.entityNames.indexOf(value); break;
    case 'field': place.path = story.pathNames.indexOf(value); break;
    case 'search': place.query = value; break;
    default: break;
    }
}

function zoneChoices(story) {
    const named = [story.source.zone, ...story.source.zones].filter((zone) => zone);
    return [...new Set(['own', 'UTC', ...named])];
}
