import Foundation

/// How many of a great number of equal cases a run of the tests takes.
public enum Cases {
    /// `true` where `DAYBOOK_TESTS=all` asks for each case, as `tools/check --all` does.
    public static let areAll = ProcessInfo.processInfo.environment["DAYBOOK_TESTS"] == "all"

    /// Seed of properties that draw their cases: the same in each run, unless `DAYBOOK_SEED` names
    /// another one.
    public static let seed =
        ProcessInfo.processInfo.environment["DAYBOOK_SEED"].flatMap(UInt64.init) ?? 3_889_450_078

    /// Each case, or each seventh, the first among them: of the seeds of a property or the rows of
    /// a table that was generated.
    public static func sample<Case>(_ cases: some Sequence<Case>) -> [Case] {
        cases.enumerated().filter { areAll || $0.offset.isMultiple(of: 7) }.map(\.element)
    }
}
