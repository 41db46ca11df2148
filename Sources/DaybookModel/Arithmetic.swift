import Daybook

// Saturating operators of signed integers, for the modules that import this one.
//
// They shadow the standard operators in this package.
//
// Facts are recorded as they arrive, and an older log was checked by an older release, so any two
// stored numbers may meet. These operators apply to every line of the domain and of the formats
// that show its values: no calculation traps, and no author has to remember a special operator. A
// program with its own areas keeps the standard operators.

extension Int64 {
    package static func + (a: Int64, b: Int64) -> Int64 { a.saturatingSum(b) }
    package static func - (a: Int64, b: Int64) -> Int64 { a.saturatingDifference(b) }
    package static func * (a: Int64, b: Int64) -> Int64 { a.saturatingProduct(b) }
    package static func / (a: Int64, b: Int64) -> Int64 { a.saturatingQuotient(b) }
    package static func % (a: Int64, b: Int64) -> Int64 { a.saturatingRemainder(b) }
    package static prefix func - (a: Int64) -> Int64 { Int64(0).saturatingDifference(a) }
    package static func += (a: inout Int64, b: Int64) { a = a.saturatingSum(b) }
    package static func -= (a: inout Int64, b: Int64) { a = a.saturatingDifference(b) }
    package static func *= (a: inout Int64, b: Int64) { a = a.saturatingProduct(b) }
    package static func /= (a: inout Int64, b: Int64) { a = a.saturatingQuotient(b) }
}

extension Int {
    package static func + (a: Int, b: Int) -> Int { a.saturatingSum(b) }
    package static func - (a: Int, b: Int) -> Int { a.saturatingDifference(b) }
    package static func * (a: Int, b: Int) -> Int { a.saturatingProduct(b) }
    package static func / (a: Int, b: Int) -> Int { a.saturatingQuotient(b) }
    package static func % (a: Int, b: Int) -> Int { a.saturatingRemainder(b) }
    package static prefix func - (a: Int) -> Int { Int(0).saturatingDifference(a) }
    package static func += (a: inout Int, b: Int) { a = a.saturatingSum(b) }
    package static func -= (a: inout Int, b: Int) { a = a.saturatingDifference(b) }
    package static func *= (a: inout Int, b: Int) { a = a.saturatingProduct(b) }
    package static func /= (a: inout Int, b: Int) { a = a.saturatingQuotient(b) }
}

extension Int128 {
    package static func + (a: Int128, b: Int128) -> Int128 { a.saturatingSum(b) }
    package static func - (a: Int128, b: Int128) -> Int128 { a.saturatingDifference(b) }
    package static func * (a: Int128, b: Int128) -> Int128 { a.saturatingProduct(b) }
    package static func / (a: Int128, b: Int128) -> Int128 { a.saturatingQuotient(b) }
    package static func % (a: Int128, b: Int128) -> Int128 { a.saturatingRemainder(b) }
    package static prefix func - (a: Int128) -> Int128 { Int128(0).saturatingDifference(a) }
    package static func += (a: inout Int128, b: Int128) { a = a.saturatingSum(b) }
    package static func -= (a: inout Int128, b: Int128) { a = a.saturatingDifference(b) }
    package static func *= (a: inout Int128, b: Int128) { a = a.saturatingProduct(b) }
    package static func /= (a: inout Int128, b: Int128) { a = a.saturatingQuotient(b) }
}
