import ArgumentParser
package import Daybook
import DaybookInvestigation
package import DaybookLog
import Synchronization

/// Times in command-line options, as people write them: `yesterday`, `-2h`, `2026-07-12 14:00`.
///
/// A day or a clock time is read in the zone of `--zone`, else of the entity that the command is
/// about, else in UTC. A clock time to the minute means that minute. If a text is not an exact time,
/// its interpretation is printed on standard error.
package enum CommandTime {
    /// Time at which this value is first used; relative times such as `-2h` count from it.
    package static let now = Instant.now

    /// Text that names the allowed forms of a time, for the end of an error message.
    package static let allowedForms =
        "expected a time like 2026-07-12T12:00:00Z, '2026-07-12 14:00', yesterday or -2h"

    /// Start or end of a span of time, for an option that needs a point in time but names a day.
    package enum Edge: Sendable {
        /// The beginning of the span.
        case start
        /// The end of the span.
        case end
    }

    /// Zone and messages of this process, shared by its threads.
    private struct State: Sendable {
        /// Zone in which days and clock times are read; `nil` until it is set.
        var zone: Zone?
        /// Messages that were already printed, so that each is printed only once.
        var printedMessages: Set<String> = []
    }

    private static let state = Mutex(State())

    /// True once a zone is set, in which days and clock times are read.
    static var hasZone: Bool { state.withLock { $0.zone != nil } }

    /// True if no zone is set yet and one of the texts needs a zone: `yesterday` needs one, but an
    /// exact time, a number or `nil` does not.
    package static func needsZone(_ texts: String?...) -> Bool {
        !hasZone
            && texts.contains { text in
                guard let text else { return false }
                return !WrittenTime.isExact(text) && Int64(text) == nil
            }
    }

    /// Sets the zone in which days and clock times are read; `nil` changes nothing.
    package static func setZone(_ zone: Zone?) {
        guard let zone else { return }
        state.withLock { $0.zone = zone }
    }

    /// Sets the zone in which days and clock times are read to the zone of an entity, if the log
    /// has a zone for it.
    ///
    /// - Parameter tag: tag of the entity; `nil` changes nothing.
    package static func setZone(
        ofEntity tag: Daybook.Tag?, in log: EventLog, tzdata: String = ZoneOptions.standardFolder
    ) throws {
        guard let tag else { return }
        let source = try ZoneOptions.source(tzdata)
        setZone(
            try mappingLogErrors {
                try EntityZone(try ProjectionReading(log, catalogue()), source).zone(of: tag)
            })
    }

    /// Zone in which days and clock times are read: UTC, if none is set.
    private static var zone: Zone { state.withLock { $0.zone } ?? .utc }

    /// Parses the value of an option as a point in time.
    ///
    /// - Parameter edge: whether a text that means a span of time, such as a day, stands for its
    ///   start or its end.
    /// - Throws: `ValidationError` if the text is not a time.
    package static func instant(
        _ text: String, _ option: String, _ edge: Edge = .start
    ) throws -> Instant {
        if let exact = Timestamp.parse(text) { return exact.instant }
        // A number with fewer digits is more likely a year or a position than microseconds.
        if let number = Int64(text), number.magnitude >= 1_000_000_000_000 {
            return Instant(microseconds: number)
        }
        let zone = zone
        guard let time = WrittenTime(text, now: now, in: zone) else {
            throw ValidationError(
                "\(option): \(unknownDate(text) ?? "\(allowedForms), found '\(text)'").")
        }
        let moment = edge == .start ? time.start(in: zone) : time.end(in: zone)
        let note =
            switch time {
            case .clock(_, _, .ambiguous): ", the earlier of the two moments with this clock time"
            case .clock(_, _, .nonexistent): ", because the clocks skipped the given time"
            default: ""
            }
        printInterpretation(
            option, text, Timestamp.text(moment, in: zone) + " in \(zone.name)\(note)")
        return moment
    }

    /// Parses the value of an option as a day, week or month, and returns its first day. The value
    /// may also be a time within the period, such as `yesterday`.
    package static func date(
        _ text: String, _ option: String, _ period: ReportPeriod
    ) throws -> CivilDate {
        if let date = period.date(text) { return date }
        let zone = zone
        // The text must lie within one period: a month is not a week, and a week is not a day.
        guard let time = WrittenTime(text, now: now, in: zone),
            let names = period.names(from: time.date(in: zone), through: time.lastDate(in: zone)),
            names.count == 1, let name = names.first, let date = period.date(name)
        else {
            let expected =
                "expected a \(period.noun) like \(period.example) or \(period.exampleInWords), found "
                + "'\(text)'"
            throw ValidationError("\(option): \(unknownDate(text) ?? expected).")
        }
        printInterpretation(option, text, "\(name) in \(zone.name)")
        return date
    }

    /// Returns a message if the text has the form of a day, week or month but names none that
    /// exists; else `nil`.
    private static func unknownDate(_ text: String) -> String? {
        [ReportPeriod.day(""), .week(""), .month("")]
            .first { $0.hasForm(text) && $0.date(text) == nil }
            .map { "there is no \($0.noun) \(text)" }
    }

    /// Prints on standard error how the value of an option was interpreted; each message only once.
    private static func printInterpretation(_ option: String, _ text: String, _ meaning: String) {
        let message = "\(option) \(text): \(meaning)"
        guard state.withLock({ $0.printedMessages.insert(message).inserted }) else { return }
        StandardError.message(message)
    }
}

extension ReportPeriod {
    /// Example of how to name a period of this length in words, such as `yesterday`.
    fileprivate var exampleInWords: String {
        switch self {
        case .day: "yesterday"
        case .week: "'last week'"
        case .month: "'last month'"
        }
    }
}
