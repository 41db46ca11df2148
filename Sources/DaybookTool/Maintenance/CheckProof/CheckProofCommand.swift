import ArgumentParser
import Daybook
import DaybookLog

/// The command `check-proof`, which checks a proof without the log.
struct CheckProofCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-proof",
        abstract: "Check a proof that 'prove' wrote, without the log.",
        discussion: """
            Prints the event that the proof proves. The exit code is 1 if the proof is false, or if \
            it is not about the root, head or key that you name. A proof is worth as much as the \
            root that it leads to: name a root that you know with --root, or a key that must have \
            signed it with --public-key. A head alone confirms nothing, because anybody can make a \
            tree that ends in a known head.
            """)

    @Argument(
        help: ArgumentHelp("Proof; - reads standard input.", valueName: "file"),
        completion: .file())
    var file: String

    /// Root that the proof must lead to, in base64; `nil` accepts any.
    @Option(
        help: ArgumentHelp("Root that the proof must lead to, in base64.", valueName: "root"))
    var root: String?

    /// Head at which the log must have had the root; `nil` accepts any.
    @Option(
        help: ArgumentHelp(
            "Head that the log must have had when the proof was made.",
            valueName: "position:chain"))
    var head: String?

    /// Head of the earlier state that the log must continue; `nil` accepts any, or none.
    @Option(
        help: ArgumentHelp(
            "Head that the proof must show the log to continue.", valueName: "position:chain"))
    var since: String?

    /// Paths of public keys, one of which must have signed the root; empty checks no signature.
    @Option(
        help: ArgumentHelp(
            "Public key (PEM) that must have signed the root; if repeated, one of the keys.",
            valueName: "key"))
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
        do throws(ProofFormatError) {
            proof = try EventProof(parsing: try readProof())
        } catch {
            throw Failure(.usage, "\(name): \(error)")
        }
        do throws(ProofFault) {
            proven = try proof.check()
        } catch {
            throw Failure(.finding, "\(name): the proof is false: \(error)")
        }
        if let reason = mismatch(proven, proof.note, keys) {
            throw Failure(.finding, "\(name): \(reason)")
        }
        try show(proven, proof.note)
    }

    /// The name of the input in messages.
    private var name: String { file == "-" ? "standard input" : file }

    /// Reads the file of the proof.
    private func readProof() throws(ProofFormatError) -> [UInt8] {
        do {
            return try InputFile.bytes(of: file)
        } catch let failure as Failure {
            failure.end()
        } catch {
            Failure(.usage, "\(error)").end()
        }
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

    /// Prints the facts that the proof proves.
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
        guard let known = try catalogue().events[event.kind] else { return nil }
        // A payload in another layout is shown as its bytes.
        return try? known.answer(event.payload) { _ in nil }
    }
}

extension CheckProofCommand: ToolCommand {
    static var examples: [String] {
        ["check-proof proof", "check-proof - --public-key public.pem < proof"]
    }

    static var answers: [any Answer.Type] { [CheckProofAnswer.self] }

    static var storeUse: StoreUse { .noLog }
}

/// Answer of `check-proof`: the facts that a proof proves.
struct CheckProofAnswer: Answer {
    static let name = "check-proof"
    static let summary = "The event that a proof proves."

    /// Random id of the log, as 32 hexadecimal digits.
    var log = ""
    var event = EventPart()
    /// Tags of the event, such as `baby:7`.
    var tags: [String] = []
    /// Position of the first event of the commit.
    var first = Position.origin
    /// Position of the last event of the commit.
    var last = Position.origin
    /// Name of the device; `nil`, and left out, if the commit names none.
    var device: String?
    /// Correlation id that the commit names; `nil`, and left out, if it names none.
    var correlation: String?
    /// Position of the event that caused the commit; `nil` if the commit names none.
    var causation: Position?
    /// Number of commits before the event's commit.
    var commitNumber: Int64 = 0
    /// State of the log when the proof was made.
    var tree = TreePart()
    /// Earlier state that the log continues; `nil`, and left out, if the proof names none.
    var since: TreePart?
    /// Means by which the root is confirmed: `root`, `signature`, both or none.
    var confirmedBy: [String] = []
    /// Payload of the event, in which personal data are null; `nil`, and left out, if the program
    /// does not know the event kind.
    var payload: JSONText?
    /// Payload in hexadecimal, if the program does not know the event kind; else `nil`, and left
    /// out.
    var payloadHex: String?

    /// The tree over the commits of a log.
    struct TreePart: Record {
        /// Number of commits.
        var commitCount: Int64 = 0
        /// Root of the tree, in base64.
        var root = ""
        /// Position and chain value of the newest commit: `POSITION:CHAIN`.
        var headAtPosition = ""

        static var blank: Self { Self() }

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
    /// Creates the answer of a proof that is true.
    ///
    /// - Parameter payload: payload as JSON; `nil` if the program does not know the event kind.
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
        self.init(
            commitCount: Int64(size), root: Base64.text(root), headAtPosition: "\(head)")
    }
}
