import ArgumentParser
import Daybook
import DaybookLog

struct Upgrade: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Give every row of a log of format version 1 its checksum.",
        discussion: """
            The chain and its head stay as they are, and other programs may read and append \
            meanwhile, unless they only know version 1. An upgrade that was interrupted is resumed \
            by the next. '\(ReplayTool.name) stat' says how many events are still unchecked.

            The log is verified first, since a checksum says what a row is now and not what it was.
            """)

    @Flag(help: "Do not verify the log first.")
    var noVerify = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let before = try check()
        guard before.formatVersion < EventLog.formatVersion || before.unchecked > 0 else {
            return show(before, upgraded: 0)
        }
        let log = try log.open(.write)
        let after = try mappingLogErrors {
            try log.upgrade { reached in
                Progress.count(
                    Int(reached.through.rawValue), of: Int(reached.last.rawValue), "events")
            }
            return try log.status()
        }
        show(after, upgraded: before.unchecked)
    }

    /// Verifies the log, which is not written before, and returns its numbers.
    private func check() throws -> LogStatus {
        let log = try log.open(.read)
        let catalogue = try catalogue()
        return try mappingLogErrors {
            let status = try log.status()
            let isDone = status.formatVersion == EventLog.formatVersion && status.unchecked == 0
            guard !isDone, !noVerify else { return status }
            let result = try log.verify(against: catalogue)
            guard result.isSound else {
                for finding in result.findings.prefix(20) {
                    StandardError.message(
                        "position \(finding.position): \(finding.rule): "
                            + finding.message)
                }
                throw Failure(
                    .log,
                    "the log is damaged and is left as it is; '\(ReplayTool.name) salvage' helps")
            }
            return status
        }
    }

    private func show(_ status: LogStatus, upgraded: UInt64) {
        guard output.json else {
            let done =
                upgraded > 0
                ? "\(upgraded) events upgraded" : "nothing to do: every row has its checksum"
            Output.line(done)
            return Output.line("head \(status.chainHead)")
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("upgraded", Int64(upgraded))
            writer.member("events", Int64(status.events))
            writer.member("head", Hexadecimal.text(status.head))
            writer.member("headAtPosition", "\(status.chainHead)")
            writer.member("formatVersion", Int64(status.formatVersion))
            writer.member("unchecked", Int64(status.unchecked))
        }
        Output.json(writer.text)
    }
}
