import Daybook
import DaybookInvestigation

/// Reason why a command ends with an exit code other than 0.
package struct Failure: Error {
    /// Exit codes of failed commands.
    package enum Code: Int32, Sendable {
        /// The answer contains a difference, a finding, a refusal or a rejected row.
        case finding = 1
        /// The command line is wrong, an input cannot be read, an output cannot be written, or the
        /// disk is full.
        case usage = 2
        /// The log is damaged, or another process has locked it.
        case log = 3
    }

    /// Exit code of the command.
    var code: Code
    /// Message on standard error; empty if the answer on standard output says everything.
    var message: String

    package init(_ code: Code, _ message: String = "") {
        self.code = code
        self.message = message
    }

    /// Creates a failure with the message of an error, followed by what did not happen and by the
    /// command or option that helps.
    ///
    /// A full disk is no damage of the log, and has code 2 wherever it is met.
    init(_ code: Code, _ error: any Error, _ consequence: String? = nil) {
        self.init(
            error.isOfFullDisk ? .usage : code, error.message(followedBy: consequence))
    }

    /// Creates the failure of a question about a log: code 1 if the log has no answer, code 2 if
    /// the question is invalid.
    init(_ error: QuestionError) {
        switch error {
        case .unanswered, .unknownEntity: self.init(.finding, error)
        case .invalid, .noSuchPosition, .tooManyEvents: self.init(.usage, error)
        }
    }
}
