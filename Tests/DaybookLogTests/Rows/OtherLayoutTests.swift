import Daybook
import TestSupport
import Testing

@testable import DaybookLog

/// A program whose layout of a kind is another than the one that a log was written in.
@Suite("Other layouts") struct OtherLayoutTests {
    /// The kind of `Note` without most of its fields.
    private enum Forgetful: Area {
        struct Noted: EventPayload {
            static let kind = Note.kind
            var number: Int64 = 0
            static var blank: Self { Self() }
            var tags: [Daybook.Tag] { [] }

            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("number", &number)
            }
        }

        static let name = "test"
        static let events = [EventDescription(Noted.self)]
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("A log in another layout than the program has is neither sound nor damaged")
    func otherLayout() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        for number in Int64(1)...3 {
            let note = NewEvent(Note(number, "n"), occurredAt: .init(microseconds: number))
            _ = try log.append(AppendRequest([note]))
        }
        let own = try log.verify(against: try Catalogue([Notes.self]))
        #expect(own.isSound && !own.isDamaged && !own.isOfOtherLayouts)
        let other = try log.verify(against: try Catalogue([Forgetful.self]))
        #expect(!other.isSound && !other.isDamaged && other.isOfOtherLayouts)
        #expect(other.findings.map(\.rule) == ["payload", "payload", "payload"])
    }

    @Test("A damage that is found after the last listed finding still counts as one")
    func beyondTheList() {
        var result = Verification()
        for position in UInt64(1)...1_000 {
            result.report(position, "payload", "another layout", isLayoutFault: true)
        }
        #expect(result.isOfOtherLayouts && !result.isDamaged)
        result.report(1_001, "chain", "the hash does not hold")
        #expect(result.findings.count == 1_000)
        #expect(result.isDamaged && !result.isOfOtherLayouts)
    }
}
