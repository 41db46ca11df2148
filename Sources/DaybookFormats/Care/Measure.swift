import Daybook
import DaybookModel

extension CareCells {
    /// A weight or a length in one unit or, such as `9lbs 3oz`, in several.
    struct Measure {
        /// The sum in milligrams; `nil` if it is no weight.
        var milligrams: Int64?
        /// The sum in micrometres; `nil` if it is no length.
        var micrometres: Int64?
        /// The number as in the file, if there is only one.
        var number: String?
        var unit: BabyCare.AmountUnit?
    }

    /// Parses one number with a unit, or several such as `9lbs 3oz` and `1ft 8in`.
    ///
    /// - Parameters:
    ///   - name: the column of the text, which an error names.
    ///   - unit: the unit of a number without one.
    ///   - unitColumn: the column of `unit`; `nil` for the column of the text.
    func measure(
        _ text: String, _ name: String, unit: String = "", in unitColumn: String? = nil
    ) throws(CareFile.Reason) -> Measure {
        var rest = text
        var sum = Measure(milligrams: 0, micrometres: 0)
        var count = 0
        repeat {
            let part = try splitQuantity(rest, name)
            let word = String(part.unit.prefix { !$0.isNumber })
            rest = part.unit.dropFirst(word.count).trimmed
            let written = word.filter { $0 != "," }.trimmed
            let own = written.isEmpty ? unit : written
            // A foot has no unit of its own, because no app stores one.
            let isFoot = ["ft", "foot", "feet", "'"].contains(own.lowercased())
            let known = isFoot ? .inch : try self.unit(own, unitColumn ?? name)
            sum.milligrams = Self.sum(sum.milligrams, known.milligrams(part.number), 1)
            sum.micrometres = Self.sum(
                sum.micrometres, known.micrometres(part.number), isFoot ? 12 : 1)
            count += 1
            (sum.number, sum.unit) = count == 1 && !isFoot ? (part.number, known) : (nil, nil)
        } while !rest.isEmpty
        return sum
    }

    /// Returns a sum with another amount, times a factor; `nil` if either is `nil` or below zero.
    private static func sum(_ sum: Int64?, _ amount: Int64?, _ factor: Int64) -> Int64? {
        guard let sum, let amount, amount >= 0 else { return nil }
        let (product, isTooMuch) = amount.multipliedReportingOverflow(by: factor)
        let (total, isMore) = sum.addingReportingOverflow(product)
        return isTooMuch || isMore ? nil : total
    }
}

extension BabyCare.ImportedEntry {
    /// Rejects a row about growth that has none of the measures.
    func checkMeasured(_ name: String) throws(CareFile.Reason) {
        guard value.massMg == nil, value.lengthUm == nil, value.headUm == nil else { return }
        throw CareFile.Reason(
            "unreadableAmount", name, "the row has no weight, height or head size")
    }
}
