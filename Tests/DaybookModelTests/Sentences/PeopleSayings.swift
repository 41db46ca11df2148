import Daybook

@testable import DaybookModel

extension Running {
    static let sayings: [Saying] = [
        Saying(
            RunStarted(
                mode: .imported, started: Saying.seoul("13:30"), title: PersonalText("Morning")),
            #"run started at 13:30, from a file: "Morning""#),
        Saying(RunStarted(started: Saying.seoul("14:00")), "run started"),
        Saying(
            LocationsRecorded(
                points: [RunPoint(), RunPoint()], addedMm: 850_400, rejected: [RejectedPoint()]),
            "2 places, 850 m, 1 rejected"),
        Saying(
            RunPaused(cause: .auto, paused: Saying.seoul("14:00")),
            "run paused, the runner stands still"),
        Saying(RunResumed(resumed: Saying.seoul("14:02")), "run resumed at 14:02"),
        Saying(
            RunCompleted(
                wallMs: 1_700_000, activeMs: 1_650_000, distanceMm: 5_000_000,
                avgPaceMsPerKm: 330_000, kcal: 300), "run 5.0 km in 27 min 30 s, 5:30 /km, 300 kcal"
        ),
        Saying(
            RunCropped(isPart: true, activeMs: 600_000, distanceMm: 1_995_000),
            "run cropped to 2.0 km in 10 min"),
        Saying(RunCropped(isPart: false, distanceMm: 12_300), "crop undone: 12 m"),
        Saying(
            RunCancelled(reason: SealableText("wrong watch")),
            #"run cancelled: "wrong watch""#),
        Saying(
            RunRestored(started: Saying.seoul("08:00", day: 2)),
            "run at 2026-03-02 08:00 restored"),
        Saying(RunDiscarded(reason: .tooShort), "run discarded: too short"),
        Saying(RunSaved(), "run saved on the server"),
        Saying(
            RunSaveFailed(attempt: 2, kind: .timeout, detail: SealableText("slow")),
            #"run not saved: no answer in time, attempt 2, "slow""#),
        Saying(
            CopyRecorded(shiftMs: -7_200_000, pointCount: 120),
            "copy of a run left out: 120 places, 2 h earlier"),
        Saying(
            RunnerProfileChanged(name: PersonalText("Ann"), weightG: 70_500),
            "runner's profile changed: Ann, 70.5 kg"),
        Saying(
            RankingWeekClosed(week: "2026-W08", rows: [RankedRunner()]),
            "ranking of 2026-W08 closed: 1 runner"),
    ]
}

extension Chat {
    static let sayings: [Saying] = [
        Saying(RoomEntered(), "room entered"), Saying(RoomLeft(), "room left"),
        Saying(PageRequested(next: "c"), "older messages requested"),
        Saying(PageLoaded(messageIds: ["1", "2"]), "2 messages loaded, back to the oldest"),
        Saying(PageFailed(), "no answer: messages not loaded"),
        Saying(
            MessageAppended(
                author: "ann", userId: "ann", via: .push, sent: Saying.seoul("13:58"),
                text: PersonalText("hi"),
                imageCount: 2), #"own message by push: "hi", 2 images, sent at 13:58"#),
        Saying(MessageRepeated(via: .rest), "message loaded again"),
        Saying(MessageSent(text: PersonalText("hi")), #"message sent: "hi""#),
        Saying(UnreadCleared(), "messages of all rooms read"),
        Saying(
            UnreadCleared(roomId: "r", uptoSent: Saying.seoul("13:58")),
            "messages read up to that of 13:58"),
        Saying(UnreadCountSet(count: 1), "1 unread message in the room"),
        Saying(SessionOpened(childId: "b"), "chat with the AI opened about a baby"),
        Saying(SessionClosed(cause: .replaced), "chat with the AI closed: replaced by a new one"),
        Saying(
            SessionMessageAdded(
                role: .assistant, text: PersonalText("Well."), model: "gpt", totalTokens: 340),
            #"answer: "Well.", gpt, 340 tokens"#),
        Saying(
            SessionMessageAdded(
                role: .user, text: PersonalText("How much?"), intent: .dataQuery, scope: Scope()),
            #"question: "How much?", data query, the last 72 h"#),
        Saying(AnswerFailed(reason: .timedOut), "no answer from the AI: not in time"),
    ]
}

extension Shop {
    static let sayings: [Saying] = [
        Saying(
            CartItemAdded(
                menuId: "latte", size: "large", quantity: 2, unitPriceMinor: 450, currency: "EUR"),
            "2 × latte added to the cart: large, 4.50 EUR each"),
        Saying(
            CartItemQuantityChanged(menuId: "latte", size: "large", quantity: 3),
            "3 × latte, large now in the cart"),
        Saying(CartItemQuantityChanged(menuId: "latte"), "latte removed from the cart"),
        Saying(CartCleared(reason: .ordered), "cart cleared: ordered"),
        Saying(
            OrderPlaced(
                lines: [Line(menuId: "latte", quantity: 2)], totalMinor: 9_000, currency: "KRW"),
            "order placed: 2 dishes, 9000 KRW"),
        Saying(
            OrderStatusChanged(from: .approved, to: .inProgress), "order in progress, was approved"),
        Saying(PaymentMade(amountMinor: 9_000, currency: "KRW"), "9000 KRW paid"),
        Saying(PaymentVerified(), "payment verified"),
        Saying(RefundDue(amountMinor: 900, currency: "EUR"), "refund due: 9.00 EUR"),
        Saying(
            PaymentFailed(noResponse: true, message: PersonalText("late")),
            #"payment failed: no response, "late""#),
    ]
}

extension Account {
    static let sayings: [Saying] = [
        Saying(
            CreditsGranted(month: "2026-02", amount: 100, balanceAfter: 110),
            "100 credits granted for 2026-02, balance 110"),
        Saying(CreditsReserved(amount: 1, balanceAfter: 109), "1 credit reserved, balance 109"),
        Saying(CreditGraceUsed(day: "2026-02-20"), "free answer of 2026-02-20 used"),
        Saying(
            CreditsCharged(totalTokens: 1_200, amount: 5, balanceAfter: -1),
            "5 credits charged for 1200 tokens, balance -1"),
        Saying(CreditsCharged(totalTokens: 1_200), "free answer: 1200 tokens"),
        Saying(CreditsReleased(amount: 5, balanceAfter: 4), "5 credits given back, balance 4"),
        Saying(
            SubscriptionChanged(plan: .aiPhoto, status: .pastDue),
            "subscription to AI and photos: past due"),
        Saying(
            SettingsChanged(themeMode: .dark, showSpecialMemo: true, homeTiles: ["sleep": false]),
            "settings changed: theme mode dark, show special memo, home tiles 1"),
    ]
}

extension Assistant {
    static let sayings: [Saying] = [
        Saying(
            ActionReceived(
                query: PersonalText("분유 120"), source: "siri", route: .record,
                reading: ActionValues(tile: .formula, amountMl: 120)),
            #"request from siri: "분유 120", formula 120 ml, recorded at once"#),
        Saying(ActionTaken(entryId: "e1"), "request handled: entry recorded"),
    ]
}
