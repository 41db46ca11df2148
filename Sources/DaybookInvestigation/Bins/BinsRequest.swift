import Daybook

/// The clock by which events are placed on the axis of an overview.
package enum BinsClock: String, CaseIterable, Sendable {
    /// The log's clock, in microseconds since 1970.
    case recorded
    /// The devices' clocks, in microseconds since 1970.
    case occurred
    /// The order of the log, in positions.
    case order
}

/// The property of an event that decides on which lane of an overview it is counted.
package enum BinsLanes: String, CaseIterable, Sendable {
    /// The event's kind with its schema version.
    case kind
    case actor
    case device
    /// The noun of the event's first tag, such as `entry` of `entry:e1`.
    case entity
}

/// A question for the number of events in equal parts of a range, on each lane.
package struct BinsRequest: Equatable, Sendable {
    var clock: BinsClock
    var lanes: BinsLanes
    /// First coordinate of the range; `nil` for that of the first event.
    var from: Int128?
    /// First coordinate after the range; `nil` for the one after the last event.
    var to: Int128?
    /// Largest number of bins.
    var width: Int
    /// Largest number of lanes.
    var most: Int

    /// Reads `clock`, `lanes`, `width`, `most` and optionally `from` and `to`; throws `.invalid`,
    /// which names the parameter at fault.
    package init(parameters: [String: String]) throws(QuestionError) {
        let parameters = try BinsParameters(
            parameters, of: ["clock", "lanes", "from", "to", "width", "most"])
        clock = try parameters.choice("clock")
        lanes = try parameters.choice("lanes")
        width = Int(try parameters.number("width", in: 1...8_192))
        most = Int(try parameters.number("most", in: 1...64))
        from = try parameters.optionalNumber("from", in: BinsParameters.coordinates)
        to = try parameters.optionalNumber("to", in: BinsParameters.coordinates)
        guard let from, let to, from >= to else { return }
        throw .invalid("parameter 'from' is \(from); expected less than 'to', which is \(to)")
    }
}

/// A question for the last event at or before a coordinate of a clock.
package struct NearRequest: Equatable, Sendable {
    var clock: BinsClock
    var at: Int128
    /// The lane that the event must be on, by its shown name; `nil` for any.
    var lane: Lane?

    struct Lane: Equatable {
        var lanes: BinsLanes
        var name: String
    }

    /// Reads `clock`, `at` and optionally `lanes` and `lane`; throws `.invalid`, which names the
    /// parameter at fault.
    package init(parameters: [String: String]) throws(QuestionError) {
        let parameters = try BinsParameters(parameters, of: ["clock", "at", "lanes", "lane"])
        clock = try parameters.choice("clock")
        at = try parameters.number("at", in: BinsParameters.coordinates)
        if let name = parameters["lane"] {
            lane = Lane(lanes: try parameters.choice("lanes"), name: name)
        } else if parameters["lanes"] != nil {
            let _: BinsLanes = try parameters.choice("lanes")
        }
    }
}

/// The parameters of a question, by their names.
private struct BinsParameters {
    /// Possible coordinates: more than all times, because a browser rounds the numbers that an
    /// answer has.
    static let coordinates = -(Int128(1) << 64)...Int128(1) << 64

    private let values: [String: String]

    init(_ values: [String: String], of names: [String]) throws(QuestionError) {
        self.values = values
        for name in values.keys.sorted(by: { $0.precedesByBytes($1) }) where !names.contains(name) {
            throw .invalid(
                "parameter '\(Self.short(name))' is unknown; expected "
                    + names.joined(separator: ", "))
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(QuestionError) -> Choice {
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        guard let text = values[name] else {
            throw .invalid("parameter '\(name)' is missing; expected one of: \(names)")
        }
        guard let choice = Choice(rawValue: text) else {
            throw .invalid(
                "parameter '\(name)' is '\(Self.short(text))'; expected one of: \(names)")
        }
        return choice
    }

    func number(_ name: String, in range: ClosedRange<Int128>) throws(QuestionError) -> Int128 {
        guard let number = try optionalNumber(name, in: range) else {
            throw .invalid("parameter '\(name)' is missing; expected \(Self.words(range))")
        }
        return number
    }

    /// Returns the whole number of a parameter; `nil` without the parameter.
    func optionalNumber(
        _ name: String, in range: ClosedRange<Int128>
    ) throws(QuestionError) -> Int128? {
        guard let text = values[name] else { return nil }
        guard let number = Int128(text), range.contains(number) else {
            throw .invalid(
                "parameter '\(name)' is '\(Self.short(text))'; expected \(Self.words(range))")
        }
        return number
    }

    private static func words(_ range: ClosedRange<Int128>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    /// Returns at most the first 40 characters of a text.
    private static func short(_ text: String) -> String {
        let start = text.prefix(40)
        return start.endIndex == text.endIndex ? text : start + "…"
    }
}
