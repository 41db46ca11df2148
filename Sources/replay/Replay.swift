import Domain
import EventSourcing
import Formats
import ReplayCommands

/// `replay`: the generic commands over Daybook's own areas, and what those have beside.
@main
enum Replay {
    static func main() {
        ReplayTool.main(
            Catalog.areas, name: "replay",
            pictures: [
                "run": { (runId, log, moment) in
                    let reading = try RunReading(log, moment)
                    let (title, batches) = try reading.track(runId)
                    return TrackSVG.picture(
                        try reading.run(runId, .standard), title: title, batches)
                }
            ],
            further: [
                Export.self, Import.self, LaunchDecisionCommand.self, RankingCommand.self,
                Report.self,
            ])
    }
}
