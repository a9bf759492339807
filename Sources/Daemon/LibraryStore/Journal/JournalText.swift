import LibraryModel

/// Writes the lines of a journal (Documentation/store-format.md). All that is written at once is
/// one batch: a single line, or lines marked `+` that a commit line closes.
struct JournalText {
  /// What is written; earlier versions are read.
  static let version = 2
  /// Bytes; a longer line is damage. Twice what any change can take whose texts are all at their
  /// longest, with each byte escaped.
  static let longestLine = 256 * 1024

  /// Bytes of the first line, its line feed included; more than its words and longest numbers take.
  static let longestHeader = 128

  /// The checksum of the last line, which the next one continues.
  private(set) var chain: UInt32
  private(set) var sequence: Int
  /// Bytes of the longest line written, its line feed included.
  private(set) var longest = 0

  static func header(generation: Int, base: Int, isAfterEdit: Bool = false) -> [UInt8] {
    let mark = isAfterEdit ? " edited" : ""
    return Array("crated-journal \(version) generation \(generation) base \(base)\(mark)".utf8)
  }

  /// Continues after the header of a journal.
  init(header: [UInt8], base: Int) {
    chain = Checksum.crc32c(header[...])
    sequence = base
  }

  /// The lines of a batch. The transactions get their sequence numbers.
  mutating func lines(of transactions: inout [Transaction]) -> [UInt8] {
    var bytes: [UInt8] = []
    let isSingleLine = transactions.count == 1 && transactions[0].changes.count == 1
    // A commit line without a sentence closes transactions of their own, so one that has none is
    // marked.
    let isOnly = transactions.count == 1 && !transactions[0].sentence.isEmpty
    var written = 0
    for index in transactions.indices {
      // As it will be read again.
      transactions[index].sentence = transactions[index].sentence.cut(
        toBytes: StoreLimits.longestSentence)
      let transaction = transactions[index]
      let sentence = transaction.changes.count == 1 ? transaction.sentence : ""
      for change in transaction.changes {
        append(transaction, isSingleLine ? "" : "+", to: &bytes) { line in
          ChangeText.append(change, to: &line)
          if !sentence.isEmpty {
            line += " told ".utf8
            Escaping.append(Array(sentence.utf8), to: &line)
          }
        }
        written += 1
      }
      if !isOnly, transaction.changes.count > 1 {
        append(transaction, "+", to: &bytes) { line in
          line += "done \(transaction.changes.count) ".utf8
          Escaping.append(Array(transaction.sentence.utf8), to: &line)
        }
        written += 1
      }
      transactions[index].sequence = sequence
    }
    if isSingleLine { return bytes }
    let sentence = transactions[0].sentence
    append(transactions[0], "", to: &bytes) { line in
      line += "commit \(written)".utf8
      if isOnly {
        line.append(UInt8(ascii: " "))
        Escaping.append(Array(sentence.utf8), to: &line)
      }
    }
    if isOnly { transactions[0].sequence = sequence }
    return bytes
  }

  private mutating func append(
    _ transaction: Transaction, _ mark: String, to bytes: inout [UInt8],
    words: (inout [UInt8]) -> Void
  ) {
    sequence += 1
    let (time, author) = (Timestamp.text(transaction.time), transaction.author.rawValue)
    var line = Array("\(sequence) \(time) \(author)\(mark) ".utf8)
    words(&line)
    chain = JournalText.checksum(after: chain, line[...])
    let digits = Checksum.text(chain)
    longest = max(longest, digits.count + line.count + 2)
    bytes += digits
    bytes.append(UInt8(ascii: " "))
    bytes += line
    bytes.append(UInt8(ascii: "\n"))
  }

  /// CRC-32C over the previous line's checksum, as its eight digits, and the rest of this line.
  static func checksum(after previous: UInt32, _ rest: ArraySlice<UInt8>) -> UInt32 {
    Checksum.crc32c(rest, continuing: Checksum.crc32c(Checksum.text(previous)[...]))
  }
}
