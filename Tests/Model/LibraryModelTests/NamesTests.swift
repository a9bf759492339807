import LibraryModel
import TestSupport
import Testing

/// Short ways to the same result, held against the long ones.
@Suite("Names and artists", .limited) struct NamesTests {
  private static let pieces = [
    "a", "Z", "feat.", "Feat", "(ft.", "[Featuring", "featuring)", "&", "with", "W", "f", "(", "[",
    " ", " ", " ", "  ", "\t", "\n", "\r\n", ",", ";", ".", "é", "ß", "\u{1C}", "\u{7F}", "",
  ]

  private func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...7, using: &generator))
      .map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  @Test("lose their guests, and nothing else")
  func guests() {
    var generator = SeededGenerator(usually: 42)
    var cut = 0
    for _ in 0..<20_000 {
      let (start, artist) = ("\(generator)", text(&generator))
      let main = mainArtist(artist)
      #expect(main == Self.main(artist), "\(start): \(artist.debugDescription)")
      if main != artist { cut += 1 }
    }
    #expect(cut > 1000)
  }

  private static func main(_ artist: String) -> String {
    let words = artist.split(separator: " ")
    let guests = words.dropFirst().firstIndex { word in
      let bare = folded(String(word.drop { $0 == "(" || $0 == "[" }))
      return ["feat.", "feat", "ft.", "ft", "featuring", "&", "with"].contains(bare)
    }
    var name = words[..<(guests ?? words.endIndex)].joined(separator: " ")
    while let last = name.last, [",", ";", " "].contains(last) { name.removeLast() }
    return name.isEmpty ? artist : name
  }
}
