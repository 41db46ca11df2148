import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Personal texts that events of earlier versions hold in clear.
@Suite struct ClearTextTests {
    @Test("An erasure lists the commits whose events hold texts in clear")
    func listed() throws {
        let folder = try TemporaryFolder()
        let catalogue = try Catalogue([Remarks.self])
        let people: PersonNouns = ["person": "person"]
        do {
            let new = try EventLog(path: folder.path("new"), access: .create, people: people)
            for text in [SealableText.clear("needle"), .clear(""), SealableText("sealed")] {
                _ = try new.append(
                    AppendRequest([NewEvent(Remark(text), occurredAt: .init(microseconds: 0))]))
            }
            try VersionOneLog.write(folder.path("log"), of: new) { _ in nil }
        }
        let log = try EventLog(path: folder.path("log"), access: .write, people: people)
        try log.upgrade()
        let ada = ErasureTarget.tags([Tag("person", "ada")])
        let planned = try log.erasure(of: ada, catalogue: catalogue)
        #expect(planned.clearCommits == [Position(1)])
        let erased = try log.erase(ada, catalogue: catalogue)
        #expect(erased.clearCommits == [Position(1)] && erased.texts == 1)
        #expect(try log.personalText(at: Position(3), field: 0) == nil)
        for position in 1...3 as ClosedRange<UInt64> {
            let target = ErasureTarget.position(Position(position))
            let found = try log.erasure(of: target, catalogue: catalogue)
            #expect(found.clearCommits == (position == 1 ? [Position(1)] : []))
        }
        // The clear form is the one of every version, and the chain covers it.
        let payload = try log.reader().collect(limit: 1).first?.payload
        #expect(payload == [6] + Array("needle".utf8))
        #expect(try log.verify(against: catalogue).isSound)
    }
}

private struct Remark: EventPayload {
    static let kind: EventKind = "remarks.made.v1"

    var text = SealableText.blank

    static var blank: Self { Self() }

    init() {}

    init(_ text: SealableText) {
        self.text = text
    }

    var tags: [Daybook.Tag] { [Daybook.Tag("person", "ada")] }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("text", &text)
    }
}

private enum Remarks: Area {
    static let name = "remarks"
    static let events = [EventDescription(Remark.self)]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
}
