import Daybook

/// A queue of scripted answers that have not arrived yet, ordered by the time when they are due.
///
/// Answers due at the same time keep the order of their requests.
struct PendingAnswers {
    /// A scripted answer that will arrive in the future.
    struct Answer {
        /// Time at which the answer arrives.
        var due: Instant
        /// Name of the flow that requested the effect and receives the answer.
        var flow: String
        var effect: Effect
        var rule: Network.Rule
        /// The step of the scenario that caused the request.
        var origin: StepOrigin
        /// Number of the request, from 1; orders the answers that are due at the same time.
        fileprivate var requestNumber = 0

        init(due: Instant, flow: String, effect: Effect, rule: Network.Rule, origin: StepOrigin) {
            self.due = due
            self.flow = flow
            self.effect = effect
            self.rule = rule
            self.origin = origin
        }

        fileprivate func isBefore(_ other: Answer) -> Bool {
            (due, requestNumber) < (other.due, other.requestNumber)
        }
    }

    /// A binary heap: the answer at index *i* is due before the answers at *2i + 1* and *2i + 2*.
    private var heap: [Answer] = []
    /// Number of answers added so far, including those that have been removed.
    private var addedCount = 0

    /// Time at which the next answer arrives; `nil` if none is pending.
    var nextDue: Instant? { heap.first?.due }

    mutating func add(_ answer: Answer) {
        var answer = answer
        addedCount += 1
        answer.requestNumber = addedCount
        heap.append(answer)
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes and returns the answer that arrives next. The queue must not be empty.
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
