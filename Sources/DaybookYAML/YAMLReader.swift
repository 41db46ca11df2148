import CDaybookYAML

/// One part of a YAML document.
public enum YAMLPart: Hashable, Sendable {
    /// A text without its quotes; `isPlain` if it has neither quotes nor a tag.
    case scalar(String, isPlain: Bool)
    /// The start of a sequence.
    case sequence
    /// The start of a mapping, in which keys and values alternate.
    case mapping
    /// The end of the innermost sequence or mapping.
    case end
    /// A repetition of the value with this anchor.
    case alias(String)
}

/// A part of a YAML document, with its line, anchor and tag.
public struct YAMLEvent: Hashable, Sendable {
    /// The part of the document.
    public var part: YAMLPart
    /// Line number, counted from 1.
    public var line: Int
    /// The name by which aliases repeat the part; `nil` for none.
    public var anchor: String?
    /// The tag as the document gives it, with `!!` resolved; `nil` for none.
    public var tag: String?
}

/// The reason why a text is not a YAML document.
public struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Line number, counted from 1.
    public var line: Int
    /// The fault, as a sentence without a full stop.
    public var message: String

    public var description: String { "line \(line): \(message)" }
}

/// Reads a text of one YAML document, part by part and without recursion.
///
/// Aliases are returned and not followed. The parser is libyaml.
public final class YAMLReader {
    private let text: UnsafeBufferPointer<UInt8>
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private var isInDocument = false

    /// Creates a reader of a text.
    public init(_ text: String) {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        self.text = UnsafeBufferPointer(bytes)
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            preconditionFailure("there is no memory for a parser")
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
                    line: line, anchor: Self.name(scalar.anchor), tag: Self.name(scalar.tag))
            case YAML_SEQUENCE_START_EVENT:
                let start = event.data.sequence_start
                return YAMLEvent(
                    part: .sequence, line: line, anchor: Self.name(start.anchor),
                    tag: Self.name(start.tag))
            case YAML_MAPPING_START_EVENT:
                let start = event.data.mapping_start
                return YAMLEvent(
                    part: .mapping, line: line, anchor: Self.name(start.anchor),
                    tag: Self.name(start.tag))
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                return YAMLEvent(part: .end, line: line)
            case YAML_ALIAS_EVENT:
                let name = Self.name(event.data.alias.anchor) ?? ""
                return YAMLEvent(part: .alias(name), line: line)
            case YAML_DOCUMENT_START_EVENT:
                guard !isInDocument else {
                    throw YAMLError(
                        line: line, message: "expected one document, found another")
                }
                isInDocument = true
            case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
                return nil
            default: break
            }
        }
    }

    private static func name(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        bytes.map { String(cString: $0) }
    }

    /// Returns the parser's error with its line.
    private func failure() -> YAMLError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "no memory is left"
        guard parser.pointee.error != YAML_READER_ERROR else {
            let before = text.prefix(parser.pointee.problem_offset)
            return YAMLError(line: before.count { $0 == 10 } + 1, message: problem)
        }
        let context = parser.pointee.context.map { String(cString: $0) + ": " } ?? ""
        // Something missing at the end is reported for the line after it.
        let lines = text.count { $0 == 10 } + 1
        return YAMLError(
            line: min(Int(parser.pointee.problem_mark.line) + 1, lines), message: context + problem)
    }
}
