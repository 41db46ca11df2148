public import Daybook
import DaybookInput

/// A trace: the changes that each event makes to the states of a projection, as JSON lines.
///
/// The first line is the header. Each further line describes what an event changed in one entity:
/// the position and kind of the event, the id of the entity, the fields that were set and the
/// fields that were removed. An event about several entities has a line for each entity, in the
/// order of their ids. A field that is set replaces its whole earlier value; of a large field, only
/// the changed parts are set. The first event of an entity also sets the fields to which it gives the
/// value of a blank state. Internal fields are left out.
public enum Trace {
    /// The first line of a trace, which describes the projection and the log.
    public struct Header: Record {
        /// Version of the trace format; its key marks the trace as one of a projection.
        public var daybookTrace: Int64 = 1
        public var projection = ""
        public var rules = RuleSet.standard
        /// SHA-256 of the log's first commit, which identifies the log; empty for an empty log.
        public var logID = ""
        /// Position up to which the log was read.
        public var through: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("daybookTrace", &daybookTrace)
            try field("projection", &projection)
            try field("rules", &rules)
            try field("log", &logID)
            try field("through", &through)
        }
    }

    /// An event and the changes that it made to one entity.
    public struct Entry: Equatable, Sendable {
        public var position: Int64
        /// Newest id of the entity.
        public var key: String
        public var kind: String
        /// Paths and JSON of the innermost values that the event set.
        package var newLeaves: [FlatFields.Leaf]
        /// Paths of the innermost values that the event removed.
        public var removedPaths: [String]
        /// Paths whose whole earlier values are replaced by `newLeaves`.
        public var replacedPaths: [String]

        package init(
            position: Int64, key: String, kind: String, newLeaves: [FlatFields.Leaf],
            removedPaths: [String], replacedPaths: [String] = []
        ) {
            self.position = position
            self.key = key
            self.kind = kind
            self.newLeaves = newLeaves
            self.removedPaths = removedPaths
            self.replacedPaths = replacedPaths
        }
    }

    /// Parses the first line of a trace; throws `InputError` unless it is a header of this version.
    public static func header(_ line: [UInt8]) throws(InputError) -> Header {
        let header: Header = try TreeReader.read(
            from: try JSONParser.parse(line, line: 1), rules: .standard.ofHistory)
        guard header.daybookTrace == 1 else {
            throw InputError(
                "the trace has the format \(header.daybookTrace); this program reads only format 1",
                line: 1, field: "daybookTrace")
        }
        return header
    }

    /// Parses the line of an event; errors name its `number`.
    public static func entry(_ line: [UInt8], line number: Int) throws(InputError) -> Entry {
        let tree = try JSONParser.parse(line, line: number)
        guard case .integer(let position)? = tree["position"]?.content,
            case .text(let key)? = tree["key"]?.content,
            case .text(let kind)? = tree["kind"]?.content,
            case .map(let members)? = tree["set"]?.content
        else {
            throw InputError(
                "the line needs the members 'position', 'key', 'kind' and 'set'", line: number)
        }
        var gone: [String] = []
        if case .list(let paths)? = tree["gone"]?.content {
            for path in paths {
                guard case .text(let text) = path.content else {
                    throw InputError(
                        "expected the path of a removed value as text, found \(path.noun)",
                        line: number, field: "gone")
                }
                gone.append(text)
            }
        }
        var entry = Entry(
            position: position, key: key, kind: kind, newLeaves: [], removedPaths: gone)
        for member in members {
            switch member.value.content {
            case .map, .list, .null: entry.replacedPaths.append(member.key)
            default: break
            }
            entry.newLeaves += member.value.leaves(member.key)
        }
        return entry
    }
}

/// A writer of trace lines, which folds the events in the order of the log.
public struct Tracer: Sendable {
    /// The states; the note of an entity is true once it is left out.
    private var folds: EntityFolds<Bool>
    private var comparison = FieldComparison()

    public init(of projection: ProjectionDescription, rules: RuleSet) {
        folds = EntityFolds(of: projection, rules)
    }

    /// Forgets the state of an entity, of which no further line is needed.
    mutating func leaveOut(_ key: String) {
        guard let number = folds.numbers[key] else { return }
        folds.entities[number] = EntityFolds.Entity(fold: folds.blank, note: true)
    }

    /// Folds an event into the state of one of the event's entities, and writes the line.
    ///
    /// - Returns: `false` if the entity is left out; the event is then only read.
    @discardableResult
    package mutating func write(
        _ event: borrowing EventView, _ key: String, to writer: inout JSONWriter
    ) throws(FoldError) -> Bool {
        let number = folds.number(of: key, false)
        if folds.entities[number].note {
            var fold = folds.blank
            try fold.apply(event)
            return false
        }
        writer.beginObject()
        writer.member("position", Int64(clamping: event.position.rawValue))
        writer.member("key", key)
        writer.member("kind", event.kind.name)
        writer.name("set")
        writer.beginObject()
        let gone = try folds.entities[number].fold.step(event, &comparison, &writer)
        writer.endObject()
        if !gone.isEmpty { writer.member("gone", gone.map(\.path)) }
        writer.endObject()
        writer.endLine()
        return true
    }
}

extension Tree {
    /// The innermost values (leaves) of the object, with the paths that `FlatFields` writes.
    package var leaves: [FlatFields.Leaf] {
        guard case .map(let members) = content else { return [] }
        return members.flatMap { $0.value.leaves($0.key) }
    }

    /// Returns the innermost values of the value at `path`.
    func leaves(_ path: String) -> [FlatFields.Leaf] {
        switch content {
        case .map(let members) where !members.isEmpty:
            members.flatMap { $0.value.leaves("\(path).\($0.key)") }
        case .list(let elements) where !elements.isEmpty:
            elements.enumerated().flatMap { $0.element.leaves("\(path)[\($0.offset)]") }
        default: [FlatFields.Leaf(path: path, value: canonicalText)]
        }
    }
}
