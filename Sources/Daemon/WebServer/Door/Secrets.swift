import CratesInterface

/// Random texts that nobody guesses, and what is stored of them.
enum Secrets {
  /// The key of a device: 256 bits.
  static func key() -> String { text(bytes: 32) }
  /// What is valid for minutes, and once: 128 bits.
  static func code() -> String { text(bytes: 16) }
  /// Six digits, which a person reads on one device and types on another.
  static func digits() -> String {
    let number = String(Int.random(in: 0..<1_000_000))
    return String(repeating: "0", count: 6 - number.count) + number
  }

  /// What a secret is known by where it must not be stored.
  static func digest(of secret: String) -> [UInt8] { SHA256.digest(of: Array(secret.utf8)) }

  /// Whether two digests are the same, in a time that doesn't depend on where they differ.
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
