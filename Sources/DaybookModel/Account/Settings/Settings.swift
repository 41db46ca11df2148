package import Daybook

extension Account {
    /// The projection of a user's settings.
    package enum Settings: Projection {
        package enum Event: EventSet {
            case settingsChanged(SettingsChanged)
            package static let kinds = [StoredKind(settingsChanged)]
        }

        package struct State: PlainRecord {
            var themeMode = ThemeMode.system
            var language = Language.ko
            var mainFont = MainFont.notoSans
            var highlightFont = HighlightFont.notoSans
            var accentTone = AccentTone.gold
            var reportColorTone = ReportColorTone.classic
            var childCareProfile = ChildCareProfile.formula
            var showSpecialMemo = true
            var homeTileColumns: Int64 = 2
            /// Visibility of each tile of the home page, by the tile's name; true if it is shown.
            var homeTiles = [
                "formula": true, "breastfeed": false, "weaning": true, "diaper": true,
                "sleep": true, "medication": true, "memo": false,
            ]
            /// Tiles of the home page in their order.
            var homeTileOrder = Tile.allCases
            /// Visibility of each entry of the bottom menu, by the entry's name; true if it is
            /// shown.
            var bottomMenu = [
                "chat": true, "statistics": true, "photos": true, "market": false,
                "community": false,
            ]
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("themeMode", &themeMode, "language", &language, "mainFont", &mainFont)
                try field("highlightFont", &highlightFont, "accentTone", &accentTone)
                try field("reportColorTone", &reportColorTone)
                try field("childCareProfile", &childCareProfile)
                try field("showSpecialMemo", &showSpecialMemo)
                try field("homeTileColumns", &homeTileColumns, "homeTiles", &homeTiles)
                try field("homeTileOrder", &homeTileOrder, "bottomMenu", &bottomMenu)
            }
        }

        package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            guard case .settingsChanged(let changed) = event else { return }
            state.apply(changed)
        }
    }

    /// The projection of a user's settings under the rules of the original app, which orders only
    /// five tiles.
    enum SourceSettings: Projection {
        static func evolve(
            _ state: inout Settings.State, with event: Settings.Event, _ envelope: Envelope
        ) {
            guard case .settingsChanged(let changed) = event else { return }
            state.apply(changed, ordering: Tile.orderedBySource)
        }
    }

    /// The projection of the app's pages and its bottom menu.
    enum Navigation: Projection {
        typealias Event = Settings.Event

        struct State: PlainRecord {
            /// Pages of the app, in order.
            var items: [NavigationItem] = NavigationItem.pages(Settings.State())
            var settings = Settings.State()
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("items", &items)
                try field.internalField("settings", &settings)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            Settings.evolve(&state.settings, with: event, envelope)
            state.items = NavigationItem.pages(state.settings)
        }
    }

    /// One page of the app.
    struct NavigationItem: PlainRecord {
        /// Index of the page in the app, from 0.
        var index: Int64 = 0
        /// Name of the page in the app's code.
        var name = ""
        /// Page that the app shows; the page named `photos` shows the settings.
        var page = ""
        /// True if the bottom menu shows the page.
        var isInMenu = false
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("index", &index, "name", &name, "page", &page, "isInMenu", &isInMenu)
        }

        /// Returns the pages of the app; the settings decide which pages the bottom menu shows.
        static func pages(_ settings: Settings.State) -> [NavigationItem] {
            let names = ["home", "chat", "statistics", "photos", "market", "community"]
            return names.enumerated().map { index, name in
                NavigationItem(
                    index: Int64(index), name: name, page: name == "photos" ? "settings" : name,
                    isInMenu: index == 0 || (name != "photos" && settings.bottomMenu[name] == true))
            }
        }
    }
}

extension Account.Settings.State {
    /// Applies changed settings; `tiles` lists the tiles that can be ordered, in default order.
    mutating func apply(
        _ changed: Account.SettingsChanged, ordering tiles: [Account.Tile] = Account.Tile.allCases
    ) {
        themeMode = changed.themeMode ?? themeMode
        language = changed.language ?? language
        mainFont = changed.mainFont ?? mainFont
        highlightFont = changed.highlightFont ?? highlightFont
        accentTone = changed.accentTone ?? accentTone
        reportColorTone = changed.reportColorTone ?? reportColorTone
        childCareProfile = changed.childCareProfile ?? childCareProfile
        showSpecialMemo = changed.showSpecialMemo ?? showSpecialMemo
        homeTileColumns = changed.homeTileColumns ?? homeTileColumns
        homeTiles.merge(changed.homeTiles) { _, new in new }
        bottomMenu.merge(changed.bottomMenu) { _, new in new }
        let order = (changed.homeTileOrder ?? homeTileOrder).filter(tiles.contains)
        // Until a user orders the tiles, each rule set applies its own default order.
        let known =
            changed.homeTileOrder == nil && homeTileOrder == Account.Tile.allCases ? [] : order
        homeTileOrder = known + tiles.filter { !known.contains($0) }
    }
}
