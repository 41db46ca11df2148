import Daybook
import DaybookLMDB

extension SalvageRows {
    /// Adds a value of the log's id or secret, or records the format version, from a row of `meta`.
    mutating func addMeta(
        _ place: PageFile.Place, _ isLeaf: Bool, _ key: RawSpan, _ value: RawSpan
    ) {
        let name = key.copied()
        let isCurrent = isLeaf && currentLeaves.meta?.contains(place.page) == true
        if name == Meta.format, isCurrent { recordFormat(key, value) }
        if name == Meta.replica, isCurrent { isReplica = true }
        let expected = name == Meta.identifier ? 16 : name == Meta.secret ? 32 : 0
        guard expected > 0, value.byteCount == expected + RowChecksum.byteCount else { return }
        let bytes = value.extracting(..<expected)
        var values = name == Meta.identifier ? identifiers : secrets
        let sum = RowChecksum.sum(tables.meta.number, key, bytes)
        if RowChecksum.word(value, expected) == sum { values.matchingValues.insert(bytes.copied()) }
        if isCurrent { values.currentValues.insert(bytes.copied()) }
        if name == Meta.identifier { identifiers = values } else { secrets = values }
    }

    /// Records the format version if this program does not support it.
    ///
    /// The row of the version has a checksum only from format 3 on.
    private mutating func recordFormat(_ key: RawSpan, _ value: RawSpan) {
        guard value.byteCount >= 4 else { return }
        let version: UInt32 = value.integer(at: 0)
        let isEarlier = value.byteCount == 4 && (1...2).contains(version)
        let isLater =
            version > Meta.formatVersion && value.byteCount == 4 + RowChecksum.byteCount
            && RowChecksum.word(value, 4)
                == RowChecksum.sum(tables.meta.number, key, value.extracting(..<4))
        if isEarlier || isLater { otherFormat = version }
    }
}
