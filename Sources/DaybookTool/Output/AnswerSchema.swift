import Daybook
import DaybookInvestigation

/// The answers that commands print as JSON, for the list of `schema`.
///
/// The form of a member is a form of fields, or `time` for an RFC 3339 text, `position` for the
/// position of an event, or `value` for any JSON. A member whose form ends in `?` may be null or
/// left out.
enum AnswerSchema {
    /// Answers of the commands that work for any app, in alphabetical order of the commands.
    static let answers: [any Answer.Type] = [
        AppendAnswer.self, Finding.self, BackupAnswer.self, StreamedBackupAnswer.self,
        BisectAnswer.self, BlameAnswer.self, CheckAnswer.self, CoverageAnswer.self,
        UndeclaredAnswer.self, CheckProofAnswer.self, CompactAnswer.self, CompareAnswer.self,
        CompareReportAnswer.self, DatabaseAnswer.self,
        EraseAnswer.self, HistoryAnswer.self, ImportAnswer.self, LateAnswer.self, ListAnswer.self,
        NounAnswer.self, LogAnswer.self, LogEndAnswer.self, OrderSafetyAnswer.self,
        PullAnswer.self, PushAnswer.self, ReportRow.self, RestoreAnswer.self, RouteAnswer.self,
        SalvageAnswer.self, SchemaAnswer.self, ShipAnswer.self, SnapshotAnswer.self,
        StatAnswer.self, StateAnswer.self, TransitionAnswer.self, StateDurationAnswer.self,
        VerifyAnswer.self, DeterminismAnswer.self,
        StateDigests.Row.self, WhatIfAnswer.self, DecidedAgainAnswer.self, CommandAnswer.self,
        RefusedAnswer.self, WhatIfReportAnswer.self,
    ]

    /// Returns the descriptions of the members of an answer.
    static func fields<Value: Answer>(of type: Value.Type) -> [FieldDescription] {
        FieldDescription.fields(of: type, isInput: false).map(\.inAnswer)
    }
}

extension FieldDescription {
    /// The field as answers print it: a point in time is an RFC 3339 text instead of an integer.
    fileprivate var inAnswer: FieldDescription {
        var field = self
        if isMoment { field.form = form.replacing("integer", with: "time") }
        field.isMoment = false
        field.fields = fields.map(\.inAnswer)
        return field
    }
}
