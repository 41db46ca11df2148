import Daybook
import DaybookLMDB

extension EventLog {
    /// Calls `body` with each event that records an erasure, in order.
    ///
    /// - Parameter body: gets the event and what it records, or the error of a payload that cannot
    ///   be read.
    func forEachErasure(
        _ window: ReadWindow = ReadWindow(),
        _ body: (RecordedEvent, Result<TextsErased, CorruptPayload>) throws(LogError) -> Void
    ) throws(LogError) {
        try reader(Query(Query.Item(kinds: [TextsErased.kind])), window).forEach {
            (event) throws(LogError) in
            let record: Result<TextsErased, CorruptPayload>
            do throws(CorruptPayload) {
                record = .success(
                    try BinaryReader.read(TextsErased.self, from: event.payload.rawSpan))
            } catch {
                record = .failure(error)
            }
            try body(event, record)
            return true
        }
    }

    /// Returns what the events in a window record of erasures; throws an error if one cannot be
    /// read.
    func erasures(_ window: ReadWindow = ReadWindow()) throws(LogError) -> [TextsErased] {
        var erasures: [TextsErased] = []
        try forEachErasure(window) { (event, record) throws(LogError) in
            do throws(CorruptPayload) {
                erasures.append(try record.get())
            } catch {
                throw .fold(.corrupt(event.position, event.kind, error))
            }
        }
        return erasures
    }
}

extension TextsErased {
    /// The numbers of the people who were erased.
    var personNumbers: [UInt32] { people.compactMap { UInt32(exactly: $0) } }

    /// The numbers of the key slots that were overwritten.
    var slotNumbers: [UInt32] { slots.compactMap { UInt32(exactly: $0) } }
}
