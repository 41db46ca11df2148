import CDaybookYAML

/// One part of a YAML document: a scalar, an alias, or the start or end of a collection.
public enum YAMLPart: Hashable, Sendable {
    /// A scalar, without its quotes if it has any; `isPlain` is true if it has neither quotes nor a
    /// tag, and is not a block of lines after `|` or `>`.
    case scalar(String, isPlain: Bool)
    /// The start of a sequence (a list).
    case sequence
    /// The start of a mapping (an object), in which keys and values alternate.
    case mapping
    /// The end of the innermost sequence or mapping.
    case end
    /// A repetition of the earlier value that has this anchor.
    case alias(String)
}

/// A part of a YAML document, with the line at which it begins, its anchor and its tag.
public struct YAMLEvent: Hashable, Sendable {
    /// The part itself.
    public var part: YAMLPart
    /// Line number, counted from 1.
    public var line: Int
    /// The name by which later aliases repeat the value; `nil` if the value has no anchor.
    public var anchor: String?
    /// The tag that states the type of the value, with `!!` resolved; `nil` if there is none.
    public var tag: String?
}

/// The reason why a text cannot be read as one YAML document.
public struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Line number, counted from 1.
    public var line: Int
    /// Description of the fault, without a full stop.
    public var message: String

    public var description: String { "line \(line): \(message)" }
}

/// Reads a text with at most one YAML document, part by part and without recursion.
///
/// Aliases are returned as parts, and not replaced by their values. The parser is libyaml.
public final class YAMLReader {
    /// A copy of the text, which the parser reads.
    private let text: UnsafeBufferPointer<UInt8>
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// True once the first document has begun.
    private var isInDocument = false

    /// Creates a reader of a text.
    public init(_ text: String) {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        self.text = UnsafeBufferPointer(bytes)
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            preconditionFailure("there is not enough memory for a YAML parser")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    /// Returns the next part; `nil` after the end of the document.
    public func next() throws(YAMLError) -> YAMLEvent? {
        var event = yaml_event_t()
        while true {
            guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
            defer { yaml_event_delete(&event) }
            let line = Int(event.start_mark.line) + 1
            switch event.type {
            case YAML_SCALAR_EVENT:
                let scalar = event.data.scalar
                let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
                return YAMLEvent(
                    part: .scalar(
                        String(decoding: bytes, as: UTF8.self),
                        isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nil),
                    line: line, anchor: Self.string(scalar.anchor), tag: Self.string(scalar.tag))
            case YAML_SEQUENCE_START_EVENT:
                let start = event.data.sequence_start
                return YAMLEvent(
                    part: .sequence, line: line, anchor: Self.string(start.anchor),
                    tag: Self.string(start.tag))
            case YAML_MAPPING_START_EVENT:
                let start = event.data.mapping_start
                return YAMLEvent(
                    part: .mapping, line: line, anchor: Self.string(start.anchor),
                    tag: Self.string(start.tag))
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                return YAMLEvent(part: .end, line: line)
            case YAML_ALIAS_EVENT:
                let name = Self.string(event.data.alias.anchor) ?? ""
                return YAMLEvent(part: .alias(name), line: line)
            case YAML_DOCUMENT_START_EVENT:
                guard !isInDocument else {
                    throw YAMLError(
                        line: line, message: "expected a single document, found a second one")
                }
                isInDocument = true
            case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
                return nil
            default: break
            }
        }
    }

    /// Converts a C string of the parser to a `String`; returns `nil` for a null pointer.
    private static func string(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        bytes.map { String(cString: $0) }
    }

    /// Returns the parser's error with its line.
    private func failure() -> YAMLError {
        let problem =
            parser.pointee.problem.map { String(cString: $0) } ?? "the parser ran out of memory"
        guard parser.pointee.error != YAML_READER_ERROR else {
            let before = text.prefix(parser.pointee.problem_offset)
            return YAMLError(line: before.count { $0 == 10 } + 1, message: problem)
        }
        let context = parser.pointee.context.map { String(cString: $0) + ": " } ?? ""
        // The parser reports a fault at the end of the text for the line after the last one.
        let lines = text.count { $0 == 10 } + 1
        return YAMLError(
            line: min(Int(parser.pointee.problem_mark.line) + 1, lines), message: context + problem)
    }
}
