import Daybook

extension [Running.LocationsRecorded] {
    /// Appends a batch, and removes the places that its correction withdraws from the earlier
    /// batches; returns the withdrawn places in track order, each with the index of its batch and
    /// its index in that batch.
    @discardableResult
    package mutating func record(
        _ batch: Running.LocationsRecorded
    ) -> [(batch: Int, index: Int, point: Running.RunPoint)] {
        let withdrawn = batch.correction.map { withdraw($0) } ?? []
        append(batch)
        self[count - 1].correction = nil
        return withdrawn
    }

    /// Removes the newest places that a correction withdraws, and returns them in track order.
    private mutating func withdraw(
        _ correction: Running.TrackCorrection
    ) -> [(batch: Int, index: Int, point: Running.RunPoint)] {
        var withdrawn: [(batch: Int, index: Int, point: Running.RunPoint)] = []
        var index = count - 1
        while withdrawn.count < correction.withdrawnCount, index >= 0 {
            guard let point = self[index].points.popLast() else {
                index -= 1
                continue
            }
            withdrawn.append((index, self[index].points.count, point))
            self[index].addedMm &-= point.stepMm
            guard withdrawn.count == 1 else { continue }
            self[index].bridgeMm = Swift.max(
                0, self[index].bridgeMm &- correction.takenBackBridgeMm)
            self[index].forwardUs = Swift.max(
                0, self[index].forwardUs &- correction.takenBackForwardUs)
            self[index].movingUs = Swift.max(
                0, self[index].movingUs &- correction.takenBackMovingUs)
        }
        // A batch that lost all its places starts no segment.
        for emptied in Swift.max(1, index)..<Swift.max(1, count) where self[emptied].points.isEmpty
        {
            self[emptied].segment = self[emptied - 1].segment
        }
        return withdrawn.reversed()
    }
}
