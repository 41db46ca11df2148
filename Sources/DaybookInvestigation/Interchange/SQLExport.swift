package import Daybook
import DaybookLibC
package import DaybookLog
import Synchronization

/// A log as plain SQL that sqlite3, DuckDB and PostgreSQL read unchanged, or in DuckDB's dialect.
///
/// The text creates the tables `events` and `event_tags`, and for each projection a table with the
/// newest states and one with all states. It adds the rows in one transaction, and creates the
/// indexes after it. Equal logs give equal texts, on any number of cores.
package struct SQLExport: Sendable {
    private let reading: ProjectionReading
    private let values: ShownValues
    private let schema: SQLSchema
    private let writesHistory: Bool
    private let dialect: SQLDialect

    private let partEntityCount: Int

    /// Number of positions whose events a thread renders at a time.
    private static let stride: UInt64 = 4_096
    /// Number of bytes of the history that are written at a time, and that stay in the cache.
    private static let partByteCount = 1 << 20
    /// Number of such ranges for each thread between two writes.
    private static let rangeCount = 4

    /// Prepares to write the events and some projections, with `history` also all past states.
    package init(
        _ reading: ProjectionReading, _ values: ShownValues, _ projections: [ProjectionDescription],
        history: Bool, dialect: SQLDialect = .standard,
        partEntityCount: Int = EntityHistories.partEntityCount
    ) {
        self.dialect = dialect
        self.partEntityCount = partEntityCount
        self.reading = reading
        self.values = values
        schema = SQLSchema(projections)
        writesHistory = history
    }

    /// Largest number of entities whose states are kept at a time.
    package func keptEntityCount() throws(LogError) -> Int {
        var largest = 0
        for tables in schema.projections {
            largest = max(largest, try reading.log.contents.idCount(of: tables.projection.noun))
        }
        return min(largest, partEntityCount)
    }

    /// Writes the text part by part.
    ///
    /// - Parameters:
    ///   - stage: receives the name of each table before its rows are written.
    ///   - output: receives the parts, in order, on the calling thread. Other threads render what
    ///     comes next meanwhile, but do not go on before `output` returns, so that a slow reader of
    ///     the text keeps no read transaction open.
    package func write(stage: (String) -> Void, to output: ([UInt8]) throws -> Void) throws {
        try output(Array(try beginning().utf8))
        stage("events")
        try writeEvents(to: output)
        for tables in schema.projections {
            stage(tables.plainNames.table)
            try writeStates(tables, to: output)
        }
        try output(Array(("COMMIT;\n" + indexes).utf8))
    }

    /// Returns the comments and the statements that create the tables.
    private func beginning() throws(LogError) -> String {
        var text = """
            -- Daybook log \(try reading.logID()), read through position \(reading.through).
            -- Texts are as in standard SQL, where a backslash is a character like any other. PostgreSQL
            -- needs standard_conforming_strings = on for that, which is its default.
            BEGIN;

            """
        text += SQLSchema.creation(SQLSchema.quoted("events"), SQLSchema.eventColumns)
        text += SQLSchema.creation(SQLSchema.quoted("event_tags"), SQLSchema.tagColumns)
        for tables in schema.projections {
            let columns = tables.columns.map { ($0.name, $0.type) }
            text += SQLSchema.creation(tables.table, SQLSchema.stateColumns + columns)
            guard writesHistory else { continue }
            text += SQLSchema.creation(tables.historyTable, SQLSchema.historyColumns + columns)
        }
        return text
    }

    /// The statements that create the indexes.
    private var indexes: String {
        var text = """
            CREATE UNIQUE INDEX "events_by_position" ON "events" ("position");
            CREATE INDEX "events_by_kind" ON "events" ("kind", "position");
            CREATE INDEX "event_tags_by_tag" ON "event_tags" ("tag", "position");
            CREATE INDEX "event_tags_by_position" ON "event_tags" ("position");

            """
        for tables in schema.projections {
            let (table, history) = tables.plainNames
            text += """
                CREATE UNIQUE INDEX \(SQLSchema.quoted(table + "_by_key")) \
                ON \(tables.table) ("key");

                """
            guard writesHistory else { continue }
            text += """
                CREATE UNIQUE INDEX \(SQLSchema.quoted(history + "_by_key")) \
                ON \(tables.historyTable) ("key", "from_position");

                """
        }
        return text
    }
}

extension SQLExport {
    /// Writes the rows of the events and of their tags; several threads render them.
    private func writeEvents(to output: ([UInt8]) throws -> Void) throws {
        var rest = ReadWindow(through: reading.through).divided(by: Self.stride)[...]
        let threadCount = EntityShare.threadCount
        let renderer = EventRows(self)
        var ready: [Result<[UInt8], LogError>] = []
        repeat {
            renderer.begin(Array(rest.prefix(threadCount * Self.rangeCount)))
            rest = rest.dropFirst(threadCount * Self.rangeCount)
            var written: Result<Void, any Error> = .success(())
            func write() {
                written = Result {
                    for part in ready { try output(try part.get()) }
                }
            }
            if threadCount > 1 {
                Threads.perform(beside: threadCount, { _ in renderer.render() }, write)
            } else {
                write()
                renderer.render()
            }
            try written.get()
            ready = renderer.exchange(ready)
        } while !ready.isEmpty
    }

    /// Appends the statements for the events of a window and for their tags.
    fileprivate func appendEvents(in window: ReadWindow, to text: inout [UInt8]) throws(LogError) {
        var (events, tags) = (
            SQLInserts(into: SQLSchema.quoted("events"), SQLSchema.eventColumns.map(\.1), dialect),
            SQLInserts(into: SQLSchema.quoted("event_tags"), SQLSchema.tagColumns.map(\.1), dialect)
        )
        var tagText: [UInt8] = []
        var (row, tagRow) = (SQLRow(dialect), SQLRow(dialect))
        var writer = JSONWriter(answer: true, values.redaction)
        var kinds = SQLKinds(dialect: dialect)
        var shownTags: [String] = []
        let latest = reading.entities.validThrough
        try reading.log.reader(.all, window).forEachInFull {
            (event, commit, personalText) throws(LogError) in
            if let latest, event.envelope.occurredAt > latest { return true }
            writer.clear()
            let isKnown = try values.write(event, in: reading.catalogue, to: &writer, personalText)
            shownTags.removeAll(keepingCapacity: true)
            for tag in event.tags { shownTags.append(values.tag(tag)) }
            row.clear()
            row.write(event, &kinds, commit, shownTags, isKnown ? writer : nil, values)
            events.add(row.bytes.contents, to: &text)
            for tag in shownTags {
                tagRow.clear()
                tagRow.begin()
                tagRow.integer(Int64(clamping: event.position.rawValue))
                tagRow.text(tag)
                tagRow.end()
                tags.add(tagRow.bytes.contents, to: &tagText)
            }
            return true
        }
        events.end(&text)
        tags.end(&tagText)
        text += tagText
    }

    /// Writes the rows of a projection's tables.
    private func writeStates(
        _ tables: SQLSchema.ProjectionTables, to output: ([UInt8]) throws -> Void
    ) throws {
        let histories = try EntityHistories(
            of: tables.projection, reading, values, partEntityCount: partEntityCount)
        let types = tables.columns.map(\.type)
        var (history, states) = (
            SQLInserts(
                into: tables.historyTable, SQLSchema.historyColumns.map(\.1) + types, dialect),
            SQLInserts(into: tables.table, SQLSchema.stateColumns.map(\.1) + types, dialect)
        )
        let (writesHistory, dialect) = (writesHistory, dialect)
        var (text, stateText) = ([UInt8](), [UInt8]())
        try histories.forEach(
            rendering: { (interval, rows) in
                guard writesHistory || interval.to == nil else { return }
                rows.writeSQL(of: interval, tables.columns, dialect, copies: writesHistory)
            },
            { rows in
                // The statements of the history come before those of the newest states.
                try rows.forEach { part, row in
                    states.add(part.otherBytes, part.otherEnds, row, to: &stateText)
                    guard writesHistory else { return }
                    history.add(part.bytes, part.ends, row, to: &text)
                    if text.count >= Self.partByteCount {
                        try output(text)
                        text.removeAll(keepingCapacity: true)
                    }
                }
                text += stateText
                if !text.isEmpty { try output(text) }
                text.removeAll(keepingCapacity: true)
                stateText.removeAll(keepingCapacity: true)
            })
        history.end(&text)
        states.end(&text)
        if writesHistory { text += Array(copying(tables).utf8) }
        if !text.isEmpty { try output(text) }
    }

    /// Returns the statement that copies the other newest states from the history.
    private func copying(_ tables: SQLSchema.ProjectionTables) -> String {
        let columns = tables.columns.map { ", " + $0.name }.joined()
        return """
            INSERT INTO \(tables.table) SELECT "key", "from_position"\(columns) \
            FROM \(tables.historyTable) \
            WHERE "to_position" IS NULL AND "key" NOT IN (SELECT "key" FROM \(tables.table));

            """
    }
}

/// The rows of the events of some windows, which several threads render.
private final class EventRows: Sendable {
    private struct State {
        /// The windows that are rendered.
        var windows: [ReadWindow] = []
        /// The texts of the windows, as far as they are rendered.
        var texts: [Result<[UInt8], LogError>?] = []
        var takenCount = 0
        /// Memory for reuse.
        var spares: [[UInt8]] = []
    }

    private let export: SQLExport
    private let state = Mutex(State())

    init(_ export: SQLExport) { self.export = export }

    func begin(_ windows: [ReadWindow]) {
        state.withLock { state in
            state.windows = windows
            state.texts = windows.map { _ in nil }
            state.takenCount = 0
        }
    }

    /// Renders windows until none is left; several threads may call this at once.
    func render() {
        while let (index, window, spare) = take() {
            var text = spare
            let result: Result<[UInt8], LogError>
            do throws(LogError) {
                try export.appendEvents(in: window, to: &text)
                result = .success(text)
            } catch { result = .failure(error) }
            state.withLock { $0.texts[index] = result }
        }
    }

    /// Returns the rendered texts in the order of the windows, and takes the memory of older texts.
    func exchange(_ older: [Result<[UInt8], LogError>]) -> [Result<[UInt8], LogError>] {
        state.withLock { state in
            state.spares = older.compactMap { try? $0.get() }
            return state.texts.compactMap(\.self)
        }
    }

    /// Returns a free window with its index and memory for its text; `nil` if none is left.
    private func take() -> (Int, ReadWindow, [UInt8])? {
        state.withLock { state in
            guard state.takenCount < state.windows.count else { return nil }
            let index = state.takenCount
            state.takenCount += 1
            var spare = state.spares.popLast() ?? []
            spare.removeAll(keepingCapacity: true)
            return (index, state.windows[index], spare)
        }
    }
}

/// The kinds of events as SQL values, rendered once each.
private struct SQLKinds {
    private let dialect: SQLDialect
    private var known: [EventKind: [UInt8]] = [:]

    init(dialect: SQLDialect) { self.dialect = dialect }

    /// Returns the name of a kind and its version, as two values in UTF-8.
    mutating func values(of kind: EventKind) -> [UInt8] {
        if let known = known[kind] { return known }
        var row = SQLRow(dialect)
        row.text(String(kind.stem))
        row.integer(Int64(kind.version))
        known[kind] = row.bytes
        return row.bytes
    }
}

extension SQLRow {
    /// Writes the row of an event; `payload` has written its payload, `nil` if the kind is unknown.
    fileprivate mutating func write(
        _ event: RecordedEvent, _ kinds: inout SQLKinds, _ commit: RecordedCommit,
        _ tags: [String], _ payload: JSONWriter?, _ values: ShownValues
    ) {
        begin()
        integer(Int64(clamping: event.position.rawValue))
        plain(kinds.values(of: event.kind).contents)
        time(event.envelope.occurredAt)
        integer(event.envelope.occurredAt.microseconds)
        time(event.envelope.recordedAt)
        integer(event.envelope.recordedAt.microseconds)
        nonEmpty(event.zone)
        integer(Int64(event.envelope.offsetS))
        if let actor = values.actor(commit) { text(actor) } else { null() }
        nonEmpty(values.id(commit.metadata.device))
        nonEmpty(values.id(commit.metadata.correlation))
        integer(commit.metadata.causation.map { Int64(clamping: $0.rawValue) })
        integer(Int64(clamping: commit.first.rawValue))
        joined(tags)
        if let payload { text(payload.bytes.contents) } else { null() }
        end()
    }
}

extension RenderedRows {
    /// Writes the row of an interval and, if it is the newest one, the row of the newest state.
    ///
    /// - Parameter copies: true to leave out the row of a newest state that the last event of the
    ///   entity made, because a statement copies it from the history.
    fileprivate mutating func writeSQL(
        of interval: StateInterval, _ columns: [SQLSchema.Column], _ dialect: SQLDialect,
        copies: Bool
    ) {
        var row = SQLRow(dialect)
        swap(&row.bytes, &bytes)
        row.begin()
        row.text(interval.key)
        row.integer(Int64(clamping: interval.from.position.rawValue))
        row.integer((interval.to?.position.rawValue).map { Int64(clamping: $0) })
        row.time(interval.from.recordedAt)
        if let to = interval.to { row.time(to.recordedAt) } else { row.null() }
        row.text(interval.cause.name)
        let start = row.bytes.count
        row.values(of: interval.json.contents, columns)
        row.end()
        swap(&row.bytes, &bytes)
        guard interval.to == nil, !copies || interval.lastPosition != interval.from.position
        else { return }
        var newest = SQLRow(dialect)
        swap(&newest.bytes, &otherBytes)
        newest.begin()
        newest.text(interval.key)
        newest.integer(Int64(clamping: interval.lastPosition.rawValue))
        newest.bytes += bytes[start...]
        swap(&newest.bytes, &otherBytes)
    }
}
