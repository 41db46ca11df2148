import Daybook
import DaybookInvestigation
import DaybookLMDB
import DaybookLog
import DaybookScenarios

// Libraries know neither commands nor options, so the advice is added here.
extension Error {
    /// The error's description, followed by advice on a command or option of this tool.
    var messageWithAdvice: String { [message, advice].compactMap(\.self).joined(separator: "; ") }

    /// The error's own description.
    private var message: String { "\(self)" }

    /// Advice on a command or option of this tool that helps; `nil` if there is none.
    private var advice: String? {
        let error: any Error = self
        return switch error {
        case let error as LogError: error.remedy
        case StreamError.log(let error): error.remedy
        case AppendError.log(let error), BackupError.log(let error), CompactError.log(let error),
            SalvageError.log(let error):
            error.remedy
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
            "'\(ReplayTool.name) verify' locates the damage"
        case .open(.damaged): "'\(ReplayTool.name) salvage' saves what can be read into a new log"
        case .clockBehind: "--force appends anyway"
        case .store(.keysNotHere): LogOptions.keyAdvice
        case .store(.refused(_, "salvaged", _)):
            "to move the events of all others, make an empty log there with "
                + "'\(ReplayTool.name) database create', and import what "
                + "'\(ReplayTool.name) export --format cloudevents --texts KEYS' writes; or leave the "
                + "log in its file, which others follow by '\(ReplayTool.name) ship' and "
                + "'\(ReplayTool.name) pull'"
        case .store(.noLog):
            "'\(ReplayTool.name) database list' shows the logs, and "
                + "'\(ReplayTool.name) database create' makes one"
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
                ? "'\(ReplayTool.name) reindex' rebuilds the index" : nil,
            rules.contains("snapshot")
                ? "'\(ReplayTool.name) snapshot --drop' deletes the snapshots" : nil,
        ].compactMap(\.self)
    }
}
