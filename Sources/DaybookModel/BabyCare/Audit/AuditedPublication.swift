import Daybook

extension BabyCare {
    /// A published report under audit.
    struct AuditedPublication: Sendable {
        let report: ReportIssued
        /// Position of the event that records the publication.
        let issuedAt: Int64
        /// Recording time of the last event that the report was computed from.
        var knownAt = Instant(microseconds: 0)
        /// The report recomputed from the same events; `nil` if recomputing failed.
        var again: Remade?

        /// A recomputed report.
        struct Remade: Hashable, Sendable {
            var digest: UInt64
            var leaves: [FlatFields.Leaf]
            /// True if the report shows open sleeps with their lengths.
            var includesOpen: Bool
            var layout: ReportLayout
        }

        var entity: String { "report:\(report.babyId)/\(report.kind.name)/\(report.period)" }

        /// Recomputes the report from the events that the audit has seen so far.
        ///
        /// The log records neither whether the report showed open sleeps with their lengths, nor
        /// its layout. Each combination is tried, and the one with the recorded digest is kept.
        mutating func make(_ audit: CareAudit) {
            for layout in ReportLayout.allCases {
                for includesOpen in [false, true] {
                    let form = remade(audit, includesOpen: includesOpen, layout)
                    again = again ?? form
                    guard form?.digest == report.digest.bits else { continue }
                    again = form
                    return
                }
            }
        }

        /// Returns the recomputed report; `nil` if its zone or its period cannot be read.
        func remade(
            _ audit: CareAudit, includesOpen: Bool, _ layout: ReportLayout
        ) -> Remade? {
            guard let stretch = report.stretch else { return nil }
            let subject = audit.babies[audit.newestBaby(report.babyId)]
            var state = State()
            state.profile = subject?.state.profile ?? state.profile
            state.profile.babyId = report.babyId
            state.profile.isKnown = true
            for (id, entry) in subject?.state.entries ?? [:]
            where entry.isReportable
                && (entry.state == .open || stretch.touches(entry.started, entry.ended))
            {
                state.entries[id] = entry
            }
            let context = ReportContext(
                rules: report.rules.ruleSet, zones: audit.context.zones?.asRelease(report.tzdata),
                position: Position(UInt64(max(0, report.position))), knownAt: knownAt)
            do throws(ReportError) {
                let answer = try report.report(includesOpen: includesOpen, layout)
                    .content(state, context)
                return Remade(
                    digest: audit.context.digest(answer.json), leaves: answer.leaves,
                    includesOpen: includesOpen, layout: layout)
            } catch {
                return nil
            }
        }
    }
}

extension CareReport {
    fileprivate func content(
        _ state: BabyCare.State, _ context: ReportContext
    ) throws(ReportError) -> ReportAnswer.Content {
        ReportAnswer.Content(try answer(state, context))
    }
}

// Rules R3 and R4.
extension BabyCare.CareAudit {
    /// Compares a report with two recomputed ones: from the same events, and from all events.
    func problems(_ issued: BabyCare.AuditedPublication, _ tzdata: String) -> [Problem] {
        let report = issued.report
        var problems: [Problem] = []
        if let again = issued.again {
            if again.digest != report.digest.bits {
                let found = "\(Digest(bits: again.digest)) when recomputed"
                problems.append(
                    Problem("R3", "\(report.digest)", "\(found) at position \(report.position)"))
            }
            problems += drift(issued, again).map { [$0] } ?? []
        } else {
            let found = "no report of \(report.period) can be computed in the zone '\(report.zone)'"
            problems.append(Problem("R3", "\(report.digest)", found))
        }
        if report.tzdata != tzdata {
            problems.append(Problem("R4", "tzdata \(report.tzdata)", "tzdata \(tzdata)"))
        }
        return problems
    }

    private func drift(
        _ issued: BabyCare.AuditedPublication, _ again: BabyCare.AuditedPublication.Remade
    ) -> Problem? {
        let now = issued.remade(self, includesOpen: again.includesOpen, again.layout)?.leaves ?? []
        let said = { (leaves: [FlatFields.Leaf]) in
            leaves.filter { !BabyCare.momentFields.contains($0.field) }
        }
        return FieldChange.between(said(again.leaves), said(now)).first.map { change in
            Problem(
                "R3", "when published: \(change.path) \(change.before ?? "null")",
                "recomputed now: \(change.path) \(change.after ?? "null")")
        }
    }
}
