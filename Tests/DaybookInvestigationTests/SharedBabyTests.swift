import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog
import TestSupport
import Testing

@testable import DaybookModel

/// Two to four phones that made the same baby offline, held to a plain model: who may write, whose
/// stated values hold, and what each question under each id answers at each moment on both clocks.
@Suite struct SharedBabyTests {
    private static let start: Int64 = 1_772_366_400_000_000
    private static let minute: Int64 = 60_000_000
    private static let catalogue = Result { try Catalogue(Catalog.areas) }

    /// A log that random steps fill, and the model of the same steps.
    private struct Run {
        let seed: UInt64
        let folder: TemporaryFolder
        let log: EventLog
        var model = SharedBabyModel()
        var random: SeededGenerator
        let phones: Int
        /// Numbers of accepted and refused commands.
        var accepted = 0
        var refused = 0

        init(seed: UInt64) throws {
            self.seed = seed
            folder = try TemporaryFolder()
            log = try EventLog(path: folder.path("log"), access: .create)
            random = SeededGenerator(seed: seed)
            phones = 2 + Int(seed % 3)
        }

        var babyIds: [String] { (1...phones).map { "offline_\($0)" } + ["srv", "srv2"] }
        var householdIds: [String] { (1...phones).map { "offline_h\($0)" } + ["H", "H2"] }
        var users: [String] { (1...phones).map { "u\($0)" } + ["guest"] }

        mutating func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: values.indices, using: &random)]
        }

        /// Gives a command, and adds its fact to the model if the model allows it.
        mutating func give(
            _ command: some Command, _ facts: [SharedBabyModel.Fact], isAllowed: Bool
        ) throws {
            // The clocks of the phones differ by up to an hour.
            let occurred =
                SharedBabyTests.start + Int64(model.facts.count) * 10 * SharedBabyTests.minute
                + Int64.random(in: 0...60, using: &random) * SharedBabyTests.minute
            let decided = try log.decide(command, at: Instant(microseconds: occurred))
            switch decided {
            case .appended:
                #expect(isAllowed, "seed \(seed): accepted \(command)")
                model.facts += facts.map { ($0, occurred) }
                accepted += 1
            case .refused(let refusal):
                #expect(!isAllowed, "seed \(seed): \(refusal.code) for \(command)")
                refused += 1
            case .nothing: #expect(facts.isEmpty, "seed \(seed): nothing for \(command)")
            }
        }

        /// A random part of these values.
        mutating func some(_ values: [String: [String]]) -> [String: String] {
            var chosen: [String: String] = [:]
            for (name, values) in values.sorted(by: { $0.key < $1.key })
            where Bool.random(using: &random) { chosen[name] = pick(values) }
            return chosen
        }

        mutating func add(_ phone: Int) throws {
            let told = some([
                "zone": ["UTC", "Asia/Seoul", "Europe/Berlin"],
                "birthDate": ["2026-02-01", "2026-02-02"],
                "feedingMethod": ["formula", "breastmilk"], "weightG": ["3200", "3300"],
            ])
            let (baby, household) = ("offline_\(phone)", "offline_h\(phone)")
            let isNew = model.roles(household, model.facts.count).isEmpty
            var facts = [SharedBabyModel.Fact.added(baby: baby, household: household, told)]
            if isNew { facts.append(.role(household: household, user: "u\(phone)", .owner)) }
            try give(
                Household.Onboarded(
                    babyId: baby, householdId: household, birthDate: told["birthDate"],
                    birthWeightG: told["weightG"].flatMap { Int64($0) },
                    feedingMethod: told["feedingMethod"].flatMap {
                        Household.FeedingMethod(name: $0)
                    },
                    zone: told["zone"], by: Author("u\(phone)")),
                facts,
                isAllowed: !model.isAdded(baby)
                    && (isNew
                        || model.roles(household, model.facts.count)["u\(phone)"]?.mayWrite
                            ?? false)
            )
        }

        mutating func change() throws {
            var told = some([
                "zone": ["UTC", "America/New_York"], "birthDate": ["2026-02-03"],
                "weightG": ["4100", "4200"], "nightFromMin": ["1200", "1260"],
                "feedingMethod": ["formula", "mixed"],
            ])
            if told.isEmpty { told["weightG"] = "4300" }
            let (baby, user) = (pick(babyIds), pick(users))
            guard model.isAdded(baby) else { return }
            try give(
                Household.BabyProfileChanged(
                    babyId: baby, birthDate: told["birthDate"],
                    weightG: told["weightG"].flatMap { Int64($0) },
                    feedingMethod: told["feedingMethod"].flatMap {
                        Household.FeedingMethod(name: $0)
                    },
                    zone: told["zone"], nightFromMin: told["nightFromMin"].flatMap { Int64($0) },
                    by: Author(user)),
                [.changed(baby: baby, told)], isAllowed: model.mayWrite(user, baby))
        }

        mutating func record() throws {
            let (baby, user) = (pick(babyIds), pick(users))
            let number = model.facts.count + refused
            try give(
                BabyCare.RecordEntry(
                    entryId: "e\(number)", babyId: baby, kind: "pee",
                    started: Instant(microseconds: SharedBabyTests.start), by: Author(user)),
                [.recorded(baby: baby)], isAllowed: model.mayWrite(user, baby))
        }

        /// An owner gives a user a role, or takes it; only what the rules surely allow.
        mutating func changeRole() throws {
            let (household, user) = (pick(householdIds), pick(users))
            let roles = model.roles(household, model.facts.count)
            let owners = roles.filter { $0.value == .owner }.keys.sorted()
            let role = pick([Household.Role.none, .parent, .caregiver, .familyViewer, .owner])
            guard let by = owners.first, owners.count > 1 || user != by || role == .owner,
                roles[user] ?? .none != role
            else { return }
            try give(
                Household.MemberRoleChanged(
                    householdId: household, userId: user, role: role, by: Author(by)),
                [.role(household: household, user: user, role)], isAllowed: true)
        }

        mutating func replace(_ kind: Household.EntityKind) throws {
            let ids = kind == .baby ? babyIds : householdIds
            let (local, last) = (pick(Array(ids.dropLast())), ids[ids.count - 1])
            let remote = local == ids[ids.count - 2] ? last : ids[ids.count - 2]
            guard model.newerIds(kind, model.facts.count)[local] == nil else { return }
            try give(
                Household.IdReplaced(kind: kind, localId: local, remoteId: remote),
                [.replaced(kind, local: local, remote: remote)], isAllowed: true)
        }

        mutating func step() throws {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: try add(Int.random(in: 1...phones, using: &random))
            case 2, 3: try change()
            case 4, 5, 6: try record()
            case 7: try changeRole()
            case 8: try replace(.baby)
            default: try replace(.household)
            }
        }
    }

    /// Checks the profile and a report under an id, at a position and a time.
    private func check(
        _ run: Run, _ baby: String, _ through: Int, _ valid: Int64?, _ catalogue: Catalogue
    ) throws {
        let comment = Comment(
            rawValue: "seed \(run.seed): \(baby) at \(through), valid \(valid ?? -1)")
        let reading = try ProjectionReading(
            run.log, catalogue,
            as: Moment(
                .position(UInt64(through)),
                validThrough: valid.map { Instant(microseconds: $0) }))
        let projection = try #require(catalogue.projections["profile"])
        let expected = run.model.values(baby, through, valid: valid ?? .max)
        do {
            let states = try reading.states(of: projection, baby, .standard)
            let (key, fold) = try #require(states.first)
            #expect(key == run.model.ids(.baby, baby, through).newest, comment)
            let leaves = Dictionary(
                fold.leaves.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
            // A replacement alone tells nothing.
            for name in ["zone", "birthDate", "weightG", "feedingMethod"] {
                let value = leaves[name].map { $0.filter { $0 != "\"" } }
                #expect(value ?? "null" == expected?[name] ?? "null", comment)
            }
            let night = expected?["nightFromMin"] ?? "1080"
            #expect(leaves["nightFromMin"] == night, comment)
        } catch QuestionError.unknownEntity {
            #expect(expected == nil, comment)
        }
        let report = try #require(catalogue.reports["daily"])
        let context = ReportContext(
            rules: .standard, zones: try ZoneFiles.source(), position: reading.through,
            knownAt: Instant(microseconds: 0), validAt: reading.entities.validThrough)
        let pending = try report.prepare(Self.arguments(baby), rules: .standard, context)
        let answer = try #require(try reading.answers(pending).first)
        guard run.model.isReported(baby, through) else {
            #expect(throws: ReportError.self, comment) { try answer.result.get() }
            return
        }
        let count = run.model.entries(baby, through, valid: valid ?? .max).count
        let leaves = try answer.result.get().leaves
        let pee = leaves.first { $0.path == "diaper.pee" }?.value ?? "null"
        #expect(pee == (count == 0 ? "null" : "\(count)"), comment)
    }

    private static func arguments(_ baby: String) -> Tree {
        let members = [("baby", baby), ("zone", "UTC"), ("date", "2026-03-01")]
        return Tree(
            .map(members.map { Tree.Member(key: $0, value: Tree(.text($1), line: 1)) }), line: 1)
    }

    /// Checks who belongs to the household, and the first entry of the baby, under each id.
    private func checkEnd(_ run: Run, _ catalogue: Catalogue) throws {
        let count = run.model.facts.count
        let reading = try ProjectionReading(run.log, catalogue)
        let projection = try #require(catalogue.projections["household"])
        for household in run.householdIds {
            let roles = run.model.roles(household, count)
            guard !roles.isEmpty else { continue }
            let state = try reading.states(of: projection, household, .standard).first
            for user in run.users {
                let role = state?.value.leaves.first { $0.path == "members.\(user)" }?.value
                #expect(
                    role == roles[user].map { "\"\($0.name)\"" }, "seed \(run.seed): \(household)")
            }
        }
        let report = try #require(catalogue.reports["daily"])
        for baby in run.babyIds where run.model.isReported(baby, count) {
            let search = ReportBisect(
                over: report, Self.arguments(baby), .standard,
                until: try Expression("diaper.pee > 0", over: report.fields, named: "daily"),
                in: reading, zones: try ZoneFiles.source())
            let found = try search.first(monotone: false)?.step.event.position.rawValue
            #expect(
                found.map { Int($0) } == run.model.entries(baby, count).first,
                "seed \(run.seed): \(baby)")
        }
    }

    @Test(
        "A baby that several phones made is one baby to all questions, and to all its members",
        arguments: Cases.sample(0..<140))
    func simulated(_ seed: UInt64) throws {
        var run = try Run(seed: seed)
        let catalogue = try Self.catalogue.get()
        for phone in 1...run.phones where Bool.random(using: &run.random) { try run.add(phone) }
        for _ in 0..<40 { try run.step() }
        for baby in run.babyIds {
            for _ in 0..<3 {
                let through = Int.random(in: 0...run.model.facts.count, using: &run.random)
                let valid =
                    Self.start
                    + Int64.random(in: 0...600, using: &run.random) * Self.minute
                try check(run, baby, through, nil, catalogue)
                try check(run, baby, through, valid, catalogue)
            }
        }
        try checkEnd(run, catalogue)
    }
}
