public import Daybook

extension BabyCare {
    /// The audit of the histories of babies.
    ///
    /// It finds events that break a rule, entries that contradict each other, and published reports
    /// that differ when recomputed. It keeps the entries of every baby and each published report in
    /// memory.
    public struct CareAudit: Audit {
        typealias Problem = BabyCare.Problem
        /// Settings of the audit, such as its zone and the only entity to report about.
        let context: AuditContext
        /// Babies by newest id.
        var babies: [String: AuditedBaby] = [:]
        /// Newer id of each replaced baby id.
        var replacedBabies: [String: String] = [:]
        /// Newer id of each replaced household id.
        private var replacedHouseholds: [String: String] = [:]
        /// Roles by user id, grouped by newest id of the household.
        private var households: [String: [String: Household.Role]] = [:]
        /// Published reports still to be recomputed, the earliest computed last.
        private var unchecked: [AuditedPublication] = []
        /// Published reports that have been recomputed, each from the events it was computed from.
        var issued: [AuditedPublication] = []
        /// Findings, each with the id that the baby had at the time.
        private var findings: [(babyId: String, finding: Finding)] = []
        /// Position and times of the event that was checked last.
        private var lastEnvelope = Envelope(
            position: .origin, occurredAt: Instant(microseconds: 0),
            recordedAt: Instant(microseconds: 0))
        private let reader = KindReader<Event>()

        public init(_ context: AuditContext) {
            self.context = context
        }

        /// Collects the published reports, before the events are checked from the start.
        public mutating func readAhead(_ event: RecordedEvent) throws(FoldError) {
            guard case .reportIssued(let report) = try reader.read(event) else { return }
            unchecked.append(
                AuditedPublication(report: report, issuedAt: Int64(event.position.rawValue)))
        }

        public mutating func check(_ event: RecordedEvent) throws(FoldError) {
            if lastEnvelope.position == .origin {
                unchecked.sort {
                    ($0.report.position, $0.issuedAt) > ($1.report.position, $1.issuedAt)
                }
            }
            recomputeReports(before: Int64(event.position.rawValue))
            lastEnvelope = event.envelope
            guard let known = try reader.read(event) else { return }
            checkWriter(of: known)
            switch known {
            case .onboarded(let event): apply(event)
            case .idReplaced(let ids): apply(ids)
            case .memberRoleChanged(let changed):
                households[newestHousehold(changed.householdId), default: [:]].apply(changed)
            case .babyProfileChanged(let event):
                updateBaby(event.babyId) { BabyCare.evolve(&$0.state, with: known, $1) }
            default:
                guard let babyId = known.babyOfEntry else { break }
                var found: [Finding] = []
                updateBaby(babyId) { found = $0.apply(known, $1) }
                findings += found.map { (babyId, $0) }
            }
        }

        public mutating func finish() -> AuditResult {
            recomputeReports(before: .max)
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
                checks += totalChecks(of: babyId, subject.state.profile, entries, &result.notes)
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
    /// Returns the newest id of the baby with a present or former id.
    func newestBaby(_ babyId: String) -> String {
        replacedBabies.newest(babyId)
    }

    /// Returns the newest id of the household with a present or former id.
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
            // `checkTotals` adds a note that R1 and R2 are skipped.
            return nil
        }
    }

    /// True unless the audit is limited to another entity than this baby.
    private func isIncluded(_ babyId: String) -> Bool {
        guard let only = context.only else { return true }
        return only.noun == "baby" && newestBaby(String(only.id)) == newestBaby(babyId)
    }

    /// Changes the audited baby with a present or former id, which is created if unknown.
    private mutating func updateBaby(
        _ babyId: String, _ body: (inout BabyCare.AuditedBaby, Envelope) -> Void
    ) {
        let id = newestBaby(babyId)
        body(
            &babies[id, default: BabyCare.AuditedBaby(id, since: lastEnvelope.position)],
            lastEnvelope)
    }

    /// Applies an onboarding; its author becomes the owner of a household without members.
    private mutating func apply(_ onboarded: Household.Onboarded) {
        let household = newestHousehold(onboarded.householdId)
        if let by = onboarded.by?.name, households[household]?.isEmpty ?? true {
            households[household] = [by: .owner]
        }
        updateBaby(onboarded.babyId) { BabyCare.evolve(&$0.state, with: .onboarded(onboarded), $1) }
    }

    /// Applies the replacement of an id of a baby, household or entry to the audited babies.
    private mutating func apply(_ ids: Household.IdReplaced) {
        switch ids.kind {
        case .baby:
            guard replacedBabies.replace(ids.localId, by: ids.remoteId) else { return }
            let before = babies.removeValue(forKey: ids.localId)
            guard let before else { return }
            var crowded: [Finding] = []
            updateBaby(ids.remoteId) { subject, envelope in
                crowded = subject.merge(before, at: envelope.position)
                BabyCare.evolve(&subject.state, with: .idReplaced(ids), envelope)
            }
            findings += crowded.map { (ids.remoteId, $0) }
        case .household:
            guard replacedHouseholds.replace(ids.localId, by: ids.remoteId) else { return }
            let members = households.removeValue(forKey: ids.localId) ?? [:]
            households[newestHousehold(ids.remoteId), default: [:]]
                .merge(members) { newer, _ in newer }
        case .careEntry:
            for id in babies.keys { babies[id]?.apply(ids, lastEnvelope) }
        case .album: break
        }
    }

    /// Checks rule B12, the role of the author; skips events without an author or a household.
    private mutating func checkWriter(of event: BabyCare.Event) {
        guard let (babyId, author, isWriting) = event.authorship, let by = author?.name,
            let household = babies[newestBaby(babyId)]?.state.profile.householdId
        else { return }
        let role = households[newestHousehold(household)]?[by] ?? .none
        guard isWriting ? !role.mayWrite : !role.mayRead else { return }
        let finding = Finding(
            rule: "B12", position: Int64(lastEnvelope.position.rawValue),
            entity: event.entryIds.first.map { "entry:\($0)" } ?? "baby:\(babyId)",
            expected: isWriting ? "owner, parent or caregiver" : "a member",
            found: "\(by), \(role == .none ? "not a member" : role.name)")
        findings.append((babyId, finding))
    }
}

// Reports.
extension BabyCare.CareAudit {
    /// Recomputes the published reports that were computed from no event at or after `position`.
    private mutating func recomputeReports(before position: Int64) {
        while let next = unchecked.last, next.report.position < position {
            unchecked.removeLast()
            let isThere = next.report.position == Int64(lastEnvelope.position.rawValue)
            var made = next
            made.knownAt = isThere ? lastEnvelope.recordedAt : Instant(microseconds: 0)
            made.recompute(self)
            issued.append(made)
        }
    }
}
