// The address: the place stands in its fragment, so that a link shows what its sender saw.

const restMilliseconds = 250;

/** Keeps the fragment and the place equal. */
class Address {
    constructor(page) {
        this.page = page;
        this.timer = 0;
        this.isStep = false;
        addEventListener('popstate', () => this.read());
        addEventListener('hashchange', () => this.read());
    }

    /** Writes the place when it rests: a moment, field or view makes a step back possible. */
    change(before, after) {
        const steps = ['row', 'entity', 'path', 'tab', 'alternative', 'lanes', 'query'];
        this.isStep = this.isStep || steps.some((name) => before[name] !== after[name]);
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.write(), restMilliseconds);
    }

    write() {
        clearTimeout(this.timer);
        this.timer = 0;
        const { page } = this;
        const fragment = `#${fragmentOf(page.place, page.story)}`;
        const { isStep } = this;
        this.isStep = false;
        if (fragment === (location.hash || '#')) return;
        if (isStep) history.pushState(null, '', fragment);
        else history.replaceState(null, '', fragment);
        page.frame.status.textContent = page.place.row < 0 ? '' : page.frame.moment.textContent;
    }

    read() {
        const { page } = this;
        const fragment = fragmentOf(page.place, page.story);
        if ((location.hash || '#').slice(1) === fragment) return;
        clearTimeout(this.timer);
        const place = placeOf(location.hash, page.story);
        page.go(place);
        clearTimeout(this.timer);
        this.isStep = false;
    }
}
