import Daybook

/// An area of the tests: the books of a library's branches, read from a file and written to one.
enum Books: Area, Projection {
    static let name = "books"
    static let events = Event.kinds.map(\.description)
    static let commands = [CommandDescription(Add.self)]
    static let projections = [
        ProjectionDescription("book", noun: "book", "One book", Books.self)
    ]
    static let people: PersonNouns = ["reader": "reader"]

    static let imports = [
        ImportDescription(
            "books-csv", "Books, one a row.", columns: ["book", "title"], subject: branch,
            options: [language, mostPages]
        ) { (row, source) throws(Refusal) in
            guard let pages = Scalar(row["pages"]).scaled(toPowerOfTen: 0) else {
                throw Refusal("unreadablePages", "pages: expected a number")
            }
            if let most = source.options.number(mostPages), pages * 1_000 > most {
                throw Refusal("tooLong", "has too many pages")
            }
            let add = Add {
                $0.book = row["book"]
                $0.branch = source.subject
                $0.title = row["title"].isEmpty ? nil : PersonalText(row["title"])
                $0.language = source.options[language] ?? ""
                $0.pages = pages
            }
            return ImportedRow.Content(add, at: Timestamp.parse(row["at"])?.instant)
        }
    ]
    static let exports = [ExportDescription(BranchFile.self)]
    static let pictures = ["book": ExportDescription(BookPicture.self)]
    static let trials: [any Trial.Type] = [Pricing.self]

    static let branch = FileOption.id("branch", "The branch that the books belong to.")
    private static let language = FileOption(
        "language", .choice(["en", "ko"]), "The language of the books.")
    private static let mostPages = FileOption(
        "most-pages", value: "n", .positive(power: 3, example: "300"), "Leave out longer books.")

    enum Event: DecidedEvents {
        case bookAdded(BookAdded)
        static let kinds = [StoredKind(bookAdded)]
    }

    struct BookAdded: EventPayload {
        static let kind: EventKind = "books.book-added.v1"
        var book = ""
        var branch = ""
        var title: PersonalText?
        var language = ""
        var pages: Int64 = 0
        static var blank: Self { Self() }
        var tags: [Tag] { [Tag("book", book), Tag("branch", branch)] }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("book", &book, "branch", &branch, "title", &title)
            try field("language", &language, "pages", &pages)
        }
    }

    struct State: Record {
        var titles: [String: String] = [:]
        var pages: [String: Int64] = [:]
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("titles", &titles, "pages", &pages)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .bookAdded(let added):
            state.titles[added.book] = added.title?.text ?? "without a title"
            state.pages[added.book] = added.pages
        }
    }

    struct Add: Command {
        typealias Model = Books
        static let name = "books.add"
        var book = ""
        var branch = ""
        var title: PersonalText?
        var language = ""
        var pages: Int64 = 0
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("book", &book, "branch", &branch, "title", &title)
            try field("language", &language, "pages", &pages)
        }

        var query: Query { events(of: Tag("book", book)) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.pages[book] == nil else {
                throw Refusal("bookExists", "there is a book '\(book)' already")
            }
            let added = BookAdded(
                book: book, branch: branch, title: title, language: language, pages: pages)
            return [.bookAdded(added)]
        }
    }
}

/// The books of a branch as a file.
private struct BranchFile: FileExport {
    typealias Model = Books
    static let name = "books-csv"
    static let summary = "The books of a branch."
    static let subject = Books.branch
    static let options = [
        FileOption("longer-than", value: "n", .positive(power: 0, example: "300"), "Their pages."),
        FileOption("except", value: "book", .texts, "A book to leave out. May be given again."),
        FileOption("shout", .flag, "Titles in capitals."),
    ]
    var branch = ""
    var longerThan: Int64?
    var except: [String] = []
    var shout = false
    static var blank: Self { Self() }
    var query: Query { .any(of: Books.kinds, Tag("branch", branch)) }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("branch", &branch, "longer-than", &longerThan)
        try field("except", &except, "shout", &shout)
    }

    func answer(_ state: Books.State, _ context: ReportContext) throws(ReportError) -> ExportedFile
    {
        guard !state.pages.isEmpty else {
            throw .unanswerable("no book of a branch '\(branch)' at position \(context.position)")
        }
        let books = state.pages.sorted { $0.key < $1.key }
            .filter { $0.value > longerThan ?? 0 && !except.contains($0.key) }
        return ExportedFile(
            header: ["book", "title", "pages"],
            rows: books.map { book, pages in
                let title = state.titles[book] ?? ""
                return [
                    .text(book), .text(shout ? title.uppercased() : title), .number("\(pages)"),
                ]
            })
    }

    func fileName(_ state: Books.State, at now: Instant) -> String { "\(branch).csv" }
}

/// A book drawn as a bar.
private struct BookPicture: FileExport {
    typealias Model = Books
    static let name = "svg"
    static let summary = "A book as long as it is."
    static let subject = FileOption.id("book", "The book.")
    var book = ""
    static var blank: Self { Self() }
    var query: Query { .any(of: Books.kinds, Tag("book", book)) }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("book", &book)
    }

    func answer(_ state: Books.State, _ context: ReportContext) throws(ReportError) -> ExportedFile
    {
        let width = state.pages[book] ?? 0
        return ExportedFile(
            text: "<svg><title>\(state.titles[book] ?? "")</title>"
                + "<rect width=\"\(width)\"/></svg>\n")
    }

    func fileName(_ state: Books.State, at now: Instant) -> String { "\(book).svg" }
}

/// Prices of books under a list that is not in force.
private struct Pricing: Trial {
    typealias Model = Books
    static let name = "pricing"
    static let summary = "Tell what books would cost."
    static let discussion = "The file holds the price of a page."
    static let file = FileOption("prices", value: "file", .text, "The file.")
    static let subject = FileOption("pages", .text, "The pages of one book.")
    static let noun = "book"
    static let options = [FileOption("double", .flag, "Twice the price.")]

    private let price: Int64
    let warnings: [TrialWarning]

    init(
        _ bytes: [UInt8], _ options: FileOptions, _ rules: RuleSet, reading: InputRules
    ) throws(InputError) {
        guard let price = Scalar(String(decoding: bytes, as: UTF8.self)).scaled(toPowerOfTen: 0)
        else { throw InputError("expected a price", line: 1) }
        self.price = options.has(Self.options[0]) ? price * 2 : price
        warnings = price > 100 ? [TrialWarning("high", "the price is high")] : []
    }

    struct Cost: Record {
        var book = ""
        var cost: Int64 = 0
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("book", &book, "cost", &cost)
        }
    }

    func answer(for pages: String) -> TrialAnswer {
        answer("of \(pages) pages", Scalar(pages).scaled(toPowerOfTen: 0) ?? 0)
    }

    func answers(_ state: Books.State) -> [TrialAnswer] {
        state.pages.sorted { $0.key < $1.key }.map { answer($0.key, $0.value) }
    }

    private func answer(_ book: String, _ pages: Int64) -> TrialAnswer {
        TrialAnswer(
            Cost(book: book, cost: pages * price), lines: ["\(book)  \(pages * price)"])
    }
}
