import Daybook

extension BabyCare {
    /// The audit of the events about babies.
    ///
    /// It finds events that break a rule, entries that contradict each other, and published reports
    /// that differ when recomputed. It keeps the entries of every baby and each published report in
    /// memory.
    struct CareAudit: Audit {
        typealias Problem = BabyCare.Problem
        /// Settings of the audit, such as its time zone and the only entity to report about.
        let context: AuditContext
        /// Audited babies by newest id.
        var babies = AuditedBabies()
        /// Newer id of each replaced baby id.
        var newerBabyIds: [String: String] = [:]
        /// Newer id of each baby id that any event of the log replaces.
        private var laterBabyIds: [String: String] = [:]
        /// Roles of members in every household.
        private var roster = Household.Roster()
        /// Published reports still to be recomputed, those from the latest events first.
        private var uncheckedReports: [AuditedReport] = []
        /// Published reports that were recomputed, each from the events known at its publication.
        var recomputedReports: [AuditedReport] = []
        /// Findings, each with the id that the baby had when the finding was made.
        private var findings: [(babyId: String, finding: Finding)] = []
        /// Position and times of the last event that was checked.
        private var lastEnvelope = Envelope(
            position: .origin, occurredAt: Instant(microseconds: 0),
            recordedAt: Instant(microseconds: 0))
        private let reader = KindReader<Event>()
        init(_ context: AuditContext) { self.context = context }

        /// Stores a published report, or the replacement of a baby's id; all of them are stored
        /// before `check` is first called.
        mutating func readAhead(_ event: RecordedEvent) throws(FoldError) {
            switch try reader.read(event) {
            case .reportIssued(let report):
                uncheckedReports.append(
                    AuditedReport(event: report, issuedPosition: Int64(event.position.rawValue)))
            case .idReplaced(let ids) where ids.kind == .baby:
                _ = laterBabyIds.replace(ids.localId, by: ids.remoteId)
            default: break
            }
        }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            if lastEnvelope.position == .origin {
                uncheckedReports.sort { a, b in
                    (a.event.position, a.issuedPosition) > (b.event.position, b.issuedPosition)
                }
            }
            recomputeReports(before: Int64(event.position.rawValue))
            lastEnvelope = event.envelope
            guard let known = try reader.read(event) else { return }
            let (entryIds, authorship) = (known.entryIds, known.authorship)
            if let authorship { checkAuthorRole(of: authorship, about: entryIds) }
            switch known {
            case .onboarded(let event): apply(event)
            case .idReplaced(let ids): apply(ids)
            case .memberRoleChanged(let changed): roster.apply(changed)
            case .babyProfileChanged(let event):
                updateBaby(event.babyId) { BabyCare.evolve(&$0.state, with: known, $1) }
            default:
                guard !entryIds.isEmpty, let babyId = authorship?.babyId else { break }
                var found: [Finding] = []
                updateBaby(babyId) { found = $0.apply(known, $1) }
                for finding in found { findings.append((babyId, finding)) }
            }
        }

        mutating func finish() -> AuditResult {
            recomputeReports(before: .max)
            var result = AuditResult()
            result.findings = findings.filter { isIncluded($0.babyId) }.map(\.finding)
            for (babyId, subject) in babies.sorted where isIncluded(babyId) {
                let entries = subject.finalEntries()
                let zone = zone(of: subject)
                // The check that takes longest begins first.
                var checks = subject.checks(of: entries, of: babyId, in: zone)
                checks += totalChecks(of: babyId, subject.state.profile, entries, &result.notes)
                result.findings += context.findAll(checks)
            }
            guard let zones = context.zones else { return result }
            for issued in recomputedReports where isIncluded(issued.event.babyId) {
                result.findings += problems(issued, zones)
                    .map { $0.finding(issued.issuedPosition, issued.entity) }
            }
            return result
        }
    }
}

// Ids and roles.
extension BabyCare.CareAudit {
    func newestBabyId(_ babyId: String) -> String { newerBabyIds.newest(babyId) }

    /// Returns the baby that a report names; `nil` if it is unknown. An id that no event knows yet
    /// means the babies whose ids it replaced later.
    func reportedBaby(_ babyId: String) -> BabyCare.AuditedBaby? {
        if let known = babies[newestBabyId(babyId)] { return known }
        var found: BabyCare.AuditedBaby?
        for (id, baby) in babies.sorted where laterBabyIds.isReplaced(id, by: babyId) {
            if found == nil { found = baby } else { _ = found?.merge(baby, at: .origin) }
        }
        return found
    }

    /// Returns the time zone given to the audit, else that of the baby; `nil` if neither is known.
    private func zone(of subject: BabyCare.AuditedBaby) -> Zone? {
        guard let zones = context.zones, let name = context.zone ?? subject.state.profile.zone
        else { return nil }
        do throws(UnknownZone) {
            return try zones.zone(name)
        } catch {
            // `totalChecks` adds a note that R1 and R2 are not checked.
            return nil
        }
    }

    /// True unless the audit is limited to an entity other than this baby.
    private func isIncluded(_ babyId: String) -> Bool {
        guard let only = context.only else { return true }
        return only.noun == "baby" && newestBabyId(String(only.id)) == newestBabyId(babyId)
    }

    /// Changes the audited baby that has or had the given id; creates it if it is unknown.
    private mutating func updateBaby(
        _ babyId: String, _ body: (inout BabyCare.AuditedBaby, Envelope) -> Void
    ) {
        babies.change(newestBabyId(babyId), since: lastEnvelope.position) {
            body(&$0, lastEnvelope)
        }
    }

    /// Applies an onboarding; its author becomes the owner if the household has no members yet.
    private mutating func apply(_ onboarded: Household.Onboarded) {
        let household = onboarded.householdId
        if let by = onboarded.by, let userId = by.name, roster.members(of: household).isEmpty {
            roster.apply(
                Household.MemberRoleChanged(
                    householdId: household, userId: userId, role: .owner, by: by))
        }
        updateBaby(onboarded.babyId) { BabyCare.evolve(&$0.state, with: .onboarded(onboarded), $1) }
    }

    private mutating func apply(_ ids: Household.IdReplaced) {
        switch ids.kind {
        case .baby:
            guard newerBabyIds.replace(ids.localId, by: ids.remoteId) else { return }
            guard let before = babies.remove(ids.localId) else { return }
            var crowded: [Finding] = []
            updateBaby(ids.remoteId) { subject, envelope in
                crowded = subject.merge(before, at: envelope.position)
                BabyCare.evolve(&subject.state, with: .idReplaced(ids), envelope)
            }
            findings += crowded.map { (ids.remoteId, $0) }
        case .household:
            roster.apply(ids)
        case .careEntry:
            babies.changeAll { $0.apply(ids, lastEnvelope) }
        case .album: break
        }
    }

    /// Adds a B12 finding if the author's role does not allow the event. Events without an author,
    /// and babies without a household, are not checked.
    private mutating func checkAuthorRole(
        of authorship: BabyCare.Event.Authorship, about entryIds: [String]
    ) {
        let (babyId, author, isWriting) = authorship
        guard let by = author?.name,
            let households = babies.recordedHouseholdIds(of: newestBabyId(babyId))
        else { return }
        let role = roster.members(ofAny: households)[by] ?? .none
        guard isWriting ? !role.mayWrite : !role.mayRead else { return }
        let finding = Finding(
            rule: "B12", position: Int64(lastEnvelope.position.rawValue),
            entity: entryIds.first.map { "entry:\($0)" } ?? "baby:\(babyId)",
            expected: isWriting ? "owner, parent or caregiver" : "a member",
            found: "\(by), \(role == .none ? "not a member" : role.name)")
        findings.append((babyId, finding))
    }
}

// Reports.
extension BabyCare.CareAudit {
    /// Recomputes the published reports that depend only on events before `position`.
    private mutating func recomputeReports(before position: Int64) {
        while let next = uncheckedReports.last, next.event.position < position {
            uncheckedReports.removeLast()
            let isThere = next.event.position == Int64(lastEnvelope.position.rawValue)
            var made = next
            made.knownAt = isThere ? lastEnvelope.recordedAt : Instant(microseconds: 0)
            made.recompute(self)
            recomputedReports.append(made)
        }
    }
}
