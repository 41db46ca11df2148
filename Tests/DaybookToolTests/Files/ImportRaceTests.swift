import Foundation
import Synchronization
import TestSupport
import Testing

/// One file that several processes import at once.
@Suite struct ImportRaceTests {
    /// The counts that one of the imports gives.
    private struct Said: Hashable {
        var accepted: Int
        var duplicates: Int
        var code: Int32
    }

    private func race(_ arguments: [String], _ log: ScratchLog) -> [Said] {
        let path = log.path
        let said = Mutex<[Said]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            #expect(throws: Never.self) {
                let answer = try ReplayProcess.run(
                    ["import", "--json", "--log", path] + arguments)
                let counts = try answer.objects().first ?? [:]
                let one = Said(
                    accepted: counts["accepted"] as? Int ?? -1,
                    duplicates: counts["duplicates"] as? Int ?? -1, code: answer.code)
                said.withLock { $0.append(one) }
            }
        }
        return said.withLock { $0 }
    }

    @Test("A track that eight processes import is accepted once and known to the others")
    func tracks() throws {
        let text =
            #"<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
            + #"<trkpt lat="1" lon="2"/><trkpt lat="1.00001" lon="2"/></trkseg></trk></gpx>"#
        let first = Said(accepted: 2, duplicates: 0, code: 0)
        let other = Said(accepted: 0, duplicates: 2, code: 0)
        for _ in 0..<3 {
            let log = try ScratchLog()
            #expect(try log.replay("append").code == 0)
            let file = try log.file("run.gpx", text)
            let said = race(["--format", "gpx", "--user", "kim", file], log)
            #expect(said.count(where: { $0 == first }) == 1, "\(said)")
            #expect(said.count(where: { $0 == other }) == 7, "\(said)")
        }
    }

    @Test("Rows that eight processes import are accepted once each")
    func rows() throws {
        let header =
            "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver\n"
        let rows = (1...9).map { "2020-03-01 0\($0):00:00,,,Bottle,\($0)0 ml,Formula,drank,,Mom\n" }
        let log = try ScratchLog()
        #expect(try log.replay("append").code == 0)
        let file = try log.file("care.csv", header + rows.joined())
        let said = race(
            ["--format", "babyconnect", "--baby", "b", "--zone", "UTC", file], log)
        #expect(said.allSatisfy { $0.code == 0 && $0.accepted + $0.duplicates == 9 }, "\(said)")
        #expect(said.map(\.accepted).reduce(0, +) == 9, "\(said)")
    }
}
