import Daybook
import DaybookFormats
import DaybookModel
import DaybookTool

/// `replay`: the generic commands over Daybook's own areas, and what those have beside.
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
            // CatalogTests makes the catalogue of the areas that are built in.
            isTested: true)
    }
}
