public import Daybook

extension BabyCare {
    /// Finds errors in the histories of babies.
    ///
    /// Findings are rules broken by an event, entries that contradict each other, and published
    /// reports that differ when recomputed. The audit keeps the folded entries of every baby, and
    /// each published report.
    public struct CareAudit: Audit {
        typealias Problem = BabyCare.Problem
        let context: AuditContext
        /// Babies by newest id.
        var babies: [String: AuditedBaby] = [:]
        /// Newer ids of babies by the ids that they replaced.
        var replacedBabies: [String: String] = [:]
        private var replacedHouseholds: [String: String] = [:]
        /// Roles by user id, grouped by newest id of the household.
        private var households: [String: [String: Household.Role]] = [:]
        /// Published reports not yet recomputed, by position that they were computed at,
        /// descending.
        private var awaited: [AuditedPublication] = []
        /// Published reports, recomputed at the position that they were computed at.
        var issued: [AuditedPublication] = []
        /// Findings, each with the id that the baby had at the time.
        private var findings: [(babyId: String, finding: Finding)] = []
        private var newest = Envelope(
            position: .origin, occurredAt: Instant(microseconds: 0),
            recordedAt: Instant(microseconds: 0))
        private let reader = KindReader<Event>()

        public init(_ context: AuditContext) {
            self.context = context
        }

        public mutating func readAhead(_ event: RecordedEvent) throws(FoldError) {
            guard case .reportIssued(let report) = try reader.read(event) else { return }
            awaited.append(
                AuditedPublication(report: report, issuedAt: Int64(event.position.rawValue)))
        }

        public mutating func check(_ event: RecordedEvent) throws(FoldError) {
            if newest.position == .origin {
                awaited.sort {
                    ($0.report.position, $0.issuedAt) > ($1.report.position, $1.issuedAt)
                }
            }
            makeReports(before: Int64(event.position.rawValue))
            newest = event.envelope
            guard let known = try reader.read(event) else { return }
            checkWriter(of: known)
            switch known {
            case .onboarded(let event): apply(event)
            case .idReplaced(let ids): apply(ids)
            case .memberRoleChanged(let changed):
                households[newestHousehold(changed.householdId), default: [:]].apply(changed)
            case .babyProfileChanged(let event):
                change(event.babyId) { BabyCare.evolve(&$0.state, with: known, $1) }
            default:
                guard let babyId = known.entryBaby else { break }
                var found: [Finding] = []
                change(babyId) { found = $0.apply(known, $1) }
                findings += found.map { (babyId, $0) }
            }
        }

        public mutating func finish() -> AuditResult {
            makeReports(before: .max)
            var result = AuditResult()
            result.findings = findings.filter { isIncluded($0.babyId) }.map(\.finding)
            for (babyId, subject) in babies.sorted(by: { $0.key < $1.key }) where isIncluded(babyId)
            {
                let entries = subject.finalEntries()
                let zone = zone(of: subject)
                // The check that takes longest begins first.
                var checks = [
                    { @Sendable in subject.findings(about: entries, of: babyId, in: zone) }
                ]
                checks += sumChecks(of: babyId, subject.state.profile, entries, &result.notes)
                result.findings += context.findAll(checks)
            }
            guard let tzdata = context.zones?.version else { return result }
            for issued in issued where isIncluded(issued.report.babyId) {
                result.findings += problems(issued, tzdata)
                    .map { $0.finding(issued.issuedAt, issued.entity) }
            }
            return result
        }
    }
}

// Ids and roles.
extension BabyCare.CareAudit {
    func newestBaby(_ babyId: String) -> String {
        replacedBabies.newest(babyId)
    }

    private func newestHousehold(_ householdId: String) -> String {
        replacedHouseholds.newest(householdId)
    }

    /// Returns the zone given to the audit, else the zone of the baby; `nil` if no zone is known.
    private func zone(of subject: BabyCare.AuditedBaby) -> Zone? {
        guard let zones = context.zones, let name = context.zone ?? subject.state.profile.zone
        else { return nil }
        do throws(UnknownZone) {
            return try zones.zone(name)
        } catch {
            // `checkSums` adds a note that R1 and R2 are skipped.
            return nil
        }
    }

    private func isIncluded(_ babyId: String) -> Bool {
        guard let only = context.only else { return true }
        return only.noun == "baby" && newestBaby(String(only.id)) == newestBaby(babyId)
    }

    private mutating func change(
        _ babyId: String, _ body: (inout BabyCare.AuditedBaby, Envelope) -> Void
    ) {
        let id = newestBaby(babyId)
        body(
            &babies[id, default: BabyCare.AuditedBaby(id, since: newest.position)], newest)
    }

    /// Folds the onboarding; its author becomes owner of a household without members.
    private mutating func apply(_ onboarded: Household.Onboarded) {
        let household = newestHousehold(onboarded.householdId)
        if let by = onboarded.by?.name, households[household]?.isEmpty ?? true {
            households[household] = [by: .owner]
        }
        change(onboarded.babyId) { BabyCare.evolve(&$0.state, with: .onboarded(onboarded), $1) }
    }

    private mutating func apply(_ ids: Household.IdReplaced) {
        switch ids.kind {
        case .baby:
            guard replacedBabies.replace(ids.localId, by: ids.remoteId) else { return }
            let before = babies.removeValue(forKey: ids.localId)
            guard let before else { return }
            var crowded: [Finding] = []
            change(ids.remoteId) { subject, envelope in
                crowded = subject.adopt(before, at: envelope.position)
                BabyCare.evolve(&subject.state, with: .idReplaced(ids), envelope)
            }
            findings += crowded.map { (ids.remoteId, $0) }
        case .household:
            guard replacedHouseholds.replace(ids.localId, by: ids.remoteId) else { return }
            let members = households.removeValue(forKey: ids.localId) ?? [:]
            households[newestHousehold(ids.remoteId), default: [:]]
                .merge(members) { newer, _ in newer }
        case .careEntry:
            for id in babies.keys { babies[id]?.apply(ids, newest) }
        case .album: break
        }
    }

    /// Checks rule B12, the role of the author; skips events without an author or a household.
    private mutating func checkWriter(of event: BabyCare.Event) {
        guard let (babyId, author, isWriting) = event.writer, let by = author?.name,
            let household = babies[newestBaby(babyId)]?.state.profile.householdId
        else { return }
        let role = households[newestHousehold(household)]?[by] ?? .none
        guard isWriting ? !role.mayWrite : !role.mayRead else { return }
        let finding = Finding(
            rule: "B12", position: Int64(newest.position.rawValue),
            entity: event.entryIds.first.map { "entry:\($0)" } ?? "baby:\(babyId)",
            expected: isWriting ? "owner, parent or caregiver" : "a member",
            found: "\(by), \(role == .none ? "not a member" : role.name)")
        findings.append((babyId, finding))
    }
}

// Reports.
extension BabyCare.CareAudit {
    /// Recomputes the reports that were computed from events before `position` only.
    private mutating func makeReports(before position: Int64) {
        while let next = awaited.last, next.report.position < position {
            awaited.removeLast()
            let isThere = next.report.position == Int64(newest.position.rawValue)
            var made = next
            made.knownAt = isThere ? newest.recordedAt : Instant(microseconds: 0)
            made.make(self)
            issued.append(made)
        }
    }
}
