import CivilTime
import EventSourcing

extension BabyCare {
    /// A report that was handed out, under audit.
    struct IssuedReport: Sendable {
        let report: ReportIssued
        /// Where the log says that it was handed out.
        let issuedAt: Int64
        /// When the last event it was made from was recorded.
        var knownAt = Instant(microseconds: 0)
        /// What it says when it is made again from the same events.
        private(set) var again: Remade?

        /// A report that was made again.
        struct Remade: Hashable, Sendable {
            var digest: UInt64
            var leaves: [FlatFields.Leaf]
            /// Whether what is open was shown with its length.
            var includesOpen: Bool
        }

        init(report: ReportIssued, issuedAt: Int64) {
            self.report = report
            self.issuedAt = issuedAt
        }

        var entity: String { "report:\(report.babyId)/\(report.kind.name)/\(report.period)" }

        /// Makes it again from what the audit has seen so far.
        ///
        /// The log does not say whether open sleeps were shown with their lengths: what fits is
        /// taken.
        mutating func make(_ audit: CareAudit) {
            let plain = remade(audit, includesOpen: false)
            let open = plain?.digest == report.digest.bits ? nil : remade(audit, includesOpen: true)
            again = open?.digest == report.digest.bits ? open : plain
        }

        /// `nil` where its zone or its period cannot be read.
        func remade(_ audit: CareAudit, includesOpen: Bool) -> Remade? {
            guard let zone = zone(audit), let period = report.days else { return nil }
            let subject = audit.babies[audit.newestBaby(report.babyId)]
            var state = State()
            state.profile = subject?.state.profile ?? state.profile
            state.profile.babyId = report.babyId
            let window = reporter(state, zone).window(
                from: period.lowerBound, before: period.upperBound)
            for (id, entry) in subject?.state.entries ?? [:]
            where entry.isReportable
                && (entry.state == .open || window.touches(entry.startedUs, entry.endedUs))
            {
                state.entries[id] = entry
            }
            var reporter = reporter(state, zone)
            reporter.includesOpen = includesOpen
            switch report.kind {
            case .daily:
                return remade(
                    CivilDate(text: report.period).map(reporter.day), audit, includesOpen)
            case .weekly:
                return remade(
                    CivilDate.week(text: report.period).map(reporter.week), audit, includesOpen)
            case .monthly:
                return remade(
                    CivilDate.month(text: report.period).map(reporter.month), audit, includesOpen)
            }
        }

        private func remade(
            _ report: (some Record)?, _ audit: CareAudit, _ includesOpen: Bool
        ) -> Remade? {
            guard let report else { return nil }
            return Remade(
                digest: audit.context.digest(JSONWriter.text(report)),
                leaves: FlatFields.of(report), includesOpen: includesOpen)
        }

        private func reporter(_ state: State, _ zone: Zone) -> Reporter {
            Reporter(
                state, zone: zone, tzdata: report.tzdata, rules: report.rules,
                position: Position(UInt64(max(0, report.position))), knownAt: knownAt)
        }

        private func zone(_ audit: CareAudit) -> Zone? {
            do throws(UnknownZone) {
                return try audit.context.zones?.zone(report.zone)
            } catch {
                return nil
            }
        }
    }
}

// R3 and R4.
extension BabyCare.CareAudit {
    /// Holds a report to what it is when it is made again: from the same events, and from all of
    /// them.
    func checkReport(_ issued: BabyCare.IssuedReport, _ result: inout AuditResult) {
        guard let zones = context.zones else { return }
        let report = issued.report
        var problems: [BabyCare.Problem] = []
        if let again = issued.again {
            if again.digest != report.digest.bits {
                problems.append(
                    BabyCare.Problem(
                        "R3", "\(report.digest)",
                        "\(Digest(bits: again.digest)) when made again at position "
                            + "\(report.position)"))
            }
            if let drift = drift(issued, again) { problems.append(drift) }
        } else {
            problems.append(
                BabyCare.Problem(
                    "R3", "\(report.digest)",
                    "no report of \(report.period) can be made in the zone '\(report.zone)'"))
        }
        if report.tzdata != zones.version {
            problems.append(
                BabyCare.Problem("R4", "tzdata \(report.tzdata)", "tzdata \(zones.version)"))
        }
        result.findings += problems.map { $0.finding(issued.issuedAt, issued.entity) }
    }

    private func drift(
        _ issued: BabyCare.IssuedReport, _ again: BabyCare.IssuedReport.Remade
    ) -> BabyCare.Problem? {
        let now = issued.remade(self, includesOpen: again.includesOpen)
        guard let change = FieldChange.between(again.leaves, now?.leaves ?? []).first else {
            return nil
        }
        return BabyCare.Problem(
            "R3", "as it was: \(change.path) \(change.before ?? "null")",
            "drifted since: \(change.path) \(change.after ?? "null")")
    }
}
