import Daybook

/// A network that gives scripted answers.
struct Network: Sendable {
    /// One scripted answer.
    struct Rule: Sendable {
        var id: String?
        var detail: String?
        /// The scripted answer; `nil` if the answer gets lost.
        var answer: Tree?
        var delayMs: Int64
        /// Number of times that the answer may still be used; `nil` for no limit.
        var times: Int64?

        func fits(_ effect: Effect, _ rules: InputRules) -> Bool {
            guard id == nil || id == effect.id else { return false }
            guard let detail, detail != effect.detail else { return true }
            return Digest(bits: rules.digest(detail)).description == effect.detail
        }
    }

    private var rules: [String: [Rule]] = [:]

    /// Returns a network with the default answers that flows declare.
    static func answering(
        _ flows: some Sequence<FlowDescription>
    ) throws(InputError) -> Network {
        var network = Network()
        for flow in flows where !flow.network.isEmpty {
            let tree = try YAMLParser.parse(flow.network)
            network = try Network(tree, "network", before: network)
        }
        return network
    }

    private init() {}

    /// Creates a network that tries the rules of `tree` in order, and then the rules of `other`.
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

    /// Returns the first rule that fits an effect, and counts its use; `nil` if no rule fits.
    mutating func consumeRule(for effect: Effect, _ input: InputRules) -> Rule? {
        guard var list = rules[effect.name],
            let index = list.firstIndex(where: { $0.times != 0 && $0.fits(effect, input) })
        else { return nil }
        if let times = list[index].times {
            list[index].times = times - 1
            rules[effect.name] = list
        }
        return list[index]
    }
}

extension Network.Rule {
    init(_ tree: Tree, _ path: String) throws(InputError) {
        let section = try Section(tree, path, keys: ScenarioFormat.answer)
        id = try section.text("id")
        detail = try section.text("detail")
        delayMs = try section.integer("delayMs", in: 0...86_400_000) ?? 0
        times = try section.integer("times", in: 1...1_000_000)
        let isLost = try section.boolean("lost") ?? false
        guard isLost != section.has("answer") else {
            throw InputError(
                isLost ? "is lost, so it can have no answer" : "is missing", line: tree.line,
                field: section.field("answer"))
        }
        answer = section.tree["answer"]
        if answer?.content == .null { throw .expected("an answer", tree, section.field("answer")) }
    }

    /// Returns the answer with its placeholders filled in.
    func answer(
        to effect: Effect, nowMs: Int64, _ tree: Tree
    ) throws(InputError) -> Tree {
        let values: [String: Tree] = [
            "nowMs": .plain(nowMs), "delayMs": .plain(delayMs), "id": .text(effect.id),
            "detail": .text(effect.detail),
        ]
        return try Placeholders(values, keepsLate: false).fill(tree, "network.\(effect.name)")
    }
}
