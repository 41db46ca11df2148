import Daybook
import Testing

@testable import DaybookInvestigation

/// Values, names and times in SQL.
@Suite struct SQLTextTests {
    private static let columns = [
        SQLSchema.Column(
            name: "a", type: "TEXT", member: Array(#""a":"#.utf8), holdsJSON: false),
        SQLSchema.Column(name: "b", type: "TEXT", member: Array(#""b":"#.utf8), holdsJSON: true),
        SQLSchema.Column(
            name: "c", type: "BIGINT", member: Array(#""c":"#.utf8), holdsJSON: false),
    ]

    @Test(
        "Members of an object become values of the columns",
        arguments: [
            (#"{"a":"x","b":[1,{"d":"it's"}],"c":-5}"#, #"('x','[1,{"d":"it''s"}]',-5)"#),
            (#"{"a":"it's","b":{},"c":null}"#, "('it''s','{}',NULL)"),
            (
                #"{"a":"q\"b\\s\nl\tt\u0001","b":"x","c":12.3}"#,
                "('q\"b\\s\nl\tt\u{1}','\"x\"',12.3)"
            ),
            (#"{"a":"n\u0000l","b":"\u0000","c":true}"#, "('n\u{2400}l','\"\\u0000\"',TRUE)"),
            (#"{"c":false}"#, "(NULL,NULL,FALSE)"),
            (
                #"{"a":"","unknown":{"b":[1]},"c":9223372036854775807}"#,
                "('',NULL,9223372036854775807)"
            ),
            ("{}", "(NULL,NULL,NULL)"),
        ])
    func members(_ json: String, _ row: String) {
        var writer = SQLRow(.standard)
        writer.begin()
        writer.values(of: Array(json.utf8).contents, Self.columns)
        writer.end()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == row)
    }

    @Test(
        "In the dialect of DuckDB, a row is a JSON array within a text of SQL",
        arguments: [
            (#"{"a":"it's","b":{},"c":null}"#, #"["it''s","{}",null]"#),
            (
                #"{"a":"q\"b\\s\nl\u0001","b":"x","c":12.3}"#,
                #"["q\"b\\s\u000al\u0001","\"x\"","12.3"]"#
            ),
            (
                #"{"a":"n\u0000l","b":"\u0000","c":true}"#,
                "[\"n\u{2400}l\",\"\\\"\\\\u0000\\\"\",true]"
            ),
            (#"{"c":false}"#, "[null,null,false]"),
            (#"{"a":"é🙂","b":{"c":["'"]}}"#, #"["é🙂","{\"c\":[\"''\"]}",null]"#),
        ])
    func arrays(_ json: String, _ row: String) {
        var writer = SQLRow(.duckdb)
        writer.begin()
        writer.values(of: Array(json.utf8).contents, Self.columns)
        writer.end()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == row)
    }

    @Test("In the dialect of DuckDB, a statement casts the values to the types of the columns")
    func casts() {
        var inserts = SQLInserts(
            into: "\"t\"", ["TEXT NOT NULL", "BIGINT NOT NULL", "DECIMAL(20,1)", "TEXT"], .duckdb)
        var text: [UInt8] = []
        inserts.add(Array(#"["a",1,"2.5",null]"#.utf8).contents, to: &text)
        inserts.end(&text)
        #expect(
            String(decoding: text, as: UTF8.self) == """
                INSERT INTO "t" SELECT r[1],CAST(r[2] AS BIGINT),CAST(r[3] AS DECIMAL(20,1)),r[4]
                FROM (SELECT unnest(from_json('[
                ["a",1,"2.5",null]
                ]','["VARCHAR[]"]')) AS r);

                """)
    }

    @Test(
        "Times have six fraction digits, so that their texts sort",
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"), (500_000, "1970-01-01T00:00:00.500000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"), (Int64.max, nil),
        ] as [(Int64, String?)])
    func times(_ microseconds: Int64, _ text: String?) {
        var row = SQLRow(.standard)
        row.time(Instant(microseconds: microseconds))
        #expect(String(decoding: row.bytes, as: UTF8.self) == text.map { "'\($0)'" } ?? "NULL")
    }

    @Test("Statements have at most 500 rows")
    func statements() {
        var inserts = SQLInserts(into: "\"t\"", ["BIGINT"], .standard)
        var text: [UInt8] = []
        for number in 0..<501 { inserts.add(Array("(\(number))".utf8).contents, to: &text) }
        inserts.end(&text)
        inserts.end(&text)
        let sql = String(decoding: text, as: UTF8.self)
        #expect(sql.split(separator: "INSERT INTO \"t\" VALUES\n").count == 2)
        #expect(sql.hasSuffix("(499);\nINSERT INTO \"t\" VALUES\n(500);\n"))
    }

    @Test("A field with the name of the table's own column gets a prefix")
    func names() throws {
        let schema = SQLSchema([
            ProjectionDescription("event-tags", noun: "a", "One", Own.self),
            ProjectionDescription("own", noun: "a", "Another", Own.self),
            ProjectionDescription("own-history", noun: "a", "A third", Own.self),
        ])
        #expect(
            schema.projections.map(\.table)
                == ["\"event_tags_2\"", "\"own\"", "\"own_history_2\""])
        #expect(schema.projections.map(\.historyTable)[1] == "\"own_history\"")
        #expect(
            schema.projections[0].columns.map { "\($0.name) \($0.type)" } == [
                "\"state_key\" TEXT", "\"state_Cause\" TEXT", "\"count\" BIGINT",
                "\"Count_2\" TEXT", "\"isOpen\" BOOLEAN", "\"startedUs\" BIGINT",
                "\"started\" TEXT", "\"all\" TEXT",
            ])
    }

    /// An event set without events.
    enum NoEvents: EventSet {
        static var kinds: [StoredKind<Self>] { [] }
    }

    /// A projection whose fields have awkward names.
    enum Own: Projection {
        struct State: Record {
            var key = ""
            var cause: String?
            var count: Int64 = 0
            var other = ""
            var isOpen = false
            var startedUs: Instant?
            var started: Instant?
            var all: [Int64] = []

            static var blank: Self { Self() }

            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("key", &key, "Cause", &cause, "count", &count, "Count", &other)
                try field("isOpen", &isOpen, "startedUs", &startedUs)
                try field("started", &started, "all", &all)
            }
        }

        static func evolve(_ state: inout State, with event: NoEvents, _ envelope: Envelope) {}
    }
}
