import Daybook

extension Running.Run {
    /// Computes the totals by the rule set of the run; a completed run keeps its recorded totals.
    ///
    /// - Parameter known: the time at which the newest event occurred.
    mutating func updateTotals(known: Instant) {
        guard rules == .standard else {
            updatePaceAsSource()
            if completionCount == 0 { setTotals(sourceTotals(ended: sourceEnd(known))) }
            return
        }
        guard keptWindow == nil else {
            currentPaceMsPerKm = nil
            restMm = max(0, distanceMm &- Int64(splitsMs.count) &* 1_000_000)
            return
        }
        currentPaceMsPerKm = tracking.currentPace()
        restMm = max(0, tracking.walkedMm &- tracking.kilometreCount &* 1_000_000)
        guard completionCount == 0 else { return }
        setTotals(totals(ended: tracking.newestTime, weightG: nil))
    }

    /// Computes the totals by the formulas of the original app (S1), whatever the run's rule set.
    mutating func updateTotalsAsSource(known: Instant) {
        // S1 neither supports entered runs nor crops runs; such runs keep their recorded figures.
        if mode != .manual, keptWindow == nil {
            setTotals(sourceTotals(ended: completionCount > 0 ? ended : sourceEnd(known)))
        }
        updatePaceAsSource()
    }

    /// Returns the time at which the original app (S1) would end an active run to compute its
    /// totals.
    private func sourceEnd(_ known: Instant) -> Instant? {
        guard mode != .imported else { return tracking.newestTime }
        return tracking.newestTime.map { min($0, known) }
    }

    /// Reason why the original app's formulas (S1) do not apply to the run; `nil` if they apply.
    var sourceRefusal: String? {
        guard rules == .standard else { return nil }
        var reasons: [String] = []
        if tracking.sourceCountedPlaceCount > 0 {
            reasons.append(
                "rejected \(tracking.sourceCountedPlaceCount.counted("location point")), "
                    + "which that app counts")
        }
        if tracking.autoPauseCount > 0 {
            reasons.append("paused automatically, which that app never does")
        }
        guard !reasons.isEmpty else { return nil }
        return "there are no figures by the rules of the original app ('source'): the run "
            + reasons.joined(separator: ", and ")
    }

    /// Computes the current pace by the original app's formula (S1), and clears the splits.
    private mutating func updatePaceAsSource() {
        // S1's comment says "recent 1 km"; its code uses the last ten of at least eleven points.
        currentPaceMsPerKm =
            pointCount > 10 && keptWindow == nil ? tracking.currentPace(bridged: true) : nil
        splitsMs = []
        restMm = 0
    }

    /// Copies the totals into the run's fields of the same names.
    private mutating func setTotals(_ totals: Running.Totals) {
        distanceMm = totals.distanceMm
        wallMs = totals.wallMs
        activeMs = totals.activeMs
        movingMs = totals.movingMs
        avgPaceMsPerKm = totals.avgPaceMsPerKm
        kcal = totals.kcal
        kcalMet = totals.kcalMet
    }

    func totals(ended: Instant?, weightG: Int64?) -> Running.Totals {
        var totals = Running.Totals()
        totals.distanceMm = tracking.walkedMm
        if let started, let ended {
            totals.wallMs = Running.Formula.milliseconds(Int128(ended.microseconds(since: started)))
        }
        totals.activeMs = Running.Formula.milliseconds(activeUs(ended: ended))
        totals.movingMs =
            tracking.knowsMovingTime ? Running.Formula.milliseconds(Int128(tracking.movingUs)) : nil
        totals.derivePaceAndEnergy(weightG: weightG)
        if tracking.untimedMm > 0 {
            // Some steps lack times, so the known time does not cover the whole distance.
            totals.avgPaceMsPerKm = nil
            totals.kcalMet = nil
        }
        return totals
    }

    /// Returns the run's totals by the original app's formulas (S1), if the run ends at `ended`.
    func sourceTotals(ended: Instant?) -> Running.Totals {
        var totals = Running.Totals()
        totals.distanceMm = tracking.walkedMm &+ tracking.bridgeMm
        var elapsedUs = Int128(tracking.elapsedUs)
        if mode == .imported, let started, let ended {
            elapsedUs = Int128(ended.microseconds(since: started))
        } else if state == .running, let ended {
            elapsedUs = Int128(tracking.elapsedUs(at: ended, since: started))
        }
        totals.wallMs = Running.Formula.milliseconds(elapsedUs)
        totals.activeMs = totals.wallMs
        totals.derivePaceAndEnergy(weightG: nil)
        return totals
    }

    /// Returns the microseconds of the run without its pauses, if the run ends at `ended`.
    private func activeUs(ended: Instant?) -> Int128 {
        let before = Int128(tracking.beforeUs)
        guard mode != .imported, let stretchStart = tracking.stretchStart,
            let end = tracking.paused ?? ended
        else { return before }
        return before + Int128(end.microseconds(since: stretchStart))
    }
}

extension Running {
    /// The distance, times, pace and energy of a run.
    struct Totals: Equatable {
        var distanceMm: Int64 = 0
        var wallMs: Int64 = 0
        var activeMs: Int64 = 0
        /// Time in motion; `nil` under the rule set `source` and if the places do not tell.
        var movingMs: Int64?
        var avgPaceMsPerKm: Int64?
        var kcal: Int64 = 0
        var kcalMet: Int64?

        /// Computes pace and energy from distance and active time.
        mutating func derivePaceAndEnergy(weightG: Int64?) {
            avgPaceMsPerKm = Formula.pace(activeMs, distanceMm)
            kcal = Formula.kcal(distanceMm)
            kcalMet = weightG.map { Formula.kcalMet(distanceMm, activeMs, weightG: $0) }
        }
    }

    /// Maximum number of kilometre splits recorded per run.
    static let mostSplits: Int64 = 10_000
    /// Greatest possible distance between two places: half the circumference of the earth.
    static let longestStepMm: Int64 = 20_015_200_000
}
