import Daybook
import DaybookInput
import DaybookLog

/// The reports whose answers a story keeps.
struct StoryReports {
    /// The reports, those that the reader chose first.
    private(set) var choices: [StoryOptions.ReportChoice]
    /// True if reports that the subject suggests are left out.
    private(set) var leavesOutReports = false

    /// Largest number of events for which reports are suggested.
    private static let eventLimit = 300
    /// Largest number of periods of one report that are suggested.
    private static let periodLimit = 3

    /// Chooses the reports about the only entity of a noun that the story's events name: with
    /// `baby:mia` in their tags, the daily report of `mia` on the days of the events, which are
    /// those of her own zone.
    ///
    /// A report with other required arguments, or about the present time, is not suggested. Nor is
    /// one on a week or month: its answers after all events of that time would take too long.
    init(
        _ selection: StorySelection, _ options: StoryOptions, in reading: ProjectionReading
    ) throws {
        let zones = EntityZone(reading, options.zones ?? .fixedOffsets)
        choices = options.reports
        let reports = reading.catalogue.reports.values.filter { Self.subject(of: $0) != nil }
            .sorted { $0.name.precedesByBytes($1.name) }
        let ids = Dictionary(grouping: selection.tags) { String($0.noun) }
        for report in reports {
            guard let subject = Self.subject(of: report) else { continue }
            // The argument may have the noun of the events' tags, and the subject another one.
            let tags = [subject.noun, subject.argument].lazy.compactMap { ids[$0] }.first ?? []
            guard let tag = tags.first else { continue }
            let id = try newestId(of: tag, subject, in: reading)
            let isOne = try tags.allSatisfy { try newestId(of: $0, subject, in: reading) == id }
            guard isOne else { continue }
            guard selection.ownTimes.count <= Self.eventLimit else {
                leavesOutReports = true
                continue
            }
            let member = Tree.Member(key: subject.argument, value: Tree(.text(id), line: 1))
            guard let period = report.period else {
                add(report, [member])
                continue
            }
            guard case .day = period else { continue }
            let zone = try zones.ownZone(of: tag)
            var names: [String] = []
            for day in selection.ownTimes.suffix(Self.eventLimit).map({ $0.day(in: zone) }) {
                for name in period.names(from: day, through: day) ?? []
                where !names.contains(name) { names.append(name) }
            }
            leavesOutReports = leavesOutReports || names.count > Self.periodLimit
            for name in names.sorted().suffix(Self.periodLimit) {
                let argument = Tree.Member(key: period.argument, value: Tree(.text(name), line: 1))
                add(report, [member, argument])
            }
        }
    }

    /// Returns the newest id of the entity that a tag names, for a report about such entities.
    private func newestId(
        of tag: Tag, _ subject: ReportSubject, in reading: ProjectionReading
    ) throws(LogError) -> String {
        let id = String(tag.id)
        return try reading.entities.identities(subject.noun, id).newest(subject.noun, id)
    }

    /// Adds a report, unless the reader chose it with the same arguments.
    private mutating func add(_ report: ReportDescription, _ members: [Tree.Member]) {
        let arguments = Tree(.map(members), line: 1)
        let isKnown = choices.contains {
            $0.report.name == report.name && $0.arguments.canonicalText == arguments.canonicalText
        }
        if !isKnown { choices.append(StoryOptions.ReportChoice(report, arguments)) }
    }

    /// Returns the subject of a report that needs only its subject and its period; else `nil`.
    private static func subject(of report: ReportDescription) -> ReportSubject? {
        guard let subject = report.subject, report.clock == nil else { return nil }
        let given = [subject.argument, report.period?.argument]
        let isComplete = report.arguments.allSatisfy { field in
            field.isOptional || given.contains(field.name)
        }
        return isComplete ? subject : nil
    }
}

extension StoryOptions.ReportChoice {
    /// The arguments as a command line gives them, such as `baby=mia`, with values as `shown`.
    func words(_ shown: (String) -> String) -> [String] {
        guard case .map(let members) = arguments.content else { return [] }
        return members.map { member in
            let value =
                if case .text(let text) = member.value.content { shown(text) } else {
                    member.value.json
                }
            return "\(member.key)=\(value)"
        }
    }
}
