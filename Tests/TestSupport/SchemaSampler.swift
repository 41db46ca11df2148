package import Daybook

/// Makes inputs from the listed fields of a kind or command: extreme values, and ids from a few
/// that collide. The same ones from the same seed.
public struct SchemaSampler: Sendable {
    private var sampler: Sampler
    /// One in so many values is an extreme one.
    private let calm: Int

    public init(seed: UInt64, calm: Int) {
        sampler = Sampler(seed: seed)
        self.calm = calm
    }

    public static let extremes: [Int64] = [
        .min, .min + 1, .max, .max - 1, -1, 0, 1, 1 << 62, -(1 << 62), 1 << 32, -(1 << 31),
        1_000_000_007, 86_400_000_000, -62_135_596_800_000_000, 253_402_300_799_999_999,
    ]

    private static let texts = [
        "", "a", "b", "1.2.0", "99999999999999999999.1", "2026-01-02", "2026-W01", "2026-01",
        "0000-01-01", "9999-12-31", "9999-W52", "Asia/Seoul", "UTC", "+14:00", "UTC+99", "true",
        String(repeating: "x", count: 300), "\u{202E}\u{1B}[2J", "🙂",
    ]

    private static let numbers = [
        "1", "-1", "0", "4.5", "9223372036854775807", "-9223372036854775808", "1e18", "1e-9",
        "999999999999999.999999999", "NaN", "90.000000001", "-180", "37.5", "127.1", "",
    ]

    /// Texts that a field of that name can make sense of.
    private static let fitting = [
        "zone": ["UTC", "Asia/Seoul", "America/New_York"], "week": ["2026-W01", "2026-W02"],
        "period": ["2026-01-02", "2026-W01", "2026-01"], "date": ["2026-01-02", "2026-01-01"],
        "month": ["2026-01"], "birthDate": ["2025-12-01"],
        "kind": ["sleep", "formula", "pee", "growth"],
    ]

    public mutating func below(_ count: Int) -> Int { sampler.below(count) }

    public mutating func pick<Value>(_ values: [Value]) -> Value {
        values[sampler.below(values.count)]
    }

    public mutating func isExtreme() -> Bool { sampler.below(calm) == 0 }

    /// An integer of a moment in the first days of 2026, or an extreme one.
    public mutating func moment() -> Int64 {
        isExtreme()
            ? pick(Self.extremes) : Sampler.earliestUs + Int64(sampler.below(7 * 144)) * 600_000_000
    }

    /// An object with these fields.
    package mutating func tree(of fields: [FieldDescription]) -> Tree {
        var members: [Tree.Member] = []
        for field in fields {
            members.append(Tree.Member(key: field.name, value: value(of: field, field.form[...])))
        }
        return Tree(.map(members), line: 1)
    }

    private mutating func value(of field: FieldDescription, _ form: Substring) -> Tree {
        if form.hasSuffix("?") {
            return below(5) < 2 ? Tree(.null, line: 1) : value(of: field, form.dropLast())
        }
        if form.hasPrefix("[") {
            let elements = (0..<below(4)).map { _ in value(of: field, form.dropFirst().dropLast()) }
            return Tree(.list(elements), line: 1)
        }
        if form.hasPrefix("{") {
            let names = field.name == "value" ? "ml weightKg durationMin side" : "a b"
            let keys = names.split(separator: " ").map(String.init)
            let members = keys.prefix(below(3)).map {
                Tree.Member(key: $0, value: value(of: field, form.dropFirst().dropLast()))
            }
            return Tree(.map(members), line: 1)
        }
        return form == "object" ? tree(of: field.fields) : scalar(field, form)
    }

    private mutating func scalar(_ field: FieldDescription, _ form: Substring) -> Tree {
        switch form {
        case "integer": Tree(.integer(integer(field)), line: 1)
        case "personal integer":
            Tree(below(8) == 0 ? .null : .integer(integer(field)), line: 1)
        case "boolean": Tree(.boolean(below(2) == 0), line: 1)
        case "text or number": Tree(.text(pick(Self.numbers)), line: 1)
        case _ where form.hasPrefix("one of "):
            Tree(.text(pick(form.dropFirst(7).split(separator: ", ").map(String.init))), line: 1)
        default: Tree(.text(text(field.name)), line: 1)
        }
    }

    private mutating func integer(_ field: FieldDescription) -> Int64 {
        if isExtreme() { return pick(Self.extremes) }
        let values = field.limit.values
        if below(4) == 0 { return pick([values.lowerBound, values.upperBound]) }
        if values.contains(Sampler.earliestUs) { return moment() }
        return pick([0, 1, 2, 60, 1_000, 1_000_000].filter(values.contains) + [values.lowerBound])
    }

    private mutating func text(_ name: String) -> String {
        if isExtreme() { return pick(Self.texts) }
        return pick(Self.fitting[name] ?? ["a", "a", "b", "c"])
    }
}
