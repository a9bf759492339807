/// A machine that shares the order. Its id is four letters or digits, used in file names and in
/// marks.
package struct MachineID: Hashable, Sendable, BitwiseCopyable, Comparable, CustomStringConvertible {
  /// The number of letters and digits of an id.
  package static let length = 4
  /// The number of possible ids.
  package static let count: UInt32 = 36 * 36 * 36 * 36

  package let number: UInt32

  /// - Parameter number: below `count`.
  package init(number: UInt32) { self.number = number }

  /// Returns nil unless the text is a complete id.
  package init?(_ text: some Sequence<UInt8>) {
    guard let digits = Base36.number(text), digits.count == Self.length else { return nil }
    number = UInt32(digits.number)
  }

  package var description: String { text(append) }

  package func append(to text: inout [UInt8]) {
    Base36.append(Int64(number), atLeast: Self.length, to: &text)
  }

  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The time, kind and machine of a decision about a value. Of two values of one thing, the one with
/// the greater mark wins.
package struct Mark: Hashable, Sendable, BitwiseCopyable, Comparable {
  /// The kind of a decision. A stronger kind wins even if it is older.
  package enum Class: UInt8, BitwiseCopyable, Sendable {
    /// The music arrived with the scan of a folder.
    case arrival
    /// The user put it there.
    case hand
    /// The user put it into another crate.
    case crate
  }

  // In this order a mark takes 16 bytes instead of 24.
  package var clock: SharedClock
  package var machine: MachineID
  package var rank: Class

  package init(_ rank: Class, _ clock: SharedClock, _ machine: MachineID) {
    (self.rank, self.clock, self.machine) = (rank, clock, machine)
  }

  /// Returns nil unless the text is a complete mark.
  package init?(_ text: ArraySlice<UInt8>) {
    let dot = UInt8(ascii: ".")
    let (head, machine) = (text.dropLast(MachineID.length), text.suffix(MachineID.length))
    guard let digit = head.first, let rank = Class(rawValue: digit &- UInt8(ascii: "0")),
      head.count > 3, head.dropFirst().first == dot, head.last == dot,
      let clock = SharedClock(head.dropFirst(2).dropLast()), let machine = MachineID(machine)
    else { return nil }
    self.init(rank, clock, machine)
  }

  package func append(to text: inout [UInt8]) {
    text.append(UInt8(ascii: "0") + rank.rawValue)
    text.append(UInt8(ascii: "."))
    clock.append(to: &text)
    text.append(UInt8(ascii: "."))
    machine.append(to: &text)
  }

  package static func < (left: Mark, right: Mark) -> Bool {
    (left.rank.rawValue, left.clock, left.machine)
      < (right.rank.rawValue, right.clock, right.machine)
  }
}

/// The time of a decision: milliseconds since 2020, or one more than any time seen, whichever is
/// greater. If the machines' clocks are right, later decisions have later times. If they are not, a
/// decision is still later than everything that its machine had seen.
package struct SharedClock: Hashable, Sendable, BitwiseCopyable, Comparable, CustomStringConvertible
{
  /// The most that a time may be ahead of this machine's clock, in milliseconds: a hundred years.
  package static let mostAhead: Int64 = 100 * 365 * 86_400_000
  /// 2020-01-01, in milliseconds since 1970.
  private static let start: Int64 = 1_577_836_800_000
  /// The digits of a time, with leading zeros. Until 2109 all times have the same length.
  private static let digits = 8
  /// The most digits that are read.
  private static let mostDigits = 9

  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// - Parameter time: in milliseconds since 1970.
  package init(time: Int64) { milliseconds = max(0, time - Self.start) }

  /// Returns nil unless the text is a complete time.
  package init?(_ text: some Sequence<UInt8>) {
    guard let digits = Base36.number(text), digits.count >= Self.digits,
      digits.count <= Self.mostDigits
    else { return nil }
    milliseconds = digits.number
  }

  package var description: String { text(append) }

  package func append(to text: inout [UInt8]) {
    Base36.append(milliseconds, atLeast: Self.digits, to: &text)
  }

  /// Whether the time is implausibly far ahead.
  ///
  /// - Parameter time: in milliseconds since 1970.
  package func isBeyondBelief(at time: Int64) -> Bool {
    milliseconds > SharedClock(time: time).milliseconds + Self.mostAhead
  }

  /// Returns the time for a decision that is made now.
  ///
  /// - Parameter time: in milliseconds since 1970.
  package func next(at time: Int64) -> SharedClock {
    SharedClock(milliseconds: max(milliseconds + 1, SharedClock(time: time).milliseconds))
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

/// Returns the text that a function appends.
func text(_ append: (inout [UInt8]) -> Void) -> String {
  var bytes: [UInt8] = []
  append(&bytes)
  return String(decoding: bytes, as: UTF8.self)
}

/// Numbers in base 36, with lowercase letters.
enum Base36 {
  /// - Parameter number: 0 or more.
  static func append(_ number: Int64, atLeast count: Int, to text: inout [UInt8]) {
    let start = text.count
    var rest = number
    while rest > 0 || text.count < start + count {
      let digit = UInt8(rest % 36)
      text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      rest /= 36
    }
    text[start...].reverse()
  }

  /// Returns the number and its count of digits, or nil for any other character or more than 12
  /// digits.
  static func number(_ text: some Sequence<UInt8>) -> (number: Int64, count: Int)? {
    var (number, count): (Int64, Int) = (0, 0)
    for byte in text {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x7A: digit = byte - 0x61 + 10
      default: return nil
      }
      // Twelve digits fit in 64 bits.
      if count == 12 { return nil }
      (number, count) = (number * 36 + Int64(digit), count + 1)
    }
    return (number, count)
  }
}

/// A value with the mark of the decision that set it.
package struct Marked<Value: Hashable & Sendable>: Hashable, Sendable {
  package var mark: Mark
  package var value: Value

  package init(_ value: Value, _ mark: Mark) { (self.value, self.mark) = (value, mark) }
}
