import ArgumentParser
import Daybook
import DaybookLog

/// The command `snapshot`, which stores states of long histories as a cache.
struct SnapshotCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Cache states of long histories, so that any past state is found fast.",
        discussion: """
            Continues from the position where the last run ended; run it after a large import, or \
            every night. It stores a state every 256 events of an entity, and less often for large \
            states. Snapshots never change an answer: one is used only if its fingerprint matches \
            the fold of this program, and '\(Program.name) verify' recomputes each.
            """)

    @Argument(
        help: .text("Projection to cache; all by default.", "projection"),
        completion: Completions.projections)
    var projection: String?

    @Flag(help: "Delete all snapshots instead.")
    var drop = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !drop || projection == nil else {
            throw ValidationError(
                "--drop deletes the snapshots of all projections; omit the projection.")
        }
    }

    func run() throws {
        let catalogue = catalogue()
        let all = catalogue.projections.values.sorted { $0.name < $1.name }
        let asked = all.filter { projection == nil || $0.name == projection }
        guard !asked.isEmpty else {
            let known = all.map(\.name).joined(separator: ", ")
            throw ValidationError(
                "There is no projection '\(projection ?? "")'"
                    + NearestNames.hint(for: projection ?? "", in: all.map(\.name))
                    + " The projections are: \(known).")
        }
        let log = try log.open(.write, appends: false)
        let pass = try mappingLogErrors {
            guard !drop else {
                let dropped = try log.file.status().snapshots
                try log.dropSnapshots()
                return SnapshotPass(droppedCount: dropped)
            }
            return try LogSnapshots(log).take(catalogue, of: asked) { projection in
                Progress.setStage(projection.name)
            }
        }
        guard output.json else {
            Output.line(
                "\(pass.writtenCount.counted("snapshot")) of "
                    + "\(pass.entityCount.counted("entity", "entities")), \(pass.byteCount) bytes")
            if pass.droppedCount > 0 {
                let dropped = pass.droppedCount.counted("earlier one")
                Output.line("\(dropped) \(pass.droppedCount.are) deleted")
            }
            return
        }
        Output.answer(
            SnapshotAnswer(
                writtenCount: Int64(pass.writtenCount), entityCount: Int64(pass.entityCount),
                byteCount: Int64(pass.byteCount), deletedCount: Int64(pass.droppedCount)))
    }

    static var examples: [String] { ["snapshot", "snapshot --drop"] }

    static var answers: [any Answer.Type] { [SnapshotAnswer.self] }
}

struct SnapshotAnswer: Answer {
    static let name = "snapshot"
    static let summary = "The snapshots."

    var writtenCount: Int64 = 0
    /// Number of entities with a new snapshot, counted for each projection and rule set.
    var entityCount: Int64 = 0
    /// Total size of the states in the new snapshots, in bytes.
    var byteCount: Int64 = 0
    /// Number of snapshots deleted: all with `--drop`, else those of changed projections and those
    /// with personal values.
    var deletedCount: Int64 = 0

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field(
            "written", &writtenCount, "entities", &entityCount, "bytes", &byteCount, "dropped",
            &deletedCount)
    }
}
