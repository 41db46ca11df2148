import Daybook
import DaybookFormats
import DaybookModel
import DaybookTool

/// The program `replay`: the commands for any domain, and `ranking`, over Daybook's own areas.
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
