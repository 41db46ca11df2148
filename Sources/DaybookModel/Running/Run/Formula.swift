import Daybook

extension Running {
    /// The formulas for time, pace, speed and energy, in integers.
    enum Formula {
        /// Converts microseconds to milliseconds, rounded half away from zero and clamped to 64
        /// bits.
        static func milliseconds(_ microseconds: Int128) -> Int64 {
            clamped((microseconds + (microseconds < 0 ? -500 : 500)) / 1_000)
        }

        /// Returns the pace in milliseconds per kilometre, rounded half up; `nil` without distance
        /// or time.
        static func pace(_ timeMs: Int64, _ distanceMm: Int64) -> Int64? {
            guard timeMs > 0, distanceMm > 0 else { return nil }
            let distance = Int128(distanceMm)
            return clamped((Int128(timeMs) * 2_000_000 + distance) / (distance * 2))
        }

        /// Returns the speed in mm/s, rounded half up; `nil` if the time is not positive or the
        /// distance is negative.
        static func speedMmPerS(_ distanceMm: Int64, _ timeUs: Int128) -> Int64? {
            guard timeUs > 0, distanceMm >= 0 else { return nil }
            return clamped((Int128(distanceMm) * 2_000_000 + timeUs) / (timeUs * 2))
        }

        /// Returns the energy in kilocalories at 60 per kilometre, rounded down. Source: S1,
        /// `Int(distance * 60)`.
        static func kcal(_ distanceMm: Int64) -> Int64 {
            clamped(Int128(max(0, distanceMm)) * 60 / 1_000_000)
        }

        /// Returns the energy in kilocalories from average speed, body weight and time, rounded
        /// down.
        ///
        /// kcal = minutes · MET · 3.5 · kg / 200, MET = max(1.5, 1.117 · km/h − 2.1906):
        /// FitoTrack's formula for running. With distance in mm and time in ms, MET · time is
        /// 4.0212 · distance − 2.1906 · time.
        static func kcalMet(_ distanceMm: Int64, _ timeMs: Int64, weightG: Int64) -> Int64 {
            let distance = Int128(max(0, distanceMm))
            let time = Int128(max(0, timeMs))
            let met = max(15_000 * time, 40_212 * distance - 21_906 * time)
            return clamped(
                met * 35 * Int128(min(max(0, weightG), 1_000_000)) / 1_200_000_000_000_000)
        }

        /// Returns the nearest 64-bit value.
        private static func clamped(_ value: Int128) -> Int64 { Int64(clamping: value) }
    }
}
