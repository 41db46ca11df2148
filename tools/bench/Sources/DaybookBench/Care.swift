import Daybook

/// An area that only the benchmark has, in the shape of a care diary.
enum Care {
    enum Sort: UInt8, StoredEnum {
        case feed, sleep, diaper, bath, growth, medicine, other
    }

    /// Seven fields; about 54 bytes, and about 90 for the quarter of them with a note.
    struct EntryClosed: EventPayload {
        static let kind: EventKind = "care.entry-closed.v1"

        var childId = ""
        var entryId = ""
        var sort = Sort.feed
        var startedAtUs: Int64 = 0
        var durationS: Int64 = 0
        var amountUl: Int64 = 0
        var note: String?

        var tags: [Tag] {
            [
                Tag(stored: "child:" + childId), Tag(stored: "entry:" + entryId),
                Tag(stored: "sort:" + sort.name),
            ]
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("childId", &childId)
            try field("entryId", &entryId)
            try field("sort", &sort)
            try field("startedAtUs", &startedAtUs)
            try field("durationS", &durationS)
            try field("amountUl", &amountUl)
            try field("note", &note)
        }

        /// The entry with a number; the same on every run.
        init(_ number: UInt64) {
            let bits = Self.mixed(number)
            childId = "kid-" + Self.padded(bits % 1_000, 3)
            entryId = "e-" + Self.padded(Self.mixed(bits) % 100_000, 10)
            sort = Sort(rawValue: UInt8(bits % 7)) ?? .other
            startedAtUs = 1_750_000_000_000_000 + Int64(number) * 1_000_000
            durationS = Int64(bits >> 52)
            amountUl = Int64(bits >> 44)
            if bits & 3 == 0 { note = "Slept badly, woke up twice, tooth?" }
        }

        static var blank: Self { Self() }

        init() {}

        private static func mixed(_ value: UInt64) -> UInt64 {
            let product = value &* 0x9E37_79B9_7F4A_7C15
            return product ^ (product >> 32)
        }

        private static func padded(_ value: UInt64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: width - digits.count) + digits
        }
    }

    /// The same with a personal text, whose seal of 32 bytes follows the other fields.
    struct EntryWithText: EventPayload {
        static let kind = EntryClosed.kind

        var entry = EntryClosed()
        var text = PersonalText("")

        var tags: [Tag] { entry.tags }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try entry.fields(&field)
            try field("text", &text)
        }

        static var blank: Self { Self() }
    }

    enum Event: EventSet {
        case entryClosed(EntryClosed)

        static let kinds: [StoredKind<Event>] = [StoredKind(Event.entryClosed)]
    }
}

/// The state of a projection of the benchmark: sums by a number or by a text.
struct Sums<Key: Hashable & Sendable>: Record {
    var sums: [Key: Int64] = [:]

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        var texts: [String: Int64] = [:]
        for (key, sum) in sums { texts["\(key)"] = sum }
        try field("sums", &texts)
    }
}

extension Care {
    static func day(_ us: Int64) -> Int64 { us / 86_400_000_000 }

    /// Amounts by day.
    enum ByDay: Projection {
        static func evolve(
            _ state: inout Sums<Int64>, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .entryClosed(let entry):
                state.sums[day(entry.startedAtUs), default: 0] += entry.amountUl
            }
        }
    }

    /// Amounts by child.
    enum ByChild: Projection {
        static func evolve(
            _ state: inout Sums<String>, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .entryClosed(let entry): state.sums[entry.childId, default: 0] += entry.amountUl
            }
        }
    }

    /// Entries by sort.
    enum BySort: Projection {
        static func evolve(
            _ state: inout Sums<UInt8>, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .entryClosed(let entry): state.sums[entry.sort.rawValue, default: 0] += 1
            }
        }
    }

    /// Notes, and how long they are.
    enum Notes: Projection {
        static func evolve(
            _ state: inout Sums<Int64>, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .entryClosed(let entry):
                guard let note = entry.note else { return }
                state.sums[Int64(note.utf8.count), default: 0] += 1
            }
        }
    }
}
