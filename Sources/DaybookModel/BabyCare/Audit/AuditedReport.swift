import Daybook

extension BabyCare {
    /// A published report, which the audit recomputes and compares with the published result.
    struct AuditedReport: Sendable {
        /// Event that records the publication.
        let event: ReportIssued
        /// Position in the log of the event that records the publication.
        let issuedPosition: Int64
        /// Recording time of the last event from which the report was computed. The epoch if the
        /// audit has not read that event.
        var knownAt = Instant(microseconds: 0)
        /// Result of recomputing the report from the same events; `nil` if that failed.
        var recomputedReport: RecomputedReport?

        /// The result of recomputing a report.
        struct RecomputedReport: Equatable, Sendable {
            var digest: UInt64
            /// Fields of the report that have no subfields, each with its path.
            var leaves: [FlatFields.Leaf]
            /// True if the report shows how long open sleeps have lasted so far.
            var showsOpenLengths: Bool
            /// Set of fields with which the report was recomputed.
            var layout: ReportLayout
        }

        /// Name of the report in findings, such as `report:7/daily/2026-02-01`.
        var entity: String { "report:\(event.babyId)/\(event.kind.name)/\(event.period)" }

        /// Recomputes the report from the events that the audit has read so far.
        ///
        /// The log records neither whether the report showed the lengths of open sleeps, nor its
        /// set of fields. Each combination is tried. The result with the recorded digest is kept;
        /// if no digest matches, the first result is kept.
        mutating func recompute(_ audit: CareAudit) {
            for layout in ReportLayout.allCases {
                for showsOpenLengths in [false, true] {
                    let form = recompute(audit, showsOpenLengths: showsOpenLengths, layout)
                    recomputedReport = recomputedReport ?? form
                    guard form?.digest == event.digest.bits else { continue }
                    recomputedReport = form
                    return
                }
            }
        }

        /// Returns the database with the zone that the report used, else today's, under the
        /// recorded release; `nil` without a database.
        private func zones(_ context: AuditContext) -> ZoneSource? {
            (event.sourceOfZone(in: context.olderZones)?.zones ?? context.zones)?
                .asRelease(event.tzdata, digest: event.zoneDigest)
        }

        /// Returns the recomputed report; `nil` if its time zone or its period cannot be read.
        func recompute(
            _ audit: CareAudit, showsOpenLengths: Bool, _ layout: ReportLayout
        ) -> RecomputedReport? {
            guard let window = event.readWindow else { return nil }
            let subject = audit.reportedBaby(event.babyId)
            var state = State()
            state.profile = subject?.state.profile ?? state.profile
            state.profile.babyId = event.babyId
            state.profile.isKnown = true
            for (id, entry) in subject?.state.entries ?? [:]
            where entry.isReportable
                && (entry.state == .open || window.touches(entry.started, entry.ended))
            {
                state.entries[id] = entry
            }
            let context = ReportContext(
                rules: event.rules.ruleSet, zones: zones(audit.context),
                position: Position(UInt64(max(0, event.position))), knownAt: knownAt)
            do throws(ReportError) {
                let answer = try event.report(showsOpenLengths: showsOpenLengths, layout)
                    .content(state, context)
                return RecomputedReport(
                    digest: audit.context.digest(answer.json), leaves: answer.leaves,
                    showsOpenLengths: showsOpenLengths, layout: layout)
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
    /// Returns R3 and R4 problems of a published report; `zones` is today's tz database. The
    /// published report is compared with the one recomputed from the same events, and the latter
    /// with one recomputed from all events.
    func problems(_ issued: BabyCare.AuditedReport, _ zones: ZoneSource) -> [Problem] {
        let event = issued.event
        var problems: [Problem] = []
        if let again = issued.recomputedReport {
            if again.digest != event.digest.bits {
                let found = "\(Digest(bits: again.digest)) when recomputed"
                problems.append(
                    Problem("R3", "\(event.digest)", "\(found) at position \(event.position)"))
            }
            problems += laterChangeProblem(issued, again).map { [$0] } ?? []
        } else {
            let found = "no report of \(event.period) can be computed in the zone '\(event.zone)'"
            problems.append(Problem("R3", "\(event.digest)", found))
        }
        return problems + (zoneProblem(event, zones).map { [$0] } ?? [])
    }

    /// Returns an R4 problem if the zone of a published report has other transitions today. Only
    /// the releases are compared for a report whose event has no digest of the zone. Where the zone
    /// that was used is at hand, the problem lists the days of the report that it moves.
    private func zoneProblem(_ event: BabyCare.ReportIssued, _ zones: ZoneSource) -> Problem? {
        guard let digest = event.zoneDigest else {
            guard event.tzdata != zones.version else { return nil }
            return Problem("R4", "tzdata \(event.tzdata)", "tzdata \(zones.version)")
        }
        guard let zone = event.zone(in: zones), zones.digest(of: zone) != digest else { return nil }
        var found = "tzdata \(zones.version), \(zones.digest(of: zone))"
        if let used = event.sourceOfZone(in: context.olderZones) {
            let moved = event.days(thatMoveFrom: used.zone, to: zone)
            found += moved.isEmpty ? "; no day of the report moved" : "; moved: \(moved)"
        }
        return Problem("R4", "tzdata \(event.tzdata), \(digest)", found)
    }

    /// Returns an R3 problem if events after the publication changed the report; else `nil`.
    private func laterChangeProblem(
        _ issued: BabyCare.AuditedReport, _ again: BabyCare.AuditedReport.RecomputedReport
    ) -> Problem? {
        let now =
            issued.recompute(self, showsOpenLengths: again.showsOpenLengths, again.layout)?.leaves
            ?? []
        let said = { (leaves: [FlatFields.Leaf]) in
            leaves.filter { !BabyCare.incidentalFields.contains($0.field) }
        }
        return FieldChange.between(said(again.leaves), said(now)).first.map { change in
            Problem(
                "R3", "when published: \(change.path) \(change.before ?? "null")",
                "recomputed now: \(change.path) \(change.after ?? "null")")
        }
    }
}
