public import Daybook
import DaybookLMDB
import DaybookLibC

/// The result of `EventLog.verify`, a check of the whole log.
public struct Verification: Equatable, Sendable {
    /// The number of events that were read.
    public var events: UInt64 = 0
    /// The number of commits that were read.
    public var commits: UInt64 = 0
    /// The chain value of the newest commit; 32 zero bytes in an empty log.
    public var head: [UInt8] = Array(repeating: 0, count: 32)
    /// The number of personal texts that were erased.
    public var erasedTexts: UInt64 = 0
    /// The number of personal texts that were lost through damage before the log was salvaged.
    public var lostTexts: UInt64 = 0
    /// The number of personal texts that a replica without encryption keys cannot read.
    public var textsNotHere: UInt64 = 0
    /// The number of people whose names were lost through damage before the log was salvaged.
    public var lostPeople: UInt64 = 0
    /// The number of correct snapshots: folding all events again gives the same state.
    public var snapshots: UInt64 = 0
    /// The number of snapshots of changed projections or of merged entities; they are no fault,
    /// because no read uses them.
    public var staleSnapshots: UInt64 = 0
    /// The number of events of each kind that the catalogue does not know; they are no fault.
    public var unknownKinds: [EventKind: UInt64] = [:]
    /// The faults of the log that were found; at most 1,000 are listed.
    public var findings: [Finding] = []

    /// True if no fault of the log was found.
    public var isSound: Bool { findings.isEmpty }

    /// A fault of the log.
    public struct Finding: Record {
        /// The position of the faulty event or commit; `.origin` if the fault concerns neither.
        public var position = Position.origin
        /// The name of the broken rule; see `EventLog.verify(against:progress:)`.
        public var rule = ""
        /// A sentence that describes the fault.
        public var message = ""

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "rule", &rule, "message", &message)
        }
    }

    /// True if a fault other than an intact payload in an unknown layout was found.
    ///
    /// Also counts faults that `findings` does not list because of its limit.
    public private(set) var isDamaged = false

    /// True if there are faults, and all of them are intact payloads in unknown layouts.
    public var isOfOtherLayouts: Bool { !isSound && !isDamaged }

    /// True if a pull of the replica was interrupted, and all findings may come from that: people,
    /// texts and keys are ahead of the events.
    public var isIncomplete: Bool {
        let rules = Set(findings.map(\.rule))
        return rules.contains("replica") && findings.count < Self.findingLimit
            && rules.isSubset(of: ["replica", "person", "erasure", "vault"])
    }

    /// The maximum number of faults in `findings`.
    static let findingLimit = 1_000

    /// Adds a fault to `findings`, unless they are at their limit.
    ///
    /// - Parameters:
    ///   - position: the position of the faulty event or commit; 0 if the fault concerns neither.
    ///   - rule: the name of the broken rule.
    ///   - isLayoutFault: true if the payload is intact, but does not have the layout of its kind.
    mutating func report(
        _ position: UInt64, _ rule: String, _ message: String, isLayoutFault: Bool = false
    ) {
        isDamaged = isDamaged || !isLayoutFault
        guard findings.count < Self.findingLimit else { return }
        findings.append(
            Finding(position: Position(position), rule: rule, message: message))
    }

    /// Adds the faults of the file's pages to `findings`.
    mutating func reportFaults(of pages: PageMap) {
        for fault in pages.faults() {
            report(0, "page", "page \(fault.page) \(fault.message)")
        }
    }

    /// Adds the counts and findings of a later part of the check; leaves `head` unchanged.
    mutating func add(_ part: Verification) {
        events += part.events
        commits += part.commits
        erasedTexts += part.erasedTexts
        lostTexts += part.lostTexts
        textsNotHere += part.textsNotHere
        lostPeople += part.lostPeople
        snapshots += part.snapshots
        staleSnapshots += part.staleSnapshots
        unknownKinds.merge(part.unknownKinds) { $0 + $1 }
        findings += part.findings.prefix(Self.findingLimit - findings.count)
        isDamaged = isDamaged || part.isDamaged
    }
}

extension Verification {
    /// Adds to `findings` an error that ended a part of the check, under the rule `damage`.
    mutating func report(_ error: LogError) {
        report(error.position?.rawValue ?? 0, "damage", "\(error)")
    }
}

extension VerificationWalk {
    /// Runs one part of the check, and adds an error that ends the part to the findings.
    ///
    /// - Parameter rule: the rule of the finding; by default that of damage at the error's position.
    /// - Returns: `true` if the part was completed; `false` if an error ended it.
    @discardableResult
    mutating func check(
        as rule: String? = nil, _ part: (inout Self) throws(LogError) -> Void
    ) -> Bool {
        do throws(LogError) {
            try part(&self)
            return true
        } catch {
            if let rule { result.report(0, rule, "\(error)") } else { result.report(error) }
            return false
        }
    }
}

extension Verification {
    /// The newest commit's last position and chain value.
    public var chainHead: Head { Head(unchecked: Position(events), head) }
}

extension Verification.Finding {
    /// Creates the finding of a check outside `verify`, such as a check of heads.
    public init(at position: Position, rule: String, message: String) {
        self.init(position: position, rule: rule, message: message)
    }
}
