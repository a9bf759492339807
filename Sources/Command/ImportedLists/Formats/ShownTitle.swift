extension WantedSong {
  /// Takes over what a player shows of a song: `artist - title`, or the title alone. iTunes writes
  /// `title - artist`, which nothing tells apart: who compares looks at both.
  mutating func take(shown text: ArraySlice<UInt8>) {
    let text = trimmed(text)
    // The file's name in its place says nothing more than the path.
    let name = path.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last
    if let name, name.elementsEqual(text) || isStem(text, of: Array(name)) { return }
    guard let dash = place(ofDashIn: text) else {
      title = words(text)
      return
    }
    artist = words(text[..<dash])
    title = words(text[(dash + 3)...])
  }

  private func isStem(_ text: ArraySlice<UInt8>, of name: [UInt8]) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return name[..<dot].elementsEqual(text)
  }

  private func place(ofDashIn text: ArraySlice<UInt8>) -> Int? {
    guard text.count >= 3 else { return nil }
    return text.indices.dropLast(2).first {
      text[$0] == 0x20 && text[$0 + 1] == UInt8(ascii: "-") && text[$0 + 2] == 0x20
    }
  }
}
