import Daybook
import DaybookLMDB

/// The conditions of a filter in a form for the stored events of one read.
///
/// The commit of events that follow each other is read once, and so is each actor.
final class EventMatcher {
    /// A stored event, apart from its payload.
    private struct Event {
        let kind: FilteredKind
        let position: UInt64
        let header: EventHeader
    }

    /// A commit, as far as filters have conditions on it.
    private struct Commit {
        var first: UInt64 = 1
        var last: UInt64 = 0
        /// Name of the actor; `nil` if it is erased.
        var actor: String?
        var device = ""
    }

    private let filter: EventFilter
    private let log: EventLog
    private let catalogue: Catalogue
    private let opener: EventOpener
    /// The conditions by the rows of the kinds in the table `names`; `nil` if no event meets them.
    private let kinds: [FilteredKind?]
    private let search: TextSearch?
    private let deviceTag: [UInt8]
    private var actors = ActorCache()
    private var commit = Commit()

    init(
        _ filter: EventFilter, _ kinds: FilteredKinds, _ log: EventLog, _ catalogue: Catalogue,
        _ names: Names, _ opener: EventOpener
    ) {
        self.filter = filter
        self.log = log
        self.catalogue = catalogue
        self.opener = opener
        search = filter.text.flatMap { TextSearch(for: $0) }
        deviceTag = Array(Tag("device", filter.device ?? "").text.utf8)
        self.kinds =
            [nil]
            + names.rows.indices.map { row in
                names.knownKind(UInt16(row + 1)).flatMap { kinds[$0] }
            }
    }

    /// True if a stored event, whose names and integers are restored, meets all conditions.
    func matches(
        _ position: UInt64, _ header: EventHeader, _ bytes: RawSpan,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Bool {
        if let from = filter.from, header.occurredAt < from { return false }
        if let through = filter.through, header.occurredAt > through { return false }
        guard let kind = kinds[Int(header.kind)] else { return false }
        let event = Event(kind: kind, position: position, header: header)
        let payload = bytes.extracting(header.payloadRange(in: bytes))
        if let (test, description) = kind.test {
            let values = try values(of: test.fields, description, event, payload, transaction)
            guard test.isMet(values) else { return false }
        }
        if let actor = filter.actor {
            var isMet = try commit(of: event, transaction).actor == actor
            if !isMet, kind.hasAuthor {
                isMet = try isText(actor, in: "by", event, payload, transaction)
            }
            guard isMet else { return false }
        }
        if let device = filter.device {
            var isMet = try hasTag(deviceTag, header, bytes, at: position)
            if !isMet { isMet = try commit(of: event, transaction).device == device }
            if !isMet, kind.hasDevice {
                isMet = try isText(device, in: "device", event, payload, transaction)
            }
            guard isMet else { return false }
        }
        guard let search else { return true }
        guard let description = kind.description else { return false }
        return try reading(payload, of: event, as: description, transaction) {
            (payload, text) throws(CorruptPayload) in
            try description.hasText(matching: search, in: payload, text)
        }
    }

    /// True if a field of a payload is a text.
    private func isText(
        _ text: String, in field: String, _ event: Event, _ payload: RawSpan,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Bool {
        guard let description = event.kind.description else { return false }
        return try values(of: [field], description, event, payload, transaction).contains {
            $0.content == .text(text)
        }
    }

    /// Returns the values of some fields of a payload.
    private func values(
        of fields: [String], _ description: EventDescription, _ event: Event, _ payload: RawSpan,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [PayloadValue] {
        try reading(payload, of: event, as: description, transaction) {
            (payload, text) throws(CorruptPayload) in
            try description.values(of: fields, in: payload, text)
        }
    }

    /// Calls `body` with the payload of an event, upcast if the description is of a newer version,
    /// and a function that returns a personal text by its index; `nil` if it is erased or was lost.
    private func reading<Result>(
        _ payload: RawSpan, of event: Event, as description: EventDescription,
        _ transaction: borrowing ReadTransaction,
        _ body: (RawSpan, (UInt32) -> String?) throws(CorruptPayload) -> Result
    ) throws(LogError) -> Result {
        guard description.kind != event.kind.kind else {
            return try reading(payload, of: event, transaction, body)
        }
        let recorded = RecordedEvent(
            envelope: event.header.envelope(at: event.position), kind: event.kind.kind, tags: [],
            zone: "", payload: payload.copied())
        let newest: RecordedEvent
        do throws(FoldError) { newest = try catalogue.upcast(recorded) } catch {
            throw .fold(error)
        }
        return try unsafe reading(newest.payload.contents.bytes, of: event, transaction, body)
    }

    private func reading<Result>(
        _ payload: RawSpan, of event: Event, _ transaction: borrowing ReadTransaction,
        _ body: (RawSpan, (UInt32) -> String?) throws(CorruptPayload) -> Result
    ) throws(LogError) -> Result {
        var failure: LogError?
        let result: Result
        do throws(CorruptPayload) {
            result = try body(payload) { field in
                do throws(LogError) {
                    return try opener.text(of: event.position, field, lost: nil, in: transaction)
                } catch {
                    failure = failure ?? error
                    return nil
                }
            }
        } catch { throw .fold(.corrupt(Position(event.position), event.kind.kind, error)) }
        if let failure { throw failure }
        return result
    }

    private func hasTag(
        _ wanted: [UInt8], _ header: EventHeader, _ bytes: RawSpan, at position: UInt64
    ) throws(LogError) -> Bool {
        do throws(CorruptRecord) {
            return try header.hasTag(wanted.contents, in: bytes)
        } catch { throw .corrupt(table: log.file.tables.events.name, key: position, error) }
    }

    /// Returns the commit of an event.
    private func commit(
        of event: Event, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Commit {
        let position = event.position
        guard position < commit.first || position > commit.last else { return commit }
        let first = try log.file.tables.firstPosition(ofCommitAt: position, event.header)
        let record = try log.file.tables.commit(startingAt: first, in: transaction)
        commit = Commit(first: first, last: record.lastPosition(startingAt: first) ?? first)
        commit.device = record.metadata.device
        // An actor whose key was overwritten after the transaction began is erased.
        if filter.actor != nil,
            case .named(let name)? = try actors.actor(of: record, in: log, transaction)
        {
            commit.actor = name
        }
        return commit
    }
}
