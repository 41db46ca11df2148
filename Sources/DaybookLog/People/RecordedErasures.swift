import Daybook
import DaybookLMDB
import Synchronization

/// The erasures that the events of a log record, up to a position.
struct RecordedErasures {
    /// The position up to which the events were read.
    var through: UInt64 = 0
    /// The numbers of people who were erased completely.
    private(set) var people: Set<UInt32> = []
    /// The position of the newest event that records the erasure of each erased tag, by tag.
    private var lastOfTag: [String: UInt64] = [:]
    /// The position of the newest event that records the erasure of each erased event, by the
    /// position of the erased event.
    private var lastOfEvent: [UInt64: UInt64] = [:]

    /// Adds what the event at a position records.
    mutating func add(_ record: TextsErased, at position: UInt64) {
        for tag in record.erasedTags { lastOfTag[tag] = position }
        if let erased = record.position.flatMap({ UInt64(exactly: $0) }) {
            lastOfEvent[erased] = position
        }
        people.formUnion(record.personNumbers)
    }

    /// True if an erasure covers the personal texts of an event.
    func cover(_ position: UInt64, _ tags: [Tag]) -> Bool {
        lastOfEvent[position, default: 0] > position
            || tags.contains { lastOfTag[$0.text, default: 0] > position }
    }
}

extension TextsErased {
    /// The numbers of the people who were erased.
    var personNumbers: [UInt32] { people.compactMap { UInt32(exactly: $0) } }

    /// The numbers of the key slots that were overwritten.
    var slotNumbers: [UInt32] { slots.compactMap { UInt32(exactly: $0) } }
}
