extension [UInt8] {
    /// The array's elements as raw bytes, the type of a transaction's keys and values.
    package var rawSpan: RawSpan {
        @_lifetime(borrow self)
        get { span.bytes }
    }
}
