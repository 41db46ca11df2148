import Daybook
import TestSupport

@testable import DaybookModel

/// A device, its server and the network between them, as a seed has them behave.
///
/// The device does what the flows do: it decides by the commands of the areas, folds their events,
/// and sends what they say. Everything else, answers lost or late, errors, kills, sign-ins, is a
/// move of the script, so that a script can be shortened and a run told again.
struct QueueSimulation {
    /// What becomes of a request.
    enum Fate: Hashable {
        case answered
        /// The server never heard it, and the device gives up waiting.
        case requestLost
        /// The server did it, and the device gives up waiting; the answer may still come.
        case answerLate
        /// It reaches the server after the device gave up waiting.
        case requestSlow
        /// The server did it; the device waits on.
        case silence
        case error(Int64)
    }

    enum Move: Hashable {
        case write(OfflineQueue.MutationKind, entry: Int)
        case network(Int, Fate)
        case lateAnswer(Int)
        case slowRequest(Int)
        case wait(Int64)
        case flush
        case kill
        case signIn(String)
        case signOut
        case expireTokens
        case revokeTokens
        case retry(Int)
        case drop(Int)
        case compact
        /// Another phone opens the slot of an entry, or closes it.
        case otherPhone(slot: Int)
    }

    /// A mistake in the program, to see that it is found.
    enum Fault: CaseIterable {
        case noKey
        case parkedIsSentAgain
        case idMapLost
        case sentAsAnother
        /// A write goes out although an earlier one about its entry is parked.
        case parkedIsOvertaken
    }

    struct Request: Hashable {
        enum Content: Hashable {
            case mutation(ModelServer.Write, attempt: Int64)
            case online(ModelServer.Write)
            case onboarding
            case refresh(String, family: String, generation: Int64)
        }

        var content: Content
    }

    /// A write that the user made.
    struct Issued {
        var kind: OfflineQueue.MutationKind
        var localId: String
        var slot: Int
        var user: String?
    }

    static let device = "d1"

    let fault: Fault?
    /// Reads each decision's events by its query, as a log does.
    let readsByQuery: Bool
    var server = ModelServer()
    var now = Instant(microseconds: 1_771_578_000_000_000)
    var log: [(event: OfflineQueue.Event, at: Instant)] = []
    /// What a query finds each event of the log by.
    var found: [(kind: EventKind, tags: [Daybook.Tag])] = []
    var queue = OfflineQueue.State()
    var linking = Household.Linking.State()
    var phone = Device.State()
    /// Commands and facts as a scenario tells them.
    var told: [(at: Instant, line: String)] = []
    var outstanding: [Request] = []
    var late: [(write: ModelServer.Write, attempt: Int64, answer: ModelServer.Answer)] = []
    var slow: [ModelServer.Write] = []
    var issued: [String: Issued] = [:]
    /// Entries that the user sees, by the ids of the device, in order.
    var seen: [String] = []
    /// Writes that the user was told about, or that ended with a process.
    var given: Set<String> = []
    /// Writes that the server took at once.
    var taken: Set<String> = []
    /// Entries that nothing is certain of any more.
    var uncertain: Set<String> = []
    var count = 0
    var families = 0
    /// The first thing that went wrong while it ran.
    var trouble: String?

    init(fault: Fault? = nil, readsByQuery: Bool = false) {
        self.fault = fault
        self.readsByQuery = readsByQuery
        let onboarded = Household.Onboarded(
            babyId: "offline_b", householdId: "offline_h", device: Self.device)
        tell("event", Household.Onboarded.kind.name, "data", onboarded)
        append([.onboarding(.onboarded(onboarded))])
    }

    /// The moves of a seed.
    static func script(_ seed: UInt64) -> [Move] {
        var random = SeededGenerator(seed: seed)
        let isBad = Int.random(in: 0..<4, using: &random)
        return (0..<Int.random(in: 20...70, using: &random)).map { _ in
            move(isBad, &random)
        }
    }

    private static func move(_ isBad: Int, _ random: inout SeededGenerator) -> Move {
        let index = Int.random(in: 0..<6, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<22:
            let kinds: [OfflineQueue.MutationKind] = [
                .createClosed, .start, .start, .complete, .complete, .update, .cancel,
            ]
            return .write(kinds[Int.random(in: 0..<kinds.count, using: &random)], entry: index)
        case 22..<60: return .network(index, fate(isBad, &random))
        case 60..<65: return .lateAnswer(index)
        case 65..<69: return .slowRequest(index)
        case 69..<75: return .wait([1, 3, 20, 70, 400][Int.random(in: 0..<5, using: &random)])
        case 75..<81: return .flush
        case 81..<84: return .kill
        case 84..<89: return .signIn(Int.random(in: 0..<5, using: &random) == 0 ? "ben" : "ana")
        case 89: return .signOut
        case 90..<92: return .expireTokens
        case 92: return .revokeTokens
        case 93..<95: return .retry(index)
        case 95: return .drop(index)
        case 96..<98: return .compact
        default: return .otherPhone(slot: index % 2)
        }
    }

    private static func fate(_ isBad: Int, _ random: inout SeededGenerator) -> Fate {
        guard Int.random(in: 0..<4, using: &random) < isBad else { return .answered }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2: return .requestLost
        case 2..<4: return .answerLate
        case 4: return .requestSlow
        case 5: return .silence
        default:
            let statuses: [Int64] = [0, 400, 403, 408, 409, 422, 425, 429, 500, 503, 401, 418]
            return .error(statuses[Int.random(in: 0..<statuses.count, using: &random)])
        }
    }

    /// Runs a script, then lets everything settle on a network without faults.
    ///
    /// - Returns: what is wrong at the end; `nil` where device and server agree.
    mutating func run(_ script: [Move]) -> String? {
        for move in script where trouble == nil { make(move) }
        settle()
        return trouble ?? verdict()
    }

    private mutating func make(_ move: Move) {
        switch move {
        case .write(let kind, let entry): write(kind, entry)
        case .network(let index, let fate):
            guard !outstanding.isEmpty else { break }
            meet(fate, outstanding.remove(at: index % outstanding.count))
        case .lateAnswer(let index):
            guard !late.isEmpty else { break }
            let answer = late.remove(at: index % late.count)
            answered(answer.write, answer.attempt, answer.answer)
        case .slowRequest(let index):
            guard !slow.isEmpty else { break }
            _ = server.answer(to: slow.remove(at: index % slow.count))
        case .wait(let seconds): now = now.advanced(byMicroseconds: seconds * 1_000_000)
        case .flush: sync()
        case .kill: kill()
        case .signIn(let user): signIn(user)
        case .signOut: signOut()
        case .expireTokens: server.expireTokens()
        case .revokeTokens: server.revoke()
        case .retry(let index):
            guard !queue.parked.isEmpty else { break }
            let id = queue.parked[index % queue.parked.count].mutationId
            decide(OfflineQueue.RetryMutation(device: Self.device, mutationId: id))
        case .drop(let index):
            guard !queue.parked.isEmpty else { break }
            let id = queue.parked[index % queue.parked.count].mutationId
            decide(OfflineQueue.DropMutation(device: Self.device, mutationId: id))
        case .compact: decide(OfflineQueue.CompactQueue(device: Self.device))
        case .otherPhone(let slot):
            if server.taken.remove(slot) == nil { server.taken.insert(slot) }
        }
    }

    /// Signs in whoever has writes left, frees what is parked once, and lets every answer come.
    private mutating func settle() {
        server.taken = []
        var wasRetried = false
        for _ in 0..<60 where trouble == nil {
            now = now.advanced(byMicroseconds: 400_000_000)
            while !slow.isEmpty { _ = server.answer(to: slow.removeFirst()) }
            while !late.isEmpty {
                let answer = late.removeFirst()
                answered(answer.write, answer.attempt, answer.answer)
            }
            deliver()
            if queue.pending.isEmpty, outstanding.isEmpty {
                if wasRetried || queue.parked.isEmpty { return }
                wasRetried = true
                for parked in queue.parked where parked.blockedBy == nil {
                    decide(
                        OfflineQueue.RetryMutation(
                            device: Self.device, mutationId: parked.mutationId))
                }
            }
            let owner = queue.pending.first?.userId ?? "ana"
            if phone.session.status != .signedIn || phone.session.userId != owner
                || queue.pending.contains(where: \.awaitsSignIn)
                || linking.googleUserId == nil
            {
                signOut()
                signIn(owner)
            }
            if linking.onboarding.status != .linked { startOnboarding() }
            sync()
            deliver()
        }
    }

    private mutating func deliver() {
        for _ in 0..<400 where !outstanding.isEmpty && trouble == nil {
            meet(.answered, outstanding.removeFirst())
        }
    }
}
