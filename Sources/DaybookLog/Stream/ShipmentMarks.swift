import Daybook
import DaybookLMDB

/// The statements of people and texts of a shipment that no seal covers: that they are erased, and how
/// many texts a person has.
///
/// Segments have them as of the start of their shipment, so that the events and texts which show it
/// may come later, but not after the shipment.
struct ShipmentMarks {
    /// The place of a record in a segment.
    private struct Place {
        var name: String
        var body: Range<Int>
    }

    private var people: [UInt32: Place] = [:]
    private var texts: [[UInt8]: Place] = [:]
    /// The number of texts of each person, with the record that says so.
    private var textCounts: [UInt32: (first: UInt64, count: UInt64, place: Place)] = [:]

    /// Notes the marks of a batch.
    mutating func add(_ batch: ReplicaBatch, of reader: SegmentReader) throws(LogError) {
        for body in batch.people {
            let (number, row) = try reader.person(
                SegmentReader.Record(kind: .person, body: body))
            let place = Place(name: reader.name, body: body)
            people[number] = row.state == .erased ? place : nil
            textCounts[number] = (row.firstPosition, row.textCount, place)
        }
        for body in batch.texts {
            let (key, row) = try reader.text(SegmentReader.Record(kind: .text, body: body))
            texts[key] =
                row.isGone && !row.isLost ? Place(name: reader.name, body: body) : nil
        }
    }

    /// Throws an error unless each mark is that of a recorded erasure and each number of texts is
    /// right, with the last batch of a shipment; forgets the marks.
    mutating func check(
        with batch: ReplicaBatch, of reader: SegmentReader, in log: EventLog, isFromStore: Bool
    ) throws(LogError) {
        if !people.isEmpty || !texts.isEmpty {
            let found = try unrecorded(batch, reader, log)
            if let found {
                throw fault(
                    found.place,
                    found.what + " is marked as erased, but no such erasure is "
                        + "recorded up to position \(batch.head.position)")
            }
        }
        // A store gives people and texts as of a later time than its commits.
        if !isFromStore { try checkTextCounts(with: batch, of: reader, in: log) }
        self = ShipmentMarks()
    }

    /// Throws an error unless the people of the shipment have as many texts as their rows say.
    private func checkTextCounts(
        with batch: ReplicaBatch, of reader: SegmentReader, in log: EventLog
    ) throws(LogError) {
        guard !textCounts.isEmpty else { return }
        var found: [UInt32: UInt64] = [:]
        var new: [[UInt8]: UInt32] = [:]
        for body in batch.texts {
            new[reader.copy(body.prefix(12))] = reader.content(body).integer(at: 12)
        }
        let transaction = try log.file.beginReading()
        try transaction.scanRows(log.file.tables.texts, from: nil as RawSpan?) { (key, value) in
            guard value.byteCount >= 4, new.isEmpty || new[key.copied()] == nil else {
                return true
            }
            found[value.integer(at: 0), default: 0] += 1
            return true
        }
        for person in new.values { found[person, default: 0] += 1 }
        for (number, said) in textCounts where said.count != found[number, default: 0] {
            throw fault(
                said.place,
                "position \(said.first): person \(number), who is named first there, has "
                    + "\(found[number, default: 0].counted("personal text")) up to position "
                    + "\(batch.head.position), but the person's row says \(said.count)")
        }
    }

    /// The error of a record.
    private func fault(_ place: Place, _ reason: String) -> LogError {
        .stream(.segment(name: place.name, offset: place.body.lowerBound - 5, reason: reason))
    }

    /// Returns a mark without a recorded erasure; `nil` if there is none.
    private func unrecorded(
        _ batch: ReplicaBatch, _ reader: SegmentReader, _ log: EventLog
    ) throws(LogError) -> (place: Place, what: String)? {
        let transaction = try log.file.beginReading()
        let rows = try SegmentRows.rows(of: batch, reader, over: log)
        var erasures = try LogErasures(log: log).recorded()
        let names = try log.file.names(in: transaction)
        for (position, record) in try batch.erasures(reader, log, names) {
            erasures.add(record, at: position)
        }
        for (number, place) in people where !erasures.people.contains(number) {
            let first = try rows.person(number, in: transaction)?.firstPosition ?? 0
            return (place, "position \(first): person \(number), who is named first there,")
        }
        for (key, place) in texts {
            let position = PersonalRow.position(of: key.rawSpan) ?? 0
            guard let event = try rows.event(at: position, in: transaction) else { continue }
            let tags = try TaggedHeader(event.rawSpan, at: position).tags
            if !erasures.cover(position, tags) { return (place, SealCheck.place(key)) }
        }
        return nil
    }
}
