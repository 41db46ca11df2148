import Daybook

/// One column of a story: a list of JSON values that is written as its values are added. A story
/// keeps its columns as text, so that a value costs only its digits.
struct StoryColumn: Sendable {
    private var writer = JSONWriter()
    private(set) var count = 0
    /// The last number that was added as a difference.
    private var last: Int64 = 0

    /// The values, separated by commas, in UTF-8.
    var bytes: [UInt8] { writer.bytes }
    /// Length of `bytes`.
    var byteCount: Int { writer.bytes.count }

    /// The largest magnitude of an integer that a browser reads exactly.
    static let largestExactInteger: Int64 = 9_007_199_254_740_991

    mutating func append(_ number: Int64) {
        writer.value(number)
        count += 1
    }

    /// Adds a number as its difference from the number before; the first as it is. A number that a
    /// browser cannot read exactly is clamped.
    mutating func append(difference number: Int64) {
        let number = number.clamped(to: -Self.largestExactInteger...Self.largestExactInteger)
        append(number - last)
        last = number
    }

    mutating func append(text: String) {
        writer.value(text)
        count += 1
    }

    mutating func append(_ value: Bool) {
        writer.value(value)
        count += 1
    }

    mutating func append(list numbers: some Sequence<Int32>) {
        writer.array { writer in
            for number in numbers { writer.value(Int64(number)) }
        }
        count += 1
    }

    mutating func append(json: String) {
        writer.raw(json)
        count += 1
    }

    /// Adds an object, whose members `body` writes.
    mutating func append(_ body: (inout JSONWriter) -> Void) {
        writer.object(body)
        count += 1
    }

    mutating func removeAll() { self = StoryColumn() }
}

/// A column of distinct texts or values, which other columns name by their indices.
struct StoryNames: Sendable {
    /// The distinct texts or values, in the order of their first use.
    private(set) var column = StoryColumn()
    private var indices: [String: Int32] = [:]

    var count: Int { column.count }

    mutating func index(of text: String) -> Int32 { index(of: text) { $0.append(text: text) } }

    /// Returns the index of a value that is given as JSON.
    mutating func index(ofJSON json: String) -> Int32 {
        index(of: json) { column in
            if let number = Int64(json), !Self.exact.contains(number) {
                column.append(json: "{\"integer\":\"\(json)\"}")
            } else {
                column.append(json: json)
            }
        }
    }

    /// Returns the index under a key; `add` adds what the key stands for at its first use.
    mutating func index(of key: String, _ add: (inout StoryColumn) -> Void) -> Int32 {
        if let known = indices[key] { return known }
        let index = Int32(truncatingIfNeeded: column.count)
        indices[key] = index
        add(&column)
        return index
    }

    /// The integers that a browser reads exactly.
    private static let exact = -StoryColumn.largestExactInteger...StoryColumn.largestExactInteger
}

/// A story is too large for a page that a browser opens at once.
enum StorySize {
    /// Largest length of a page, in bytes.
    static let limit = 25_000_000

    /// Returns the error for a story above the limit, which says what to narrow.
    static var error: QuestionError {
        .invalid(
            "the page would be larger than 25 MB; narrow it to one entity, a tag or fewer "
                + "positions with --from and --to")
    }
}
