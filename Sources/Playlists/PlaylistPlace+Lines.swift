import LibraryModel

extension PlaylistPlace {
  /// The paths that a line of a list may mean, the likeliest first: as it is, relative to the list,
  /// to each music folder (where MPD and servers begin), as an address, percent-decoded, with the
  /// other slash, and with dot segments as MPD drops them.
  ///
  /// - Parameter named: the directory of the lists, as the settings name it.
  func paths(of line: ArraySlice<UInt8>, named directory: BytePath) -> [BytePath] {
    var found: [BytePath] = []
    func add(_ path: [UInt8]) {
      guard let plain = squashed(path[...]) else { return }
      var candidates = [plain]
      for root in roots where root.named != root.real {
        if let rest = plain.relative(to: root.real) {
          candidates.append(root.named.appending(rest))
        }
      }
      for path in candidates where !found.contains(path) { found.append(path) }
    }
    for text in Self.spellings(of: line) {
      if text.first == slash {
        add(text)
        continue
      }
      add(self.directory + text)
      add(directory.bytes + [slash] + text)
      for root in roots { add(root.named.bytes + [slash] + text) }
      // MPD drops what leads out of its folder.
      if let inside = squashed([slash] + text[...], dropsLeading: true) {
        for root in roots { add(root.named.bytes + inside.bytes) }
      }
    }
    return found
  }

  /// The line as it is, and as it may be meant.
  private static func spellings(of line: ArraySlice<UInt8>) -> [[UInt8]] {
    var spellings = [Array(line)]
    let scheme = Array("file://".utf8)
    if line.count > scheme.count,
      line.prefix(scheme.count).map({ $0 | 0x20 }) == scheme.map({ $0 | 0x20 })
    {
      // What precedes the path is a host's name, this one's.
      let path = line.dropFirst(scheme.count).drop { $0 != slash }
      spellings = [percentDecoded(path), Array(path)].compactMap(\.self)
    } else if line.contains(UInt8(ascii: "%")), let decoded = percentDecoded(line) {
      spellings.append(decoded)
    }
    for text in spellings where text.contains(UInt8(ascii: "\\")) {
      spellings.append(text.map { $0 == UInt8(ascii: "\\") ? slash : $0 })
    }
    return spellings
  }

  /// Without dots and double slashes; nil where it leads above the root.
  private func squashed(_ path: ArraySlice<UInt8>, dropsLeading: Bool = false) -> BytePath? {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.split(separator: slash) {
      if part.elementsEqual(".".utf8) { continue }
      if part.elementsEqual("..".utf8) {
        if parts.popLast() == nil, !dropsLeading { return nil }
      } else {
        parts.append(part)
      }
    }
    return BytePath(parts.flatMap { [slash] + $0 })
  }
}

let slash = UInt8(ascii: "/")
