import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// Formats in which `export` writes a whole log, for any areas.
enum LogFormat: String, CaseIterable {
    case sql
    case perfetto
    case otlp
    case cloudEvents = "cloudevents"

    var summary: String {
        switch self {
        case .sql: "the events, states and their histories as SQL for sqlite3, DuckDB or PostgreSQL"
        case .perfetto: "the life cycles and events as a trace for ui.perfetto.dev"
        case .otlp: "the life cycles as OpenTelemetry traces, in OTLP JSON lines"
        case .cloudEvents: "the events as CloudEvents, one JSON object per line, for 'import'"
        }
    }

    /// Writes the file of the format part by part.
    func write(
        _ reading: ProjectionReading, _ options: LogExportOptions,
        to output: ([UInt8]) throws -> Void
    ) throws {
        let values = options.values(of: reading)
        let projections = try options.projections(of: reading.catalogue)
        switch self {
        case .sql:
            let export = SQLExport(
                reading, values, projections, history: !options.noHistory,
                dialect: options.dialect ?? .standard)
            KeptStates.interval.announce(entityCount: try export.keptEntityCount())
            try export.write(stage: Progress.setStage, to: output)
        case .perfetto:
            try KeptStates.plain.announce(for: reading.log)
            try PerfettoExport(reading, values, projections)
                .write(stage: Progress.setStage, to: output)
        case .otlp:
            try KeptStates.plain.announce(for: reading.log)
            try OTLPExport(reading, values, projections, service: Program.name)
                .write(stage: Progress.setStage, to: output)
        case .cloudEvents:
            let export = CloudEventsExport(reading, values, keysTo: options.keyPath)
            try mappingLogErrors { try export.write(to: output) }
        }
    }
}

/// Options of `export` for formats that hold a whole log.
struct LogExportOptions: ParsableArguments {
    @Option(
        help: .text("Projection to write, repeatable; by default all.", "projection"),
        completion: Completions.projections)
    var projection: [String] = []

    @Flag(help: "Leave out the tables of all past states (format sql).")
    var noHistory = false

    @Option(
        help: ArgumentHelp(
            "Programs that load the file: standard for sqlite3, DuckDB and PostgreSQL, the default; "
                + "duckdb for DuckDB alone, which takes it in a tenth of the time (format sql)."))
    var dialect: SQLDialect?

    @Flag(
        help: """
            Write personal texts, users' names and locations too, instead of 'redacted' and null; \
            an erasure does not reach the file. For the format cloudevents, write their keys to \
            <keys>.
            """)
    var texts = false

    @Argument(
        help: .text(
            "With --texts, for the format cloudevents: file for the keys of texts, names and "
                + "places. Copies of it undo erasures.", "keys"), completion: .file())
    var keyPath: String?

    @Flag(help: "Replace ids and users' names by pseudonyms, the same in every export of the log.")
    var pseudonymise = false

    func validate() throws {
        guard !texts || !pseudonymise else {
            throw ValidationError(
                "--texts and --pseudonymise contradict each other: texts name people.")
        }
    }

    /// Name of the first of these options that is given; `nil` if none is.
    var givenName: String? {
        if !projection.isEmpty { return "--projection" }
        if noHistory { return "--no-history" }
        if dialect != nil { return "--dialect" }
        if texts { return "--texts" }
        return pseudonymise ? "--pseudonymise" : nil
    }

    func values(of reading: ProjectionReading) -> ShownValues {
        // Without the tz database, names of zones are replaced like other texts.
        let zones = pseudonymise ? ZoneOptions.machineDatabase : nil
        return ShownValues(
            texts && keyPath == nil ? .texts : pseudonymise ? .pseudonyms : .ids, of: reading.log,
            reading.catalogue
        ) { name in zones.map { (try? $0.zone(name)) != nil } ?? false }
    }

    func projections(of catalogue: Catalogue) throws -> [ProjectionDescription] {
        guard !projection.isEmpty else { return Array(catalogue.projections.values) }
        return try Set(projection).sorted().map {
            try ProjectionOptions.description(of: $0, .standard, in: catalogue)
        }
    }
}

extension SQLDialect: ExpressibleByArgument {}
