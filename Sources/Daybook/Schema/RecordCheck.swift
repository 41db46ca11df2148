/// A check of a record type with generated values, for faults that the compiler cannot find.
struct RecordCheck {
    /// Faults of a record: a property that is missing from its fields, or a value that its binary
    /// form or its JSON loses.
    static func faults<Value: Record>(of type: Value.Type) -> [String] {
        var sampler = Sampler(seed: 1)
        let samples = (0..<64).map { _ in
            PersonalFiller.fill(sampler.record(Value.self)) { _ in "a personal text" }
        }
        let fields = FieldDescription.fields(of: Value.self)
        return repeatedNames(fields, "\(Value.self)") + missingKeys(fields, "\(Value.self)")
            + missingFields(samples) + lostInBytes(samples)
    }

    /// Names that two fields of one object have.
    private static func repeatedNames(_ fields: [FieldDescription], _ owner: String) -> [String] {
        var seen: Set<String> = []
        let repeated = fields.filter { !seen.insert($0.name).inserted }
        return repeated.map { "\(owner): two fields are called '\($0.name)'" }
            + fields.flatMap { repeatedNames($0.fields, "\(owner).\($0.name)") }
    }

    /// Elements that say of a field that it tells them from each other, and do not have it.
    private static func missingKeys(_ fields: [FieldDescription], _ owner: String) -> [String] {
        fields.flatMap { field -> [String] in
            let path = "\(owner).\(field.name)"
            let key = field.elementKey.flatMap { key in
                field.fields.contains { $0.name == key }
                    ? nil : "\(path): the key '\(key)' of its elements is none of their fields"
            }
            return [key].compactMap(\.self) + missingKeys(field.fields, path)
        }
    }

    /// A property that no sample changes is one that the list of fields does not name.
    private static func missingFields<Value: Record>(_ samples: [Value]) -> [String] {
        let blank = Mirror(reflecting: Value.blank).children.map { ($0.label, "\($0.value)") }
        var changed = Set<Int>()
        for sample in samples {
            for (index, child) in Mirror(reflecting: sample).children.enumerated()
            where "\(child.value)" != blank[index].1 {
                changed.insert(index)
            }
        }
        return blank.indices.filter { !changed.contains($0) }.map {
            "\(Value.self): the property '\(blank[$0].0 ?? "")' is missing from its fields"
        }
    }

    private static func lostInBytes<Value: Record>(_ samples: [Value]) -> [String] {
        for sample in samples {
            let bytes = BinaryWriter.bytes(sample)
            do throws(CorruptPayload) {
                let read = try BinaryReader.read(Value.self, from: bytes)
                guard BinaryWriter.bytes(read) == bytes else {
                    return ["\(Value.self): a value is another one after it was written and read"]
                }
            } catch {
                return ["\(Value.self): its binary form cannot be read: \(error)"]
            }
        }
        return []
    }
}
