/// Numbers in hexadecimal, in lower case.
package enum Hexadecimal {
  /// Appends the last digits of the number; 64 bits have 16.
  package static func append(_ number: UInt64, digits count: Int = 16, to text: inout [UInt8]) {
    for place in stride(from: count - 1, through: 0, by: -1) {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * place) & 15)
      text.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
    }
  }

  /// Returns the number in 16 digits.
  package static func text(_ number: UInt64) -> String {
    var text: [UInt8] = []
    append(number, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses up to 16 digits. Returns nil if one of them is no digit or is a capital: there is only
  /// one way to write a number.
  package static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for byte in digits {
      switch byte {
      case 0x30...0x39: number = number << 4 | UInt64(byte - 0x30)
      case 0x61...0x66: number = number << 4 | UInt64(byte - 0x61 + 10)
      default: return nil
      }
    }
    return number
  }
}
