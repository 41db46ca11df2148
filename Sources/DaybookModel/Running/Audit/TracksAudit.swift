import Daybook

extension Running {
    /// Finds completed runs whose tracks cannot come from a single run on foot.
    struct TracksAudit {
        /// An active run's track, and the signs so far that it is not a single run on foot.
        private struct Track {
            var userId: String
            var isImported: Bool
            /// Collects the signs.
            var doubts: TrackDoubtFinder
        }

        /// Tracks of active runs, by run id.
        private var tracks: [String: Track] = [:]

        /// Applies an event; when a run is completed, checks its track by rules C15, C16 and C17.
        /// Runs under the rule set `source` have no limits and are skipped.
        mutating func findings(at event: Event, _ position: Position) -> [TaggedFinding] {
            switch event {
            case .runStarted(let started):
                guard started.rules == .standard else { return [] }
                tracks[started.runId] = Track(
                    userId: started.userId, isImported: started.mode == .imported,
                    doubts: TrackDoubtFinder(maxSpeedMmPerS: started.maxSpeedMmPerS))
                return []
            case .locationsRecorded(let batch):
                tracks[batch.runId]?.doubts.add(batch)
                return []
            case .runCompleted(let completed):
                guard let track = tracks.removeValue(forKey: completed.runId) else { return [] }
                return findings(track, completed.runId, Int64(position.rawValue))
            case .runDiscarded(let discarded):
                tracks[discarded.runId] = nil
                return []
            default: return []
            }
        }

        /// Checks a complete track by rule C15 (too fast), C16 (overlapping segments) and C17
        /// (several outings).
        private func findings(
            _ track: Track, _ runId: String, _ position: Int64
        ) -> [TaggedFinding] {
            let doubts = track.doubts.result
            var findings: [TaggedFinding] = []
            func find(_ rule: String, _ expected: String, _ found: String) {
                findings.append(
                    (
                        [tag(runId), userTag(track.userId)],
                        Finding(
                            rule: rule, position: position, entity: "run:\(runId)",
                            expected: expected, found: found)
                    ))
            }
            if doubts.fastLegCount > 0 {
                let top = doubts.fastestMmPerS.map { ", up to \(Self.metres($0)) m/s" } ?? ""
                find(
                    "C15", "at most \(Self.metres(doubts.limitMmPerS)) m/s from place to place",
                    "\(doubts.fastLegCount.counted("faster step")) of "
                        + "\(Self.metres(doubts.fastMm)) m in all\(top)")
            }
            guard track.isImported else { return findings }
            for overlap in doubts.overlaps {
                find(
                    "C16", "segments one after the other",
                    "segment \(overlap.segment) overlaps segment \(overlap.earlierSegment) for "
                        + lengthText(overlap.overlapUs))
            }
            if doubts.outingCount > 1 {
                find("C17", "one outing", "\(doubts.outingCount) more than 3 hours apart")
            }
            return findings
        }

        /// Converts millimetres to the text of a number of metres, with three decimals.
        private static func metres(_ millimetres: Int64) -> String {
            millimetres.decimalText(places: 3)
        }
    }
}
