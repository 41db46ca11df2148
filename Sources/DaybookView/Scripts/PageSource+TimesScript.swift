// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Story/times.js`.
    static let timesScript = #"""
        // Times: microseconds since 1970, shown by the clock of a zone.

        const [second, minute, hour, day] = [1e6, 60e6, 3600e6, 86400e6];

        const padded = (number, width = 2) => String(number).padStart(width, '0');

        /**
         * Shows times in UTC, in one zone, or each by the offset of its event (`own`).
         *
         * A zone's offsets come with the page: those of the browser may be of another release.
         */
        class Times {
            constructor(zone, clocks = []) {
                const clock = clocks.find((each) => each.zone === zone);
                this.zone = clock || zone === 'own' ? zone : 'UTC';
                this.isNamed = Boolean(clock);
                /** The offsets in seconds, and the second from which each but the first applies. */
                this.offsets = clock ? clock.offsetS : [0];
                this.starts = clock ? withoutDifferences(clock.from) : [];
            }

            /** The zone's offset from UTC at a time, in microseconds; `own` is the offset of an event. */
            offsetAt(time, own = 0) {
                if (this.zone === 'own') return own * second;
                const { starts } = this;
                return this.offsets[endWhere(0, starts.length, (at) => starts[at] * second <= time)]
                    * second;
            }

            /** The date and the time of day by the clock on the wall, to the millisecond. */
            wall(time, own) {
                const date = new Date((time + this.offsetAt(time, own)) / 1000);
                return date.toISOString().slice(0, -1).split('T');
            }

            date(time, own) {
                return this.wall(time, own)[0];
            }

            clock(time, own) {
                const micros = ((time % second) + second) % second;
                const [, clock] = this.wall(time, own);
                if (micros % 1000 !== 0) return `${clock.slice(0, 8)}.${padded(micros, 6)}`;
                return micros === 0 ? clock.slice(0, 8) : clock;
            }

            offsetText(time, own) {
                const minutes = Math.round(this.offsetAt(time, own) / minute);
                if (minutes === 0) return 'Z';
                const size = Math.abs(minutes);
                return `${minutes < 0 ? '−' : '+'}${padded(Math.floor(size / 60))}:${padded(size % 60)}`;
            }

            /** A time without its offset where the page names the zone that it shows. */
            short(time, own) {
                return this.isNamed ? `${this.date(time)} ${this.clock(time)}` : this.full(time, own);
            }

            full(time, own) {
                return `${this.date(time, own)} ${this.clock(time, own)} ${this.offsetText(time, own)}`;
            }

            /** The ticks of an axis by the clock on the wall: time, label, and whether a day begins. */
            ticks(from, to, most, own) {
                const step = this.step((to - from) / Math.max(1, most));
                const ticks = [];
                const start = from + this.offsetAt(from, own);
                let wall = step.months
                    ? this.month(start, 0, step.months) : Math.floor(start / step.size) * step.size;
                for (let count = 0; count < 400; count++) {
                    const time = wall - this.offsetAt(wall - this.offsetAt(wall, own), own);
                    if (time > to) break;
                    if (time >= from) ticks.push(this.tick(time, wall, step, own));
                    wall = step.months ? this.month(wall, step.months, step.months) : wall + step.size;
                }
                return ticks;
            }

            tick(time, wall, { size, months }, own) {
                const isDay = wall % day === 0;
                const date = this.date(time, own);
                if (months) return { time, label: date.slice(0, months >= 12 ? -6 : -3), isDay };
                const clock = this.clock(time, own).slice(0, size >= minute ? 5 : undefined);
                return { time, label: isDay ? date.slice(5) : clock, isDay };
            }

            step(least) {
                const sizes = [
                    1, 10, 100, 1e3, 1e4, 1e5, second, 2 * second, 5 * second, 15 * second, 30 * second,
                    minute, 2 * minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour,
                    6 * hour, 12 * hour, day, 2 * day, 7 * day];
                const size = sizes.find((each) => each >= least);
                if (size) return { size };
                const months = [1, 3, 6, 12, 60, 120, 1200, 12000].find((each) => each * 30 * day >= least);
                return { months: months || 120000 };
            }

            /** The start of a month by the clock on the wall, some months on, in whole groups of months. */
            month(wall, added, group) {
                const date = new Date(wall / 1000);
                const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + added;
                const first = Math.floor(months / group) * group;
                const start = new Date(0);
                start.setUTCFullYear(Math.floor(first / 12), ((first % 12) + 12) % 12, 1);
                return start.getTime() * 1000;
            }
        }

        /** A length of time in its two largest units. */
        function lengthText(micros) {
            const units = [[day, 'd'], [hour, 'h'], [minute, 'min'], [second, 's'], [1e3, 'ms'], [1, 'µs']];
            const size = Math.abs(micros);
            const at = Math.max(0, units.findIndex(([unit]) => size >= unit));
            const [unit, name] = units[at];
            const whole = Math.floor(size / unit);
            const rest = at < 3 ? Math.floor((size - whole * unit) / units[at + 1][0]) : 0;
            return rest > 0 ? `${whole} ${name} ${rest} ${units[at + 1][1]}` : `${whole} ${name}`;
        }

        """#
}
