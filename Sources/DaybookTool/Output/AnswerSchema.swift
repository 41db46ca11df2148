import Daybook

/// The JSON that commands print, as `schema` lists it.
///
/// A form is one of those of fields, or `time` for an RFC 3339 text, `position` for the position of
/// an event, and `value` for any JSON. A form with `?` may be null or left out.
struct AnswerSchema {
    /// The command, and a word for one of several kinds of lines: `transitions.stay`.
    let name: String
    let summary: String
    let fields: [FieldDescription]

    private init(_ name: String, _ summary: String, _ fields: [FieldDescription]...) {
        self.name = name
        self.summary = summary
        self.fields = fields.flatMap(\.self)
    }

    /// Fields written as `name form, name form`.
    private static func fields(_ text: String) -> [FieldDescription] {
        text.split(separator: ",").map { field in
            let words = field.split(separator: " ")
            return FieldDescription(name: String(words[0]), form: String(words[1]))
        }
    }

    private static func objects(_ name: String, _ text: String) -> [FieldDescription] {
        [FieldDescription(name: name, form: "[object]", fields: fields(text))]
    }

    private static func object(_ name: String, _ text: String) -> [FieldDescription] {
        [FieldDescription(name: name, form: "object?", fields: fields(text))]
    }

    /// The members that describe an event and its commit.
    private static let event = fields(
        "position position, kind text, occurredAt time, recordedAt time, commit position?, "
            + "actor text?, device text?")
    private static let changes = objects("changes", "field text, before value?, after value?")
    private static let state = fields("projection text, key text, rules text")
    private static let chain = fields("head text, headAtPosition text")

    /// The answers of the generic commands, by name.
    static let all: [AnswerSchema] = [
        AnswerSchema(
            "append", "A line of standard input: the commit that it became, if any.",
            fields(
                "line integer, first position?, last position?, recordedAt time?, repeated boolean"),
            object("refused", "code text, message text, position position?")),
        AnswerSchema(
            "audit", "A finding.",
            fields("rule text, position position, entity text, expected text, found text")),
        AnswerSchema(
            "backup", "The copy.",
            fields("file text, events integer, commits integer, headAtPosition text"),
            fields("bytes integer, copyMs integer, proofMs integer?")),
        AnswerSchema(
            "bisect", "The first event after which the expression holds.",
            state, fields("until text, probes integer"), event, changes),
        AnswerSchema(
            "blame", "A writing of a field; with 'last', the one that holds.",
            fields("field text, before value?, after value?, last boolean"), event),
        AnswerSchema(
            "check", "A scenario.",
            fields(
                "file text, scenario text, variant text?, source text?, rules text, passed boolean"),
            objects(
                "failures",
                "place text, line integer, field text, expected text, actual text, through position"
            ),
            objects(
                "events",
                "position position, kind text, occurredAt time, recordedAt time, payload value")),
        AnswerSchema(
            "check.coverage", "What scenarios go through, of each area and life cycle.",
            fields("coverage text, covered integer, total integer, missing [text]")),
        AnswerSchema(
            "check.undeclared", "A transition that scenarios go through and nothing declares.",
            fields("undeclared text, named boolean")),
        AnswerSchema(
            "compact", "The log before and after.",
            fields("bytesBefore integer, bytesAfter integer, events integer"), chain),
        AnswerSchema(
            "compare", "An entity that differs, or a period of a report.",
            fields("key text?, position position?, kind text?, in text, cause text?"), changes,
            fields("events [text]?, period text?, entities [text]?")),
        AnswerSchema(
            "erase", "What was erased.",
            fields("texts integer, people integer, unrecorded integer, keys integer"),
            fields("rewritten integer, position position?, dryRun boolean"),
            fields("removedCopies [text], keptCopies [text]")),
        AnswerSchema(
            "history", "An event of the entity, with what it changed.",
            event, fields("inert boolean"), objects("reasons", "field text, value value"), changes),
        AnswerSchema(
            "import",
            "The rows of the file, counted; a file of one entity also has its noun and id.",
            fields("rows integer, accepted integer, changed integer, duplicates integer"),
            objects("rejected", "row integer, line integer, code text, reason text"),
            objects("notes", "row integer, line integer, code text?, note text"),
            fields("dryRun boolean?")),
        AnswerSchema(
            "late", "A late event that changed an answer.",
            fields("answer text, issuedPosition position, basisPosition position, rules text"),
            event, changes),
        AnswerSchema(
            "list", "An entity.",
            fields("noun text, id text, events integer, firstAt time, lastAt time")),
        AnswerSchema(
            "list.nouns", "A noun, without one on the command line.",
            fields("noun text, entities integer, events integer, firstAt time, lastAt time")),
        AnswerSchema(
            "log", "An event.",
            fields("position position, kind text, occurredAt time, recordedAt time, zone text?"),
            fields("offsetS integer, tags [text], commit position?, actor text?, device text?"),
            fields("correlation text?, causation position?, keyDigest text?"),
            fields("payload value?, payloadHex text?")),
        AnswerSchema(
            "log.through", "The last line with --through: the position up to which was read.",
            fields("through position")),
        AnswerSchema(
            "order-safety", "Two kinds of events.",
            fields("first text, second text, commutes boolean"),
            object("recorded", "tries integer, differed integer"),
            object("generated", "tries integer, differed integer"),
            object("example", "positions [position], changes [object]")),
        AnswerSchema(
            "report", "What was asked, and the fields that the schema of the report lists.",
            fields("report text, position position")),
        AnswerSchema(
            "restore", "The log that was made.",
            fields("log text, events integer, commits integer, headAtPosition text"),
            fields("bytes integer, sha256 text")),
        AnswerSchema(
            "routes", "An endpoint, and what of the model serves it.",
            fields("method text, path text, source text, serves [text], drift text?, remark text?")),
        AnswerSchema(
            "salvage", "What was saved.",
            fields("complete boolean, events integer, commits integer, unchangedThrough position"),
            fields("lastPosition position?"), chain,
            fields("id text, sameId boolean, sameSecret boolean, texts integer"),
            fields("lostPeople integer, unreadablePages integer"),
            objects("missing", "first position, last position, reason text"),
            objects("moved", "first position, last position, to position"),
            objects("withoutText", "position position")),
        AnswerSchema(
            "schema", "An entry: its fields, and what its kind has beside them.",
            fields("kind text, name text, fields [object], arguments [object], field text?"),
            fields("transitions [object], rules [object], summary text?, needsZone boolean?"),
            fields("audit text?"),
            fields("options [object]")),
        AnswerSchema(
            "snapshot", "The snapshots.",
            fields("written integer, entities integer, bytes integer, dropped integer")),
        AnswerSchema(
            "stat", "The log in numbers.",
            fields("id text, events integer, commits integer"), chain,
            fields("signedHead text?, recordedAt time?, fileBytes integer, freeBytes integer"),
            fields("mapBytes integer, formatVersion integer"),
            fields("indexedThrough position, tags integer, keys integer, people integer"),
            fields("personalTexts integer, snapshots integer, kinds value")),
        AnswerSchema(
            "state", "The state of an entity, with the fields of its projection.",
            state, fields("position position, state value")),
        AnswerSchema(
            "transitions", "A transition.",
            fields("projection text, from text, event text, to text, count integer"),
            fields("legal boolean, first position?, last position?")),
        AnswerSchema(
            "transitions.stay", "How long entities stayed in a state.",
            fields("projection text, state text, ended integer, open integer, totalMs integer"),
            fields("longestMs integer, backward integer")),
        AnswerSchema(
            "verify", "The log's integrity.",
            fields("ok boolean, events integer, commits integer"), chain,
            fields("erasedTexts integer, lostTexts integer, lostPeople integer"),
            fields("snapshots integer, staleSnapshots integer, unknownKinds value"),
            objects("findings", "position position, rule text, message text"),
            objects("heads", "from text, headAtPosition text, signedAt time?, held boolean")),
        AnswerSchema(
            "verify.determinism", "The same states under other circumstances.",
            fields("under text, same boolean, projections integer")),
        AnswerSchema(
            "what-if", "An entity that would differ, with its states before and after.",
            state, fields("knownAs text, folded integer, refusals [text]"),
            fields("before value?, after value?"), changes,
            object("first", "position position, inserted boolean, kind text, changes [object]")),
        AnswerSchema(
            "what-if.again", "The commands that were decided again.",
            fields("commands integer, asBefore integer, otherwise integer")),
        AnswerSchema(
            "what-if.report", "A period for which a report would differ.",
            fields("report text, period text, rules text, refusals [text]"), changes),
    ]
}
