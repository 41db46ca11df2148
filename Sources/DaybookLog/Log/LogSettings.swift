import Daybook

/// The settings with which a log is opened; `EventLog.init` describes them.
struct LogSettings {
    var catalogue: Catalogue
    var clock: @Sendable () -> Instant
    var mapSize: Int?
    var writeWait: Duration
    var ignoresClockLead: Bool
    var people: PersonNouns?
    var headFile: HeadFile?
    var observer: (any LogObserver)?
    /// Where the commits go; `nil` if the file says it.
    var kind: (any LogKind)?
}
