// Tries the areas of the build with mutants: their faults, and their folds over generated histories.
import Daybook
import DaybookModel

let names = Set(CommandLine.arguments.dropFirst())
for area in Catalog.areas where names.isEmpty || names.contains("\(area)") {
    let others = Catalog.areas.filter { $0 != area }
    for fault in AreaCheck(area, with: others).faults { print(fault) }
}
