import Daybook
import DaybookLog

/// A proof of a log's copy in separate processes: however damaged the copy is, this process
/// continues and can delete it.
struct CopyProof {
    /// The copy, by the name that it has while it is made.
    let path: String

    /// The content of a sound copy.
    struct Contents: Record {
        var head = Head.origin
        var commits: Int64 = 0

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            var (events, text) = (Int64(clamping: head.position.rawValue), "\(head)")
            try field("events", &events, "commits", &commits, "headAtPosition", &text)
            head = Head(text) ?? head
        }
    }

    /// Counts what the copy holds, unproven.
    func contents() throws -> Contents {
        let ended = try run(["stat", "--json"])
        guard ended.code == 0 else { throw Failure(.log, "the copy cannot be read") }
        return try contents(of: ended.output)
    }

    /// Verifies the copy.
    ///
    /// - Throws: the findings, with the code for a damaged log.
    func verify() throws -> Contents {
        let ended = try run(["verify", "--json"])
        guard ended.code == 0 else { throw try failure(ended) }
        return try contents(of: ended.output)
    }

    /// The digests of all projections' states, one a line.
    func digests() throws -> [String] {
        let ended = try run(["verify", "--digests"])
        guard ended.code == 0 else { throw Failure(.log, "the projections of the copy fail") }
        return String(decoding: ended.output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func run(_ arguments: [String]) throws -> ChildProcess.Ended {
        // A copy may lag the head file by now. Where it must not, its heads are checked separately.
        try ChildProcess.run(
            ChildProcess.ownPath(), arguments + ["--log", path],
            environment: [LogOptions.headVariable: ""])
    }

    private func contents(of output: [UInt8]) throws -> Contents {
        let answer = try parsed(output)
        guard case .text(let text)? = answer["headAtPosition"]?.content, let head = Head(text),
            case .integer(let commits)? = answer["commits"]?.content
        else { throw Failure(.log, "the copy cannot be read") }
        return Contents(head: head, commits: commits)
    }

    private func parsed(_ output: [UInt8]) throws -> Tree {
        do throws(InputError) {
            return try JSONParser.parse(output)
        } catch {
            throw Failure(.log, "the copy cannot be read")
        }
    }

    /// Says what a verification that did not end well has found.
    private func failure(_ ended: ChildProcess.Ended) throws -> Failure {
        let failure = Failure(.log, "the copy is damaged, and is not kept")
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
