package import Daybook

extension JSONWriter {
    /// Writes a member whose value is an object.
    package mutating func object<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        try object(body)
    }

    /// Writes a member whose value is an array.
    package mutating func array<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        try array(body)
    }
}
