import Daybook
import DaybookFormats
import DaybookModel
import DaybookTool

/// The program `replay`: the generic commands over Daybook's own areas, and their extra commands.
@main
enum Replay {
    static func main() {
        ReplayTool.main(
            Catalog.areas,
            formats: [
                CareFiles.self, CareForms.self, LaunchFiles.self, RunFiles.self, RunningForms.self,
                SourceForms.self,
            ],
            name: "replay", further: [RankingCommand.self],
            // CatalogTests tests the catalogue of the built-in areas.
            isTested: true)
    }
}
