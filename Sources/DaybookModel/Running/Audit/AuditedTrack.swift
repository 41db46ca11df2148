import Daybook
import DaybookGeodesy

extension Running {
    /// The places of a completed run, as far as an audit of copies needs them.
    struct AuditedTrack {
        /// Places with times; at most 192, so that an audit can keep those of all runs.
        private(set) var path = TimedPath(limit: 192)
        /// Sample of the places without times.
        private(set) var sketch = TrackSketch()

        mutating func add(_ batch: LocationsRecorded) {
            for point in batch.points {
                guard let time = point.time, let place = point.place else { continue }
                path.add(time.microseconds, place)
            }
            sketch.add(batch.points)
        }

        /// Returns the track with its places in the order of their times.
        func finished() -> AuditedTrack {
            var track = self
            track.path.finish()
            return track
        }

        /// Time from the first place to the last, in microseconds.
        var lengthUs: Int64 { path.bounds.map { $0.end - $0.start } ?? 0 }

        /// Returns the difference of the clocks if another track is a copy of this one. Tracks
        /// without times agree by their places alone.
        func shiftUs(to other: AuditedTrack) -> Int64? {
            if path.places.isEmpty, other.path.places.isEmpty {
                return sketch.isSimilar(to: other.sketch) ? 0 : nil
            }
            return TrackCopy.shiftUs(from: path, to: other.path)
        }
    }
}

extension Running {
    /// A sample of a track's points without times: the smallest hash values of its points.
    ///
    /// Similar tracks share most of these hash values (a MinHash sketch).
    struct TrackSketch {
        /// Hash values in ascending order, at most `mostDigests`.
        private(set) var digests: [UInt64] = []

        /// Maximum number of hash values in a sketch.
        private static let mostDigests = 64

        /// Adds the points without a time; those with erased coordinates are skipped.
        mutating func add(_ points: [RunPoint]) {
            for point in points where point.time == nil && point.place != nil {
                insert(Self.digest(point))
            }
        }

        /// Inserts a hash value if it is among the `mostDigests` smallest.
        private mutating func insert(_ digest: UInt64) {
            let isFull = digests.count == Self.mostDigests
            guard !isFull || digest < digests[digests.count - 1] else { return }
            let index = digests.firstIndex { $0 >= digest } ?? digests.count
            guard index == digests.count || digests[index] != digest else { return }
            digests.insert(digest, at: index)
            if isFull { digests.removeLast() }
        }

        /// True if the sketches share at least two, and at least half, of the smallest hash values
        /// of both.
        func isSimilar(to other: TrackSketch) -> Bool {
            let (own, others) = (Set(digests), Set(other.digests))
            let least = own.union(others).sorted().prefix(Self.mostDigests)
            let shared = least.count { own.contains($0) && others.contains($0) }
            return shared > 1 && shared * 2 >= least.count
        }

        /// Returns a hash value of the coordinates of a point.
        private static func digest(_ point: RunPoint) -> UInt64 {
            var digest = FNV1a()
            for value in [point.latE9.value, point.lonE9.value] {
                digest.add(value == nil ? 0 : 1)
                var bits = UInt64(bitPattern: value ?? 0)
                for _ in 0..<8 {
                    digest.add(UInt8(truncatingIfNeeded: bits))
                    bits >>= 8
                }
            }
            return digest.value
        }
    }
}
