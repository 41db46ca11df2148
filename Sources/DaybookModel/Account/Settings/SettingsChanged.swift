package import Daybook

extension Account {
    package enum ThemeMode: UInt8, StoredEnum { case system, dark, light }
    package enum Language: UInt8, StoredEnum { case ko, en, es }
    /// The font of ordinary texts.
    package enum MainFont: UInt8, StoredEnum { case notoSans, systemSans }
    /// The font of highlighted texts.
    package enum HighlightFont: UInt8, StoredEnum { case ibmPlexSans, notoSans }
    /// The accent colour of the app.
    package enum AccentTone: UInt8, StoredEnum { case gold, teal, coral, indigo }
    /// The colour scheme of reports.
    package enum ReportColorTone: UInt8, StoredEnum { case classic, ocean, sage, sunset }
    /// The way in which a child is fed.
    package enum ChildCareProfile: UInt8, StoredEnum { case breastfeeding, formula, weaning }

    /// The tiles of the home page, in their default order.
    package enum Tile: UInt8, StoredEnum {
        case formula, breastfeed, weaning, diaper, sleep, medication, memo

        /// Tiles that the original app's server can order, in its default order.
        static let orderedBySource: [Tile] = [.formula, .sleep, .diaper, .weaning, .medication]
    }

    /// The entries of the bottom menu that a user can switch on or off.
    enum MenuEntry: UInt8, StoredEnum {
        case chat, statistics
        /// Entry that is stored, but never shown in the menu.
        case photos
        case market, community
    }

    /// A user changed settings.
    ///
    /// A setting whose field is `nil` keeps its value, as does a tile or menu entry that is not
    /// named.
    package struct SettingsChanged: EventPayload, PlainRecord {
        package static let kind: EventKind = "account.settings-changed.v1"
        package var userId = ""
        var themeMode: ThemeMode?
        var language: Language?
        var mainFont: MainFont?
        var highlightFont: HighlightFont?
        var accentTone: AccentTone?
        var reportColorTone: ReportColorTone?
        /// Way in which the child is fed.
        var childCareProfile: ChildCareProfile?
        /// True to show the special memo on the home page.
        var showSpecialMemo: Bool?
        /// Number of columns of tiles on the home page, 1 to 3.
        var homeTileColumns: Int64?
        /// Tiles that were switched on (true) or off (false), by name.
        var homeTiles: [String: Bool] = [:]
        /// Tiles in their new order, before those that are not listed; `nil` keeps the order.
        var homeTileOrder: [Tile]?
        /// Entries of the bottom menu that were switched on (true) or off (false), by name.
        var bottomMenu: [String: Bool] = [:]
        package var tags: [Tag] { [userTag(userId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "themeMode", &themeMode, "language", &language)
            try field("mainFont", &mainFont, "highlightFont", &highlightFont)
            try field("accentTone", &accentTone, "reportColorTone", &reportColorTone)
            try field("childCareProfile", &childCareProfile, "showSpecialMemo", &showSpecialMemo)
            try field("homeTileColumns", &homeTileColumns, .values(1...3))
            try field("homeTiles", &homeTiles, "homeTileOrder", &homeTileOrder)
            try field("bottomMenu", &bottomMenu)
        }
    }

    /// Changes settings of a user; the values are the app's names, such as `dark`.
    struct ChangeSettings: Command, PlainRecord {
        typealias Model = Account
        static let name = "account.change-settings"
        var userId = ""
        var themeMode: String?
        var language: String?
        var mainFont: String?
        var highlightFont: String?
        var accentTone: String?
        var reportColorTone: String?
        var childCareProfile: String?
        var showSpecialMemo: Bool?
        var homeTileColumns: Int64?
        /// Tiles to switch on or off; names of unknown tiles are ignored.
        var homeTiles: [String: Bool] = [:]
        /// Names of the tiles in their new order; `nil` keeps the order.
        var homeTileOrder: [String]?
        /// Menu entries to switch on or off; names of unknown entries are ignored.
        var bottomMenu: [String: Bool] = [:]
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "themeMode", &themeMode, "language", &language)
            try field("mainFont", &mainFont, "highlightFont", &highlightFont)
            try field("accentTone", &accentTone, "reportColorTone", &reportColorTone)
            try field("childCareProfile", &childCareProfile, "showSpecialMemo", &showSpecialMemo)
            try field("homeTileColumns", &homeTileColumns, .any)
            try field("homeTiles", &homeTiles, "homeTileOrder", &homeTileOrder)
            try field("bottomMenu", &bottomMenu, "rules", &rules)
        }

        var query: Query { .any(of: [SettingsChanged.kind], userTag(userId)) }

        func decide(_ account: State, now: Instant) throws(Refusal) -> [Event] {
            guard homeTileColumns.map({ (1...3).contains($0) }) ?? true else {
                throw Refusal("invalidSetting", "home_tile_columns must be 1, 2, or 3")
            }
            var changed = SettingsChanged(userId: userId)
            changed.themeMode = try Self.read(themeMode, "theme_mode")
            changed.language = try Self.read(language, "language")
            changed.mainFont = try Self.read(mainFont, "main_font", exactly: true)
            changed.highlightFont = try Self.read(highlightFont, "highlight_font", exactly: true)
            changed.accentTone = try Self.read(accentTone, "accent_tone")
            changed.reportColorTone = try Self.read(reportColorTone, "report_color_tone")
            changed.childCareProfile = try Self.read(childCareProfile, "child_care_profile")
            changed.showSpecialMemo = showSpecialMemo
            changed.homeTileColumns = homeTileColumns
            changed.homeTiles = homeTiles.filter { Tile(name: $0.key) != nil }
            changed.homeTileOrder = try tileOrder()
            changed.bottomMenu = bottomMenu.filter { MenuEntry(name: $0.key) != nil }
            var after = account.settings
            after.apply(changed)
            return after == account.settings ? [] : [.settingsChanged(changed)]
        }

        /// Reads the value of a setting from its name, ignoring case unless `exactly` is true.
        private static func read<Value: StoredEnum>(
            _ word: String?, _ field: String, exactly: Bool = false
        ) throws(Refusal) -> Value? {
            guard let word else { return nil }
            guard let value = Value(name: exactly ? word.trimmed : word.trimmed.lowercased()) else {
                throw Refusal(
                    "invalidSetting",
                    "\(field) must be one of: \(Value.names.joined(separator: ", "))")
            }
            return value
        }

        /// Returns the named tiles without duplicates; `nil` if the command names no order. Throws
        /// a refusal of an unknown tile or an empty order.
        private func tileOrder() throws(Refusal) -> [Tile]? {
            guard let homeTileOrder else { return nil }
            let known = rules == .source ? Tile.orderedBySource : Tile.allCases
            var order: [Tile] = []
            for name in homeTileOrder {
                guard let tile = Tile(name: name.trimmed.lowercased()), known.contains(tile) else {
                    throw Self.unknownTiles
                }
                if !order.contains(tile) { order.append(tile) }
            }
            guard !order.isEmpty else { throw Self.unknownTiles }
            return order
        }

        private static let unknownTiles = Refusal(
            "invalidSetting",
            "home_tile_order must include known tile ids only and cannot be empty")
    }
}
