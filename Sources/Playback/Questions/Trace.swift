public import EventSourcing

/// What a projection was after every event, as JSON lines.
///
/// The first line says what it is a trace of. Each further one is an event: its position, the
/// entity, its kind, the fields that it set and those that are gone. Working fields are not told.
public enum Trace {
    /// What a trace is of.
    public struct Header: Record {
        /// The version of this form.
        public var daybookTrace: Int64 = 1
        public var projection = ""
        public var rules = RuleSet.standard
        /// SHA-256 over the log's first commit, which tells logs apart; empty for none.
        public var log = ""
        public var through: Int64 = 0

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Header
        ) throws(Visitor.Failure) {
            try visitor.field("daybookTrace", &value.daybookTrace)
            try visitor.field("projection", &value.projection)
            try visitor.field("rules", &value.rules)
            try visitor.field("log", &value.log)
            try visitor.field("through", &value.through)
        }
    }

    /// One event and what it made of its entity.
    public struct Entry: Hashable, Sendable {
        public var position: Int64
        public var key: String
        public var kind: String
        /// Path and JSON of the fields that changed.
        public var set: [FlatFields.Leaf]
        public var gone: [String]

        public init(
            position: Int64, key: String, kind: String, set: [FlatFields.Leaf], gone: [String]
        ) {
            self.position = position
            self.key = key
            self.kind = kind
            self.set = set
            self.gone = gone
        }

        public init(_ step: Timeline.Step, key: String) {
            self.init(
                position: Int64(step.event.position.rawValue), key: key,
                kind: step.event.kind.name, set: [], gone: [])
            for change in step.changes {
                if let value = change.after {
                    set.append(FlatFields.Leaf(path: change.path, value: value))
                } else {
                    gone.append(change.path)
                }
            }
        }

        public var json: String {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("position", position)
                writer.member("key", key)
                writer.member("kind", kind)
                writer.name("set")
                writer.object { writer in
                    for leaf in set {
                        writer.name(leaf.path)
                        writer.raw(leaf.value)
                    }
                }
                if !gone.isEmpty { writer.member("gone", gone) }
            }
            return writer.text
        }
    }

    public static func header(_ line: [UInt8]) throws(InputError) -> Header {
        let header: Header = try TreeReader.read(
            from: try JSONParser.parse(line, line: 1), rules: .standard)
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
        return Entry(
            position: position, key: key, kind: kind,
            set: members.map { FlatFields.Leaf(path: $0.key, value: $0.value.canonicalText) },
            gone: gone)
    }
}

/// Makes a trace of events as they come.
public struct Tracer: Sendable {
    private let projection: ProjectionDescription
    private let rules: RuleSet
    private var timelines: [String: Timeline] = [:]

    public init(of projection: ProjectionDescription, rules: RuleSet) {
        self.projection = projection
        self.rules = rules
    }

    /// What an event makes of each entity that it is about.
    public mutating func take(
        _ event: RecordedEvent, _ keys: [String]
    ) throws(FoldError) -> [Trace.Entry] {
        var entries: [Trace.Entry] = []
        for entity in keys {
            var timeline =
                timelines.removeValue(forKey: entity) ?? Timeline(of: projection, rules: rules)
            entries.append(Trace.Entry(try timeline.advance(with: event), key: entity))
            timelines[entity] = timeline
        }
        return entries
    }
}
