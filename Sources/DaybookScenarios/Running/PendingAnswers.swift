import Daybook

/// A queue of answers that have not arrived yet, sorted by time.
///
/// Answers due at the same time keep the order of their requests.
struct PendingAnswers {
    struct Answer {
        var due: Instant
        var flow: String
        var effect: Effect
        var rule: Network.Rule
        var origin: StepOrigin
        fileprivate var sequence = 0

        init(
            due: Instant, flow: String, effect: Effect, rule: Network.Rule, origin: StepOrigin
        ) {
            self.due = due
            self.flow = flow
            self.effect = effect
            self.rule = rule
            self.origin = origin
        }

        fileprivate func isBefore(_ other: Answer) -> Bool {
            (due, sequence) < (other.due, other.sequence)
        }
    }

    /// A binary heap: the answer at index *i* is due before the answers at *2i + 1* and *2i + 2*.
    private var heap: [Answer] = []
    private var sequence = 0

    var next: Instant? { heap.first?.due }

    mutating func add(_ answer: Answer) {
        var answer = answer
        sequence += 1
        answer.sequence = sequence
        heap.append(answer)
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() -> Answer {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child].isBefore(heap[smallest]) { smallest = child }
            }
            guard smallest != index else { return first }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }

    mutating func removeAll() { heap = [] }
}
