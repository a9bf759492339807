package import LibraryModel

/// A change that is durable: what happened, when, and by whom.
package struct CommittedChange: Sendable {
  /// The number of its last line.
  package var sequence: Int
  /// Milliseconds since 1970.
  package var time: Int64
  package var author: Author
  package var summary: String
  package var notes: [String]
  package var changes: [Change]

  package init(
    sequence: Int, time: Int64, author: Author, summary: String, notes: [String] = [],
    changes: [Change]
  ) {
    self.sequence = sequence
    self.time = time
    self.author = author
    self.summary = summary
    self.notes = notes
    self.changes = changes
  }
}

/// Writes the lines of a journal (Documentation/store-format.md). All that is written at once is
/// one batch: a single line, or lines marked `+` that a commit line closes.
struct JournalText {
  /// What is written; earlier versions are read.
  static let version = 2
  /// Bytes; a longer line is damage. Twice what any change can take whose texts are all at their
  /// longest, with each byte escaped.
  static let longestLine = 256 * 1024

  /// The checksum of the last line, which the next one continues.
  private(set) var chain: [UInt8]
  private(set) var sequence: Int
  /// Bytes of the longest line written, its line feed included.
  private(set) var longest = 0

  static func header(generation: Int, base: Int, isAfterEdit: Bool = false) -> [UInt8] {
    let mark = isAfterEdit ? " edited" : ""
    return Array("crated-journal \(version) generation \(generation) base \(base)\(mark)".utf8)
  }

  /// Continues after the header of a journal.
  init(header: [UInt8], base: Int) {
    chain = Checksum.text(Checksum.crc32c(header))
    sequence = base
  }

  /// The lines of a batch. The changes get their sequence numbers.
  mutating func lines(of changes: inout [CommittedChange]) -> [UInt8] {
    var bytes: [UInt8] = []
    // Of the journal so far only this batch counts.
    longest = 0
    let isSingleLine = changes.count == 1 && changes[0].changes.count == 1
    // A commit line without a summary closes changes of their own, so one that has none is marked.
    let isOnly = changes.count == 1 && !changes[0].summary.isEmpty
    var written = 0
    for index in changes.indices {
      // As it will be read again.
      changes[index].summary = changes[index].summary.cut(toBytes: StoreLimits.longestSummary)
      let change = changes[index]
      let sentence = change.changes.count == 1 ? change.summary : ""
      for step in change.changes {
        append(change, isSingleLine ? "" : "+", to: &bytes) { line in
          ChangeText.append(step, to: &line)
          if !sentence.isEmpty {
            line += " told ".utf8
            Escaping.append(Array(sentence.utf8), to: &line)
          }
        }
        written += 1
      }
      if !isOnly, change.changes.count > 1 {
        append(change, "+", to: &bytes) { line in
          line += "done \(change.changes.count) ".utf8
          Escaping.append(Array(change.summary.utf8), to: &line)
        }
        written += 1
      }
      changes[index].sequence = sequence
    }
    if isSingleLine { return bytes }
    let summary = changes[0].summary
    append(changes[0], "", to: &bytes) { line in
      line += "commit \(written)".utf8
      if isOnly {
        line.append(UInt8(ascii: " "))
        Escaping.append(Array(summary.utf8), to: &line)
      }
    }
    if isOnly { changes[0].sequence = sequence }
    return bytes
  }

  private mutating func append(
    _ change: CommittedChange, _ mark: String, to bytes: inout [UInt8],
    words: (inout [UInt8]) -> Void
  ) {
    sequence += 1
    var line = Array(
      "\(sequence) \(Timestamp.text(change.time)) \(change.author.rawValue)\(mark) ".utf8)
    words(&line)
    chain = JournalText.checksum(after: chain, line[...])
    longest = max(longest, chain.count + line.count + 2)
    bytes += chain
    bytes.append(UInt8(ascii: " "))
    bytes += line
    bytes.append(UInt8(ascii: "\n"))
  }

  /// CRC-32C over the previous line's checksum, as its eight digits, and the rest of this line.
  static func checksum(after previous: [UInt8], _ rest: ArraySlice<UInt8>) -> [UInt8] {
    Checksum.text(Checksum.crc32c(rest, continuing: Checksum.crc32c(previous)))
  }
}
