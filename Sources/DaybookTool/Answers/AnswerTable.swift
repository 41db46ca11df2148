import Daybook

/// Tables for spreadsheets and other programs, made from answers of any kind.
enum AnswerTable {
    /// Returns the header of a table of records: the names of their fields.
    static func header<Answer: Record>(of answer: Answer.Type) -> [CSVCell] {
        FieldDescription.fields(of: answer, isInput: false).map { .text($0.name) }
    }

    /// Returns the row of a record, with a cell for each field. The record must have only fields
    /// with single values.
    static func row<Answer: Record>(of answer: Answer) -> [CSVCell] {
        FlatFields.of(answer).map(cell)
    }

    /// Returns a table of all single values of a report's answers, a row for each value.
    ///
    /// The columns are the period, the path of the value as in JSON, and the value; lists and
    /// objects without elements, and values that are missing, have no row.
    static func rows(
        of answers: [ReportAnswer], periodName: String
    ) throws(ReportError) -> [[CSVCell]] {
        var rows: [[CSVCell]] = [[.text(periodName), .text("field"), .text("value")]]
        for answer in answers {
            let leaves = try answer.result.get().leaves
            for leaf in leaves where !["null", "[]", "{}"].contains(leaf.value) {
                rows.append([.text(answer.period), .text(leaf.path), cell(leaf)])
            }
        }
        return rows
    }

    /// Returns a value as a cell: a text without quotes, a point in time as RFC 3339.
    private static func cell(_ leaf: FlatFields.Leaf) -> CSVCell {
        let readable = leaf.readable
        guard readable == leaf.value else { return .text(readable) }
        do throws(InputError) {
            let content = try JSONParser.parse(readable.utf8).content
            switch content {
            case .text(let text): return .text(text)
            case .null: return .text("")
            default: return .number(readable)
            }
        } catch { return .text(readable) }
    }
}
