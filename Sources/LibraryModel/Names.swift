/// How names of albums, artists and crates are compared: case folded, white space collapsed.
/// Canonical equivalence (NFC) is what `String` compares by already.
package func folded(_ name: String) -> String {
  var isPlain = true
  var previousIsBlank = true
  for byte in name.utf8 {
    let isBlank = byte == 0x20
    if byte >= 0x80 || byte < 0x20 || (0x41...0x5A).contains(byte) || (isBlank && previousIsBlank) {
      isPlain = false
      break
    }
    previousIsBlank = isBlank
  }
  if isPlain && (!previousIsBlank || name.isEmpty) { return name }
  // By way of upper case, so that ß meets ss and the two small sigmas meet.
  let words = name.uppercased().lowercased().split(whereSeparator: \.isWhitespace)
  return words.joined(separator: " ")
}

/// Why a text can't be a crate's name; nil if it can.
package func crateNameFault(_ name: String) -> String? {
  if name.isEmpty { return "a crate's name can't be empty" }
  if name.utf8.count > 255 { return "a crate's name has at most 255 bytes" }
  if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
    return "a crate's name has no control characters"
  }
  if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
    return "a crate's name has no blanks around it"
  }
  return nil
}

/// An artist without the guests: cut at "feat.", "ft.", "featuring", "&" and "with".
package func mainArtist(_ artist: String) -> String {
  var words: [Substring] = []
  for word in artist.split(separator: " ") {
    let bare = folded(String(word.drop(while: { $0 == "(" || $0 == "[" })))
    if ["feat.", "feat", "ft.", "ft", "featuring", "&", "with"].contains(bare), !words.isEmpty {
      break
    }
    words.append(word)
  }
  var name = words.joined(separator: " ")
  while let last = name.last, last == "," || last == ";" || last == " " { name.removeLast() }
  return name.isEmpty ? artist : name
}

/// The spelling that most use; of equally frequent ones the first.
func mostFrequent(_ names: some Sequence<String>) -> String? {
  var counts: [(name: String, count: Int)] = []
  for name in names where !name.isEmpty {
    // Byte for byte: two normalisations are two spellings.
    if let place = counts.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      counts[place].count += 1
    } else {
      counts.append((name, 1))
    }
  }
  var best: (name: String, count: Int)?
  for candidate in counts where candidate.count > best?.count ?? 0 { best = candidate }
  return best?.name
}
