/// The usual names of cover images beside songs.
package enum CoverNames {
  /// The names and endings are in order of preference.
  private static let names = ["cover", "folder", "front"].map { Array($0.utf8) }
  private static let endings = ["jpg", "jpeg", "png", "webp", "gif"].map { Array($0.utf8) }
  /// The number of endings, from the first, that can be decoded to pixels.
  private static let shownCount = 3

  /// Returns the rank of a cover's file name, case-insensitively. Lower is better, and nil is no
  /// cover.
  ///
  /// - Parameter isShown: whether only formats that can be decoded count.
  package static func rank(_ name: some Collection<UInt8>, isShown: Bool = false) -> Int? {
    guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else { return nil }
    let ending = name[name.index(after: dot)...]
    let endings = isShown ? endings.prefix(shownCount) : endings[...]
    guard let name = names.firstIndex(where: { isEqual(name[..<dot], $0) }),
      let kind = endings.firstIndex(where: { isEqual(ending, $0) })
    else { return nil }
    return name * endings.count + kind
  }

  private static func isEqual(_ name: some Collection<UInt8>, _ lowercase: [UInt8]) -> Bool {
    name.elementsEqual(lowercase) { byte, letter in
      byte == letter || (byte | 0x20 == letter && (0x41...0x5A).contains(byte))
    }
  }
}
