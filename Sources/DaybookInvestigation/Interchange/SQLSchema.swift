import Daybook

/// The tables into which a log is written as SQL, with their columns.
struct SQLSchema: Sendable {
    /// A column of a projection's tables, which holds one field of the states.
    struct Column: Sendable {
        /// Quoted name of the column.
        var name: String
        var type: String
        /// The field name as JSON, with its quotation marks and colon, in UTF-8.
        var member: [UInt8]
        var holdsJSON: Bool
    }

    /// The tables of one projection.
    struct ProjectionTables: Sendable {
        var projection: ProjectionDescription
        /// Quoted name of the table of the newest states.
        var table: String
        /// Quoted name of the table of all states.
        var historyTable: String
        /// Names of both tables without quotation marks, for the names of indexes.
        var plainNames: (table: String, history: String)
        var columns: [Column]
    }

    /// Columns of the table `events`: names with their types.
    static let eventColumns = [
        ("position", "BIGINT NOT NULL"), ("kind", "TEXT NOT NULL"), ("version", "BIGINT NOT NULL"),
        ("occurred_at", "TEXT"), ("occurred_at_us", "BIGINT NOT NULL"), ("recorded_at", "TEXT"),
        ("recorded_at_us", "BIGINT NOT NULL"), ("zone", "TEXT"), ("offset_s", "BIGINT NOT NULL"),
        ("actor", "TEXT"), ("device", "TEXT"), ("correlation", "TEXT"), ("causation", "BIGINT"),
        ("commit_position", "BIGINT NOT NULL"), ("tags", "TEXT NOT NULL"), ("payload", "TEXT"),
    ]
    /// Columns of the table `event_tags`.
    static let tagColumns = [("position", "BIGINT NOT NULL"), ("tag", "TEXT NOT NULL")]
    /// Columns of a projection's table before those of its fields.
    static let stateColumns = [("key", "TEXT NOT NULL"), ("position", "BIGINT NOT NULL")]
    /// Columns of a projection's history before those of its fields.
    static let historyColumns = [
        ("key", "TEXT NOT NULL"), ("from_position", "BIGINT NOT NULL"), ("to_position", "BIGINT"),
        ("from_time", "TEXT"), ("to_time", "TEXT"), ("cause", "TEXT NOT NULL"),
    ]

    /// Tables of the projections, in the order of their names.
    let projections: [ProjectionTables]

    /// Names the tables and columns of projections.
    ///
    /// A table has the name of its projection, in which dashes become underscores. If another table
    /// has the name already, `_2` is appended. A field with the name of one of the table's own
    /// columns has the prefix `state_`.
    init(_ projections: [ProjectionDescription]) {
        var names = UniqueNames(["events", "event_tags"])
        self.projections = projections.sorted { $0.name.precedesByBytes($1.name) }.map {
            let name = $0.name.replacing("-", with: "_")
            let table = names.add(name)
            let history = names.add(name + "_history")
            return ProjectionTables(
                projection: $0, table: Self.quoted(table), historyTable: Self.quoted(history),
                plainNames: (table, history), columns: Self.columns(of: $0))
        }
    }

    private static func columns(of projection: ProjectionDescription) -> [Column] {
        let own = Set((stateColumns + historyColumns).map(\.0))
        var names = UniqueNames(own)
        return projection.fields.map { field in
            let plain = field.name.replacing("-", with: "_")
            let name = names.add(own.contains(plain.lowercased()) ? "state_\(plain)" : plain)
            let (type, holdsJSON) = columnType(of: field)
            let member = Array((JSONWriter.text(field.name) + ":").utf8)
            return Column(name: quoted(name), type: type, member: member, holdsJSON: holdsJSON)
        }
    }

    /// Returns the SQL type of a field, and true if the field is written as JSON text.
    private static func columnType(of field: FieldDescription) -> (String, holdsJSON: Bool) {
        let form = field.form.hasSuffix("?") ? String(field.form.dropLast()) : field.form
        if form.hasPrefix("[") || form.hasPrefix("{") || form == "object" || form == "value" {
            return ("TEXT", true)
        }
        switch form {
        case "integer" where field.isMoment && !field.name.hasSuffix("Us"): return ("TEXT", false)
        case "integer", "position", "personal integer": return ("BIGINT", false)
        case "number with one decimal": return ("DECIMAL(20,1)", false)
        case "boolean": return ("BOOLEAN", false)
        default: return ("TEXT", false)
        }
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    static func creation(_ table: String, _ columns: [(String, String)]) -> String {
        let columns = columns.map { "  \($0.0.hasPrefix("\"") ? $0.0 : quoted($0.0)) \($0.1)" }
        return "CREATE TABLE \(table) (\n" + columns.joined(separator: ",\n") + "\n);\n"
    }
}

/// Names that differ in more than the case of letters, which SQL ignores.
private struct UniqueNames {
    /// The names in use, in lower case.
    private var used: Set<String>

    init(_ used: Set<String>) { self.used = used }

    /// Returns an unused name: `name` itself, or with a number appended.
    mutating func add(_ name: String) -> String {
        var unused = name
        var number = 2
        while !used.insert(unused.lowercased()).inserted {
            unused = "\(name)_\(number)"
            number += 1
        }
        return unused
    }
}
