import ArgumentParser
import Daybook
import DaybookLog

/// Arguments of a report that are times or periods, and the zone in which they are read.
struct ReportTimes {
    private let report: ReportDescription

    init(of report: ReportDescription) {
        self.report = report
    }

    /// Sets the zone in which times are read, if a time needs a zone: the report's argument `zone`,
    /// else the zone of the entity.
    ///
    /// - Parameters:
    ///   - periods: periods of the command line that are not among the arguments.
    ///   - moment: options for the point in time as of which the report is answered. A day in them
    ///     means the end of the day and so needs a zone; the name of a period needs none.
    ///   - log: opens the log; called only if the zone of the entity is needed.
    func setZoneIfNeeded(
        _ members: [Tree.Member], _ periods: [String?], _ moment: MomentOptions,
        _ log: () throws -> EventLog
    ) throws {
        let named = members.filter { report.period?.argument == $0.key }.map {
            $0.value.writtenText
        }
        let moments = members.filter { isMoment($0.key) }.map { $0.value.writtenText }
        guard
            (periods + named).contains(where: { isInexact($0) })
                || (moments + [moment.at, moment.validAt]).contains(where: {
                    CommandTime.needsZone($0)
                })
        else { return }
        if let zone = members.first(where: { $0.key == "zone" })?.value.writtenText {
            return CommandTime.setZone(
                try ZoneOptions.zone(zone, try moment.zones.source()))
        }
        guard let subject = report.subject,
            let id = members.first(where: { $0.key == subject.argument })?.value.writtenText,
            let tag = Daybook.Tag("\(subject.noun):\(identifier(id))")
        else { return }
        try CommandTime.setZone(ofEntity: tag, in: try log(), tzdata: moment.zones.tzdata)
    }

    /// Throws a usage error if a report on all entities has a period in words, such as `today`.
    ///
    /// Such a period is a different one in the zone of each entity.
    ///
    /// - Parameter texts: periods in addition to the period of the arguments.
    func checkPeriods(ofAll members: [Tree.Member], _ texts: [String?]) throws {
        guard let period = report.period, !CommandTime.hasZone else { return }
        let named = members.first { $0.key == period.argument }?.value.writtenText
        for text in (texts + [named]).compactMap(\.self) where period.date(text) == nil {
            throw ValidationError(
                "--all: '\(text)' means different times in the zones of the entities; give a "
                    + "\(period.noun) like \(period.example), or one zone for all with --zone.")
        }
    }

    /// Replaces times and periods in words, such as `yesterday`, by exact times and names of
    /// periods; keeps all other arguments.
    ///
    /// - Parameter option: option to name in messages; by default the option of the argument.
    func resolve(_ members: inout [Tree.Member], _ option: String? = nil) throws {
        for index in members.indices {
            let name = members[index].key
            guard let text = members[index].value.writtenText,
                let field = report.arguments.first(where: { $0.name == name })
            else { continue }
            let option = option.map { "\($0) \(name)" } ?? "--\(field.option)"
            if field.isMoment {
                guard Int64(text) == nil else { continue }
                let moment = try CommandTime.instant(text, option)
                members[index].value = Tree(.integer(moment.microseconds), line: 1)
            } else if let period = report.period, period.argument == name {
                let date = try CommandTime.date(text, option, period)
                guard let name = period.names(from: date, through: date)?.first else { continue }
                members[index].value = Tree(.text(name), line: 1)
            }
        }
    }

    /// True if the argument with this name is a point in time.
    private func isMoment(_ name: String) -> Bool {
        report.arguments.contains { $0.name == name && $0.isMoment }
    }

    /// True if the text is not the name of a period, and needs a zone to be read.
    private func isInexact(_ text: String?) -> Bool {
        guard let text, report.period?.date(text) == nil else { return false }
        return CommandTime.needsZone(text)
    }
}

extension Tree {
    /// The value if it is a text, or its decimal digits if it is an integer; otherwise `nil`.
    fileprivate var writtenText: String? {
        switch content {
        case .text(let text): text
        case .integer(let number): "\(number)"
        default: nil
        }
    }
}
