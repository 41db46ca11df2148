import Foundation
import TestSupport
import Testing

/// Imports, exports, pictures and trials of a program over an area that Daybook does not know.
@Suite struct OwnFormatsTests {
    private static let books = """
        book,title,pages,at
        b1,Walden,224,2026-03-01T10:00:00Z
        b2,"Dune, first part",412,2026-03-02T10:00:00Z
        b3,Emma,many,2026-03-03T10:00:00Z
        b1,Walden again,224,2026-03-04T10:00:00Z

        """

    /// The program over the area of `Tests/BooksTool`.
    private static let program = ReplayProcess.binary.deletingLastPathComponent()
        .appendingPathComponent("books")

    private func run(
        _ log: ScratchLog, _ arguments: String...
    ) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(arguments + ["--log", log.path], program: Self.program)
    }

    private func load(_ log: ScratchLog, _ arguments: String...) throws -> ReplayProcess.Answer {
        try load(log, arguments)
    }

    private func load(_ log: ScratchLog, _ arguments: [String]) throws -> ReplayProcess.Answer {
        let file = try log.file("books.csv", Self.books)
        return try ReplayProcess.run(
            ["import", "--format", "books-csv", "--branch", "east", file, "--log", log.path]
                + arguments, program: Self.program)
    }

    @Test("Rows of an own format become commands once, at their own times")
    func rowsOfAnOwnFormatBecomeCommandsOnce() throws {
        let log = try ScratchLog()
        let first = try load(log, "--language", "ko", "--by", "ana")
        expect(first.code, equals: 1)
        expect(first.out, equals: "4 rows: 2 accepted, 0 changed, 0 known already, 2 rejected\n")
        expect(
            first.err,
            equals: """
                books: \(log.folder.path)/books.csv:4: row 3: pages: expected a number
                books: \(log.folder.path)/books.csv:5: row 4: there is a book 'b1' already

                """)
        let events = try run(log, "log", "--json").objects()
        expect(
            events.map { $0["occurredAt"] as? String },
            equals: [
                "2026-03-01T10:00:00Z", "2026-03-02T10:00:00Z",
            ])
        expect(events.map { $0["actor"] as? String }, equals: ["ana", "ana"])
        expect((events[0]["payload"] as? [String: Any])?["language"] as? String, equals: "ko")
        let again = try #require(try load(log, "--json").objects().first)
        expect(again["duplicates"] as? Int, equals: 2)
        #expect(
            try load(log).err.hasPrefix(
                "books: \(log.folder.path)/books.csv:2: 2 rows: known already: rows 1 and 2\n"))
        expect(again["accepted"] as? Int, equals: 0)
        try expect(run(log, "stat", "--json").objects().first?["events"] as? Int, equals: 2)
    }

    @Test("Rows of another subject, and equal rows of one file, are rows of their own")
    func rowsOfAnotherSubjectAreRowsOfTheirOwn() throws {
        let log = try ScratchLog()
        _ = try load(log)
        // Known rows are counted as such; for another branch the rule of the area decides.
        let file = try log.file("other.csv", Self.books)
        let other = try run(
            log, "import", "--format", "books-csv", "--branch", "west", "--json", file)
        let object = try #require(try other.objects().first)
        expect(object["duplicates"] as? Int, equals: 0)
        let codes = (object["rejected"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
        expect(codes, equals: ["bookExists", "bookExists", "unreadablePages", "bookExists"])
    }

    @Test("A dry run tells the outcome and writes nothing, also where there is no log yet")
    func aDryRunWritesNothing() throws {
        let log = try ScratchLog()
        let dry = try load(log, "--dry-run")
        #expect(
            dry.out
                == "4 rows: 2 accepted, 0 changed, 0 known already, 2 rejected; nothing was written\n"
        )
        #expect(!FileManager.default.fileExists(atPath: log.path))
        _ = try load(log)
        let before = try Data(contentsOf: URL(fileURLWithPath: log.path))
        let again = try #require(try load(log, "--dry-run", "--json").objects().first)
        expect(again["duplicates"] as? Int, equals: 2)
        expect(again["dryRun"] as? Bool, equals: true)
        try expect(Data(contentsOf: URL(fileURLWithPath: log.path)), equals: before)
    }

    @Test("Options of a format are checked as options of the command are")
    func optionsOfAFormatAreChecked() throws {
        let log = try ScratchLog()
        let wrong: [([String], String)] = [
            (
                ["--language", "fr"],
                "The value 'fr' is invalid for '--language <language>'. Please provide one of 'en' and 'ko'."
            ),
            (
                ["--most-pages", "few"],
                "--most-pages: expected a number above 0, like 300, found 'few'."
            ),
            (["--most-pages"], "Missing value for '--most-pages <n>'"),
            (["--unheard"], "Unknown option '--unheard'"),
        ]
        for (arguments, message) in wrong {
            let answer = try load(log, arguments)
            expect(answer.code, equals: 2, "\(arguments)")
            #expect(answer.err.contains(message), "\(answer.err)")
        }
        #expect(!FileManager.default.fileExists(atPath: log.path))
        let short = try #require(try load(log, "--most-pages", "300.5", "--json").objects().first)
        expect(short["accepted"] as? Int, equals: 1)
        let help = try run(log, "import", "--help").out
        #expect(help.contains("--branch <id>"))
        #expect(help.contains("(values: en, ko; default:"))
        #expect(help.contains("books-csv         - Books, one a row."))
    }

    @Test("A file of another form is refused by line and column")
    func aFileOfAnotherFormIsRefused() throws {
        let log = try ScratchLog()
        let file = try log.file("books.csv", "book,name\nb1,Walden\n")
        let answer = try run(
            log, "import", "--format", "books-csv", "--branch", "east", file)
        expect(answer.code, equals: 2)
        #expect(answer.err.contains("books.csv:1: field 'title': the header lacks the column"))
        #expect(answer.err.contains("nothing was imported"))
        #expect(!FileManager.default.fileExists(atPath: log.path))
    }

    @Test("An own export has the personal texts that are not erased, as of any moment")
    func anOwnExportHasPersonalTexts() throws {
        let log = try ScratchLog()
        _ = try load(log)
        let export = try run(log, "export", "--format", "books-csv", "--branch", "east")
        expect(export.out, equals: "book,title,pages\nb1,Walden,224\nb2,\"Dune, first part\",412\n")
        let early = try run(
            log, "export", "--format", "books-csv", "--branch", "east", "--at", "1")
        expect(early.out, equals: "book,title,pages\nb1,Walden,224\n")
        let chosen = try run(
            log, "export", "--format", "books-csv", "--branch", "east", "--longer-than", "300",
            "--shout", "--except", "b7", "--except", "b8")
        expect(chosen.out, equals: "book,title,pages\nb2,\"DUNE, FIRST PART\",412\n")
        let folder = log.folder.path
        _ = try run(
            log, "export", "--format", "books-csv", "--branch", "east", "--output", folder)
        try expect(
            String(contentsOfFile: "\(folder)/east.csv", encoding: .utf8), equals: export.out)
        let nowhere = try run(log, "export", "--format", "books-csv", "--branch", "north")
        expect(nowhere.code, equals: 1)
        expect(nowhere.err, equals: "books: no book of a branch 'north' at position 2\n")
        let unnoted = try run(
            log, "export", "--format", "books-csv", "--branch", "east", "--record")
        expect(unnoted.code, equals: 2)
        #expect(unnoted.err.contains("has an event that records an export."))
    }

    @Test("An own picture draws one entity")
    func anOwnPictureDrawsOneEntity() throws {
        let log = try ScratchLog()
        _ = try load(log)
        let picture = try run(log, "state", "book", "b1", "--format", "svg")
        expect(picture.out, equals: "<svg><title>Walden</title><rect width=\"224\"/></svg>\n")
        try expect(run(log, "state", "book", "b9", "--format", "svg").code, equals: 1)
        let all = try run(log, "state", "book", "--format", "svg")
        expect(all.code, equals: 2)
        #expect(all.err.contains("--format svg draws one entity: 'books state book ID'."))
    }

    @Test("An own trial answers for one value and for a log")
    func anOwnTrialAnswers() throws {
        let log = try ScratchLog()
        _ = try load(log)
        let prices = try log.file("prices", "200")
        let all = try run(log, "pricing", "--prices", prices, "--double")
        expect(all.out, equals: "b1  89600\nb2  164800\n")
        expect(all.err, equals: "books: \(prices): the price is high\n")
        let one = try run(log, "pricing", "--prices", prices, "--pages", "10", "--json")
        try expect(one.objects().map { $0["cost"] as? Int }, equals: [2_000, 44_800, 82_400])
        let missing = try run(log, "pricing")
        expect(missing.code, equals: 2)
        #expect(missing.err.contains("Missing expected argument '--prices <file>'"))
        let unreadable = try run(log, "pricing", "--prices", try log.file("bad", "much"))
        expect(unreadable.code, equals: 2)
        #expect(unreadable.err.contains("bad:1: expected a price"))
    }
}
