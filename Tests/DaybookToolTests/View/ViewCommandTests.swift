import DaybookCryptography
import Foundation
import TestSupport
import Testing

/// The page that `view` writes.
@Suite struct ViewCommandTests {
    /// A log with the sign-in of a user, some launches, and a text that would end a script.
    private static func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let lines = ["l1", "</script><script>alert(1)</script>", "l\u{2028}3"].map {
            AppendTests.launch($0)
        }
        let made = try log.replay("append", "--each", input: lines.joined(separator: "\n"))
        expect(made.code, equals: 0, "\(made.err)")
        return log
    }

    /// The story in a page.
    private static func story(_ page: String) throws -> [String: Any] {
        let start = try #require(page.range(of: #"<script type="application/json" id="story">"#))
        let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
        let json = Data(page[start.upperBound..<end.lowerBound].utf8)
        return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    @Test("The page names the entity, the log and the command that made it")
    func page() throws {
        let log = try Self.log()
        let path = log.path + ".html"
        let made = try log.replay("view", "splash", "l1", "--output", path)
        expect(made.code, equals: 0, "\(made.err)")
        #expect(made.out.isEmpty)
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let story = try Self.story(page)
        expect(story["title"] as? String, equals: "splash l1")
        expect(story["command"] as? String, equals: "replay view splash l1 --log log.daybook")
        #expect(page.contains("default-src 'none'; script-src 'sha256-"))
        for mark in ["STYLE", "SCRIPT", "STORY", "POLICY"] {
            #expect(!page.contains("/*\(mark)*/"))
        }
        let again = try log.replay("view", "splash", "l1", "--output", path)
        expect(again.code, equals: 2)
        #expect(again.err.contains("--force"))
        try expect(log.replay("view", "splash", "l1", "--output", path, "--force").code, equals: 0)
        try expect(String(contentsOfFile: path, encoding: .utf8), equals: page)
    }

    /// The text of an element without attributes: `script` or `style`.
    private static func text(of element: String, in page: String) throws -> String {
        let start = try #require(page.range(of: "<\(element)>")).upperBound
        let end = try #require(page.range(of: "</\(element)>", range: start..<page.endIndex))
        return String(page[start..<end.lowerBound])
    }

    /// The parts of a policy that name the digests of a page's script and style.
    static func digests(_ page: String) throws -> [String] {
        try ["script", "style"].map { element in
            let digest = SHA256.hash(Array(try text(of: element, in: page).utf8))
            return "\(element)-src 'sha256-\(Data(digest).base64EncodedString())'"
        }
    }

    @Test("The policy names the digests of the script and style that the page has")
    func policy() throws {
        let page = try Self.log().replay("view", "--output", "-").out
        let start = try #require(page.range(of: #"Content-Security-Policy" content=""#)).upperBound
        let end = try #require(page.range(of: "\">", range: start..<page.endIndex)).lowerBound
        let named = page[start..<end].components(separatedBy: "; ")
            .filter { $0.contains("sha256-") }
        try expect(Self.digests(page), equals: named)
        let changed = page.replacingOccurrences(of: "'use strict';\n", with: "'use strict'; ")
        #expect(try Self.digests(changed) != named)
    }

    @Test("The page has the files that index.html loads, which are all in its folder")
    func files() throws {
        let folder = Checkout.root.appending(path: "Sources/DaybookView/Page")
        func text(_ path: String) throws -> String {
            try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        let page = try Self.log().replay("view", "--output", "-").out
        let loaded = try text("index.html").split(separator: "\n").compactMap {
            $0.wholeMatch(of: /<script src="(.+)"><\/script>/).map { String($0.1) }
        }
        // A story to try the page with, which is no part of it.
        let scripts = loaded.filter { $0 != "story.js" }
        let script = try scripts.map(text).joined(separator: "\n")
        let function = "(() => {\n'use strict';\n\(script)})();\n"
        try expect(Self.text(of: "script", in: page), equals: function)
        try expect(Self.text(of: "style", in: page), equals: text("view.css"))
        let found = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".js") && $0 != "story.js" }
        expect(found.sorted(), equals: scripts.sorted())
    }

    @Test("Ids and texts cannot end the element that holds the story")
    func hostileIDs() throws {
        let log = try Self.log()
        for subject in [[], ["splash"], ["splash", "</script><script>alert(1)</script>"]] {
            let page = try ReplayProcess.run(
                ["view"] + subject + ["--output", "-", "--texts", "--log", log.path]
            ).out
            expect(page.components(separatedBy: "</script>").count, equals: 3)
            #expect(!page.contains("alert(1)</script>"))
            #expect(!page.contains("\u{2028}"))
            let story = try Self.story(page)
            let tags = try #require(story["tags"] as? [String])
            #expect(tags.contains { $0.contains("</script><script>alert(1)</script>") })
        }
    }

    @Test("What the options do not fit is refused, and no file is left")
    func refusals() throws {
        let log = try Self.log()
        let path = log.path + ".html"
        for (words, code, part) in [
            (["splash", "l9"], 1, "no event of launch 'l9'"),
            (["splish"], 2, "There is no projection 'splish'"),
            (["splash", "--tag", "launch:l1"], 2, "not both"),
            (["--skip", "1"], 2, "need a projection"),
            (["--from", "9"], 1, "no such event"),
            (["--from", "3", "--to", "2"], 2, "--from"),
            (["--tag", "l1"], 2, "expected a tag"),
            (["--texts", "--pseudonymise"], 2, "contradict"),
            (["splash", "--with", "a=b"], 2, "--report"),
            (["splash", "l1", "--skip", "99"], 2, "--skip 99"),
            (["version-check", "d1", "--other-rules", "strict"], 2, "strict"),
        ] {
            let answer = try ReplayProcess.run(
                ["view"] + words + ["--output", path, "--log", log.path])
            expect(Int(answer.code), equals: code, "\(words): \(answer.err)")
            #expect(answer.err.contains(part), "\(words): \(answer.err)")
            #expect(!FileManager.default.fileExists(atPath: path), "\(words)")
        }
        let itself = try log.replay("view", "--output", log.path, "--force")
        expect(itself.code, equals: 2)
        #expect(itself.err.contains("this is the log"))
    }

    @Test("A command in the page hides edited texts, the folder of the log and, if asked for, ids")
    func command() throws {
        let log = try Self.log()
        let page = try log.replay(
            "view", "splash", "l1", "--edit", "1:device=my phone", "--edit", "1:firstLaunch=true",
            "--output", "-"
        ).out
        let story = try Self.story(page)
        #expect(
            story["command"] as? String
                == "replay view splash l1 --edit 1:device=redacted --edit 1:firstLaunch=true "
                + "--log log.daybook")
        let title = try #require(story["title"] as? String)
        expect(title, equals: "splash l1, what if with 1:device=redacted, with 1:firstLaunch=true")
        let hidden = try Self.story(
            log.replay("view", "splash", "l1", "--pseudonymise", "--output", "-").out)
        let command = try #require(hidden["command"] as? String)
        #expect(command.hasPrefix("replay view splash id-"))
        #expect(command.hasSuffix(" --pseudonymise --log LOG"))
    }

    @Test("A file with texts is its owner's")
    func permissions() throws {
        let log = try Self.log()
        let path = log.path + ".html"
        try expect(log.replay("view", "--texts", "--output", path).code, equals: 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        expect(attributes[.posixPermissions] as? Int, equals: 0o600)
    }

    @Test("The program of a team's own area writes pages too")
    func ownArea() throws {
        let log = try ScratchLog()
        let books = ReplayProcess.binary.deletingLastPathComponent().appendingPathComponent("books")
        let line = #"""
            {"command": "books.add", "actor": "ann", "data": {"book": "b1", "branch": "east", \#
            "title": "Secret title", "language": "en", "pages": 300}}

            """#
        let added = try ReplayProcess.run(
            ["append", "--log", log.path], input: line, program: books)
        expect(added.code, equals: 0, "\(added.err)")
        let page = try ReplayProcess.run(
            ["view", "book", "b1", "--output", "-", "--log", log.path], program: books)
        expect(page.code, equals: 0, "\(page.err)")
        let story = try Self.story(page.out)
        expect(story["program"] as? String, equals: "books")
        #expect(!page.out.contains("Secret title") && !page.out.contains("ann\""))
        let changes = try #require(story["changes"] as? [String: Any])
        expect((changes["path"] as? [Any])?.count, equals: 4)
    }
}
