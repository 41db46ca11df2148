/// A check of the sentences of an event kind, tried on generated payloads.
struct SentenceCheck {
    /// The largest number of characters in a sentence.
    static let longestCount = 400

    /// Returns what is wrong with the sentences of a payload type, each fault once.
    static func faults<Payload: EventPayload>(of type: Payload.Type) -> [String] {
        var sampler = Sampler(seed: 1)
        let words = String(repeating: "words in\nseveral lines ", count: 20)
        var faults: [String] = []
        for index in 0..<64 {
            let sample = index == 0 ? Payload.blank : sampler.record(Payload.self)
            var payload = PersonalFiller.fill(sample) {
                index % 2 == 0 && $0 % 2 == 0 ? nil : words
            }
            var secrets = Secrets()
            payload.fields(&secrets)
            let sentence = payload.sentence(
                Wording(occurredAt: Instant(microseconds: Sampler.earliestUs)))
            for fault in Self.faults(of: sentence, secrets) where !faults.contains(fault) {
                faults.append(fault)
            }
        }
        return faults.map { "the sentence " + $0 }
    }

    private static func faults(of sentence: String, _ secrets: Secrets) -> [String] {
        var faults: [String] = []
        if sentence.trimmed.isEmpty { faults.append("is empty") }
        if sentence != sentence.visible {
            faults.append("has a line break or a hidden character")
        }
        if sentence.count > longestCount {
            faults.append("has more than \(longestCount) characters; quote texts with 'wording'")
        }
        if let field = secrets.moments.first(where: { sentence.contains($0.text) })?.field {
            faults.append("shows '\(field)' in microseconds; write 'wording.time'")
        }
        let digits = String(Secrets.digest.digits.prefix(8))
        if let field = secrets.digests.first, sentence.contains(digits) {
            faults.append("shows the digest '\(field)'")
        }
        return faults
    }

    /// A visitor that lists what no sentence may show, and sets digests that nothing else looks like.
    private struct Secrets: FieldListVisitor {
        static let digest = Digest(bits: 0xDA7A_B00C_FACE_D1CE)

        private var name = ""
        /// Points in time in microseconds, unless the number may stand for something else.
        var moments: [(field: String, text: String)] = []
        /// The fields of the digests.
        var digests: [String] = []

        mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
            self.name = name
            Value.visit(&self, &value)
        }

        mutating func moment(_ value: inout Int64) {
            if value.magnitude > 1_000_000_000 { moments.append((name, "\(value)")) }
        }

        mutating func digest(_ value: inout Digest) {
            digests.append(name)
            value = Self.digest
        }

        mutating func optional<Value: FieldValue>(_ value: inout Value?) {
            value?.visit(with: &self)
        }

        mutating func list<Value: FieldValue>(_ value: inout [Value]) {
            for index in value.indices { Value.visit(&self, &value[index]) }
        }

        mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
            for (key, element) in value {
                var element = element
                Value.visit(&self, &element)
                value[key] = element
            }
        }

        mutating func record<Value: Record>(_ value: inout Value) { value.fields(&self) }
    }
}
