// Values of a payload, for conditions on events.
extension EventDescription {
    /// Returns the values of a payload's top-level fields that have these names; erased ones as
    /// `null`.
    ///
    /// - Parameter personalText: returns a personal text by its index; `nil` if it is erased.
    package func values(
        of fields: [String], in payload: RawSpan, _ personalText: (UInt32) -> String?
    ) throws(CorruptPayload) -> [PayloadValue] {
        try withoutActuallyEscaping(personalText) { (personalText) throws(CorruptPayload) in
            var sink = ValueSink(of: fields, personalText)
            try pass(payload, to: &sink)
            return sink.values
        }
    }

    /// True if a text of a payload matches a search.
    ///
    /// - Parameter personalText: returns a personal text by its index; `nil` if it is erased.
    package func hasText(
        matching search: TextSearch, in payload: RawSpan, _ personalText: (UInt32) -> String?
    ) throws(CorruptPayload) -> Bool {
        try withoutActuallyEscaping(personalText) { (personalText) throws(CorruptPayload) in
            var sink = TextSink(search, personalText)
            try pass(payload, to: &sink)
            return sink.isFound
        }
    }
}
