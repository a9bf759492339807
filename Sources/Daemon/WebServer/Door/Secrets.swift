import CratesInterface

/// Generates secrets, and compares their digests.
enum Secrets {
  /// The key of a device: 256 bits.
  static func key() -> String { text(bytes: 32) }
  /// A secret that is valid for minutes and once: 128 bits.
  static func code() -> String { text(bytes: 16) }
  /// Six digits, which the user reads on one device and types on another.
  static func digits() -> String {
    let number = String(Int.random(in: 0..<1_000_000))
    return String(repeating: "0", count: 6 - number.count) + number
  }

  /// Returns the digest of a secret that must not be stored.
  static func digest(of secret: String) -> [UInt8] { SHA256.digest(of: Array(secret.utf8)) }

  /// Whether two digests are equal, in constant time.
  static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func text(bytes count: Int) -> String {
    var random = SystemRandomNumberGenerator()
    return urlText((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }

  /// The base64 of RFC 4648, section 5, without padding.
  static func urlText(_ bytes: [UInt8]) -> String {
    String(
      Base64.encoded(bytes).compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }
}
