import Daybook
import DaybookModel

/// Imports the rows of a file of care entries.
///
/// The import also creates the baby if the log has no such baby, and records the id or name that
/// the baby has in the file.
struct EntryImport: PendingImport {
    let babyId: String
    let format: BabyCare.FileFormat
    /// Rows of the file about one child, in order.
    let file: CareFile.Reading
    /// Zone of the file's local times.
    let zone: Zone
    /// Author of the import; `nil` if unknown.
    let by: String?
    /// Content of the file, from which its digest is computed.
    let bytes: [UInt8]

    /// Rows of the file about one child, in order.
    private var rows: [CareFile.Row] { file.rows }
    var rowCount: Int { rows.count }

    /// Imports each new or changed row, and returns the counts of rows and the rejected rows.
    func run<Log: ImportLog>(_ log: inout Log) throws(Log.Failure) -> ImportResult {
        let plan = CareImportPlan(
            babyId: babyId, format: format, settingsText: file.settingsText, rows: rows,
            digest: log.keyedDigest)
        var identities = plan.identities()
        // Required before reading, so that concurrent appends are detected.
        try log.require(noneSince: BabyCare.query(ofRows: identities.origins, of: [babyId]))
        var state = try babyState(log)
        let child = file.child.map { SourceChild($0, format, log.keyedDigest) }
        if let refusal = try child?.refusal(of: babyId, state.profile, &log) {
            return .refused(refusal)
        }
        let otherIds = state.profile.ids.filter { $0 != babyId }
        if !otherIds.isEmpty { identities = plan.identities(otherIds: otherIds) }
        try log.require(noneSince: BabyCare.query(ofRows: identities.origins, of: otherIds))
        let keyStates = try keyStates(of: identities, &log)
        let changes = plan.changes(
            identities, isKnown: keyStates.map { $0 != .new },
            among: state.entries.values.map(\.entry))
        let otherSettingsMessage =
            keyStates.contains(.reused) ? try otherSettingsMessage(state.profile.ids, log) : ""
        var outcome = ImportOutcome(rows: rows.count)
        var ids = EntryIdGenerator()
        let earlier = state
        var line = BabyCare.FileLine { $0.fileDigest = Digest(ofFile: bytes, log.keyedDigest) }
        for (index, row) in rows.enumerated() {
            guard case .success(let content) = row.result, let identity = identities[index] else {
                if case .failure(let reason) = row.result {
                    outcome.reject(row, reason.code, reason.description)
                }
                continue
            }
            switch keyStates[index] {
            case .reused:
                outcome.reject(row, "otherZone", otherSettingsMessage)
                continue
            case .known:
                outcome.addKnown(row: row.row, line: row.line)
                continue
            case .new: break
            }
            let introduction = try updateProfile(content, child, &state, &log)
            if case .refused(let refusal) = introduction {
                outcome.reject(row, refusal.code, refusal.message)
                continue
            }
            if let remark = row.remark { outcome.addRemark(on: row, remark) }
            guard !content.entries.isEmpty else {
                // This row is about the baby itself.
                if case .events(let events) = introduction, !events.isEmpty {
                    outcome.accepted += 1
                } else {
                    outcome.addKnown(row: row.row, line: row.line)
                }
                continue
            }
            line.line = Int64(row.line)
            let entryId = ids.next(identity, content.entries) { earlier.hasEntry($0) }
            switch try importRow(content, identity, entryId, changes[index], line, &log) {
            case .refused(let refusal): outcome.reject(row, refusal.code, refusal.message)
            case .events where changes[index].isEmpty: outcome.accepted += 1
            case .events: outcome.changed += 1
            }
        }
        if outcome.accepted + outcome.changed > 0 { try recordImport(outcome, &log) }
        return .done(outcome)
    }

    /// Returns, for each row, whether its idempotency key is new, known or reused with other
    /// settings. If the row has keys under several ids of the baby, the first key that is not new
    /// decides.
    private func keyStates<Log: ImportLog>(
        of identities: [CareImportPlan.Identity?], _ log: inout Log
    ) throws(Log.Failure) -> [CommandKey.State] {
        var known = try log.states(of: identities.compactMap { $0?.key }).makeIterator()
        var states: [CommandKey.State] = []
        states.reserveCapacity(identities.count)
        for identity in identities {
            guard let identity, var state = known.next() else {
                states.append(.new)
                continue
            }
            for other in identity.identitiesUnderOtherIds where state == .new {
                state = try log.state(of: other.key)
            }
            states.append(state)
        }
        return states
    }

    /// Returns the message for a row imported before with another zone, unit or date order.
    private func otherSettingsMessage<Log: ImportLog>(
        _ ids: [String], _ log: Log
    ) throws(Log.Failure) -> String {
        var zones: Set<String> = []
        let tags = Set(ids + [babyId]).map { Tag("baby", $0) }
        let query = Query.any(of: [BabyCare.DataImported.kind], tags)
        try log.read(query) { (event) throws(FoldError) in
            let imported: BabyCare.DataImported
            imported = try mappingPayloadErrors(
                of: event, try BinaryReader.read(BabyCare.DataImported.self, from: event.payload))
            if imported.format == format { zones.insert(imported.zone) }
            return true
        }
        zones.remove(zone.name)
        guard !zones.isEmpty else {
            return "the row was imported before with another unit or order of dates"
        }
        return "the row was imported before with times in "
            + "\(zones.sorted().joined(separator: " and ")), now with times in \(zone.name)"
    }

    /// Reads the entries and the profile of the baby from the log, under all ids of the baby.
    private func babyState<Log: ImportLog>(_ log: Log) throws(Log.Failure) -> BabyCare.State {
        var profile = Household.Profile.blank
        profile.babyId = babyId
        while true {
            let ids = Set(profile.ids)
            let items = profile.queryItems + (BabyCare.query(profile).items ?? [])
            guard let query = Query(items: items) else { return .blank }
            let state = try log.state(of: BabyCare.self, query)
            guard !ids.isSuperset(of: state.profile.ids) else { return state }
            profile.formerIds = ids.union(state.profile.ids).subtracting([babyId]).sorted()
        }
    }

    /// Records what a row adds to the baby's profile: its id or name in the file, its birth date.
    private func updateProfile<Log: ImportLog>(
        _ content: CareFile.Content, _ child: SourceChild?, _ state: inout BabyCare.State,
        _ log: inout Log
    ) throws(Log.Failure) -> Outcome {
        let unknown = child.flatMap { state.profile.sourceBabyIds[$0.key] == nil ? $0 : nil }
        let isBorn = content.birthDate != nil && state.profile.birthDate == nil
        guard !state.profile.isKnown || unknown != nil || isBorn else { return .events([]) }
        var body = Household.BabyProfileChanged {
            $0.babyId = babyId
            $0.by = by.map { Author($0) }
        }
        if !state.profile.isKnown { body.zone = zone.name }
        if let unknown { body.sourceBabyIds = [unknown.key: unknown.id] }
        if isBorn { body.birthDate = content.birthDate }
        // The profile is dated to the first entry of the file.
        let outcome = try log.decide(
            body, commandContext(min(firstStart ?? log.now, log.now)), under: nil, correlation: "")
        guard case .events = outcome else { return outcome }
        state.profile.isKnown = true
        state.profile.birthDate = state.profile.birthDate ?? body.birthDate
        state.profile.sourceBabyIds.merge(body.sourceBabyIds) { _, new in new }
        return outcome
    }

    /// Imports one row into the log, under the idempotency key of the row.
    ///
    /// - Parameters:
    ///   - entryId: the id of the new entry, or the prefix of the ids of several new entries.
    ///   - changes: the ids of entries that the row changes; empty for a new row.
    ///   - line: the line of the row in the file, to be recorded with the entry.
    private func importRow<Log: ImportLog>(
        _ content: CareFile.Content, _ identity: CareImportPlan.Identity, _ entryId: String,
        _ changes: [String], _ line: BabyCare.FileLine, _ log: inout Log
    ) throws(Log.Failure) -> Outcome {
        var entries = content.entries
        var caregiver = content.caregiver.map { PersonalText($0) }
        if format == .babyAI, let user = content.caregiver {
            // BabyAI's caregiver is a user id, not a name.
            for index in entries.indices { entries[index].meta["createdBy"] = user }
            caregiver = nil
        }
        let body = BabyCare.ImportRow {
            $0.babyId = babyId
            $0.entryId = entryId
            $0.origin = identity.origin
            $0.entries = entries
            $0.changedEntryIds = changes
            $0.caregiver = caregiver
            $0.source = content.source ?? .imported
            $0.by = by.map { Author($0) }
            $0.fileLine = line
        }
        // The entry is dated to its creation, else to its end, and not to the time of the import.
        let now =
            content.created
            ?? (entries.isEmpty ? log.now : entries[0].ended ?? entries[0].started)
        return try log.decide(body, commandContext(now), under: identity.key, correlation: "")
    }

    /// Records the import in the log: the digest of the file, its time zone and the counts of rows.
    private func recordImport<Log: ImportLog>(
        _ outcome: ImportOutcome, _ log: inout Log
    ) throws(Log.Failure) {
        let sha256 = Digest(ofFile: bytes, log.keyedDigest)
        let body = BabyCare.DataImported {
            $0.babyId = babyId
            $0.format = format
            $0.sha256 = sha256
            $0.zone = zone.name
            $0.rowCount = Int64(outcome.rows)
            $0.acceptedCount = Int64(outcome.accepted)
            $0.changedCount = Int64(outcome.changed)
            $0.duplicateCount = Int64(outcome.duplicates)
            $0.rejectedRows = outcome.rejected.map { rejected in
                BabyCare.RejectedRow {
                    $0.row = Int64(rejected.row)
                    $0.reason = rejected.code ?? ""
                }
            }
            $0.by = by.map { Author($0) }
        }
        _ = try log.decide(body, commandContext(log.now), under: nil, correlation: "")
    }

    /// Earliest start of an entry in the file; `nil` if the file has no readable entry.
    private var firstStart: Instant? {
        rows.lazy.compactMap { row -> Instant? in
            guard case .success(let content) = row.result else { return nil }
            return content.entries.lazy.map(\.started).min()
        }.min()
    }

    private func commandContext(_ now: Instant) -> CommandContext {
        CommandContext(now: now, zone: zone.name, offsetS: Int32(zone.offsetS(at: now)))
    }
}

extension ImportOutcome {
    /// Adds a remark about an accepted row to the notes of the outcome.
    fileprivate mutating func addRemark(on row: CareFile.Row, _ message: String) {
        notes = (notes ?? []) + [Row(row: row.row, line: row.line, message: message)]
    }

    /// Adds a row to the rejected rows of the outcome.
    fileprivate mutating func reject(_ row: CareFile.Row, _ code: String, _ message: String) {
        rejected.append(Row(row: row.row, line: row.line, code: code, message: message))
    }
}

extension [CareImportPlan.Identity?] {
    /// Origins with which earlier imports may have recorded the rows, under all ids of the baby.
    fileprivate var origins: [BabyCare.Origin] {
        var origins: [BabyCare.Origin] = []
        origins.reserveCapacity(count)
        for case let identity? in self {
            origins.append(identity.origin)
            origins += identity.identitiesUnderOtherIds.lazy.map(\.origin)
        }
        return origins
    }
}
