public import Daybook
public import Testing

/// Checks an area for faults that the compiler cannot find, and records each as a test issue.
///
///     @Test func areaIsSound() { checkArea(Lending.self) }
///
/// - Parameter others: the other areas whose events the area reads.
public func checkArea(
    _ area: any Area.Type, with others: [any Area.Type] = [],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for fault in AreaCheck(area, with: others).faults {
        Issue.record("\(fault)", sourceLocation: sourceLocation)
    }
}
