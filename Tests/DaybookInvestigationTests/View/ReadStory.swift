import Daybook
import Testing

@testable import DaybookInvestigation

/// A story as a page reads it: columns, of which states are folded.
struct ReadStory {
    /// One change of a field.
    struct Change: Equatable {
        var row: Int
        var entity: Int
        var path: String
        /// The value as JSON; `nil` if the field was removed.
        var value: String?
        var writer: Int64
    }

    let json: String
    let tree: Tree
    let positions: [Int64]
    let changes: [Change]
    private let values: [String]
    private let paths: [String]

    init(_ options: StoryOptions, in reading: ProjectionReading) throws {
        try self.init(try Story(options, in: reading))
    }

    init(_ story: Story) throws {
        var bytes: [UInt8] = []
        try story.write { bytes += $0 }
        let leastByteCount =
            story.events.byteCount + story.fields.byteCount + story.changes.leastByteCount
        #expect(leastByteCount <= bytes.count, "a story that fits must not be refused")
        json = String(decoding: bytes, as: UTF8.self)
        tree = try JSONParser.parse(json.utf8)
        positions = try Self.summed(tree["events"]?["position"])
        values = try Self.list(tree["values"]).map { value in
            if case .text(let digits)? = value["integer"]?.content { return digits }
            return value.json
        }
        paths = try Self.list(tree["paths"]).map { try Self.text($0["path"]) }
        changes = try Self.changes(try #require(tree["changes"]), paths, values)
    }

    static func list(_ tree: Tree?) throws -> [Tree] {
        guard case .list(let elements)? = tree?.content else {
            throw InputError("expected a list")
        }
        return elements
    }

    static func numbers(_ tree: Tree?) throws -> [Int64] {
        try list(tree).map { element in
            guard case .integer(let number) = element.content else {
                throw InputError("expected a number")
            }
            return number
        }
    }

    /// The numbers of a column of differences.
    static func summed(_ tree: Tree?) throws -> [Int64] {
        var last: Int64 = 0
        return try numbers(tree).map { difference in
            last += difference
            return last
        }
    }

    static func text(_ tree: Tree?) throws -> String {
        guard case .text(let text)? = tree?.content else { throw InputError("expected a text") }
        return text
    }

    private static func changes(
        _ tree: Tree, _ paths: [String], _ values: [String]
    ) throws -> [Change] {
        let rows = try summed(tree["event"])
        let (entities, ofPath) = (try numbers(tree["entity"]), try numbers(tree["path"]))
        let ofValue = try numbers(tree["value"])
        let writers = try tree["by"].map { try numbers($0) } ?? rows.map { _ in 0 }
        return rows.indices.map { index in
            Change(
                row: Int(rows[index]), entity: Int(entities[index]),
                path: paths[Int(ofPath[index])],
                value: ofValue[index] < 0 ? nil : values[Int(ofValue[index])],
                writer: writers[index])
        }
    }

    /// The changes of an alternative.
    func changes(of alternative: Int) throws -> [Change] {
        let found = try Self.list(tree["alternatives"])[alternative]
        return try Self.changes(try #require(found["changes"]), paths, values)
    }

    /// The index of an entity.
    func entity(_ projection: String, _ key: String) throws -> Int? {
        try Self.list(tree["entities"]).firstIndex { entity in
            guard case .text(projection)? = entity["projection"]?.content,
                case .text(key)? = entity["key"]?.content
            else { return false }
            return true
        }
    }

    /// The fields of an entity at a row, by their paths; `nil` if it does not exist.
    func state(_ entity: Int, at row: Int) throws -> [String: String]? {
        guard let first = try firstRow(of: entity), row >= first else { return nil }
        return try state(entity, at: row, changes)
    }

    /// The row of an entity's first event; `nil` if it does not exist.
    func firstRow(of entity: Int) throws -> Int? {
        let description = try Self.list(tree["entities"])[entity]
        guard case .integer(let first)? = description["first"]?.content, first >= 0
        else { return nil }
        return Int(first)
    }

    /// The fields of an entity that changes lead to at a row.
    func state(_ entity: Int, at row: Int, _ changes: [Change]) throws -> [String: String] {
        let description = try Self.list(tree["entities"])[entity]
        var state: [String: String] = [:]
        if case .text(let name)? = description["projection"]?.content {
            let projection = try #require(
                try Self.list(tree["projections"]).first { found in
                    if case .text(name)? = found["name"]?.content { return true }
                    return false
                })
            let blank = projection["blank"]
            for (path, value) in zip(
                try Self.numbers(blank?["path"]), try Self.numbers(blank?["value"]))
            { state[paths[Int(path)]] = values[Int(value)] }
        }
        for change in changes where change.entity == entity && change.row <= row {
            state[change.path] = change.value
        }
        return state
    }
}

extension Tree {
    /// The values of a fold's leaves as a story shows them, by their paths.
    static func fields(_ leaves: [FlatFields.Leaf]) -> [String: String] {
        Dictionary(leaves.map { ($0.path, $0.replacement ?? $0.value) }) { _, last in last }
    }
}
