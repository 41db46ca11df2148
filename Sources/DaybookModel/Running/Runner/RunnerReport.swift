package import Daybook

extension Running {
    /// The header of a runner's home screen: greeting, name and image.
    ///
    /// Source: S1, `headerView`.
    package struct Header: PlainRecord {
        /// Greeting of the original app (S1): "Hello" in Korean.
        package var greeting = "안녕하세요"
        package var displayName: String?
        /// Letter shown instead of an image: the first letter of the name, or `U` without a name;
        /// `nil` if the name was erased or personal texts cannot be read.
        package var initial: String?
        /// URL of the image; `erased` if the image was erased. `nil` without an image or if
        /// personal texts cannot be read.
        package var imageUrl: String?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("greeting", &greeting, "displayName", &displayName)
            try field("initial", &initial, "imageUrl", &imageUrl)
        }

        /// Creates the header from a runner's profile, without texts that may not be shown.
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

        init() {}

        /// Letter shown in place of an image for a runner without a name.
        private static let initialWithoutName = "U"
    }

    /// A runner's profile and totals, in the form of the source API (S0, `GET /api/users/{id}`).
    ///
    /// The answer includes the header of the original app's home screen (S1).
    package struct RunnerAnswer: PlainRecord {
        package var userId = ""
        package var rules = Rules.standard
        package var position: Int64 = 0
        package var known = Instant.epoch
        /// Name of the runner; `erased` if the name was erased. `nil` without a name or if personal
        /// texts cannot be read.
        package var name: String?
        /// URL of the image; `erased` if it was erased. `nil` without an image or if personal texts
        /// cannot be read.
        package var profileImageUrl: String?
        package var totalDistanceMm: Int64 = 0
        /// Total distance in kilometres, with one decimal.
        package var totalDistanceKm = Tenths.blank
        /// Number of completed runs that are not cancelled; the totals are those of these runs.
        package var totalRuns: Int64 = 0
        /// Total time without pauses.
        var totalActiveMs: Int64 = 0
        /// Active time in hours, minutes and seconds: `1:02:03`.
        package var totalTimeFormatted = ""
        /// Header of the app's home screen.
        package var header = Header.blank
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "rules", &rules, "position", &position)
            try field("knownUs", &known, .any)
            try field("name", &name, "profileImageUrl", &profileImageUrl)
            try field("totalDistanceMm", &totalDistanceMm, "totalDistanceKm", &totalDistanceKm)
            try field("totalRuns", &totalRuns, "totalActiveMs", &totalActiveMs)
            try field("totalTimeFormatted", &totalTimeFormatted, "header", &header)
        }
    }

    /// A report on a runner's name, image and totals.
    package struct RunnerReport: Report, PlainRecord {
        package typealias Answer = RunnerAnswer
        package typealias Model = RunnerCard
        package static let name = "runner"
        package static let summary = "A runner's name, image and totals, and the app's header"
        package static let readsPersonalTexts = true
        package static let basisFields = Running.basisFields
        package var user = ""
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("user", &user)
        }

        package var query: Query { .any(of: historyKinds, userTag(user)) }

        package func unknownEntityMessage(_ card: RunnerCard.State) -> String? {
            card == .blank ? "nothing is known of a runner '\(user)'" : nil
        }

        package func answer(
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
    /// Returns the recorded name, or `erased` if it was erased; `nil` if texts cannot be read.
    func shownName(_ context: ReportContext) -> String? {
        context.opensTexts ? name ?? Self.erased : nil
    }

    /// Returns the image URL, or `erased`; `nil` without an image or if texts cannot be read.
    func shownImage(_ context: ReportContext) -> String? {
        context.opensTexts && hasImage ? imageUrl ?? Self.erased : nil
    }

    /// Text shown in place of an erased text.
    private static var erased: String { "erased" }
}
