import Daybook

extension BabyCare {
    /// A published report that the audit recomputes and compares.
    struct AuditedPublication: Sendable {
        /// Event that records the publication.
        let report: ReportIssued
        /// Position of the event that records the publication.
        let issuedAt: Int64
        /// Recording time of the last event that the report was computed from.
        var knownAt = Instant(microseconds: 0)
        /// The report recomputed from the same events; `nil` if recomputing failed.
        var recomputed: Recomputed?

        /// A recomputed report.
        struct Recomputed: Hashable, Sendable {
            /// Digest of the report's JSON.
            var digest: UInt64
            /// Fields of the report without subfields, each with its path.
            var leaves: [FlatFields.Leaf]
            /// True if the report shows open sleeps with their lengths.
            var includesOpen: Bool
            /// Release of the report's fields that it was recomputed with.
            var layout: ReportLayout
        }

        /// Name of the report in findings, such as `report:7/daily/2026-02-01`.
        var entity: String { "report:\(report.babyId)/\(report.kind.name)/\(report.period)" }

        /// Recomputes the report from the events that the audit has seen so far.
        ///
        /// The log records neither whether the report showed open sleeps with their lengths, nor
        /// its set of fields. Each combination is tried; the one with the recorded digest is kept,
        /// else the first.
        mutating func recompute(_ audit: CareAudit) {
            for layout in ReportLayout.allCases {
                for includesOpen in [false, true] {
                    let form = recompute(audit, includesOpen: includesOpen, layout)
                    recomputed = recomputed ?? form
                    guard form?.digest == report.digest.bits else { continue }
                    recomputed = form
                    return
                }
            }
        }

        /// Returns the recomputed report; `nil` if its zone or its period cannot be read.
        func recompute(
            _ audit: CareAudit, includesOpen: Bool, _ layout: ReportLayout
        ) -> Recomputed? {
            guard let window = report.readWindow else { return nil }
            let subject = audit.babies[audit.newestBaby(report.babyId)]
            var state = State()
            state.profile = subject?.state.profile ?? state.profile
            state.profile.babyId = report.babyId
            state.profile.isKnown = true
            for (id, entry) in subject?.state.entries ?? [:]
            where entry.isReportable
                && (entry.state == .open || window.touches(entry.started, entry.ended))
            {
                state.entries[id] = entry
            }
            let context = ReportContext(
                rules: report.rules.ruleSet, zones: audit.context.zones?.asRelease(report.tzdata),
                position: Position(UInt64(max(0, report.position))), knownAt: knownAt)
            do throws(ReportError) {
                let answer = try report.report(includesOpen: includesOpen, layout)
                    .content(state, context)
                return Recomputed(
                    digest: audit.context.digest(answer.json), leaves: answer.leaves,
                    includesOpen: includesOpen, layout: layout)
            } catch {
                return nil
            }
        }
    }
}

extension CareReport {
    /// Returns the answer of the report as JSON and as a list of fields.
    fileprivate func content(
        _ state: BabyCare.State, _ context: ReportContext
    ) throws(ReportError) -> ReportAnswer.Content {
        ReportAnswer.Content(try answer(state, context))
    }
}

// Rules R3 and R4.
extension BabyCare.CareAudit {
    /// Returns R3 and R4 problems of a report.
    ///
    /// The report is compared with one recomputed from the same events, and that one with one
    /// recomputed from all events.
    func problems(_ issued: BabyCare.AuditedPublication, _ tzdata: String) -> [Problem] {
        let report = issued.report
        var problems: [Problem] = []
        if let again = issued.recomputed {
            if again.digest != report.digest.bits {
                let found = "\(Digest(bits: again.digest)) when recomputed"
                problems.append(
                    Problem("R3", "\(report.digest)", "\(found) at position \(report.position)"))
            }
            problems += laterChangeProblem(issued, again).map { [$0] } ?? []
        } else {
            let found = "no report of \(report.period) can be computed in the zone '\(report.zone)'"
            problems.append(Problem("R3", "\(report.digest)", found))
        }
        if report.tzdata != tzdata {
            problems.append(Problem("R4", "tzdata \(report.tzdata)", "tzdata \(tzdata)"))
        }
        return problems
    }

    /// Returns an R3 problem if later events have changed the report; `nil` otherwise.
    private func laterChangeProblem(
        _ issued: BabyCare.AuditedPublication, _ again: BabyCare.AuditedPublication.Recomputed
    ) -> Problem? {
        let now =
            issued.recompute(self, includesOpen: again.includesOpen, again.layout)?.leaves ?? []
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
