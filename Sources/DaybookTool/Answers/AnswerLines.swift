import Daybook

/// Lines to print, in UTF-8: answers as JSON, or text for people.
struct AnswerLines: Sendable {
    private var writer = JSONWriter(answer: true)

    var bytes: [UInt8] { writer.bytes }

    /// Adds a line for people, whose hidden characters are escaped already.
    mutating func add(line: String) {
        writer.raw(line)
        writer.endLine()
    }

    /// Adds an answer.
    mutating func add(_ answer: some Answer) { add { $0.value(answer) } }

    /// Adds an answer that `body` writes; after an error of `body`, nothing is added.
    mutating func add<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try writer.line(body)
    }

    mutating func clear() { writer.clear() }
}
