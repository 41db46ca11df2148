import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB
@testable import DaybookLog

/// Names and texts of people, and their keys.
extension SalvageTests {
    @Test("A text that was erased does not come back")
    func erased() throws {
        let original = try OriginalLog(at: path)
        do {
            let log = try EventLog(path: path, access: .write)
            let catalogue = try Catalogue([Notes.self])
            #expect(try log.erase(.position(Position(60)), catalogue: catalogue).texts == 1)
        }
        // The old pages, the text among them, lie behind the end as if they were free.
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) + original.bytes
        try original.replace(with: bytes)
        let report = try salvage()
        #expect(report.isComplete && report.textCount == 45, "\(report)")
        let result = try EventLog(path: output, access: .read).verify(against: catalogue)
        #expect(result.isSound && result.erasedTexts == 1 && result.lostTexts == 0)
        try FileManager.default.removeItem(atPath: output)
        // Without the newest texts, the old ones are no help: their key is gone.
        let file = try PageFile(path: path)
        bytes.zero(pages: pages(of: "texts", file, try #require(file.state())))
        try original.replace(with: bytes)
        let without = try salvage()
        #expect(!without.isComplete && without.gaps.isEmpty && without.lostPeople == 0)
        #expect(without.withoutText.count == 45 && without.textCount == 0, "\(without)")
        let log = try EventLog(path: output, access: .read)
        #expect(try log.people.text(at: Position(60), field: 0) == nil)
        #expect(try log.verify(against: catalogue).lostTexts == 45)
    }

    @Test("People who are erased stay so, and others keep their names and texts")
    func erasedPerson() throws {
        let original = try OriginalLog(at: path)
        do {
            let log = try EventLog(path: path, access: .write)
            for (number, actor) in [(141, "ada"), (144, "bob"), (147, "cleo")] {
                _ = try log.append(OriginalLog.request(Int64(number), 3, actor))
            }
            let erasure = try log.erase(.actor("bob"), catalogue: Catalogue([Notes.self]))
            #expect(erasure.people == 1 && erasure.texts == 1)
        }
        let head = try EventLog(path: path, access: .read).file.status().head
        let report = try salvage()
        #expect(report.isComplete && report.head.chain == head, "\(report)")
        let log = try EventLog(path: output, access: .read)
        #expect(try log.commits.at(Position(141))?.metadata.actor == "ada")
        #expect(try log.commits.at(Position(144))?.isActorErased == true)
        #expect(try log.people.text(at: Position(147), field: 0) == "s147")
        #expect(try log.people.text(at: Position(144), field: 0) == nil)
        #expect(try log.verify(against: catalogue).isSound)
        #expect(original.commits.count < 140)
    }

    @Test("Keys that are lost cost the texts under them, and nothing else")
    func lostKeys() throws {
        let original = try OriginalLog(at: path)
        let file = try PageFile(path: path)
        let vault = (2..<file.pageCount).first {
            file.largeData(at: $0, byteCount: Vault.blockByteCount) != nil
        }
        var bytes = original.bytes
        bytes.zero(pages: [try #require(vault)])
        try original.replace(with: bytes)
        let report = try salvage()
        #expect(report.head.chain == original.head && report.gaps.isEmpty, "\(report)")
        #expect(!report.isComplete && report.lostPeople == 1 && report.textCount == 0)
        let log = try EventLog(path: output, access: .write)
        let result = try log.verify(against: catalogue)
        #expect(result.isSound && result.lostTexts == 46 && result.lostPeople == 1)
        #expect(try log.commits.at(Position(1))?.isActorErased == true)
        // The same name is another person from now on.
        _ = try log.append(OriginalLog.request(141, 1))
        #expect(try log.commits.at(Position(141))?.metadata.actor == "kim")
        #expect(try log.verify(against: catalogue).isSound)
    }

    @Test("A block of keys is found without the row that leads to it")
    func vaultAlone() throws {
        let original = try OriginalLog(at: path)
        var bytes = original.bytes
        let file = try PageFile(path: path)
        let leaves = pages(of: "vault", file, try #require(file.state()))
        #expect(leaves.count == 1)
        bytes.zero(pages: leaves)
        try original.replace(with: bytes)
        let report = try salvage()
        #expect(report.isComplete && report.textCount == 46, "\(report)")
    }

    @Test("A lost row of a person costs the name and the texts, and no commit")
    func lostPerson() throws {
        let original = try OriginalLog(at: path)
        try original.destroy(people: [1])
        let report = try salvage()
        #expect(report.head.chain == original.head && report.gaps.isEmpty, "\(report)")
        #expect(report.eventCount == 140 && report.lostPeople == 1 && report.textCount == 0)
        let log = try EventLog(path: output, access: .read)
        let result = try log.verify(against: catalogue)
        #expect(result.isSound && result.lostPeople == 1 && result.lostTexts == 46)
        #expect(try log.commits.at(Position(1))?.isActorErased == true)
    }
}
