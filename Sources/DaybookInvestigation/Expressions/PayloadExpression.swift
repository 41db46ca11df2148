public import Daybook
public import DaybookLog

extension EventFilter {
    /// Adds the condition that an expression over fields of the payload holds.
    ///
    /// Only events whose kind has all fields that the expression names can meet it. These are the
    /// fields of the event as recorded; if it lacks one, those of its newest schema version.
    ///
    /// - Parameter catalogue: the catalogue that describes the payloads.
    /// - Throws: an error that names the nearest field if no kind that the filter selects has a
    ///   field, and any other error of the expression if it fits no kind.
    public mutating func require(
        _ expression: String, describedBy catalogue: Catalogue
    ) throws(ExpressionError) {
        var tests: [EventKind: PayloadCondition.Test] = [:]
        var failures: [(error: ExpressionError, fields: [FieldDescription])] = []
        for description in selected(in: catalogue) {
            let fields = description.fields
            do throws(ExpressionError) {
                let parsed = try Expression(
                    expression, over: fields, named: String(description.kind.stem))
                tests[description.kind] = PayloadCondition.Test(
                    fields: parsed.topLevelFields,
                    readsPersonalValues: fields.contains { field in
                        parsed.topLevelFields.contains(field.name) && field.holdsPersonalValues
                    },
                    isMet: { parsed.isTrue(for: $0) })
            } catch { failures.append((error, fields)) }
        }
        guard tests.isEmpty else { return condition = PayloadCondition(tests) }
        // The error of the kind that fits farthest into the expression.
        let farthest = failures.max { first, second in
            (first.error.column, first.error.unknownField == nil ? 1 : 0)
                < (second.error.column, second.error.unknownField == nil ? 1 : 0)
        }
        guard var error = farthest?.error else {
            throw ExpressionError(column: 1, message: "the program knows no kind of such events")
        }
        if let unknown = error.unknownField, failures.count > 1 {
            let known = Set(failures.flatMap { $0.fields.flatMap(\.paths) })
            error.message =
                known.contains(unknown)
                ? "no kind of event has '\(unknown)' together with the other fields"
                : "no kind of event has a field '\(unknown)'"
                    + NearestNames.hint(for: unknown, in: known)
        }
        throw error
    }

    /// Returns the kinds whose payloads the filter may select, also in their newest versions, in
    /// the order of their names.
    private func selected(in catalogue: Catalogue) -> [EventDescription] {
        var wanted = kinds
        for item in query.items ?? [] where kinds.isEmpty {
            guard !item.kinds.isEmpty else {
                wanted = []
                break
            }
            let stems = Set(item.kinds.map(\.stem))
            wanted.formUnion(catalogue.events.keys.filter { stems.contains($0.stem) })
            wanted.formUnion(item.kinds)
        }
        let descriptions = catalogue.events.values.sorted { $0.kind < $1.kind }
        guard !wanted.isEmpty else { return descriptions }
        let newest = wanted.compactMap(catalogue.newest)
        return descriptions.filter { wanted.contains($0.kind) || newest.contains($0.kind) }
    }
}

extension FieldDescription {
    /// True if the field, or one in it, may have values that a replica without keys lacks.
    fileprivate var holdsPersonalValues: Bool {
        isPersonal || form.contains("personal") || fields.contains { $0.holdsPersonalValues }
    }

    /// Paths of the field and of those in it, without those in lists and maps.
    fileprivate var paths: [String] {
        guard !form.hasPrefix("["), !form.hasPrefix("{") else { return [name] }
        return [name] + fields.flatMap { field in field.paths.map { "\(name).\($0)" } }
    }
}
