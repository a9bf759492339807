import CratesInterface
import TestSupport
import Testing

@Suite("Base64", .limited)
struct Base64Tests {
  // RFC 4648, section 10.
  @Test(
    "The texts of the RFC",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func vectors(_ text: String, _ encoded: String) {
    #expect(Base64.encoded(Array(text.utf8)) == encoded)
    #expect(Base64.decoded(encoded) == Array(text.utf8))
  }

  @Test("Bytes come back as they were, and every digit is used")
  func roundTrip() {
    var numbers = SeededGenerator(seed: 1)
    var used: Set<Character> = []
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
      let text = Base64.encoded(bytes)
      used.formUnion(text)
      #expect(Base64.decoded(text) == bytes)
    }
    #expect(used.count == 65)
  }

  @Test(
    "What is no base64 is refused",
    arguments: [
      "A", "AB", "ABC", "A===", "====", "Zg==Zg==", "Zh==", "Zm9=", "Z*==", "Zg= ", "=AAA",
    ])
  func refused(_ text: String) {
    #expect(Base64.decoded(text) == nil)
  }
}
