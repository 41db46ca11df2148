import Daybook

extension Running {
    /// The scores of a week.
    ///
    /// A score is the sum of the runs that start in the week, in whole metres, cut off once. Runners
    /// without one are left out.
    struct Scoreboard {
        private var users: [String] = []
        private var numbers: [String: Int] = [:]
        private var sumsMm: [Int64] = []
        /// The runs of each user, as a chain through `ends`.
        private var firstOf: [Int] = []
        private var ends: [(ended: Instant, distanceMm: Int64, next: Int)] = []

        init(_ standings: Standings, from start: Instant, to end: Instant) {
            numbers.reserveCapacity(standings.runs.count / 2)
            let runs = standings.runs.contents
            // A run that was completed again counts once, by the last completion that starts in the
            // week: whoever knows other weeks too counts the same.
            var last: [String: Int64] = [:]
            let repeated = standings.lastCompletions
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
                if !last.isEmpty, let last = last[runs[index].runId],
                    last != runs[index].position
                {
                    continue
                }
                add(runs[index], started)
            }
        }

        private mutating func add(_ run: borrowing ScoredRun, _ started: Instant) {
            let number: Int
            if let known = numbers[run.userId] {
                number = known
            } else {
                number = users.count
                numbers[run.userId] = number
                users.append(run.userId)
                sumsMm.append(0)
                firstOf.append(-1)
            }
            sumsMm[number] = Self.sum(sumsMm[number], run.distanceMm)
            ends.append((run.ended ?? started, run.distanceMm, firstOf[number]))
            firstOf[number] = ends.count - 1
        }

        /// Saturates, so that an impossible sum is not ranked below the possible ones.
        private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
            let (sum, isTooMuch) = a.addingReportingOverflow(b)
            return isTooMuch ? .max : sum
        }

        private func scoreM(_ number: Int) -> Int64 { sumsMm[number] / 1_000 }

        /// Number of runners with a score.
        var count: Int { users.indices.count { scoreM($0) > 0 } }

        func score(of userId: String) -> Int64? {
            numbers[userId].map(scoreM).flatMap { $0 > 0 ? $0 : nil }
        }

        /// The runners with a score.
        var runners: [String] { users.indices.filter { scoreM($0) > 0 }.map { users[$0] } }
    }
}

extension Running.Scoreboard {
    /// The ranking, or its first rows.
    ///
    /// Equal scores share a rank, and the next rank is as many later; the earlier achievement
    /// comes first, then the smaller id by its bytes.
    func rows(first limit: Int = .max) -> [Running.RankedRunner] {
        var numbers = users.indices.filter { scoreM($0) > 0 }
        if limit < numbers.count {
            // Runners level with the last one are compared too.
            let least = least(ofTop: limit, numbers)
            numbers.removeAll { scoreM($0) < least }
        }
        var rows = numbers.map { number in
            Running.RankedRunner(
                userId: users[number], rank: 0, scoreM: scoreM(number),
                achieved: achieved(number))
        }
        rows.sort { a, b in
            if a.scoreM != b.scoreM { return a.scoreM > b.scoreM }
            if a.achieved != b.achieved { return a.achieved < b.achieved }
            return a.userId.utf8.lexicographicallyPrecedes(b.userId.utf8)
        }
        if limit < rows.count { rows.removeSubrange(limit...) }
        for index in rows.indices {
            let isLevel = index > 0 && rows[index].scoreM == rows[index - 1].scoreM
            rows[index].rank = isLevel ? rows[index - 1].rank : Int64(index + 1)
        }
        return rows
    }

    /// The ranks of some users among all; a user without a score has none.
    func ranks(of userIds: [String]) -> [String: Int64] {
        var known: [String: Int64] = [:]
        for userId in userIds { known[userId] = score(of: userId) }
        let scores = Set(known.values).sorted()
        // Number of scores above as many of the known ones.
        var above = Array(repeating: Int64(0), count: scores.count + 1)
        for number in users.indices where scoreM(number) > 0 {
            above[scores.countBelow(scoreM(number))] += 1
        }
        for index in above.indices.dropLast().reversed() { above[index] += above[index + 1] }
        return known.mapValues { above[scores.countBelow($0) + 1] + 1 }
    }

    /// The end of the run that reached the score.
    private func achieved(_ number: Int) -> Instant {
        var runs: [(ended: Instant, distanceMm: Int64)] = []
        var index = firstOf[number]
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

    /// The least of the greatest scores, `count` of them: a heap of so many, its least on top.
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
                heap.sink()
            }
        }
        return heap[0]
    }
}

extension [Int64] {
    /// Number of elements of this ascending array that are less than `value`.
    fileprivate func countBelow(_ value: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Brings the first element of a heap to its place.
    fileprivate mutating func sink() {
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
