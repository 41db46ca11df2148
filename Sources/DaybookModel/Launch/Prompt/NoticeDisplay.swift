package import Daybook

extension Launch {
    /// The notice of the config was shown.
    package struct NoticeShown: EventPayload, PlainRecord {
        package static let kind: EventKind = "launch.notice-shown.v1"
        var launchId = ""
        var noticeDigest = Digest.blank
        package var tags: [Tag] { [tag(launchId), noticeTag(noticeDigest)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "noticeDigest", &noticeDigest)
        }

        package func sentence(_ wording: Wording) -> String {
            "notice shown"
        }
    }

    /// Shows the pending notice; if the notice's period is over, records that it expired instead.
    struct ShowNotice: LaunchCommand, PlainRecord {
        static let name = "launch.show-notice"
        var launchId = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
        }

        func query(knowing state: State) -> Query { state.withConfig(query) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.runningLaunch(launchId)
            let (check, digest) = try state.pendingNotice(launchId)
            guard !check.pending.contains(.optional) || state.skip != nil else {
                throw Refusal(
                    "updateUnanswered",
                    "launch '\(launchId)' cannot show its notice before the user has skipped the "
                        + "optional update"
                )
            }
            guard !state.noticeShown, !state.noticeDismissed else { return [] }
            if let expired = state.expiredNotice(launchId, at: now) { return [expired] }
            return [.noticeShown(NoticeShown(launchId: launchId, noticeDigest: digest))]
        }
    }
}

extension Launch.State {
    /// Returns the version check and the digest of the pending notice; throws if none is pending.
    func pendingNotice(
        _ launchId: String
    ) throws(Refusal) -> (check: Launch.AppVersionChecked, digest: Digest) {
        guard let check, let digest = check.noticeDigest, check.pending.contains(.notice) else {
            throw .notPending(launchId)
        }
        return (check, digest)
    }

    /// Returns the event by which a pending notice expires unseen; `nil` if no notice expired.
    func expiredNotice(_ launchId: String, at now: Instant) -> Launch.Event? {
        guard let check, check.pending.contains(.notice), let digest = check.noticeDigest,
            !noticeShown, !noticeDismissed,
            let notice = [config, earlierConfig].compactMap({ $0?.config.notice })
                .first(where: { $0.digest == digest }),
            now > notice.end
        else { return nil }
        return .noticeDismissed(
            Launch.NoticeDismissed(launchId: launchId, noticeDigest: digest, action: .expire))
    }

    /// Returns the query, extended by the device's earlier config if the version check used that
    /// config.
    func withConfig(_ query: Query) -> Query {
        guard let check, check.fromCache, let digest = check.configDigest else { return query }
        let cached = Query.Item(
            kinds: [Launch.RemoteConfigFetched.kind],
            tags: [Launch.deviceTag(check.device), Tag("config", digest.description)])
        return query.union(Query(cached))
    }
}
