// Marks: how kinds look, and the painting of many events into the pixels of a canvas.

const kindColors = 8;

/** The colours of the style in the present theme, as texts for a canvas and as pixels. */
class Palette {
    constructor(looks) {
        const probe = make('span', { hidden: true });
        document.body.append(probe);
        const color = () => getComputedStyle(probe).color;
        for (const name of ['background', 'line', 'text', 'muted', 'accent', 'bad', 'warn']) {
            probe.style.color = `var(--${name})`;
            this[name] = color();
        }
        probe.style.color = '';
        const colors = Array.from({ length: kindColors }, (_, index) => {
            probe.className = `color-${index}`;
            return color();
        });
        probe.remove();
        this.kinds = Array.from({ length: looks }, (_, look) => colors[look % kindColors]);
        const under = channels(this.background);
        const mixed = (share) => Array.from({ length: looks }, (_, look) => channels(
            colors[look % kindColors]).map((each, at) => Math.round(
            each * share + under[at] * (1 - share))));
        const text = (parts) => `rgb(${parts.join(', ')})`;
        // A pixel of an image is little-endian: red, green, blue, alpha.
        const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
        const [full, pale] = [mixed(1), mixed(0.35)];
        [this.kinds, this.pale] = [full.map(text), pale.map(text)];
        this.kindPixels = Uint32Array.from(full, pixel);
        this.palePixels = Uint32Array.from(pale, pixel);
    }
}

/** Red, green and blue of a computed colour: rgb(1, 2, 3). */
const channels = (color) => color.match(/\d+/g).slice(0, 3).map(Number);

/** The outlines of marks in a square of 12. Colours repeat after eight; then the shape changes. */
const markShapes = [
    'M6 1.5A4.5 4.5 0 0 1 6 10.5A4.5 4.5 0 0 1 6 1.5Z', 'M2 2H10V10H2Z',
    'M6 0.5L11.5 6L6 11.5L0.5 6Z', 'M6 1L11 10.5H1Z'];

const markPaths = markShapes.map((shape) => new Path2D(shape));

const shapeOf = (look) => Math.floor(look / kindColors) % markShapes.length;

/** Fills a mark of a look around a point; its size is that of half a circle. */
function fillMark(context, look, x, y, size) {
    const scale = size / 4.5;
    context.translate(x - 6 * scale, y - 6 * scale);
    context.scale(scale, scale);
    context.fill(markPaths[shapeOf(look)]);
    context.scale(1 / scale, 1 / scale);
    context.translate(6 * scale - x, 6 * scale - y);
}

/** A kind's mark for the legend and the table. */
function markElement(look) {
    return make('svg', {
        class: `mark color-${look % kindColors}`, viewBox: '0 0 12 12', 'aria-hidden': 'true',
    }, make('path', { d: markShapes[shapeOf(look)] }));
}

/**
 * Counts events in bins of a pixel: one column for each pixel, its height by how many are in it.
 *
 * A bin has the colour of its last event that changed something.
 */
class Bins {
    constructor(width, lanes) {
        this.width = width;
        this.counts = new Uint32Array(width * lanes);
        this.looks = new Int16Array(width * lanes);
        this.bright = new Uint8Array(width * lanes);
    }

    add(x, lane, look, isPale, count = 1) {
        const bin = lane * this.width + x;
        this.counts[bin] += count;
        if (!isPale || this.bright[bin] === 0) this.looks[bin] = look;
        if (!isPale) this.bright[bin] = 1;
    }

    /** Paints the bins below a height; each lane has some pixels. */
    paint(context, palette, fromTop, laneHeight) {
        const height = Math.round(laneHeight);
        const most = height - 4;
        const lanes = this.counts.length / this.width;
        const image = context.createImageData(this.width, Math.ceil(lanes * laneHeight) + 1);
        const pixels = new Uint32Array(image.data.buffer);
        for (let bin = 0; bin < this.counts.length; bin++) {
            if (this.counts[bin] === 0) continue;
            const bottom = Math.round(Math.floor(bin / this.width) * laneHeight) + height - 2;
            const share = 0.4 + 0.1 * Math.log2(this.counts[bin]);
            const size = Math.max(2, Math.min(most, Math.round(most * share)));
            const colors = this.bright[bin] ? palette.kindPixels : palette.palePixels;
            const color = colors[this.looks[bin]];
            let at = (bottom - size) * this.width + (bin % this.width);
            for (let y = 0; y < size; y++, at += this.width) pixels[at] = color;
        }
        context.putImageData(image, 0, fromTop);
    }
}
