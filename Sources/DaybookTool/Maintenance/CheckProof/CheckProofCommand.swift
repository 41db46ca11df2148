import ArgumentParser
import Daybook
import DaybookLog

/// The command `check-proof`, which checks a proof without the log.
struct CheckProofCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-proof", abstract: "Check a proof that 'prove' wrote, without the log.",
        discussion: """
            Prints the event that the proof proves. The exit code is 1 if the proof is false, or if \
            it is not about the root, head or key that you name. A proof is worth as much as the \
            root that it leads to: name a root that you know with --root, or a key that must have \
            signed it with --public-key. A head alone confirms nothing, because anybody can make a \
            tree that ends in a known head.
            """)

    @Argument(help: .text("Proof; - reads standard input.", "file"), completion: .file())
    var file: String

    @Option(help: .text("Root that the proof must lead to, in base64.", "root"))
    var root: String?

    @Option(
        help: .text("Head that the log must have had when the proof was made.", "position:chain"))
    var head: String?

    @Option(help: .text("Head that the proof must show the log to continue.", "position:chain"))
    var since: String?

    @Option(
        help: .text(
            "Public key (PEM) that must have signed the root; if repeated, one of the keys.",
            "key"))
    var publicKey: [String] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let root, Base64.bytes(root)?.count != 32 {
            throw ValidationError(
                "--root: expected a root of 32 bytes in base64, as a proof has it, found '\(root)'."
            )
        }
        for (name, text) in [("--head", head), ("--since", since)] {
            guard let text, Head(text) == nil else { continue }
            throw ValidationError(
                "\(name): expected a head: a position, a colon and 64 hexadecimal digits, found "
                    + "'\(text)'.")
        }
    }

    func run() throws {
        let keys = try publicKey.map(KeyFile.verifyingKey)
        let proof: EventProof
        let proven: ProvenEvent
        do throws(ProofFormatError) { proof = try EventProof(parsing: try readProof()) } catch {
            throw Failure(.usage, "\(name): \(error)")
        }
        do throws(ProofFault) { proven = try proof.check() } catch {
            throw Failure(.finding, "\(name): the proof is false: \(error)")
        }
        if let reason = mismatch(proven, proof.note, keys) {
            throw Failure(.finding, "\(name): \(reason)")
        }
        try show(proven, proof.note)
    }

    private var name: String { file == "-" ? "standard input" : file }

    private func readProof() throws(ProofFormatError) -> [UInt8] {
        do {
            return try InputFile.bytes(of: file)
        } catch let failure as Failure {
            failure.end()
        } catch { Failure(.usage, "\(error)").end() }
    }

    /// Returns the reason why the proof is not about what the options name; `nil` if it is.
    private func mismatch(
        _ proven: ProvenEvent, _ note: TreeNote, _ keys: [HeadVerifyingKey]
    ) -> String? {
        let found = Base64.text(proven.root)
        if let root, root != found { return "the proof leads to another root, \(found)" }
        if let head, head != "\(proven.head)" {
            return "the proof is about another head, \(proven.head)"
        }
        if let since, since != proven.earlier.map({ "\($0.head)" }) {
            return proven.earlier.map {
                "the proof shows that the log continues another head, \($0.head)"
            } ?? "the proof does not show that the log continues a head"
        }
        if !keys.isEmpty, !keys.contains(where: { note.isSigned(by: $0) }) {
            return note.isSigned
                ? "the signature of the root matches none of the given keys"
                : "the root is not signed"
        }
        return nil
    }

    private func show(_ proven: ProvenEvent, _ note: TreeNote) throws {
        let payload = try payload(of: proven.event)
        var confirmedBy: [String] = []
        if root != nil { confirmedBy.append("root") }
        if !publicKey.isEmpty { confirmedBy.append("signature") }
        guard !output.json else {
            return Output.answer(CheckProofAnswer(proven, payload, confirmedBy))
        }
        let event = proven.event
        let data = payload ?? Hexadecimal.text(event.payload)
        Output.line("proven: event \(event.position) of log \(proven.log)")
        Output.line("kind       \(event.kind)")
        Output.line("occurred   \(Timestamp.text(event.envelope.occurredAt))")
        Output.line("recorded   \(Timestamp.text(event.envelope.recordedAt))")
        Output.line("tags       \(event.tags.map(\.text).joined(separator: " ").visible)")
        Output.line("data       \(data.visible)")
        Output.line(
            "commit     \(proven.commitNumber + 1) of \(proven.size), positions "
                + "\(proven.commit.lowerBound) to \(proven.commit.upperBound)")
        Output.line("head       \(proven.head)")
        Output.line("root       \(Base64.text(proven.root))")
        if let earlier = proven.earlier {
            Output.line(
                "continues  \(earlier.head), \(Int(earlier.size).counted("commit")), root "
                    + Base64.text(earlier.root))
        }
        let signed = note.isSigned ? "signed, check it with --public-key" : "not signed"
        Output.line(
            "trust      "
                + (confirmedBy.isEmpty
                    ? "the root is not confirmed: \(signed), or compare it with one that you know"
                    : "confirmed by the given \(confirmedBy.joined(separator: " and the "))"))
    }

    /// Returns the payload as JSON; `nil` if the program does not know the event kind.
    private func payload(of event: RecordedEvent) throws -> String? {
        guard let known = catalogue().events[event.kind] else { return nil }
        // A payload in another layout is shown as its bytes.
        return try? known.answer(event.payload) { _ in nil }
    }

    static var examples: [String] {
        ["check-proof proof", "check-proof - --public-key public.pem < proof"]
    }

    static var answers: [any Answer.Type] { [CheckProofAnswer.self] }

    static var storeUse: StoreUse { .noLog }
}

struct CheckProofAnswer: Answer {
    static let name = "check-proof"
    static let summary = "The event that a proof proves."

    /// Random id of the log, as 32 hexadecimal digits.
    var log = ""
    var event = EventPart()
    var tags: [String] = []
    /// Position of the first event of the commit.
    var first = Position.origin
    /// Position of the last event of the commit.
    var last = Position.origin
    var device: String?
    var correlation: String?
    var causation: Position?
    /// Number of commits before the event's commit.
    var commitNumber: Int64 = 0
    /// State of the log when the proof was made.
    var tree = TreePart()
    var since: TreePart?
    /// Means by which the root is confirmed: `root`, `signature`, both or none.
    var confirmedBy: [String] = []
    /// Payload with personal data as null; `nil` if the program does not know the event kind.
    var payload: JSONText?
    /// Payload in hexadecimal, if the program does not know the event kind.
    var payloadHex: String?

    /// The tree over the commits of a log.
    struct TreePart: AnswerPart {
        var commitCount: Int64 = 0
        /// Root of the tree, in base64.
        var root = ""
        var headAtPosition = ""

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("commits", &commitCount, "root", &root, "headAtPosition", &headAtPosition)
        }
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("log", &log)
        try event.fields(&field)
        try field("tags", &tags, "first", &first, "last", &last)
        try field.optionalField("device", &device)
        try field.optionalField("correlation", &correlation)
        try field("causation", &causation, "commitNumber", &commitNumber)
        try tree.fields(&field)
        try field.optionalField("since", &since)
        try field("confirmedBy", &confirmedBy)
        try field.optionalField("payload", &payload)
        try field.optionalField("payloadHex", &payloadHex)
    }
}

extension CheckProofAnswer {
    /// Creates the answer of a true proof; `payload` is `nil` if the event kind is unknown.
    init(_ proven: ProvenEvent, _ payload: String?, _ confirmedBy: [String]) {
        let (device, correlation) = (proven.metadata.device, proven.metadata.correlation)
        self.init(
            log: proven.log, event: EventPart(proven.event),
            tags: proven.event.tags.map(\.text), first: proven.commit.lowerBound,
            last: proven.commit.upperBound, device: device.isEmpty ? nil : device,
            correlation: correlation.isEmpty ? nil : correlation,
            causation: proven.metadata.causation, commitNumber: Int64(proven.commitNumber),
            tree: TreePart(proven.size, proven.root, proven.head),
            since: proven.earlier.map { TreePart($0.size, $0.root, $0.head) },
            confirmedBy: confirmedBy, payload: payload.map { JSONText($0) },
            payloadHex: payload == nil ? Hexadecimal.text(proven.event.payload) : nil)
    }
}

extension CheckProofAnswer.TreePart {
    init(_ size: UInt64, _ root: [UInt8], _ head: Head) {
        self.init(commitCount: Int64(size), root: Base64.text(root), headAtPosition: "\(head)")
    }
}
