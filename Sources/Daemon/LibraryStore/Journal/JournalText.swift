import LibraryModel

/// Writes the records of a journal (store-format.md), one for each transaction.
struct JournalText {
  static let version = 1
  /// The bytes of the longest line. A longer one is damage. A change whose texts are all at their
  /// longest, with each byte escaped, takes half of it.
  static let longestLine = 256 * 1024

  /// The bytes of the longest header with its line feed.
  static let longestHeader = 128

  /// The checksum of the last record, which the next one continues.
  private(set) var chain: [UInt8]
  /// The number of the last record.
  private(set) var sequence: Int
  /// The bytes of the longest line written, with its line feed.
  private(set) var longest = 0

  static func header(generation: Int, base: Int, isAfterEdit: Bool = false) -> [UInt8] {
    let text: StoreText =
      "crated-journal \(version) generation \(generation) base \(base)\(" edited", if: isAfterEdit)"
    return text.bytes
  }

  /// Begins behind the header of a journal.
  init(header: [UInt8], base: Int) {
    chain = Checksum.text(of: header[...])
    sequence = base
  }

  /// Returns the records of a batch, and numbers its transactions.
  mutating func records(of transactions: inout [Transaction]) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in transactions.indices {
      sequence += 1
      transactions[index].sequence = sequence
      // Cut as it will be read again.
      transactions[index].sentence = transactions[index].sentence.cut(
        toBytes: StoreLimits.longestSentence)
      append(transactions[index], isTogether: index > 0, to: &bytes)
    }
    return bytes
  }

  private mutating func append(
    _ transaction: Transaction, isTogether: Bool, to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    let count = transaction.changes.count + transaction.reversals.count
    bytes += "change \(transaction.sequence) \(time: transaction.time) "
    bytes += "\(word: transaction.author.rawValue) \(count)\(" together", if: isTogether)"
    if let origin = transaction.origin { bytes += " asked \(word: origin)" }
    if !transaction.sentence.isEmpty { bytes += " told \(rest: transaction.sentence)" }
    endLine(from: start, in: &bytes)
    var changes = transaction.changes[...]
    for reversal in transaction.reversals {
      appendLine("\(word: reversal.direction.rawValue) \(reversal.number)", to: &bytes)
      append(changes.prefix(reversal.changeCount), to: &bytes)
      changes = changes.dropFirst(reversal.changeCount)
    }
    append(changes, to: &bytes)
    chain = JournalText.checksum(after: chain, bytes[start...])
    bytes += "end ".utf8 + chain + [lineFeed]
  }

  private mutating func append(_ changes: ArraySlice<Change>, to bytes: inout [UInt8]) {
    for change in changes { appendLine(ChangeText.text(change), to: &bytes) }
  }

  private mutating func appendLine(_ text: StoreText, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "\t"))
    bytes += text
    endLine(from: start, in: &bytes)
  }

  private mutating func endLine(from start: Int, in bytes: inout [UInt8]) {
    bytes.append(lineFeed)
    longest = max(longest, bytes.count - start)
  }

  /// The checksum of a record without its last line, chained to that of the record before.
  static func checksum(after previous: [UInt8], _ record: ArraySlice<UInt8>) -> [UInt8] {
    Checksum.text(of: (previous + record)[...])
  }
}

private let lineFeed = UInt8(ascii: "\n")
