import ArgumentParser
import Daybook
import DaybookLog

/// The command `prove`, which writes a proof that the log contains an event.
struct ProveCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove", abstract: "Write a proof that the log contains an event.",
        discussion: """
            '\(Program.name) check-proof' checks the proof without the log. It has the event and \
            its commit as stored, without personal texts, names of people and places, and leads to \
            the root of a Merkle tree over all commits. Whoever trusts this root can trust the \
            proof: give it to them in another way, or sign it with --sign.

            --since also proves that the log continues an earlier state of itself, named by its \
            head or its number of commits.

            The log stores the tree while it grows; each run hashes the newest commits, which the \
            tree lacks.
            """)

    @Argument(help: .text("Position of the event.", "position"))
    var position: UInt64

    @Option(
        help: .text(
            "Also prove that the log continues this earlier state: a head as 'stat' prints it, or "
                + "a number of commits.", "head-or-commits"))
    var since: String?

    @Option(help: .text("Sign the root with this Ed25519 private key (PKCS#8, PEM).", "key"))
    var sign: String?

    @OptionGroup(title: "Log") var log: LogOptions

    func validate() throws {
        guard since == nil || earlier != nil else {
            throw ValidationError(
                "--since: expected a head as '\(Program.name) stat' prints it, or a number of "
                    + "commits, found '\(since ?? "")'.")
        }
    }

    /// Number of events from which their hashing is announced.
    private static let largeCount: UInt64 = 50_000

    /// The state that `--since` names; `nil` for another text.
    private var earlier: EarlierLog? {
        guard let since else { return nil }
        if let head = Head(since) { return .head(head) }
        return UInt64(since).map { .commits($0) }
    }

    func run() throws {
        let key = try sign.map(KeyFile.signingKey)
        let log = try log.open(.read)
        try log.warnOfClockLead()
        let missing = try mappingLogErrors { try log.proofs.missingEventCount() }
        if missing >= Self.largeCount {
            StandardError.message(
                "hashing \(missing) events that the stored tree lacks; after "
                    + "'\(Program.name) reindex', proofs need none of them")
        }
        var proof: EventProof
        do throws(LogError) {
            proof = try log.proofs.proof(of: Position(position), since: earlier)
        } catch {
            switch error {
            case .proof(.notContained): throw Failure(.finding, "\(error)")
            case .proof: throw Failure(.usage, "\(error)")
            default: throw Failure(error.code, error)
            }
        }
        // A row of the stored tree may be forged, which only 'verify' looks for.
        do throws(ProofFault) { _ = try proof.check() } catch {
            throw Failure(
                .log,
                "the stored tree does not fit the commits: \(error); '\(Program.name) reindex' "
                    + "builds it again")
        }
        if let key { proof = try proof.signed(by: key) }
        Output.text("\(proof)")
    }

    static var examples: [String] { ["prove 5 > proof", "prove 5 --sign key.pem > proof"] }
}
