import ArgumentParser
import Daybook
import DaybookLog

/// The arguments of a report that are times, and the zone in which they are written.
struct ReportTimes {
    private let report: ReportDescription

    init(of report: ReportDescription) {
        self.report = report
    }

    /// Finds the zone that times are meant in: the report's own argument, else the one of the entity
    /// that it is about.
    ///
    /// - Parameters:
    ///   - periods: further periods of the command line.
    ///   - moment: as of which the report is asked for. A day means its end there, and so needs a
    ///     zone, which the name of a period does not.
    ///   - log: opened only where a zone is needed.
    func settleZone(
        _ members: [Tree.Member], _ periods: [String?], _ moment: MomentOptions, tzdata: String,
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
            return CommandTime.settle(
                try ZoneOptions.zone(zone, try ZoneOptions.source(tzdata)))
        }
        guard let subject = report.subject,
            let id = members.first(where: { $0.key == subject.argument })?.value.writtenText,
            let tag = Daybook.Tag("\(subject.noun):\(identifier(id))")
        else { return }
        try CommandTime.settle(on: tag, in: try log(), tzdata: tzdata)
    }

    /// Refuses a period in words where all entities are asked about: today is another day in each
    /// one's zone.
    ///
    /// - Parameter texts: periods beside that of the arguments.
    func checkPeriods(ofAll members: [Tree.Member], _ texts: [String?]) throws {
        guard let period = report.period, !CommandTime.hasZone else { return }
        let named = members.first { $0.key == period.argument }?.value.writtenText
        for text in (texts + [named]).compactMap(\.self) where period.date(text) == nil {
            throw ValidationError(
                "--all: '\(text)' depends on each one's zone; name a \(period.noun) like "
                    + "\(period.example), or one zone for all with --zone.")
        }
    }

    /// Makes times of what people write, and leaves everything else to the report.
    ///
    /// - Parameter option: in messages; by default the argument's own.
    func resolve(_ members: inout [Tree.Member], _ option: String? = nil) throws {
        for index in members.indices {
            let name = members[index].key
            guard let text = members[index].value.writtenText,
                let field = report.arguments.first(where: { $0.name == name })
            else { continue }
            let option = option.map { "\($0) \(name)" } ?? "--\(field.option)"
            if field.isMoment {
                guard Int64(text) == nil else { continue }
                let moment = try CommandTime.moment(text, option)
                members[index].value = Tree(.integer(moment.microseconds), line: 1)
            } else if let period = report.period, period.argument == name {
                let date = try CommandTime.date(text, option, period)
                guard let name = period.names(from: date, through: date)?.first else { continue }
                members[index].value = Tree(.text(name), line: 1)
            }
        }
    }

    private func isMoment(_ name: String) -> Bool {
        report.arguments.contains { $0.name == name && $0.isMoment }
    }

    private func isInexact(_ text: String?) -> Bool {
        guard let text, report.period?.date(text) == nil else { return false }
        return CommandTime.needsZone(text)
    }
}

extension Tree {
    /// A text, or a number as it was written.
    fileprivate var writtenText: String? {
        switch content {
        case .text(let text): text
        case .integer(let number): "\(number)"
        default: nil
        }
    }
}
