public import Daybook
import DaybookScenarios

/// The states of a projection after every event, as JSON lines.
///
/// The first line describes the trace. Each further one is an event: its position, the entity, its
/// kind, the fields that it set and those that are gone. An event about several entities has a line
/// for each, in the order of their ids. A field that is set replaces all that it held; of a large
/// one only the changed leaves are set. Internal fields are left out.
public enum Trace {
    /// The description of a trace, on its first line.
    public struct Header: Record {
        /// The version of this form.
        public var daybookTrace: Int64 = 1
        public var projection = ""
        public var rules = RuleSet.standard
        /// SHA-256 of the log's first commit, which identifies the log; empty for an empty log.
        public var log = ""
        public var through: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("daybookTrace", &daybookTrace)
            try field("projection", &projection)
            try field("rules", &rules)
            try field("log", &log)
            try field("through", &through)
        }
    }

    /// One event and what it made of its entity.
    public struct Entry: Hashable, Sendable {
        public var position: Int64
        public var key: String
        public var kind: String
        /// Path and JSON of the leaves that changed.
        public var set: [FlatFields.Leaf]
        public var gone: [String]
        /// Paths of which nothing remains but what is set.
        public var replaced: [String]

        public init(
            position: Int64, key: String, kind: String, set: [FlatFields.Leaf], gone: [String],
            replaced: [String] = []
        ) {
            self.position = position
            self.key = key
            self.kind = kind
            self.set = set
            self.gone = gone
            self.replaced = replaced
        }
    }

    public static func header(_ line: [UInt8]) throws(InputError) -> Header {
        let header: Header = try TreeReader.read(
            from: try JSONParser.parse(line, line: 1), rules: .standard.ofHistory)
        guard header.daybookTrace == 1 else {
            throw InputError(
                "expected a trace of form 1, found \(header.daybookTrace)", line: 1,
                field: "daybookTrace")
        }
        return header
    }

    public static func entry(_ line: [UInt8], line number: Int) throws(InputError) -> Entry {
        let tree = try JSONParser.parse(line, line: number)
        guard case .integer(let position)? = tree["position"]?.content,
            case .text(let key)? = tree["key"]?.content,
            case .text(let kind)? = tree["kind"]?.content,
            case .map(let members)? = tree["set"]?.content
        else {
            throw InputError("expected position, key, kind and set", line: number)
        }
        var gone: [String] = []
        if case .list(let paths)? = tree["gone"]?.content {
            for path in paths {
                guard case .text(let text) = path.content else {
                    throw InputError("expected paths", line: number, field: "gone")
                }
                gone.append(text)
            }
        }
        var entry = Entry(position: position, key: key, kind: kind, set: [], gone: gone)
        for member in members {
            switch member.value.content {
            case .map, .list, .null: entry.replaced.append(member.key)
            default: break
            }
            entry.set += member.value.leaves(member.key)
        }
        return entry
    }
}

/// Makes a trace of events as they come.
public struct Tracer: Sendable {
    private let projection: ProjectionDescription
    private let rules: RuleSet
    private var folds: [String: Fold] = [:]
    private var comparison = FieldComparison()

    public init(of projection: ProjectionDescription, rules: RuleSet) {
        self.projection = projection
        self.rules = rules
    }

    /// Writes a line of what an event makes of an entity that it is about.
    public mutating func write(
        _ event: borrowing EventView, _ key: String, to writer: inout JSONWriter
    ) throws(FoldError) {
        writer.beginObject()
        writer.member("position", Int64(clamping: event.position.rawValue))
        writer.member("key", key)
        writer.member("kind", event.kind.name)
        writer.name("set")
        writer.beginObject()
        let gone = try folds[key, default: projection.fold(rules)]
            .step(event, &comparison, &writer)
        writer.endObject()
        if !gone.isEmpty { writer.member("gone", gone.map(\.path)) }
        writer.endObject()
        writer.endLine()
    }
}

extension Tree {
    /// The leaves as `FlatFields` would have them of a record.
    public var leaves: [FlatFields.Leaf] {
        guard case .map(let members) = content else { return [] }
        return members.flatMap { $0.value.leaves($0.key) }
    }

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
