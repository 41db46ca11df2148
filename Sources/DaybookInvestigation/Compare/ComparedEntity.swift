import Daybook

/// The states of one entity in the two traces, until they differ.
struct ComparedEntity {
    /// JSON of each field's value by the field's index, as long as all lines of the two traces are
    /// equal. `nil` once two lines differ; the values are then in `states`.
    var commonFields: [String?]? = []
    /// State in each trace, by path; used once two lines differ. A removed field that has a value
    /// in the blank state is stored as `nil`.
    var states = [PathValues(), PathValues()]
    /// True for each trace that has an event of the entity so far. Without any event, an entity has
    /// no state, not a blank state.
    var hasBegun = [false, false]
    /// Lines of each trace that wait for their match in the other trace.
    var waitingLines: [[WaitingLine]] = [[], []]
    /// The last five events of the entity in the first trace.
    var recentEvents: [(position: Int64, kind: String)] = []

    /// True if no line of the entity has been compared.
    var isNew: Bool { commonFields?.isEmpty == true && !hasBegun[0] && !hasBegun[1] }

    /// Adds an event of the first trace to `recentEvents`, which keeps the last five.
    mutating func addRecent(_ position: Int64, _ kind: String) {
        recentEvents.append((position, kind))
        if recentEvents.count > 5 { recentEvents.removeFirst() }
    }

    /// Applies a line that is equal in both traces; `false` if they have separate states already.
    mutating func addEqual(
        _ line: TraceLine, _ bytes: [UInt8], at position: Int64, _ kind: String, _ count: Int
    ) -> Bool {
        guard commonFields != nil else { return false }
        if commonFields?.isEmpty == true { commonFields = Array(repeating: nil, count: count) }
        for (field, json) in line.setFields {
            commonFields?[field] = String(decoding: bytes[json], as: UTF8.self)
        }
        addRecent(position, kind)
        return true
    }

    /// Copies the common fields to a separate state for each trace.
    mutating func splitState(_ names: [String]) {
        guard let fields = commonFields else { return }
        commonFields = nil
        guard !fields.isEmpty else { return }
        hasBegun = [true, true]
        var state = PathValues()
        for (name, json) in zip(names, fields) {
            guard let json, let tree = try? JSONParser.parse(json.utf8) else { continue }
            for leaf in tree.leaves(name) { state[leaf.path] = leaf.value }
        }
        states = [state, state]
    }
}

/// A line of one trace that waits for its match in the other trace.
enum WaitingLine {
    case entry(Trace.Entry)
    /// A line in the form that `TraceLine` reads, which is parsed only if its match differs.
    case plain(PlainLine)

    /// A line that `TraceLine` has read.
    struct PlainLine {
        var bytes: [UInt8]
        /// Offset of the part of the line after the position of the event.
        var contentStart: Int
        var position: Int64
        /// Number of the line in its file, from 1; 0 if the trace is not read from a file.
        var number: Int

        /// True if the lines are equal except for the positions of the events.
        func hasEqualContent(_ other: Self) -> Bool {
            bytes[contentStart...] == other.bytes[other.contentStart...]
        }
    }

    /// Returns the parsed line of a side.
    func parsed(from side: any TraceSide) throws -> Trace.Entry {
        switch self {
        case .entry(let entry): entry
        case .plain(let line): try side.entry(line.bytes, number: line.number)
        }
    }
}
