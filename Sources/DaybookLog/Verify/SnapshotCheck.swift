import Daybook

/// A comparison of snapshots with new folds.
struct SnapshotCheck {
    let log: EventLog

    /// Folds each entity that has snapshots again from its first event, and compares the states.
    ///
    /// The number of the events and the hash of their positions show whether an event was skipped
    /// or folded twice; the states must be equal byte by byte.
    func checkSnapshots(
        against catalogue: Catalogue, _ result: inout Verification
    ) throws(LogError) {
        guard try !LogSnapshots(log).isEmpty else { return }
        let reader = try EntityReader(log, catalogue)
        for projection in catalogue.projections.values.sorted(by: { $0.name < $1.name }) {
            for rules in projection.rules {
                try checkSnapshots(of: projection, rules, reader, &result)
            }
        }
    }

    /// Checks the snapshots of one projection under one rule set.
    private func checkSnapshots(
        of projection: ProjectionDescription, _ rules: RuleSet, _ reader: EntityReader,
        _ result: inout Verification
    ) throws(LogError) {
        let fingerprint = try Fingerprint(of: projection, rules, in: reader.catalogue)
        var kept: [String: [(checkpoint: Checkpoint, state: [UInt8])]] = [:]
        let prefix = Snapshot.prefix(projection.name, rules)
        var (stale, broken) = (UInt64(0), 0)
        try LogSnapshots(log).forEach(beginningWith: prefix) { key, value in
            guard let snapshot = Snapshot(projection.name, rules, key: key, value: value) else {
                broken += 1
                return
            }
            if snapshot.fingerprint == fingerprint.bytes {
                // The states are compared later, so only their digests are kept until then.
                kept[snapshot.key, default: []].append((snapshot.checkpoint, snapshot.digest))
            } else {
                stale += 1
            }
        }
        result.staleSnapshots += stale
        if broken > 0 {
            result.report(
                0, "snapshot",
                "\(broken.counted("snapshot")) of the projection \(projection.name) "
                    + "\(broken.are) malformed")
        }
        for (key, snapshots) in kept.sorted(by: { $0.key < $1.key }) {
            try check(snapshots, along: reader.walk(of: projection, key), rules, reader, &result)
        }
    }

    /// Compares the snapshots of one entity with a new fold, and adds differences to `result`.
    private func check(
        _ snapshots: [(checkpoint: Checkpoint, state: [UInt8])], along walk: EntityWalk,
        _ rules: RuleSet, _ reader: EntityReader, _ result: inout Verification
    ) throws(LogError) {
        let name = "\(walk.projection.name) '\(walk.key ?? "")'"
        guard walk.ids.count == 1 else {
            // The entity has another id by now, so its snapshots are not used.
            result.staleSnapshots += UInt64(snapshots.count)
            return
        }
        var state = EntityState(fold: walk.projection.fold(rules))
        var rest = snapshots[...]
        try reader.forEach(along: walk) { (event, _) throws(LogError) in
            try state.apply(event)
            guard let next = rest.first, next.checkpoint.position <= event.position else {
                return true
            }
            rest.removeFirst()
            if next.checkpoint != state.checkpoint {
                result.report(
                    event.position.rawValue, "snapshot",
                    "the snapshot of \(name) covers \(next.checkpoint.count) events, but not "
                        + "exactly the \(state.checkpoint.count) events of the entity so far")
            } else if next.state != Snapshot.digest(of: state.fold.bytes) {
                result.report(
                    event.position.rawValue, "snapshot",
                    "the state in the snapshot of \(name) differs from a new fold of its events")
            } else {
                result.snapshots += 1
            }
            return !rest.isEmpty
        }
        if let next = rest.first {
            result.report(
                next.checkpoint.position.rawValue, "snapshot",
                "the snapshot of \(name) ends at a position at which the entity has no event")
        }
    }
}
