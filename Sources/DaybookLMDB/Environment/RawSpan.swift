extension [UInt8] {
    /// The elements as raw bytes, to hand to a transaction.
    package var rawSpan: RawSpan {
        @_lifetime(borrow self)
        get { span.bytes }
    }
}
