/// A check of a record type's definition for mistakes that the compiler cannot find.
///
/// It tries the type with generated values.
struct RecordCheck {
    /// Returns the mistakes in the definition of a record type, each as a sentence.
    ///
    /// It finds repeated names of fields, element keys that are not fields, properties that are
    /// missing from the list of fields, values that change in binary form, and values that list
    /// other fields than the blank value.
    static func faults<Value: Record>(of type: Value.Type) -> [String] {
        var sampler = Sampler(seed: 1)
        let samples = (0..<64).map { _ in
            PersonalFiller.fill(sampler.record(Value.self)) { _ in "a personal text" }
        }
        let fields = FieldDescription.fields(of: Value.self)
        return repeatedNames(fields, "\(Value.self)") + missingElementKeys(fields, "\(Value.self)")
            + missingFields(samples) + roundTripFaults(samples) + layoutFaults(samples)
    }

    /// Returns a sentence for each field whose name an earlier field of the same object has.
    private static func repeatedNames(_ fields: [FieldDescription], _ owner: String) -> [String] {
        var seen: Set<String> = []
        let repeated = fields.filter { !seen.insert($0.name).inserted }
        return repeated.map { "\(owner): two fields are called '\($0.name)'" }
            + fields.flatMap { repeatedNames($0.fields, "\(owner).\($0.name)") }
    }

    /// Returns a sentence for each `elementKey` that is not the name of a field of the element.
    private static func missingElementKeys(
        _ fields: [FieldDescription], _ owner: String
    ) -> [String] {
        fields.flatMap { field -> [String] in
            let path = "\(owner).\(field.name)"
            let key = field.elementKey.flatMap { key in
                field.fields.contains { $0.name == key }
                    ? nil : "\(path): the element key '\(key)' is not a field of an element"
            }
            return [key].compactMap(\.self) + missingElementKeys(field.fields, path)
        }
    }

    /// Returns a sentence for each property that is missing from the list of fields.
    ///
    /// Such a property has its initial value in every generated value.
    private static func missingFields<Value: Record>(_ samples: [Value]) -> [String] {
        let blank = properties(of: Value.blank)
        var changed = Set<Int>()
        for sample in samples {
            for (index, property) in properties(of: sample).enumerated()
            where property.value != blank[index].value {
                changed.insert(index)
            }
        }
        return blank.indices.filter { !changed.contains($0) }.map {
            "\(Value.self): the property '\(blank[$0].name)' is not listed in 'fields'"
        }
    }

    /// Returns the names and values of the stored properties.
    ///
    /// A structure that is no field itself counts as its properties, because its owner lists them.
    private static func properties(
        of value: Any, _ prefix: String = ""
    ) -> [(name: String, value: String)] {
        Mirror(reflecting: value).children.flatMap { child in
            let name = prefix + (child.label ?? "")
            let isPart =
                !(child.value is any FieldValue)
                && Mirror(reflecting: child.value).displayStyle == .struct
            return isPart
                ? properties(of: child.value, name + ".") : [(name, "\(child.value)")]
        }
    }

    /// Returns a sentence if a value cannot be written in binary form and read back unchanged.
    private static func roundTripFaults<Value: Record>(_ samples: [Value]) -> [String] {
        for sample in samples {
            let bytes = BinaryWriter.bytes(sample)
            do throws(CorruptPayload) {
                let read = try BinaryReader.read(Value.self, from: bytes)
                guard BinaryWriter.bytes(read) == bytes else {
                    return [
                        "\(Value.self): a value changed when written in binary form and read back"
                    ]
                }
            } catch {
                return ["\(Value.self): the binary form of a value cannot be read back: \(error)"]
            }
        }
        return []
    }

    /// A form in which JSON is written.
    private typealias Form = (isAnswer: Bool, redaction: Redaction?)

    /// Forms of answers and of files that hide values, which the samples are tried in by turns.
    private static let otherForms: [Form] = [
        (true, nil), (false, Redaction()), (true, Redaction { "<\($0)>" }),
    ]

    /// Returns a sentence if a value lists other fields than the blank value of its type does, so
    /// that a payload's JSON by its layout differs from its JSON by its type.
    private static func layoutFaults<Value: Record>(_ samples: [Value]) -> [String] {
        let layout = PayloadLayout(of: Value.self)
        for (number, sample) in samples.enumerated() {
            let (round, index) = number.quotientAndRemainder(dividingBy: otherForms.count)
            let text = round.isMultiple(of: 2) ? "a personal text" : nil
            let fault =
                layoutFault(of: sample, layout, (false, nil), "a personal text")
                ?? layoutFault(of: sample, layout, otherForms[index], text)
            if let fault { return ["\(Value.self): the fields of a value \(fault)"] }
        }
        return []
    }

    /// Returns a sentence without its beginning if the JSON by the layout differs from the JSON by
    /// the type.
    ///
    /// - Parameter text: replaces each personal text; `nil` as if all were erased.
    private static func layoutFault<Value: Record>(
        of sample: Value, _ layout: PayloadLayout, _ form: Form, _ text: String?
    ) -> String? {
        let bytes = BinaryWriter.bytes(sample)
        var byLayout = JSONWriter(answer: form.isAnswer, form.redaction)
        do throws(CorruptPayload) {
            try unsafe layout.write(bytes.contents.bytes, { _ in text }, to: &byLayout)
        } catch {
            return "differ from those of 'blank': \(error)"
        }
        var byType = JSONWriter(answer: form.isAnswer, form.redaction)
        byType.value(PersonalFiller.fill(sample) { _ in text })
        return byLayout.text == byType.text ? nil : "differ from those of 'blank'"
    }
}
