import Daybook
import DaybookInput

/// The simulated network of a scenario, which gives scripted answers to requests of flows.
struct Network: Sendable {
    /// One scripted answer, with the requests to which it applies.
    struct Rule: Sendable {
        /// The id of the request; `nil` for any id.
        var id: String?
        /// The detail of the request, or the text whose digest is the detail; `nil` for any detail.
        var detail: String?
        /// The answer as the scenario states it; `nil` if the answer gets lost.
        var answer: Tree?
        var delayMs: Int64
        /// Number of requests that the rule may still answer; `nil` for no limit.
        var remainingUses: Int64?

        /// True if the rule applies to a request.
        func matches(_ effect: Effect, _ rules: InputRules) -> Bool {
            guard id == nil || id == effect.id else { return false }
            guard let detail, detail != effect.detail else { return true }
            return Digest(bits: rules.digest(detail)).description == effect.detail
        }
    }

    /// The rules by the name of the effect that requests the answer, in the order in which they are
    /// tried.
    private var rules: [String: [Rule]] = [:]

    /// Creates a network with the default answers that flows declare.
    static func withDefaultAnswers(
        of flows: some Sequence<FlowDescription>
    ) throws(InputError) -> Network {
        var network = Network()
        for flow in flows where !flow.network.isEmpty {
            let tree = try YAMLParser.parse(flow.network)
            network = try Network(tree, "network", before: network)
        }
        return network
    }

    private init() {}

    /// Reads rules from a scenario, and puts them before the rules of `other`, to be tried first.
    init(_ tree: Tree, _ path: String, before other: Network) throws(InputError) {
        self = other
        for member in try tree.members(path) {
            let field = "\(path).\(member.key)"
            var own: [Rule] = []
            for (element, path) in try member.value.elements(field) {
                own.append(try Rule(element, path))
            }
            rules[member.key, default: []].insert(contentsOf: own, at: 0)
        }
    }

    /// Returns the first rule that matches a request, and counts one use of it; `nil` if no rule
    /// matches.
    mutating func consumeRule(for effect: Effect, _ input: InputRules) -> Rule? {
        guard var list = rules[effect.name],
            let index = list.firstIndex(where: {
                $0.remainingUses != 0 && $0.matches(effect, input)
            })
        else { return nil }
        if let uses = list[index].remainingUses {
            list[index].remainingUses = uses - 1
            rules[effect.name] = list
        }
        return list[index]
    }
}

extension Network.Rule {
    /// Reads a rule, such as `{id: a, answer: {code: 401}, delayMs: 200}`.
    init(_ tree: Tree, _ path: String) throws(InputError) {
        let section = try Section(tree, path, keys: ScenarioFormat.answer)
        id = try section.text("id")
        detail = try section.text("detail")
        delayMs = try section.integer("delayMs", in: 0...86_400_000) ?? 0
        remainingUses = try section.integer("times", in: 1...1_000_000)
        let isLost = try section.boolean("lost") ?? false
        guard isLost != section.has("answer") else {
            throw InputError(
                isLost
                    ? "an answer is not allowed together with 'lost: true'"
                    : "expected 'answer' or 'lost: true', found neither",
                line: tree.line, field: section.field("answer"))
        }
        answer = section.tree["answer"]
        if answer?.content == .null { throw .expected("an answer", tree, section.field("answer")) }
    }

    /// Returns the answer to a request, with its placeholders replaced by their values.
    func answer(to effect: Effect, nowMs: Int64, _ tree: Tree) throws(InputError) -> Tree {
        let values: [String: Tree] = [
            "nowMs": .plain(nowMs), "delayMs": .plain(delayMs), "id": .text(effect.id),
            "detail": .text(effect.detail),
        ]
        return try Placeholders(values, keepsRunTimeNames: false)
            .fill(tree, "network.\(effect.name)")
    }
}
