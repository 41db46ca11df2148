import Daybook
import DaybookInvestigation
import DaybookLMDB
import DaybookLog
import DaybookScenarios

// Libraries know neither commands nor options: what helps is added here.
extension Error {
    /// The message, and the command or option of this tool that helps.
    var advised: String { [message, advice].compactMap(\.self).joined(separator: "; ") }

    private var message: String { "\(self)" }

    private var advice: String? {
        let error: any Error = self
        return switch error {
        case let error as LogError: error.remedy
        case AppendError.log(let error), BackupError.log(let error), CompactError.log(let error),
            ErasureError.log(let error), SalvageError.log(let error), StateError.log(let error):
            error.remedy
        case SalvageError.nothing(_, let count) where count > 0:
            "with --beyond-gaps they are written"
        case is Bisection.Claim: "--monotone does not hold"
        case is ZoneFilesError: "name another folder with --tzdata"
        default: nil
        }
    }
}

extension LogError {
    fileprivate var remedy: String? {
        switch self {
        case .storage(.corrupted), .storage(.pageNotFound):
            "'\(ReplayTool.name) verify' tells where"
        case .open(.damaged): "'\(ReplayTool.name) salvage' writes what is whole into a new log"
        case .clockBehind: "--force appends all the same"
        default: nil
        }
    }
}

extension Verification {
    /// The commands that make derived rows anew, where they are what was found.
    var remedies: [String] {
        let rules = Set(findings.map(\.rule))
        return [
            rules.contains("index") ? "'\(ReplayTool.name) reindex' makes the index anew" : nil,
            rules.contains("snapshot")
                ? "'\(ReplayTool.name) snapshot --drop' makes the snapshots anew" : nil,
        ].compactMap(\.self)
    }
}
