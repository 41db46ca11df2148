import Daybook
import DaybookLog
import Foundation

/// Proofs of events, and the tree over the commits that they need.
struct ProofRows {
    let logs: Logs
    /// Events of the log, one a commit.
    let events: Int
    private let repeats = 5

    func measure() throws -> [Row] {
        try logs.fresh { path in
            try fill(path, events)
            let plain = try times(ofVerifying: path)
            let hashing = try Measure.alone(2) { try seconds(ofHashing: path) }
            let storing = try logs.fresh { copy in
                try Measure.alone(repeats) { try seconds(ofStoring: path, at: copy) }
            }
            try EventLog(path: path, access: .write).proofs.storeTree()
            let verifying = try times(ofVerifying: path)
            return [
                row("a tree in memory, of \(events) commits", hashing, perSecondOf: events, "–"),
                row("the stored tree of these", storing, perSecondOf: events, "≥ 100 k"),
                Row(
                    name: "proofs", work: "verify: without the tree, with it", unit: "events/s",
                    base: .init(perSecondOf: events, plain),
                    own: .init(perSecondOf: events, verifying), reach: "–",
                    ratio: plain.median / verifying.median),
            ] + (try proofs(path)) + [try appends()]
        }
    }

    private func row(
        _ work: String, _ times: Times, perSecondOf count: Int, _ reach: String
    ) -> Row {
        Row(
            name: "proofs", work: work, unit: "commits/s", base: nil,
            own: .init(perSecondOf: count, times), reach: reach, ratio: nil)
    }

    /// Appends events to a new log, one a commit, 1,000 commits at a time.
    private func fill(_ path: String, _ count: Int) throws {
        let log = try EventLog(path: path, access: .create)
        for start in stride(from: 1, through: count, by: 1_000) {
            let numbers = start...min(start + 999, count)
            _ = try log.append(numbers.map { AppendRequest([Logs.event(UInt64($0))]) })
        }
    }

    private func seconds(ofHashing path: String) throws -> Double {
        let log = try EventLog(path: path, access: .read)
        return try Measure.seconds { _ = try log.proofs.note() }
    }

    private func seconds(ofStoring path: String, at copy: String) throws -> Double {
        for suffix in ["", "-lock"] { unlink(copy + suffix) }
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let log = try EventLog(path: copy, access: .write)
        return try Measure.seconds { try log.proofs.storeTree() }
    }

    private func times(ofVerifying path: String) throws -> Times {
        try Measure.alone(3) {
            let log = try EventLog(path: path, access: .read)
            return try Measure.seconds {
                guard try log.verify().isSound else { throw Failed(description: "not sound") }
            }
        }
    }

    /// Proofs at random positions: made by an open log, and checked.
    private func proofs(_ path: String) throws -> [Row] {
        let log = try EventLog(path: path, access: .read)
        var generator = Mixer(state: 1)
        var making: [Double] = []
        var checking: [Double] = []
        for round in 0...1_000 {
            let position = Position(generator.next() % UInt64(events) + 1)
            var text = ""
            let made = try Measure.seconds {
                let old = EarlierLog.commits(generator.next() % UInt64(events) + 1)
                text = "\(try log.proofs.proof(of: position, since: old))"
            }
            let checked = try Measure.seconds {
                _ = try EventProof(parsing: Array(text.utf8)).check()
            }
            guard round > 0 else { continue }
            making.append(made)
            checking.append(checked)
        }
        return [("a proof with --since, as text", making, "≤ 1,000"), ("its check", checking, "–")]
            .map { work, seconds, reach in
                Row(
                    name: "proofs", work: work, unit: "µs", base: nil,
                    own: .init(nsOf: 1_000, Times(seconds: seconds)), reach: reach, ratio: nil)
            }
    }

    /// Batches of 1,000 commits, in a log without a tree and in one whose tree is extended.
    private func appends() throws -> Row {
        let count = 100_000
        let run = { (hasTree: Bool) throws -> Double in
            try logs.fresh { path in
                let log = try EventLog(path: path, access: .create)
                if hasTree { try log.proofs.storeTree() }
                return try Measure.seconds {
                    for start in stride(from: 1, through: count, by: 1_000) {
                        _ = try log.append(
                            (start..<start + 1_000).map {
                                AppendRequest([Logs.event(UInt64($0))])
                            })
                    }
                }
            }
        }
        let times = try Measure.pair(repeats) {
            try run(false)
        } _: {
            try run(true)
        }
        return Row(
            name: "proofs", work: "append, 1,000 commits at a time: without a tree, with one",
            unit: "events/s", base: .init(perSecondOf: count, times.base),
            own: .init(perSecondOf: count, times.own), reach: "–",
            ratio: times.base.median / times.own.median)
    }
}
