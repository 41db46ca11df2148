/// A kind of file that is easily taken for another, named by its first bytes.
package enum FileKind {
    /// The byte order mark of UTF-8.
    public static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// First bytes of files that are no text, with the words for the file.
    private static let signatures: [(bytes: [UInt8], noun: String)] = [
        (Array("PK\u{3}\u{4}".utf8), "a ZIP archive, such as a workbook of a spreadsheet"),
        ([0x1F, 0x8B], "a compressed file (gzip)"), (Array("%PDF-".utf8), "a PDF file"),
        (Array("SQLite format 3".utf8), "an SQLite database"),
        ([0xD0, 0xCF, 0x11, 0xE0], "a workbook of an old spreadsheet program"),
    ]

    /// Returns the words for a file by its first bytes, best some hundred; `nil` if not known.
    public static func noun(of head: some Sequence<UInt8>) -> String? {
        var head = Array(head.prefix(4_096))
        if let known = signatures.first(where: { head.starts(with: $0.bytes) }) {
            return known.noun
        }
        if head.count > 11, head[8..<12].elementsEqual(".FIT".utf8) {
            return "a FIT file of a sports watch"
        }
        if isUTF16(head) { return "text in UTF-16" }
        if head.starts(with: byteOrderMark) { head.removeFirst(3) }
        let text = head.drop { [9, 10, 13, 32].contains($0) }
        switch text.first {
        case UInt8(ascii: "<"): return nounOfXML(String(decoding: text, as: UTF8.self))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let next = text.dropFirst().first { ![9, 10, 13, 32].contains($0) }
            return next.map { "\"{}[]-0123456789".utf8.contains($0) } == true ? "JSON" : nil
        default:
            let line = text.prefix { $0 != 10 && $0 != 13 }
            let isTable = [44, 59, 9].contains { line.contains($0) }
            return isTable && !line.contains(0) ? csv : nil
        }
    }

    /// The words for a file of comma-separated values.
    public static let csv = "CSV"

    /// True if the bytes begin with a byte order mark of UTF-16, or like ASCII text in UTF-16.
    private static func isUTF16(_ head: [UInt8]) -> Bool {
        guard head.count > 3 else { return false }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
        let zeros = head.prefix(4).map { $0 == 0 }
        return zeros == [false, true, false, true] || zeros == [true, false, true, false]
    }

    /// True if the words are those for a file of XML.
    public static func isXML(_ noun: String) -> Bool {
        noun == anyXML || xmlNouns.contains { $0.noun == noun }
    }

    /// The words for an XML file of no known kind.
    private static let anyXML = "an XML file"
    /// The words for XML files by the name of their first element.
    private static let xmlNouns: [(element: String, noun: String)] = [
        ("gpx", "a GPX file"), ("TrainingCenterDatabase", "a TCX file"),
        ("kml", "a KML file"), ("html", "a web page"),
    ]

    /// Returns the words for an XML file, by the name of its first element.
    private static func nounOfXML(_ text: String) -> String {
        let lower = text.lowercased()
        return xmlNouns.first { lower.contains("<\($0.element.lowercased())") }?.noun ?? anyXML
    }
}
