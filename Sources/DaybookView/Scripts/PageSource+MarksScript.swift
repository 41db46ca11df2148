// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Timeline/marks.js`.
    static let marksScript = #"""
        // Marks: how kinds look, and the painting of many events into the pixels of a canvas.

        const kindColors = 8;

        /** The colours of the style in the present theme, as texts for a canvas and as pixels. */
        class Palette {
            constructor(kinds) {
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
                this.kinds = Array.from({ length: kinds }, (_, kind) => colors[kind % kindColors]);
                const under = channels(this.background);
                this.pale = this.kinds.map((each) => mixed(each, under, 0.35));
                this.kindPixels = Uint32Array.from(this.kinds, pixel);
                this.palePixels = Uint32Array.from(this.pale, pixel);
            }
        }

        /** Red, green and blue of a computed colour: rgb(1, 2, 3). */
        function channels(color) {
            return color.match(/\d+/g).slice(0, 3).map(Number);
        }

        function mixed(color, under, share) {
            const parts = channels(color).map(
                (each, at) => Math.round(each * share + under[at] * (1 - share)));
            return `rgb(${parts.join(', ')})`;
        }

        /** A colour as a pixel of an image: little-endian red, green, blue, alpha. */
        function pixel(color) {
            const [red, green, blue] = channels(color);
            return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
        }

        /** The outline of a kind's mark: colours repeat after eight kinds, so the shape changes then. */
        function traceMark(context, kind, x, y, size) {
            context.beginPath();
            switch (Math.floor(kind / 8) % 4) {
            case 0: context.arc(x, y, size, 0, Math.PI * 2); break;
            case 1: context.rect(x - size * 0.85, y - size * 0.85, size * 1.7, size * 1.7); break;
            case 2:
                context.moveTo(x, y - size * 1.2);
                context.lineTo(x + size * 1.2, y);
                context.lineTo(x, y + size * 1.2);
                context.lineTo(x - size * 1.2, y);
                context.closePath();
                break;
            default:
                context.moveTo(x, y - size);
                context.lineTo(x + size, y + size * 0.9);
                context.lineTo(x - size, y + size * 0.9);
                context.closePath();
            }
        }

        /** A kind's mark for the legend and the table. */
        function markElement(kind) {
            const shapes = [
                () => draw('circle', { cx: 6, cy: 6, r: 4 }),
                () => draw('rect', { x: 2.5, y: 2.5, width: 7, height: 7 }),
                () => draw('path', { d: 'M6 1L11 6L6 11L1 6Z' }),
                () => draw('path', { d: 'M6 2L10.5 10H1.5Z' }),
            ];
            return draw('svg', {
                class: `mark color-${kind % kindColors}`, viewBox: '0 0 12 12', 'aria-hidden': 'true',
            }, shapes[Math.floor(kind / 8) % 4]());
        }

        /**
         * Paints rows into bins of a pixel: one column for each pixel, its height by how many are in it.
         *
         * `x` gives the pixel of a row, or anything out of sight. A bin has the colour of its last event
         * that changed something.
         */
        class Bins {
            constructor(width, lanes) {
                this.width = width;
                this.counts = new Uint16Array(width * lanes);
                this.kinds = new Int16Array(width * lanes);
                this.bright = new Uint8Array(width * lanes);
            }

            add(x, lane, kind, isPale) {
                const bin = lane * this.width + x;
                if (this.counts[bin] < 65535) this.counts[bin]++;
                if (!isPale || this.bright[bin] === 0) this.kinds[bin] = kind;
                if (!isPale) this.bright[bin] = 1;
            }

            /** Writes the bins as pixels; lane l has the pixels from `top(l)`, `height` of them. */
            paint(pixels, palette, top, height) {
                const most = height - 4;
                const lanes = this.counts.length / this.width;
                for (let lane = 0; lane < lanes; lane++) {
                    const bottom = Math.round(top(lane)) + height - 2;
                    for (let x = 0; x < this.width; x++) {
                        const bin = lane * this.width + x;
                        const count = this.counts[bin];
                        if (count === 0) continue;
                        const share = 0.4 + 0.1 * Math.log2(count);
                        const size = Math.max(2, Math.min(most, Math.round(most * share)));
                        const kind = this.kinds[bin];
                        const color = (this.bright[bin] ? palette.kindPixels : palette.palePixels)[kind];
                        let at = (bottom - size) * this.width + x;
                        for (let y = 0; y < size; y++, at += this.width) pixels[at] = color;
                    }
                }
            }
        }

        """#
}
