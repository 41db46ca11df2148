import DaybookXML
import Testing

/// Writes down what it is told, in one line.
private final class Recorder: XMLHandler {
    var told = ""
    var complaint: String?
    var wantsText = true

    func start(_ name: String, _ attributes: XMLAttributes) {
        told += "<\(name)" + (attributes["a"].map { " a=\($0)" } ?? "") + ">"
        if name == "stop" { complaint = "no further" }
    }

    func end(_ name: String) { told += "</\(name)>" }

    func text(_ text: String) { told += text }
}

/// Reads a document in pieces of `pieces` bytes and records the calls.
private func read(_ bytes: [UInt8], pieces: Int = 1 << 20) throws -> String {
    let recorder = Recorder()
    let reader = XMLReader(recorder)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
        try reader.feed(Array(bytes[start..<min(start + pieces, bytes.count)]))
    }
    try reader.finish()
    return recorder.told
}

@Suite struct XMLReaderTests {
    @Test("A document is read alike however its bytes are split", arguments: [1, 2, 3, 7, 1_000])
    func pieces(_ size: Int) throws {
        let text =
            "\u{FEFF}<?xml version='1.0'?><g:x xmlns:g='u' a='1 &amp; 2'>é<![CDATA[<b>]]>&#65;<y/></g:x>\n"
        #expect(try read(Array(text.utf8), pieces: size) == "<g:x a=1 & 2>é<b>A<y></y></g:x>")
    }

    @Test("A document in another encoding is read as it declares")
    func otherEncodingsAreReadAsTheySayTheyAre() throws {
        var utf16: [UInt8] = [0xFF, 0xFE]
        for unit in "<x>é</x>".utf16 { utf16 += [UInt8(unit & 255), UInt8(unit >> 8)] }
        #expect(try read(utf16) == "<x>é</x>")
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><x>".utf8) + [0xE9]
        #expect(try read(latin + Array("</x>".utf8)) == "<x>é</x>")
        let windows = Array("<?xml version='1.0' encoding='Windows-1252'?><x>".utf8) + [0x80, 0xE9]
        #expect(try read(windows + Array("</x>".utf8), pieces: 1) == "<x>€é</x>")
    }

    @Test("An encoding that is not read is named with those that are")
    func unknownEncoding() {
        let error = #expect(throws: XMLError.self) {
            try read(Array("<?xml version='1.0' encoding='koi8-r'?>\n<x/>".utf8))
        }
        #expect(
            error?.message
                == "the encoding 'koi8-r' is not supported; expected UTF-8, UTF-16, ISO-8859-1, "
                + "US-ASCII or windows-1252")
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var line: Int
        var message: String

        init(_ sentence: String, _ text: String, line: Int = 1, says message: String) {
            testDescription = sentence
            self.text = text
            self.line = line
            self.message = message
        }
    }

    @Test(
        "Malformed or oversized XML is refused with its line",
        arguments: [
            Broken("nothing at all", "", says: "no element found"),
            Broken("no XML", "lat,lon\n1,2\n", says: "syntax error"),
            Broken("an end that fits no start", "<a>\n<b></a>", line: 2, says: "mismatched tag"),
            Broken("cut short", "<a>\n<b>", line: 2, says: "no element found"),
            Broken("something behind the end", "<a/>\n<b/>", line: 2, says: "junk after document"),
            Broken("an unknown entity", "<a>&lol;</a>", says: "undefined entity"),
            Broken("an attribute twice", "<a b='1' b='2'/>", says: "duplicate attribute"),
            Broken("a NUL", "<a>\u{0}</a>", says: "not well-formed"),
            Broken(
                "what the handler does not want", "<a>\n\n<stop/></a>", line: 3, says: "no further"),
            Broken(
                "a billion laughs",
                "<!DOCTYPE l [\n<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;'>]><l>&b;</l>", line: 2,
                says: "the document declares entities"),
            Broken(
                "an entity from elsewhere",
                "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
                says: "the document declares entities"),
            Broken(
                "a parameter entity", "<!DOCTYPE a [<!ENTITY % x SYSTEM 'u'> %x;]><a/>",
                says: "the document declares entities"),
            Broken(
                "257 levels", String(repeating: "<a>", count: 257),
                says: "more than 256 levels deep"),
            Broken(
                "a tag that never ends", "<a b='" + String(repeating: "x", count: 3 << 20),
                says: "longer than"),
            Broken(
                "a comment that never ends", "<a><!--" + String(repeating: "x", count: 3 << 20),
                says: "longer than"),
        ])
    func isRefused(_ broken: Broken) {
        let error = #expect(throws: XMLError.self) { try read(Array(broken.text.utf8)) }
        #expect(error?.line == broken.line)
        #expect(error?.message.contains(broken.message) == true, "\(error?.message ?? "")")
    }

    @Test("A document type that declares no entity is skipped")
    func aDocumentTypeThatDeclaresNoEntityIsPassedOver() throws {
        #expect(try read(Array("<!DOCTYPE gpx SYSTEM \"gpx.dtd\"><gpx/>".utf8)) == "<gpx></gpx>")
    }

    @Test("Text longer than the limit of a token is delivered whole")
    func longTextComesWholeAndIsNoToken() throws {
        let text = String(repeating: "0123456789", count: 400_000)
        #expect(try read(Array("<a>\(text)</a>".utf8)) == "<a>\(text)</a>")
    }
}
