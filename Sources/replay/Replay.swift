import ArgumentParser
import EventSourcing
import EventStorage
import LMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `replay`: what the app did, why, and what another rule would have done.
@main
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Explain an app's past from its event log.",
        discussion: """
            Exit codes: 0 held or answered; 1 a difference, a finding or a rejected row; \
            2 bad usage, unreadable input or an output that cannot be written; 3 a damaged or \
            locked log.
            """,
        version: version,
        subcommands: [
            Append.self, AuditCommand.self, BackupCommand.self, Bisect.self, Blame.self,
            CaptureCommand.self,
            Check.self, Compact.self, Compare.self, EraseCommand.self,
            Export.self,
            History.self, Import.self, Late.self, OrderSafetyCommand.self,
            LaunchDecisionCommand.self, Log.self, RankingCommand.self, Reindex.self,
            Report.self, RestoreCommand.self, SalvageCommand.self, Schema.self, Shrink.self,
            SnapshotCommand.self,
            Stat.self, State.self,
            TraceCommand.self,
            Transitions.self, Upgrade.self, Verify.self,
            WhatIf.self,
        ])

    static let version = "0.1.0"

    /// Runs the command and ends the process with the code that fits.
    static func main() {
        StandardStreams.prepare()
        endWellOnDamagedFiles()
        do {
            var command = try parseAsRoot()
            try command.run()
            // The commit is on disk; the head file is an output that could not be written.
            endProcess(
                LogOptions.headFileLags ? Failure.Code.usage.rawValue : 0)
        } catch let failure as Failure {
            failure.end()
        } catch let error as LogError {
            Failure(.log, "\(error)").end()
        } catch let error as FoldError {
            Failure(.log, "\(error)").end()
        } catch {
            end(error)
        }
    }

    /// Ends with 3 where the system or LMDB stops the process over a file: one that was cut short
    /// faults where its map goes on, and LMDB aborts on a page that it cannot make sense of.
    private static func endWellOnDamagedFiles() {
        for number in [SIGBUS, SIGSEGV, SIGABRT] {
            _ = signal(number) { _ in
                let message: StaticString = """
                    replay: the log is damaged, or was cut short under this command; \
                    'replay verify' tells where, 'replay salvage' saves what can be read

                    """
                // Nothing else may be called from here.
                _ = unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
                _exit(Failure.Code.log.rawValue)
            }
        }
    }

    private static func end(_ error: any Error) -> Never {
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        if code == .success {
            if !message.isEmpty { Output.text(message + "\n") }
            endProcess(0)
        }
        StandardError.write(lines: message)
        endProcess(code == .validationFailure ? Failure.Code.usage.rawValue : code.rawValue)
    }
}

/// What ends a command other than well.
struct Failure: Error {
    enum Code: Int32 {
        /// A difference, a finding, a refusal or a rejected row.
        case finding = 1
        /// Bad usage, unreadable input or an output that cannot be written.
        case usage = 2
        /// A damaged or locked log.
        case log = 3
    }

    var code: Code
    /// Written to standard error; empty where the answer on standard output says it all.
    var message: String

    init(_ code: Code, _ message: String = "") {
        self.code = code
        self.message = message
    }

    func end() -> Never {
        var message = message
        // Pages that a writer has used anew look like damage.
        if code == .log, LogOptions.isOvertaken { message = "\(LMDBError.changedWhileReading)" }
        if !message.isEmpty { StandardError.write("replay: \(message)") }
        endProcess(code.rawValue)
    }
}
