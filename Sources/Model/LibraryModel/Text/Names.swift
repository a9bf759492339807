import Text

/// Returns the form in which names of albums, artists and crates are compared: in NFC, case folded,
/// white space collapsed.
package func folded(_ name: String) -> String { Text.folded(name) }

/// Returns the reason why a text can't be a crate's name, or nil if it can.
package func crateNameFault(_ name: String) -> String? {
  nameFault(name, of: "a crate's name", most: 255)
}

/// Returns the reason why a text can't be a machine's name, or nil if it can. The rules are those
/// of a crate's name, with a lower limit since it is part of a file name.
package func machineNameFault(_ name: String) -> String? {
  nameFault(name, of: "a machine's name", most: 40)
}

private func nameFault(_ name: String, of subject: String, most: Int) -> String? {
  if name.isEmpty { return "\(subject) can't be empty" }
  if name.utf8.count > most { return "\(subject) has at most \(most) bytes" }
  if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
    return "\(subject) has no control characters"
  }
  if !withFewMarks(name).isSame(as: name) {
    return "\(subject) has at most \(marksMost) marks on a character"
  }
  if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
    return "\(subject) has no blanks around it"
  }
  return nil
}

/// Returns an artist without guests: cut at "feat.", "ft.", "featuring", "&" and "with".
package func mainArtist(_ artist: String) -> String {
  var words: [Substring] = []
  for word in artist.split(separator: " ") {
    if !words.isEmpty, introducesGuests(word) { break }
    words.append(word)
  }
  var name = words.joined(separator: " ")
  while let last = name.last, last == "," || last == ";" || last == " " { name.removeLast() }
  return name.isEmpty ? artist : name
}

private func introducesGuests(_ word: Substring) -> Bool {
  let bare = word.drop { $0 == "(" || $0 == "[" }
  return ["feat.", "feat", "ft.", "ft", "featuring", "&", "with"].contains(folded(String(bare)))
}

/// Returns the most frequent spelling, of equally frequent ones the first.
func mostFrequent(_ names: some Sequence<String>) -> String? {
  var counts: [(name: String, count: Int)] = []
  for name in names where !name.isEmpty {
    if let place = counts.firstIndex(where: { $0.name.isSame(as: name) }) {
      counts[place].count += 1
    } else {
      counts.append((name, 1))
    }
  }
  var best: (name: String, count: Int)?
  for candidate in counts where candidate.count > best?.count ?? 0 { best = candidate }
  return best?.name
}

extension String {
  /// Whether the strings are equal byte for byte. Two normalizations are different spellings.
  func isSame(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { own.elementsEqual($0) }
    }.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }
}
