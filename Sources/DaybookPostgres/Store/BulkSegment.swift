#if PostgreSQL
    import Daybook
    import DaybookLog

    /// A segment under construction, from rows that are copied table by table. Names, commits and
    /// texts are kept until the events come, which are added as they arrive.
    struct BulkSegment {
        private(set) var builder: SegmentBuilder
        private var reader = CopyReader()
        private var names = CopiedRows()
        private var commits = CopiedRows()
        private var texts = CopiedRows()
        private var nextName = 0
        private var nextCommit = 0
        private var nextText = 0
        /// The number of events since the last batch ended.
        private var eventCount = 0

        /// The number of events after which a batch of the segment ends.
        private static let eventsPerBatch = 10_000

        init(_ builder: SegmentBuilder) { self.builder = builder }

        /// The statements that copy all rows of a segment but its people, in the order of `add`.
        static func script(_ log: Int32, after: UInt64, through: UInt64) -> String {
            let range = "log = \(log) and position > \(after) and position <= \(through)"
            return [
                "select name, value from daybook.names where log = \(log)"
                    + " and daybook.int64(value, 1) > \(after)"
                    + " and daybook.int64(value, 1) <= \(through) order by name",
                "select first, value from daybook.commits where log = \(log)"
                    + " and first > \(after) and first <= \(through) order by first",
                "select t.position, t.field, t.value from daybook.epochs as e"
                    + " join daybook.texts as t on t.log = e.log and t.epoch = e.epoch"
                    + " where e.log = \(log) and e.begun_by > \(after) and t.log = \(log)"
                    + " and t.epoch is not null and t.position <= \(after)"
                    + " order by t.position, t.field",
                "select position, field, value from daybook.texts where \(range)"
                    + " order by position, field",
                "select position, value from daybook.events where \(range) order by position",
            ].reduce("set local enable_seqscan = off") {
                "\($0); copy (\($1)) to stdout (format binary)"
            }
        }

        /// The statement that copies the people of the segment.
        func peopleScript(_ log: Int32, after: UInt64, through: UInt64) -> String {
            let numbers = builder.personNumbers.sorted().map { "\($0)" }.joined(separator: ",")
            return "copy (select person, value from daybook.people where log = \(log)"
                + " and (changed_at > \(after) and changed_at <= \(through)"
                + " or person = any ('{\(numbers)}'::bigint[])) order by person)"
                + " to stdout (format binary)"
        }

        mutating func add(_ copy: Int, _ message: RawSpan) throws(PostgresError) {
            var reader = reader
            try reader.read(copy, message) { (number, field, row) throws(PostgresError) in
                switch copy {
                case 0: names.add(number, field, row)
                case 1: commits.add(number, field, row)
                case 2:
                    try SegmentReader.mappingFaults { () throws(SegmentBuilder.Fault) in
                        try builder.addText(number, field, row)
                    }
                case 3: texts.add(number, field, row)
                default:
                    try SegmentReader.mappingFaults { () throws(SegmentBuilder.Fault) in
                        try addEvent(number, row)
                    }
                }
            }
            self.reader = reader
        }

        /// Begins the copy of the people, after all of `script`.
        mutating func beginPeople() throws(PostgresError) {
            reader = CopyReader()
            guard nextCommit == commits.count, nextName == names.count else {
                throw .malformed("the copies have commits or names without events")
            }
            try SegmentReader.mappingFaults { () throws(SegmentBuilder.Fault) in try endBatch() }
            guard nextText == texts.count else {
                throw .malformed("the copies have texts without events")
            }
        }

        mutating func addPeople(_ message: RawSpan) throws(PostgresError) {
            try reader.read(0, message) { (number, _, row) throws(PostgresError) in
                try SegmentReader.mappingFaults { () throws(SegmentBuilder.Fault) in
                    try builder.addPerson(number, row)
                }
            }
        }

        /// Adds an event, and the commit that begins with it.
        private mutating func addEvent(
            _ position: UInt64, _ row: RawSpan
        ) throws(SegmentBuilder.Fault) {
            if nextCommit < commits.count, commits.keys[nextCommit].number <= position {
                if eventCount >= Self.eventsPerBatch { try endBatch() }
                try addCommit()
            }
            try builder.addEvent(position, row)
            eventCount += 1
        }

        /// Adds the next commit, after the names that it uses first.
        private mutating func addCommit() throws(SegmentBuilder.Fault) {
            // Copies share the memory, so that a row can be read while the segment grows.
            let (commits, names) = (commits, names)
            let first = commits.keys[nextCommit].number
            let row = commits.row(nextCommit)
            let last = first &- 1 &+ UInt64(Self.eventCount(of: row))
            while nextName < names.count, Self.firstPosition(of: names.row(nextName)) <= last {
                try builder.addName(names.keys[nextName].number, names.row(nextName))
                nextName += 1
            }
            try builder.addCommit(first, row)
            nextCommit += 1
        }

        /// Adds the texts of the events so far, and ends their batch.
        private mutating func endBatch() throws(SegmentBuilder.Fault) {
            let texts = texts
            while nextText < texts.count,
                texts.keys[nextText].number <= builder.head.position.rawValue
            {
                let (position, field) = texts.keys[nextText]
                try builder.addText(position, field, texts.row(nextText))
                nextText += 1
            }
            builder.endBatch()
            eventCount = 0
        }

        /// The number of events of a commit; 0 if its row is too short.
        private static func eventCount(of row: RawSpan) -> UInt32 {
            guard row.byteCount >= 12 else { return 0 }
            return unsafe UInt32(
                littleEndian: row.unsafeLoadUnaligned(fromUncheckedByteOffset: 8, as: UInt32.self))
        }

        /// The position of the first event that used a name; 0 if its row is too short.
        private static func firstPosition(of row: RawSpan) -> UInt64 {
            guard row.byteCount >= 9 else { return 0 }
            return unsafe UInt64(
                littleEndian: row.unsafeLoadUnaligned(fromUncheckedByteOffset: 1, as: UInt64.self))
        }
    }
#endif
