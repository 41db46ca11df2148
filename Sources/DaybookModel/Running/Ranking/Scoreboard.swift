import Daybook

extension Running {
    /// The scores of all runners in one week.
    ///
    /// A score is the total distance of the runs that start in the week, rounded down to whole
    /// metres once. Runners with a score of 0 are left out.
    struct Scoreboard {
        /// User ids of the runners; the index of an id in this array is the runner's number.
        private var users: [String] = []
        /// Runner numbers, by user id.
        private var numbers: [String: Int] = [:]
        /// Total distances of the runners in the week, by runner number.
        private var sumsMm: [Int64] = []
        /// Index in `ends` of the last run added for each runner, by runner number; -1 for none.
        private var newestRunIndices: [Int] = []
        /// Ends and distances of the runs; `next` is the index of the runner's run before, or -1.
        private var ends: [(ended: Instant, distanceMm: Int64, next: Int)] = []

        /// Computes the scores from the runs that start from `start` until before `end`.
        init(_ standings: Standings, from start: Instant, to end: Instant) {
            numbers.reserveCapacity(standings.runs.count / 2)
            let runs = standings.runs.contents
            // A run completed several times counts once, by its last completion that starts in the
            // week. The result is the same if runs of other weeks are loaded too.
            var last: [String: Int64] = [:]
            let repeated = standings.lastCompletionPositions
            for index in repeated.isEmpty ? 0..<0 : runs.indices
            where repeated[runs[index].runId] != nil {
                guard let started = runs[index].started, start <= started, started < end
                else { continue }
                last[runs[index].runId] = runs[index].position
            }
            for index in runs.indices {
                guard let started = runs[index].started, start <= started,
                    started < end, runs[index].distanceMm > 0, standings.counts(runs[index])
                else { continue }
                if !last.isEmpty, let last = last[runs[index].runId], last != runs[index].position {
                    continue
                }
                add(runs[index], started)
            }
        }

        /// Adds a run to the total of its runner.
        private mutating func add(_ run: borrowing ScoredRun, _ started: Instant) {
            let number: Int
            if let known = numbers[run.userId] {
                number = known
            } else {
                number = users.count
                numbers[run.userId] = number
                users.append(run.userId)
                sumsMm.append(0)
                newestRunIndices.append(-1)
            }
            sumsMm[number] = Self.sum(sumsMm[number], run.distanceMm)
            ends.append((run.ended ?? started, run.distanceMm, newestRunIndices[number]))
            newestRunIndices[number] = ends.count - 1
        }

        /// Returns the sum, or the greatest 64-bit integer, which still ranks first, on overflow.
        private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
            let (sum, isTooMuch) = a.addingReportingOverflow(b)
            return isTooMuch ? .max : sum
        }

        /// Returns the score, in whole metres, of the runner with the given number.
        private func scoreM(_ number: Int) -> Int64 { sumsMm[number] / 1_000 }
        var count: Int { users.indices.count { scoreM($0) > 0 } }

        /// Returns the score in whole metres; `nil` for a runner without a score.
        func score(of userId: String) -> Int64? {
            numbers[userId].map(scoreM).flatMap { $0 > 0 ? $0 : nil }
        }

        var runners: [String] { users.indices.filter { scoreM($0) > 0 }.map { users[$0] } }
    }
}

extension Running.Scoreboard {
    /// Returns the rows of the ranking, best first, but at most `limit` of them. Equal scores share
    /// a rank, and the following ranks are skipped: 1, 2, 2, 4. Among equal scores the runner who
    /// reached the score first comes first, then the smaller id by its bytes.
    func rows(first limit: Int = .max) -> [Running.RankedRunner] {
        var numbers = users.indices.filter { scoreM($0) > 0 }
        if limit < numbers.count {
            // Runners with the same score as the last row are kept for the tie-break.
            let least = least(ofTop: limit, numbers)
            numbers.removeAll { scoreM($0) < least }
        }
        var rows = numbers.map { number in
            Running.RankedRunner(
                userId: users[number], rank: 0, scoreM: scoreM(number), achieved: achieved(number))
        }
        rows.sort { a, b in
            if a.scoreM != b.scoreM { return a.scoreM > b.scoreM }
            if a.achieved != b.achieved { return a.achieved < b.achieved }
            return a.userId.precedesByBytes(b.userId)
        }
        if limit < rows.count { rows.removeSubrange(limit...) }
        for index in rows.indices {
            let isLevel = index > 0 && rows[index].scoreM == rows[index - 1].scoreM
            rows[index].rank = isLevel ? rows[index - 1].rank : Int64(index + 1)
        }
        return rows
    }

    /// Returns the rank of each given user among all runners; `nil` for a user without a score.
    func ranks(of userIds: [String]) -> [Int64?] {
        let asked = userIds.map { score(of: $0) }
        var scores = asked.compactMap(\.self).sorted()
        scores.removeRepeated()
        // above[i]: number of runners whose score exceeds i of `scores`.
        var above = Array(repeating: Int64(0), count: scores.count + 1)
        for number in users.indices where scoreM(number) > 0 {
            above[scores.countBelow(scoreM(number))] += 1
        }
        for index in above.indices.dropLast().reversed() { above[index] += above[index + 1] }
        return asked.map { score in score.map { above[scores.countBelow($0) + 1] + 1 } }
    }

    /// Returns the end of the run with which the runner with the given number reached the score.
    private func achieved(_ number: Int) -> Instant {
        var runs: [(ended: Instant, distanceMm: Int64)] = []
        var index = newestRunIndices[number]
        while index >= 0 {
            runs.append((ends[index].ended, ends[index].distanceMm))
            index = ends[index].next
        }
        guard runs.count > 1 else { return runs.first?.ended ?? .epoch }
        runs.sort { $0 < $1 }
        var sumMm: Int64 = 0
        for run in runs {
            sumMm = Self.sum(sumMm, run.distanceMm)
            if sumMm / 1_000 >= scoreM(number) { return run.ended }
        }
        return runs[runs.count - 1].ended
    }

    /// Returns the lowest of the `count` greatest scores. Uses a min-heap of `count` elements.
    private func least(ofTop count: Int, _ numbers: [Int]) -> Int64 {
        guard count > 0 else { return .max }
        var heap: [Int64] = []
        heap.reserveCapacity(count)
        for number in numbers {
            let score = scoreM(number)
            if heap.count < count {
                heap.append(score)
                var child = heap.count - 1
                while child > 0, heap[child] < heap[(child - 1) / 2] {
                    heap.swapAt(child, (child - 1) / 2)
                    child = (child - 1) / 2
                }
            } else if score > heap[0] {
                heap[0] = score
                heap.siftDownFirst()
            }
        }
        return heap[0]
    }
}

extension [Int64] {
    /// Removes each element that equals the element before it.
    fileprivate mutating func removeRepeated() {
        var kept = 0
        for index in indices where index == 0 || self[index] != self[kept - 1] {
            self[kept] = self[index]
            kept += 1
        }
        removeSubrange(kept...)
    }

    /// Returns the number of elements less than `value` in this ascending array.
    fileprivate func countBelow(_ value: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Sifts the first element of a min-heap down to its place.
    fileprivate mutating func siftDownFirst() {
        var parent = 0
        while 2 * parent + 1 < count {
            var child = 2 * parent + 1
            if child + 1 < count, self[child + 1] < self[child] { child += 1 }
            guard self[child] < self[parent] else { return }
            swapAt(child, parent)
            parent = child
        }
    }
}
