/// The place in source code where a rule, projection or report is declared.
///
/// Tools show findings there, such as annotations in a pull request.
public struct SourcePlace: Hashable, Sendable {
    /// The module and the name of the file: `Lending/Loans.swift`.
    public let fileID: String
    /// The number of the line, from 1.
    public let line: Int

    /// Creates a place; by default that of the call.
    public init(fileID: String = #fileID, line: Int = #line) {
        self.fileID = fileID
        self.line = line
    }
}
