import Daybook

/// The answer of a network script or a server to an app's request for the config.
enum ConfigAnswer {
    case config(Launch.Config.Parsed, latencyMs: Int64)
    /// A failed fetch; its launch id is still empty.
    case failure(Launch.RemoteConfigFetchFailed)

    /// Latency assumed for an answer that states none: the delay of the original app's mock server
    /// (S0).
    private static let usualLatencyMs: Int64 = 500

    /// Parses either `{body, status?, latencyMs?}` or `{failure, status?, detail?, latencyMs?}`.
    init(_ tree: Tree, _ rules: InputRules) throws(InputError) {
        guard case .map(let members) = tree.content else {
            throw InputError(
                "expected an object as the answer to the config request, found \(tree.noun)",
                line: tree.line)
        }
        let outer = members.filter { $0.key != "body" }
        let answer: Answer = try TreeReader.read(
            from: Tree(.map(outer), line: tree.line), rules: rules)
        var failed = Launch.RemoteConfigFetchFailed(
            launchId: "", kind: answer.failure ?? .http, httpStatus: answer.status,
            detail: answer.detail ?? "", latencyMs: answer.latencyMs ?? Self.usualLatencyMs)
        guard let body = tree["body"] else {
            guard answer.failure != nil else {
                throw InputError(
                    "expected 'body' or 'failure' in the answer to the config request, found neither",
                    line: tree.line)
            }
            self = .failure(failed)
            return
        }
        guard answer.failure == nil else {
            throw InputError(
                "expected either 'body' or 'failure' in the answer to the config request, found both",
                line: tree.line)
        }
        if let status = answer.status, !(200..<300).contains(status) {
            if failed.detail.isEmpty { failed.detail = "HTTP \(status)" }
            self = .failure(failed)
        } else {
            self = .config(
                try Launch.Config.parse(body, field: "body", rules: rules),
                latencyMs: failed.latencyMs)
        }
    }
}

extension ConfigAnswer {
    /// The members of the answer other than `body`.
    private struct Answer: PlainRecord {
        /// Cause of a failed fetch.
        var failure: Launch.FetchFailure?
        /// HTTP status of the answer.
        var status: Int64?
        /// Error message of a failed fetch.
        var detail: String?
        /// Time from the request to the answer; `nil` means 500 ms.
        var latencyMs: Int64?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("failure", &failure)
            try field("status", &status, .httpStatus)
            try field("detail", &detail)
            try field("latencyMs", &latencyMs, .spanMs)
        }
    }
}
