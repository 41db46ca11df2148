/// A check of a record type with generated values, for faults that the compiler cannot find.
struct RecordCheck {
    /// Returns the faults of a record type, each as a sentence.
    ///
    /// They are repeated names, element keys that are not fields, properties that are missing from
    /// the fields, and values that the binary form loses.
    static func faults<Value: Record>(of type: Value.Type) -> [String] {
        var sampler = Sampler(seed: 1)
        let samples = (0..<64).map { _ in
            PersonalFiller.fill(sampler.record(Value.self)) { _ in "a personal text" }
        }
        let fields = FieldDescription.fields(of: Value.self)
        return repeatedNames(fields, "\(Value.self)") + missingKeys(fields, "\(Value.self)")
            + missingFields(samples) + lostInBytes(samples) + unlikeLayout(samples)
    }

    /// Returns a fault for each name that two fields of an object share.
    private static func repeatedNames(_ fields: [FieldDescription], _ owner: String) -> [String] {
        var seen: Set<String> = []
        let repeated = fields.filter { !seen.insert($0.name).inserted }
        return repeated.map { "\(owner): two fields are called '\($0.name)'" }
            + fields.flatMap { repeatedNames($0.fields, "\(owner).\($0.name)") }
    }

    /// Returns a fault for each element key that is not a field of the element.
    private static func missingKeys(_ fields: [FieldDescription], _ owner: String) -> [String] {
        fields.flatMap { field -> [String] in
            let path = "\(owner).\(field.name)"
            let key = field.elementKey.flatMap { key in
                field.fields.contains { $0.name == key }
                    ? nil : "\(path): the element key '\(key)' is not a field of the elements"
            }
            return [key].compactMap(\.self) + missingKeys(field.fields, path)
        }
    }

    /// Returns a fault for each property that is missing from the list of fields.
    ///
    /// No generated value changes such a property.
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

    /// Returns a fault if a value changes, or cannot be read, after it is written in binary form.
    private static func lostInBytes<Value: Record>(_ samples: [Value]) -> [String] {
        for sample in samples {
            let bytes = BinaryWriter.bytes(sample)
            do throws(CorruptPayload) {
                let read = try BinaryReader.read(Value.self, from: bytes)
                guard BinaryWriter.bytes(read) == bytes else {
                    return ["\(Value.self): a value changed after it was written and read"]
                }
            } catch {
                return ["\(Value.self): its binary form cannot be read: \(error)"]
            }
        }
        return []
    }
    /// Returns a fault if the fields of a value differ from those of a blank value.
    private static func unlikeLayout<Value: Record>(_ samples: [Value]) -> [String] {
        let layout = PayloadLayout(of: Value.self)
        for sample in samples {
            let bytes = BinaryWriter.bytes(sample)
            var writer = JSONWriter()
            do throws(CorruptPayload) {
                try unsafe layout.write(
                    bytes.contents.bytes, { _ in "a personal text" }, to: &writer)
            } catch {
                return [
                    "\(Value.self): a value has other fields than the blank value: \(error)"
                ]
            }
            guard writer.text == JSONWriter.text(sample) else {
                return ["\(Value.self): a value has other fields than the blank value"]
            }
        }
        return []
    }
}
