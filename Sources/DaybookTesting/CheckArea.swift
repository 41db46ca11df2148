public import Daybook
public import Testing

/// Checks an area for faults that the compiler cannot find, and records each as a test issue.
///
///     @Test func areaIsSound() { checkArea(Lending.self) }
///
/// - Parameters:
///   - others: the other areas whose events the area reads.
///   - formats: the types that list further file formats, as for the program that has the areas.
public func checkArea(
    _ area: any Area.Type, with others: [any Area.Type] = [],
    formats: [any FileFormats.Type] = [],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for fault in AreaCheck(area, with: others, formats: formats).faults {
        Issue.record("\(fault)", sourceLocation: sourceLocation)
    }
}
