import CDaybookExpat

/// Receives the elements and texts of an XML document from an `XMLReader`, in document order.
public protocol XMLHandler: AnyObject {
    /// Receives the start tag of an element.
    ///
    /// - Parameter name: the name of the element as written, with its prefix.
    func start(_ name: String, _ attributes: XMLAttributes)
    /// Receives the end tag of an element.
    func end(_ name: String)
    /// Receives character data; a text between two tags may come in several pieces.
    func text(_ text: String)
    /// True if `text(_:)` is to be called for the character data that comes next; false saves time.
    var wantsText: Bool { get }
    /// The message of an error with which the reader is to stop; `nil` to read on. The reader
    /// checks this after each call of the handler.
    var complaint: String? { get }
}

/// The attributes of one element, by name.
public struct XMLAttributes: Sendable {
    /// The names and values, in the order of the document.
    private let pairs: [(name: String, value: String)]

    init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

    /// Returns the value of an attribute; `nil` if the element does not have the attribute.
    public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}

/// The reason why bytes cannot be read as an XML document.
public struct XMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Line number, counted from 1.
    public var line: Int
    /// Column number, counted from 1.
    public var column: Int
    /// Description of the fault, without a full stop.
    public var message: String

    public init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    public var description: String { "line \(line), column \(column): \(message)" }
}

/// Reads XML in chunks; the memory that it needs does not grow with the document.
///
/// The reader never reads anything outside the document. A document that declares entities or
/// attributes is refused, so that no expansion can exhaust the memory. A document is also refused
/// if a tag, comment or instruction is longer than `maximumTokenBytes`, or if it uses more than
/// `maximumNames` different names, since the parser keeps each name. Namespaces are ignored,
/// because real files use prefixes that they do not declare.
///
/// The parser is expat.
public final class XMLReader {
    private let handler: any XMLHandler
    /// The parser of expat.
    private let parser: XML_Parser
    /// The first fault that a callback found; `nil` if there is none.
    private var failure: XMLError?
    /// Number of bytes passed to the parser so far.
    private var bytesRead = 0

    /// Maximum length of a tag, comment or instruction, in bytes.
    public static let maximumTokenBytes = 1 << 20
    /// Maximum depth of nested elements.
    public static let maximumDepth = 256
    /// Maximum number of different names of elements and attributes.
    public static let maximumNames = 1_000
    /// Number of elements that have been started, but not ended.
    private var depth = 0
    /// Names of elements and attributes that the document has used so far.
    private var usedNames: Set<String> = []

    /// Creates a reader that passes elements and texts to a handler.
    public init(_ handler: any XMLHandler) {
        guard let parser = XML_ParserCreate(nil) else {
            preconditionFailure("there is not enough memory for an XML parser")
        }
        self.handler = handler
        self.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in XMLReader.reader(from: data).start(name, attributes) },
            { data, name in XMLReader.reader(from: data).end(name) })
        XML_SetCharacterDataHandler(parser) { data, bytes, count in
            XMLReader.reader(from: data).text(bytes, count)
        }
        XML_SetUnknownEncodingHandler(
            parser,
            { data, name, encoding in XMLReader.reader(from: data).describeEncoding(name, encoding)
            },
            Unmanaged.passUnretained(self).toOpaque())
        XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
            XMLReader.reader(from: data).fail(
                "the document declares entities, which are not supported")
        }
        XML_SetAttlistDeclHandler(parser) { data, _, _, _, _, _ in
            XMLReader.reader(from: data).fail(
                "the document declares attributes, which are not supported")
        }
        // With an external document type, expat skips unknown entities.
        XML_SetSkippedEntityHandler(parser) { data, _, _ in
            XMLReader.reader(from: data).fail(
                "the document uses an entity that it does not declare")
        }
    }

    deinit { XML_ParserFree(parser) }

    /// Parses the next bytes of the document, and passes their elements and texts to the handler.
    public func feed(_ bytes: [UInt8]) throws(XMLError) {
        // The bytes are parsed in pieces, so that a token that never ends is noticed before much
        // memory is used.
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 << 16)
            rest = rest.dropFirst(piece.count)
            let status = piece.withUnsafeBytes { buffer in
                XML_Parse(
                    parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(buffer.count), 0)
            }
            try check(status)
            bytesRead += piece.count
            if bytesRead - Int(XML_GetCurrentByteIndex(parser)) > Self.maximumTokenBytes {
                throw error(
                    "a tag, comment or instruction is longer than \(Self.maximumTokenBytes) bytes")
            }
        }
    }

    /// Ends the document; throws if it is incomplete.
    public func finish() throws(XMLError) { try check(XML_Parse(parser, nil, 0, 1)) }

    /// Line at which the current element or text begins, counted from 1.
    public var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    /// Throws the fault that a callback found, or else the parser's own error, if there is one.
    private func check(_ status: XML_Status) throws(XMLError) {
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
            throw error(reason ?? "the document is not XML")
        }
    }

    /// Returns an error at the parser's present position.
    private func error(_ message: String) -> XMLError {
        XMLError(line: line, column: Int(XML_GetCurrentColumnNumber(parser)) + 1, message: message)
    }

    /// Records a fault at the parser's present position, and stops the parser.
    private func fail(_ message: String) {
        failure = failure ?? error(message)
        XML_StopParser(parser, XML_Bool(0))
    }
}

// The functions that expat calls.
extension XMLReader {
    /// Returns the reader that was passed to expat as user data.
    private static func reader(from data: UnsafeMutableRawPointer?) -> XMLReader {
        guard let data else { preconditionFailure("expat called back without its user data") }
        return Unmanaged<XMLReader>.fromOpaque(data).takeUnretainedValue()
    }

    /// Describes to expat an encoding that expat does not know; returns 0 if this reader does not
    /// know the encoding either.
    private func describeEncoding(
        _ name: UnsafePointer<XML_Char>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?
    ) -> Int32 {
        let name = name.map { String(cString: $0) } ?? ""
        guard let table = ByteEncoding(name: name), let encoding else {
            failure =
                failure
                ?? error(
                    "the encoding '\(name.prefix(40))' is not supported; expected UTF-8, UTF-16, "
                        + "ISO-8859-1, US-ASCII or windows-1252")
            return 0
        }
        withUnsafeMutableBytes(of: &encoding.pointee.map) { bytes in
            let map = bytes.bindMemory(to: Int32.self)
            for byte in 0..<min(256, map.count) { map[byte] = table.scalar(of: UInt8(byte)) }
        }
        encoding.pointee.data = nil
        encoding.pointee.convert = nil
        encoding.pointee.release = nil
        return 1
    }

    /// Passes the start of an element to the handler, unless a limit is exceeded.
    private func start(
        _ name: UnsafePointer<XML_Char>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard let name else { return }
        depth += 1
        guard depth <= Self.maximumDepth else {
            return fail("elements are nested more than \(Self.maximumDepth) levels deep")
        }
        var pairs: [(name: String, value: String)] = []
        if var attribute = attributes {
            while let name = attribute[0], let value = attribute[1] {
                pairs.append((String(cString: name), String(cString: value)))
                usedNames.insert(pairs[pairs.count - 1].name)
                attribute += 2
            }
        }
        let element = String(cString: name)
        usedNames.insert(element)
        guard usedNames.count <= Self.maximumNames else {
            return fail("the document uses more than \(Self.maximumNames) different names")
        }
        handler.start(element, XMLAttributes(pairs))
        checkHandler()
    }

    /// Passes the end of an element to the handler.
    private func end(_ name: UnsafePointer<XML_Char>?) {
        guard let name else { return }
        depth -= 1
        handler.end(String(cString: name))
        checkHandler()
    }

    /// Passes character data to the handler, if the handler wants it.
    private func text(_ bytes: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard let bytes, handler.wantsText else { return }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        handler.text(String(decoding: buffer, as: UTF8.self))
        checkHandler()
    }

    /// Stops the parser if the handler has a complaint.
    private func checkHandler() {
        if let complaint = handler.complaint { fail(complaint) }
    }
}
