import Daybook
import DaybookTesting
import Testing

@testable import Lending

/// The folder of the package, whatever the working folder is.
private let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

@Suite("Lending") struct LendingTests {
    static let due = Instant(microseconds: 28 * Instant.dayUs)
    static func added(_ copy: String) -> Loans.Event { .added(CopyAdded(copy: copy)) }
    static func lent(_ copy: String, to member: String) -> Loans.Event {
        .borrowed(CopyBorrowed(copy: copy, member: member, due: due))
    }

    @Test("The area has no fault") func area() { checkArea(Lending.self) }

    @Test(arguments: [
        CommandExample<Loans>(
            "a copy that is available is lent for 28 days",
            given: [added("dune")], when: Borrow(copy: "dune", member: "kim"),
            then: .events([lent("dune", to: "kim")])),
        CommandExample(
            "a copy is lent to one member at a time",
            given: [added("dune"), lent("dune", to: "kim")],
            when: Borrow(copy: "dune", member: "lee"), then: .refused("notAvailable")),
        CommandExample(
            "a member has at most three copies",
            given: [
                added("dune"), added("emma"), added("faust"), added("ulysses"),
                lent("dune", to: "kim"), lent("emma", to: "kim"), lent("faust", to: "kim"),
            ],
            when: Borrow(copy: "ulysses", member: "kim"),
            then: .refused("tooManyCopies", "'kim' has three copies already")),
        CommandExample(
            "a copy comes back from the member who has it",
            given: [added("dune"), lent("dune", to: "kim")],
            when: CopyReturned(copy: "dune", member: "lee"), then: .refused("notLent")),
    ])
    func decides(_ example: CommandExample<Loans>) { example.check() }

    @Test(arguments: try ScenarioTest.all(in: "\(root)/Scenarios", of: [Lending.self]))
    func scenario(_ test: ScenarioTest) throws { try test.check() }

    @Test("No layout changes without a new version of its kind")
    func layouts() throws {
        try LayoutPins(of: Lending.self).check(heldIn: "\(root)/layouts.txt")
    }
}
