import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-plans, s4-photo-share, s4-billing
/// Plans and credits: who may check out, and what any order of requests keeps true.
@Suite("Plans and credits") struct AccountTests {
    private static func at(_ text: String) throws -> Instant {
        try #require(Timestamp.parse(text)).instant
    }

    private static func subscribed(
        _ plan: Account.Plan, _ status: Account.SubscriptionStatus
    ) -> Account.SubscriptionChanged {
        Account.SubscriptionChanged(householdId: "h", plan: plan, status: status)
    }

    private static func reserve(_ request: String, household: String = "h")
        -> Account.ReserveCredits
    {
        Account.ReserveCredits(userId: "ana", householdId: household, requestId: request)
    }

    private static func charge(_ request: String, _ tokens: Int64) -> Account.ChargeCredits {
        Account.ChargeCredits(
            userId: "ana", householdId: "h", requestId: request, totalTokens: tokens)
    }

    private static func wallet(_ log: DecidedLog) throws -> Account.Wallet.State {
        try log.state(of: Account.Wallet.self, Tag("wallet", "ana/h"))
    }

    @Test(
        "An owner or a parent checks out, and nobody else",
        arguments: [
            (.owner, nil), (.parent, nil), (.caregiver, "insufficientRole"),
            (.familyViewer, "insufficientRole"), (.none, "accessDenied"),
        ] as [(Household.Role, String?)])
    func checkOut(_ role: Household.Role, _ expected: String?) throws {
        var log = DecidedLog()
        log.keep(
            Household.MemberRoleChanged(householdId: "h", userId: "ben", role: .owner), at: .epoch)
        log.keep(
            Household.MemberRoleChanged(householdId: "h", userId: "ana", role: role), at: .epoch)
        let command = Account.CheckOut(householdId: "h", plan: .aiOnly, by: "ana")
        try expect(log.refusal(of: command, at: .epoch), equals: expected)
    }

    @Test(
        "Each plan is taken, under the source rules all but that of photos",
        arguments: [
            (.photoShare, .standard, nil), (.aiOnly, .standard, nil), (.aiPhoto, .standard, nil),
            (.photoShare, .source, "invalidPlan"), (.aiOnly, .source, nil),
            (.aiPhoto, .source, nil),
        ] as [(Account.Plan, Rules, String?)])
    func plans(_ plan: Account.Plan, _ rules: Rules, _ expected: String?) throws {
        var log = DecidedLog()
        log.keep(
            Household.MemberRoleChanged(householdId: "h", userId: "ana", role: .owner), at: .epoch)
        let command = Account.CheckOut(householdId: "h", plan: plan, by: "ana", rules: rules)
        try expect(log.refusal(of: command, at: .epoch), equals: expected)
    }

    @Test(
        "The AI and the photos need a plan with AI that is paid or on trial",
        arguments: Account.Plan.allCases, Account.SubscriptionStatus.allCases)
    func gate(_ plan: Account.Plan, _ status: Account.SubscriptionStatus) throws {
        var log = DecidedLog()
        log.keep(Self.subscribed(plan, status), at: .epoch)
        let state = try log.state(of: Account.Subscription.self)
        let isOpen = [.aiOnly, .aiPhoto].contains(plan) && [.active, .trialing].contains(status)
        #expect(state.opensAI == isOpen && state.opensPhotos == isOpen)
        expect(state.opensChat, equals: isOpen)
        let refusal = try log.refusal(of: Self.reserve("q"), at: .epoch)
        #expect(refusal == (isOpen ? nil : "subscriptionRequired"))
    }

    @Test(
        "An answer costs a credit for each thousand tokens that were begun",
        arguments: [(1, 1), (999, 1), (1_000, 1), (1_001, 2), (2_000, 2), (2_500, 3)])
    func cost(_ tokens: Int64, _ credits: Int64) throws {
        var log = DecidedLog()
        log.keep(Self.subscribed(.aiOnly, .active), at: .epoch)
        try log.give(Self.reserve("q"), at: .epoch)
        try expect(Self.wallet(log).balance, equals: 498)
        try log.give(Self.charge("q", tokens), at: .epoch)
        let wallet = try Self.wallet(log)
        #expect(wallet.balance == 500 - credits && wallet.chargedTotal == credits)
        #expect(try log.findings(of: Account.self).isEmpty)
    }

    @Test(
        "A month of UTC gives its credits once, to each user of each household",
        arguments: [
            ("2026-02-28T23:59:59.999999Z", 500), ("2026-03-01T00:00:00Z", 1_000),
            ("2027-02-01T00:00:00Z", 1_000),
        ] as [(String, Int64)])
    func grants(_ second: String, _ granted: Int64) throws {
        var log = DecidedLog()
        log.keep(Self.subscribed(.aiPhoto, .trialing), at: .epoch)
        log.keep(
            Account.SubscriptionChanged(householdId: "i", plan: .aiOnly, status: .active),
            at: .epoch)
        try log.give(Self.reserve("q1"), at: Self.at("2026-02-01T00:00:00Z"))
        try log.give(Self.reserve("q2", household: "i"), at: Self.at("2026-02-01T00:00:00Z"))
        try log.give(Self.reserve("q3"), at: Self.at(second))
        try expect(Self.wallet(log).balance, equals: granted - 4)
        try expect(log.state(of: Account.Wallet.self, Tag("wallet", "ana/i")).balance, equals: 498)
    }

    @Test(
        "Two credits are enough for a reserve, one is not",
        arguments: [(498_000, "reserved"), (499_000, "grace")] as [(Int64, String)])
    func threshold(_ tokens: Int64, _ expected: String) throws {
        var log = DecidedLog()
        log.keep(Self.subscribed(.aiOnly, .active), at: .epoch)
        try log.give(Self.reserve("q1"), at: .epoch)
        try log.give(Self.charge("q1", tokens), at: .epoch)
        try log.give(Self.reserve("q2"), at: .epoch)
        let state = try log.state(of: Account.CreditRequest.self, Tag("ai-request", "q2"))
        expect(state.state.name, equals: expected)
    }

    @Test(
        "A balance is what was granted, less what was charged and what is reserved",
        arguments: Cases.sample(0..<100 as Range<UInt64>))
    func balances(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var log = DecidedLog()
        log.keep(Self.subscribed(.aiOnly, .active), at: .epoch)
        var open: [String] = []
        var moment = Instant.epoch
        for step in 0..<80 {
            let hours = Int64.random(in: 0...30, using: &random)
            moment = moment.advanced(byMicroseconds: hours * 3_600_000_000)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                if try log.refusal(of: Self.reserve("q\(step)"), at: moment) == nil {
                    try log.give(Self.reserve("q\(step)"), at: moment)
                    open.append("q\(step)")
                }
            case 1 where !open.isEmpty:
                let request = open.removeFirst()
                let tokens = Int64.random(in: 1...300_000, using: &random)
                try log.give(Self.charge(request, tokens), at: moment)
            case 2 where !open.isEmpty:
                let request = open.removeLast()
                try log.give(
                    Account.ReleaseCredits(userId: "ana", householdId: "h", requestId: request),
                    at: moment)
            default: break
            }
            let wallet = try Self.wallet(log)
            let reserved = wallet.reserved.values.reduce(0) { $0 &+ $1 }
            let granted = wallet.granted.values.reduce(0) { $0 &+ $1 }
            expect(
                wallet.balance, equals: granted - wallet.chargedTotal - reserved, "seed \(seed)")
            expect(Set(wallet.reserved.keys), equals: Set(open), "seed \(seed)")
            #expect(wallet.graceUsed.values.allSatisfy { (0...3).contains($0) }, "seed \(seed)")
        }
        #expect(try log.findings(of: Account.self).isEmpty, "seed \(seed)")
    }

    @Test("No layout of an account's events changes without a new version of its kind")
    func layouts() throws {
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
        try LayoutPins(of: Account.self).check(heldIn: "\(path)/layouts.txt")
    }
}
