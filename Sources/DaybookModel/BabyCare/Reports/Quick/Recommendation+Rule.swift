import Daybook

extension BabyCare.Recommendation {
    /// Creates a recommendation by the rule of the original app's server; not medical advice.
    ///
    /// - Parameters:
    ///   - ageDays: the number of completed days since birth.
    ///   - weightG: the last weight in grams; `nil` uses the usual weight at this age.
    package init(ageDays: Int64, weightG: Int64?, method: Household.FeedingMethod) {
        let age = max(0, ageDays)
        self.init()
        self.ageDays = age
        self.method = method
        let band = [30, 90, 180, 365].firstIndex { age <= $0 } ?? 4
        weightIsAssumed = weightG == nil
        self.weightG = weightG ?? [4_000, 5_500, 7_000, 8_500, 10_000][band]
        intervalMin =
            switch method {
            case .breastmilk: age <= 60 ? 150 : 180
            case .mixed: age <= 60 ? 180 : 210
            case .formula: age <= 30 ? 180 : age <= 180 ? 210 : 240
            }
        let percent: Int64 =
            switch method {
            case .formula: 100
            case .mixed: 55
            case .breastmilk: 0
            }
        guard percent > 0 else { return }
        let clampedG = min(max(self.weightG, 2_000), 25_000)
        let mlPerKgDay = [150, 135, 120, 105, 90] as [Int64]
        // Hundred-thousandths of a millilitre per day, so that only the result is rounded.
        let daily = clampedG * mlPerKgDay[band] * percent
        dailyMl = Tenths.rounded(daily, 100_000)
        let most = [90, 150, 210, 240, 240] as [Int64]
        let fives = Tenths.rounded(daily * intervalMin, 1_440 * 100_000 * 5)
        perFeedMl = min(max(fives * 5, 30), most[band])
    }
}

extension BabyCare.Reporter {
    /// Returns the original app's recommendation for a day; `nil` if the birth date is unknown.
    func recommendation(on date: CivilDate) -> BabyCare.Recommendation? {
        guard let birth = profile.birthDate.flatMap({ CivilDate(text: $0) }) else { return nil }
        let end = window(of: date).end
        let weighed = entries.last {
            $0.kind == .growth && $0.isCounted && $0.value.massMg != nil && $0.started < end
        }
        let weightG = weighed?.value.massMg.map { Tenths.rounded($0, 1_000) } ?? profile.weightG
        return BabyCare.Recommendation(
            ageDays: Int64(date.daysSince1970 - birth.daysSince1970), weightG: weightG,
            method: profile.feedingMethod ?? .formula)
    }
}
