import Domain
import EventSourcing
import EventStorage
import Formats

extension EventLog {
    /// The digest of a file that an event keeps: a short file could be guessed by a plain one.
    func digest(ofFile bytes: [UInt8]) -> Digest { Digest(first: keyedDigest("file", of: bytes)) }
}

extension CareImport.Identity {
    var idempotency: AppendRequest.Idempotency {
        AppendRequest.Idempotency(key: key, asked: asked)
    }
}
