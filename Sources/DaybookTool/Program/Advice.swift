import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLMDB
import DaybookLog

extension Program {
    /// True if the command that the process runs has all options that a message names.
    ///
    /// What is in quotes is another command.
    fileprivate static func hasOptions(in message: String) -> Bool {
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        let own = parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        let options = own.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("--") }
        guard !options.isEmpty, let command = runningCommand else {
            return options.isEmpty
        }
        return RepeatedOptions.firstUnknown(among: options.map(String.init), of: command) == nil
    }
}

// Libraries know neither commands nor options, so the advice is added here.
extension Error {
    /// Returns the error's description, followed by what did not happen because of it, and by advice
    /// on a command or option of this tool.
    func message(followedBy consequence: String?) -> String {
        let advice = advice.flatMap { Program.hasOptions(in: $0) ? $0 : nil }
        return [message, consequence, advice].compactMap(\.self).joined(separator: "; ")
    }

    /// True if the disk, or the user's share of it, is full.
    var isOfFullDisk: Bool {
        let cause: LMDBError? =
            switch logError {
            case .storage(let error), .open(.failed(_, let error)), .open(.lockFile(_, let error)):
                error
            default: nil
            }
        return cause == .diskFull || cause == .quotaExceeded
    }

    /// The error of a log in this error; `nil` if there is none.
    private var logError: LogError? {
        switch self as any Error {
        case let error as LogError: error
        case AppendError.log(let error): error
        default: nil
        }
    }

    /// The error's own description.
    private var message: String { "\(self)" }

    /// Advice on a command or option of this tool that helps; `nil` if there is none.
    private var advice: String? {
        let error: any Error = self
        if let logError { return logError.remedy }
        return switch error {
        case SalvageError.nothing(_, let count) where count > 0:
            "--beyond-gaps writes these commits"
        case is Bisection.Contradiction: "so the assertion of --monotone is wrong"
        case is ZoneFilesError: "set another folder with --tzdata"
        default: nil
        }
    }
}

extension LogError {
    /// Advice on a command or option of this tool that helps; `nil` if there is none.
    fileprivate var remedy: String? {
        switch self {
        case .storage(.corrupted), .storage(.pageNotFound), .page:
            "'\(Program.name) verify' locates the damage"
        case .open(.damaged): "'\(Program.name) salvage' saves what can be read into a new log"
        case .clockBehind:
            Program.hasOptions(in: "--force")
                ? "--force appends anyway"
                : "'\(Program.name) append --force' and '\(Program.name) import --force' "
                    + "append anyway"
        case .store(.keysNotHere): StoreKeyVariables.advice
        case .store(.refused(_, "salvaged", _)):
            "to move the events of all others, make an empty log there with "
                + "'\(Program.name) database create', and import what "
                + "'\(Program.name) export --format cloudevents --texts KEYS' writes; or leave the "
                + "log in its file, which others follow by '\(Program.name) ship' and "
                + "'\(Program.name) pull'"
        case .store(.noLog):
            "'\(Program.name) database list' shows the logs, and "
                + "'\(Program.name) database create' makes one"
        default: nil
        }
    }
}

extension Verification {
    /// Commands that rebuild or delete the derived rows in which findings were made, such as the
    /// index; empty for other findings.
    var remedies: [String] {
        let rules = Set(findings.map(\.rule))
        return [
            rules.contains("index") || rules.contains("tree")
                ? "'\(Program.name) reindex' rebuilds the index" : nil,
            rules.contains("snapshot")
                ? "'\(Program.name) snapshot --drop' deletes the snapshots" : nil,
        ].compactMap(\.self)
    }
}
