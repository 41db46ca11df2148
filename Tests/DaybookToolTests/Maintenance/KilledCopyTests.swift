import Foundation
import TestSupport
import Testing

/// Erasing after a copy of the log was killed.
@Suite("Erasing after a killed copy") struct KilledCopyTests {
    enum Copy: String, CaseIterable {
        case backup, compact
    }

    private static let entries = 400

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        var lines = [
            #"{"command":"household.onboard","at":"2026-03-01T07:00:00Z","data":{"babyId":"b","householdId":"h","name":"Needlebo","zone":"UTC","by":"ana"}}"#
        ]
        for number in 0..<Self.entries {
            let minute = number % 60 < 10 ? "0\(number % 60)" : "\(number % 60)"
            let hour = number / 60 < 10 ? "0\(number / 60)" : "\(number / 60)"
            lines.append(
                #"{"command":"baby-care.record","at":"2026-03-02T20:00:00Z","data":{"entryId":"e\#(number)","babyId":"b","kind":"memo","startedUs":"2026-03-02T\#(hour):\#(minute):00Z","value":{"note":"needlememo\#(number)"},"by":"ana"}}"#
            )
        }
        let answer = try log.replay("append", input: lines.joined(separator: "\n") + "\n")
        #expect(answer.code == 0, "\(answer.err)")
        return log
    }

    /// Starts a copy, kills it once its unfinished file can tell which log it is of, and gives the
    /// path of that file.
    private func killed(_ copy: Copy, _ log: ScratchLog) throws -> String {
        let target = copy == .backup ? log.folder.appendingPathComponent("copy").path : log.path
        let partial = target + ".replay-partial"
        // The signal may come before the first pages are written, or after the copy has its name. The
        // copy is then begun again, and killed a little later each time.
        for round in 0..<100 {
            try? FileManager.default.removeItem(
                atPath: log.folder.appendingPathComponent("copy").path)
            let process = try ReplayProcess.start(
                [copy.rawValue] + (copy == .backup ? [target] : []) + ["--log", log.path])
            while process.isRunning {
                let size = try? FileManager.default.attributesOfItem(atPath: partial)[.size] as? Int
                if let size, size > 0 { break }
                usleep(200)
            }
            usleep(UInt32(round % 50) * 500)
            process.kill()
            if try isKnown(partial, log) { return partial }
        }
        Issue.record("no copy was killed before it had its name")
        return partial
    }

    /// `true` where an erasure would remove the file; one that was killed before its first pages were
    /// written is named and kept.
    private func isKnown(_ partial: String, _ log: ScratchLog) throws -> Bool {
        guard FileManager.default.fileExists(atPath: partial) else { return false }
        let trial = try log.replay("erase", "--tag", "baby:b", "--dry-run", "--json")
        let wouldGo = try trial.objects().first?["removedCopies"] as? [String]
        if wouldGo?.isEmpty == false { return true }
        #expect(trial.err.contains("it is a copy cannot be identified"), "\(trial)")
        return false
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func files(_ log: ScratchLog) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: log.folder.path))
    }

    @Test("Nothing of an erased person stays in what a killed copy left", arguments: Copy.allCases)
    func erased(_ copy: Copy) throws {
        let log = try log()
        let before = try files(log)
        let partial = try killed(copy, log)
        // The log's own, where it was killed just before it got its name.
        let own = try #require(try permissions(log.path))
        #expect([0o600, own].contains(try permissions(partial)))
        let trial = try log.replay("erase", "--tag", "baby:b", "--dry-run", "--json")
        #expect(trial.code == 0, "\(trial.err)")
        let wouldGo = try trial.objects().first?["removedCopies"] as? [String]
        #expect(
            wouldGo?.map { URL(fileURLWithPath: $0).lastPathComponent }
                == [URL(fileURLWithPath: partial).lastPathComponent])
        #expect(FileManager.default.fileExists(atPath: partial))
        let erased = try log.replay("erase", "--tag", "baby:b", "--scrub")
        #expect(erased.code == 0, "\(erased.err)")
        #expect(erased.out.contains("copy of the log is removed"), "\(erased.out)")
        #expect(try files(log).subtracting(before).filter { !$0.hasSuffix("-lock") } == [])
        #expect(try !log.replay("log", "--payload").out.contains("needlememo"))
        #expect(try log.replay("verify").code == 0)
    }

    @Test("A killed copy that cannot be removed is named, and erasing ends with 1")
    func kept() throws {
        let log = try log()
        let partial = try killed(.backup, log)
        try FileManager.default.linkItem(
            atPath: partial, toPath: log.folder.appendingPathComponent("second").path)
        let erased = try log.replay("erase", "--tag", "baby:b")
        #expect(erased.code == 1)
        #expect(
            erased.err.contains("copy.replay-partial") && erased.err.contains("second hard link"),
            "\(erased.err)")
    }
}
