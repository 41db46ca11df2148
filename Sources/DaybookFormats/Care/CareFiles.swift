import Daybook
import DaybookModel

/// Registers the formats in which care entries are imported and exported.
enum CareFiles: FileFormats {
    /// Import formats, one for each app whose exports can be read.
    static let imports = BabyCare.FileFormat.allCases.map(description)
    /// Export formats; the only one is BabyAI's CSV.
    static let exports = [ExportDescription(EntryFile.self)]
    /// HTTP endpoints that export entries; from the router of 2026-02-21 (S4).
    static let routes = [
        RouteDescription(
            .get, "/api/v1/data/export.csv", in: "S4", serves: .export("babyai-csv"),
            .command(BabyCare.DataExported.name))
    ]

    /// The option `--baby`, which names the baby that the imported entries belong to.
    private static let baby = FileOption.id("baby", "The baby, for a file of care entries.")
    /// The option `--amount-unit`, which names the unit of amounts in a Baby Buddy file.
    private static let amountUnit = FileOption(
        "amount-unit", .choice(["ml", "oz"]),
        "The unit of amounts in a Baby Buddy file, which has none.")
    /// The option `--date-order`, which tells the day from the month in dates like 4/3/26.
    private static let dateOrder = FileOption(
        "date-order", value: "order", .choice(["auto", "mdy", "dmy"]),
        "The order of dates like 4/3/26 in Baby Tracker files; auto takes the one that fits all.")

    /// The option `--child`, which chooses one child of a file with several.
    private static let child = FileOption(
        "child", .text,
        "The child of the file that is the baby, by its id or name; a file of several needs it.")

    /// Returns the import format with its options and the function that reads a file.
    private static func description(_ format: BabyCare.FileFormat) -> ImportDescription {
        ImportDescription(
            format.name, summary(format), subject: baby, options: options(format),
            zone: .needed(projection: "profile", field: "zone")
        ) { source in
            guard let (_, zone) = source.zone else {
                throw InputError(
                    "the file has local times in an unknown time zone; name the zone with --zone",
                    line: 1)
            }
            var settings = CareFile.Settings()
            settings.amountUnit = source.options[amountUnit] == "oz" ? .oz : .ml
            settings.dateOrder = source.options[dateOrder].flatMap(CareFile.DateOrder.init)
            settings.fileName = source.fileName
            let bytes = try source.bytes()
            let file = try CareFile.read(
                bytes, as: format, zone: zone, settings, zones: source.zones, rules: source.rules
            ).choosing(child: source.options[child])
            return EntryImport(
                babyId: source.subject, format: format, file: file, zone: zone, by: source.by,
                bytes: bytes)
        }
    }

    /// Returns the options of `import` that a format uses, besides `--baby`.
    private static func options(_ format: BabyCare.FileFormat) -> [FileOption] {
        switch format {
        case .babyBuddy: [child, amountUnit]
        case .babyTracker: [child, dateOrder]
        case .babyConnect, .huckleberry, .babyAI, .nara: [child]
        }
    }

    /// Returns the line that help texts show for a format.
    private static func summary(_ format: BabyCare.FileFormat) -> String {
        switch format {
        case .babyConnect: "A baby's entries, as Baby Connect exports them."
        case .huckleberry: "A baby's entries, as Huckleberry exports them."
        case .babyBuddy: "A baby's entries, in the forms that Baby Buddy imports."
        case .babyAI: "A baby's entries, as BabyAI exports them."
        case .nara: "A baby's entries, as Nara exports them."
        case .babyTracker:
            "A baby's entries, as Baby Tracker (Nighp) exports them, a file for each kind."
        }
    }
}
