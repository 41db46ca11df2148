import Daybook

/// A record that is blank while its properties have their initial values.
///
/// Swift writes `init()`. It is for this module alone, so only a protocol of this module can ask
/// for it.
protocol PlainRecord: Record { init() }

extension PlainRecord {
    package static var blank: Self { Self() }
}
