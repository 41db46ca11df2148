/// A value read from JSON or YAML, with the number of its line.
public struct Tree: Hashable, Sendable {
    /// The value.
    public var content: Content
    /// Number of the line in the input where the value begins, from 1.
    public var line: Int
    /// The text of an unquoted YAML scalar as written; `nil` for any other value.
    ///
    /// A version written as `1.10` must not become the number 1.1.
    public var plain: String?

    /// A value of JSON or YAML.
    public enum Content: Hashable, Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case boolean(Bool)
        /// A 64-bit integer.
        case integer(Int64)
        /// A number other than a 64-bit integer, exactly as written.
        case number(String)
        /// A text, without quotes and escapes.
        case text(String)
        /// A list (an array in JSON).
        case list([Tree])
        /// An object, with its members in the order of the input.
        case map([Member])
    }

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// The member's name.
        public var key: String
        /// The member's value.
        public var value: Tree

        public init(key: String, value: Tree) {
            self.key = key
            self.value = value
        }
    }

    public init(_ content: Content, line: Int, plain: String? = nil) {
        self.content = content
        self.line = line
        self.plain = plain
    }

    /// Parses a JSON text in UTF-8 that consists of one value.
    ///
    /// - Throws: `InputError` at text that is not JSON (RFC 8259), at a repeated key, and at more
    ///   than 64 nested objects and lists.
    public init(json: some Sequence<UInt8>) throws(InputError) { self = try JSONParser.parse(json) }

    /// The value of the member with this name; `nil` without one, or if this is not an object.
    public subscript(key: String) -> Tree? {
        guard case .map(let members) = content else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// Description of the value for an error message: `the text "abc"`, `a list`.
    public var noun: String {
        switch content {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "the number \(value)"
        case .number(let text): "the number \(text)"
        case .text(let text): "the text \"\(text.prefix(60))\(text.count > 60 ? "…" : "")\""
        case .list: "a list"
        case .map: "an object"
        }
    }

    /// JSON that is equal for trees with equal values, whatever the order of their members.
    public var canonicalText: String { String(decoding: canonicalBytes, as: UTF8.self) }

    /// The canonical text in UTF-8.
    package var canonicalBytes: [UInt8] { bytes(sortingMembers: true) }

    /// The value as JSON; an unquoted YAML scalar such as `5` or `true` is the value that it means.
    package var json: String { String(decoding: bytes(sortingMembers: false), as: UTF8.self) }

    private func bytes(sortingMembers isSorted: Bool) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer, sortingMembers: isSorted)
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter, sortingMembers isSorted: Bool) {
        switch content {
        case .null: writer.null()
        case .boolean(let value): writer.value(value)
        case .integer(let value): writer.value(value)
        case .number(let text): writer.raw(text)
        case .text(let text): writer.value(text)
        case .list(let elements):
            writer.array { writer in
                for element in elements {
                    element.write(to: &writer, sortingMembers: isSorted)
                }
            }
        case .map(let members):
            writer.object { writer in
                for member in isSorted ? members.sorted(by: { $0.key < $1.key }) : members {
                    writer.name(member.key)
                    member.value.write(to: &writer, sortingMembers: isSorted)
                }
            }
        }
    }
}
