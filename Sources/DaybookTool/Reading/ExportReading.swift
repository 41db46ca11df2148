import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog

/// Reader of exports from a log, as of a point in time.
struct ExportReading {
    private let reading: ProjectionReading
    /// Time as of which the log is read, by the log's clock.
    private let knownAt: Instant

    init(_ log: EventLog, _ catalogue: Catalogue, _ moment: MomentOptions) throws {
        // Throws a failure that names the option if the log does not have the position.
        _ = try mappingLogErrors { try moment.through(log) }
        reading = try mappingLogErrors {
            try ProjectionReading(log, catalogue, as: try moment.moment())
        }
        knownAt = try mappingLogErrors { try moment.knownAt(log) }
    }

    /// Returns an export after it has read all events that it needs.
    func gathered(
        _ description: ExportDescription, _ options: FileOptions
    ) throws -> any PendingExport {
        let context = ReportContext(
            rules: .standard, zones: nil, position: reading.through, knownAt: knownAt,
            validAt: reading.entities.validThrough, opensTexts: true)
        do {
            let export = try description.prepare(options, rules: .standard, context)
            return try mappingLogErrors { try reading.gathered(export) }
        } catch let error as InputError {
            throw Failure(.usage, "\(error.message)")
        }
    }
}

extension Result where Success == ExportedFile, Failure == ReportError {
    /// Returns the file; throws `Failure` with `code` if the log lacks what the file needs.
    func get(orFailWith code: DaybookTool.Failure.Code) throws -> ExportedFile {
        do throws(ReportError) { return try get() } catch {
            if case .fold = error { throw DaybookTool.Failure(.log, error) }
            throw DaybookTool.Failure(code, error)
        }
    }
}
