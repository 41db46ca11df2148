import Daybook
import DaybookLog

/// Check of a log's copy in separate processes. However damaged the copy is, this process continues
/// and can delete the copy.
struct CopyCheck {
    /// Path of the copy before it gets its final name.
    let path: String

    struct Contents: AnswerPart {
        var head = Head.origin
        var commitCount: Int64 = 0

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            var (events, text) = (Int64(clamping: head.position.rawValue), "\(head)")
            try field("events", &events, "commits", &commitCount, "headAtPosition", &text)
            head = Head(text) ?? head
        }
    }

    /// Returns the head and number of commits, without verifying the copy.
    func contents() throws -> Contents {
        let ended = try run(["stat", "--json"])
        guard ended.code == 0 else {
            throw unreadable("'\(Program.name) stat' exited with code \(ended.code)")
        }
        return try contents(of: ended.output)
    }

    /// Verifies the copy, and returns its head and number of commits.
    ///
    /// - Parameter original: path of the log with which the copy is compared; `nil` for none.
    /// - Throws: `Failure` with the code for a damaged log, after printing the first findings.
    func verify(against original: String? = nil) throws -> Contents {
        let comparison = original.map { ["--copy-of", $0] } ?? []
        let ended = try run(["verify", "--json"] + comparison)
        guard ended.code == 0 else { throw try failure(ended) }
        return try contents(of: ended.output)
    }

    private func run(_ arguments: [String]) throws -> ChildProcess.Termination {
        // The copy may be older than the head file, unless its heads are checked separately.
        try ChildProcess.run(
            ChildProcess.ownPath(), arguments + ["--log", path],
            environment: [LogOptions.headVariable: ""])
    }

    /// Parses the head and number of commits in the JSON of `stat` or `verify`.
    private func contents(of output: [UInt8]) throws -> Contents {
        let answer = try parsed(output)
        guard case .text(let text)? = answer["headAtPosition"]?.content, let head = Head(text),
            case .integer(let commits)? = answer["commits"]?.content
        else {
            throw unreadable(
                "'\(Program.name)' did not print the copy's head and number of commits")
        }
        return Contents(head: head, commitCount: commits)
    }

    private func parsed(_ output: [UInt8]) throws -> Tree {
        do throws(InputError) { return try JSONParser.parse(output) } catch {
            throw unreadable("'\(Program.name)' printed output about the copy that is not JSON")
        }
    }

    private func unreadable(_ reason: String) -> Failure {
        Failure(.log, "the copy '\(path)' cannot be read: \(reason)")
    }

    /// Prints the first 20 findings of a failed verification, and returns the failure.
    private func failure(_ ended: ChildProcess.Termination) throws -> Failure {
        guard ended.code != Failure.Code.finding.rawValue else {
            // The reason is on standard error already.
            return Failure(
                .log, "the copy '\(path)' is not kept; if texts were erased meanwhile, try again")
        }
        let failure = Failure(.log, "the copy '\(path)' does not pass 'verify', so it is not kept")
        guard !ended.output.isEmpty,
            case .list(let findings)? = try parsed(ended.output)["findings"]?.content
        else { return failure }
        for finding in findings.prefix(20) {
            let words = ["position", "rule", "message"].map { name in
                switch finding[name]?.content {
                case .text(let text)?: text
                case .integer(let number)?: String(number)
                default: ""
                }
            }
            StandardError.message("position " + words.joined(separator: ": "))
        }
        return failure
    }
}
