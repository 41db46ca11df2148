public import Testing

/// Expects two values to be equal; it compiles in a quarter of the time of a macro in its place.
public func expect<Value: Equatable>(
    _ found: Value, equals wanted: Value, _ comment: @autoclosure () -> String = "",
    at location: SourceLocation = #_sourceLocation
) {
    #expect(found == wanted, "\(comment())", sourceLocation: location)
}
