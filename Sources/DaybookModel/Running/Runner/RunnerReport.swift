public import Daybook

extension Running {
    /// The head of the app's home.
    ///
    /// Source: S1, `headerView`.
    public struct Header: Record {
        public var greeting = "안녕하세요"
        /// `nil` where a name is recorded and personal texts are closed; `erased` where it was.
        public var displayName: String?
        /// The letter that replaces a missing image: the first of the name, `U` without one.
        public var initial: String?
        /// `nil` without an image, or where personal texts are closed; `erased` where it was.
        public var imageUrl: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("greeting", &greeting, "displayName", &displayName)
            try field("initial", &initial, "imageUrl", &imageUrl)
        }

        init(_ card: RunnerCard.State, _ context: ReportContext) {
            guard card.runner.isNamed else {
                displayName = Running.defaultName
                initial = Self.initialWithoutName
                imageUrl = card.shownImage(context)
                return
            }
            imageUrl = card.shownImage(context)
            displayName = card.shownName(context)
            initial = context.opensTexts ? card.name?.first.map { String($0) } : nil
        }

        private init() {}

        private static let initialWithoutName = "U"
    }

    /// A runner as S0's `GET /api/users/{id}` answers, and S1's header.
    public struct RunnerAnswer: Record {
        public var userId = ""
        public var rules = Rules.standard
        public var position: Int64 = 0
        public var known = Instant.epoch
        /// `nil` without a name, or where personal texts are closed; `erased` where it was.
        public var name: String?
        public var profileImageUrl: String?
        public var totalDistanceMm: Int64 = 0
        public var totalDistanceKm = Tenths.blank
        public var totalRuns: Int64 = 0
        public var totalActiveMs: Int64 = 0
        /// Hours, minutes and seconds.
        public var totalTimeFormatted = ""
        public var header = Header.blank
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "rules", &rules, "position", &position)
            try field("knownUs", &known, .any)
            try field("name", &name, "profileImageUrl", &profileImageUrl)
            try field("totalDistanceMm", &totalDistanceMm, "totalDistanceKm", &totalDistanceKm)
            try field("totalRuns", &totalRuns, "totalActiveMs", &totalActiveMs)
            try field("totalTimeFormatted", &totalTimeFormatted, "header", &header)
        }
    }

    /// The question who a runner is.
    public struct RunnerReport: Report {
        public typealias Answer = RunnerAnswer
        public typealias Model = RunnerCard
        public static let name = "runner"
        public static let summary = "A runner's name, image and totals, and the app's header"
        public static let readsPersonalTexts = true
        public static let basisFields = Running.basisFields
        public var user = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("user", &user)
        }

        public var query: Query { .any(of: historyKinds, userTag(user)) }

        public func unknown(_ card: RunnerCard.State) -> String? {
            card == .blank ? "nothing is known of a runner '\(user)'" : nil
        }

        public func answer(
            _ card: RunnerCard.State, _ context: ReportContext
        ) throws(ReportError) -> RunnerAnswer {
            try context.requireStandardRuns()
            return RunnerAnswer(
                userId: user, rules: Rules(context.rules),
                position: Int64(context.position.rawValue), known: context.knownAt,
                name: card.runner.isNamed ? card.shownName(context) : nil,
                profileImageUrl: card.shownImage(context),
                totalDistanceMm: card.runner.totalDistanceMm,
                totalDistanceKm: Running.kilometres(card.runner.totalDistanceMm),
                totalRuns: card.runner.totalRuns, totalActiveMs: card.runner.totalActiveMs,
                totalTimeFormatted: Running.clockText(card.runner.totalActiveMs),
                header: Header(card, context))
        }
    }
}

extension Running.RunnerCard.State {
    /// The recorded name; `nil` where personal texts are closed.
    func shownName(_ context: ReportContext) -> String? {
        context.opensTexts ? name ?? Self.erased : nil
    }

    /// The recorded image; `nil` without one, or where personal texts are closed.
    func shownImage(_ context: ReportContext) -> String? {
        context.opensTexts && hasImage ? imageUrl ?? Self.erased : nil
    }

    private static var erased: String { "erased" }
}
