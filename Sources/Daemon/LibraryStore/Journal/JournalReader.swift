package import LibraryModel

/// The contents of a journal, up to the first record that is not proved good.
package struct JournalContents: Sendable {
  package enum End: Hashable, Sendable {
    case whole
    /// The last batch was not written whole. From this line on, nothing happened.
    case torn(line: Int)
    /// The record that begins at the line is not as it was written, and others follow it.
    case damaged(line: Int, String)
  }

  package var generation: Int
  package var base: Int
  /// Whether it continues an edited or restored snapshot: earlier changes can't be undone.
  package var isAfterEdit: Bool
  package var transactions: [Transaction] = []
  /// The number of the last good record.
  package var sequence: Int
  package var end = End.whole

  /// Returns the line at which a transaction begins, the header being the first line; for the
  /// number of all transactions, the line behind the last one.
  func line(of place: Int) -> Int {
    transactions.prefix(place).reduce(2) { line, before in
      line + before.changes.count + before.reversals.count + 2
    }
  }
}

/// Reads a journal. A journal is damaged, not torn, if a later batch follows the bad record:
/// batch k + 1 is written only after batch k is on the disk.
package struct JournalReader {
  package enum Fault: Error, Hashable, Sendable {
    case newerVersion(Int)
    /// The header was not written whole, so no change was answered from the journal.
    case notBegun
    /// The header can't be read.
    case damaged(String)

    var reason: String {
      switch self {
      case .newerVersion(let version): "version \(version) is not known"
      case .notBegun: "the header is missing"
      case .damaged(let reason): reason
      }
    }
  }

  /// The first line of a record.
  private struct Head {
    var sequence: Int
    var time: Int64
    var author: Author
    /// The number of lines between this one and the checksum.
    var lineCount: Int
    /// Whether the record was written in one batch with the one before.
    var isTogether: Bool
    var origin: String?
    var sentence: String
  }

  private let bytes: [UInt8]
  /// Whether only the user's transactions are read, without changes and sentences.
  private var isForUndo = false
  private var contents: JournalContents
  private var chain: [UInt8]
  /// The offset and the line at which the next record begins.
  private var place: Int
  private var number = 2

  /// Reads a whole journal. A record that is not whole or doesn't fit ends it, which is no error.
  ///
  /// - Throws: what is wrong with the header.
  package static func read(_ bytes: [UInt8]) throws(Fault) -> JournalContents {
    var reader = try JournalReader(bytes)
    reader.readRecords()
    return reader.contents
  }

  /// Reads the user's transactions without changes and sentences: what `UndoHistory` counts. This
  /// is quick and small even if a large library was sorted a thousand times.
  static func ownTransactions(_ bytes: [UInt8]) throws(Fault) -> JournalContents {
    var reader = try JournalReader(bytes)
    reader.isForUndo = true
    reader.readRecords()
    return reader.contents
  }

  /// Reads the header alone.
  static func beginning(_ bytes: [UInt8]) throws(Fault) -> JournalContents {
    try JournalReader(bytes).contents
  }

  /// Reads the newest transactions alone, from the end of the journal. Nil if there are fewer, or
  /// if the end is not whole: then all of the journal has to be read.
  ///
  /// - Parameters:
  ///   - most: how many transactions are wanted.
  ///   - before: the exclusive upper bound of their numbers.
  static func newest(
    _ most: Int, before: Int, in bytes: [UInt8]
  ) throws(Fault) -> JournalContents? {
    let beginning = try JournalReader(bytes)
    // The number of bytes read from the end.
    var length = 64 * 1024
    while length < bytes.count - beginning.place {
      var reader = beginning
      guard reader.skip(to: bytes.count - length) else { return nil }
      reader.readRecords()
      if reader.contents.end != .whole { return nil }
      if reader.contents.transactions.count(where: { $0.sequence < before }) >= most {
        return reader.contents
      }
      length *= 4
    }
    return nil
  }

  private init(_ bytes: [UInt8]) throws(Fault) {
    guard let end = bytes.firstIndex(of: lineFeed) else { throw .notBegun }
    var words = Words(bytes[..<end])
    do {
      try words.require("crated-journal")
      let version = try words.number("the version")
      if version > JournalText.version { throw Fault.newerVersion(version) }
      guard version > 0 else { throw ParseError("an unknown version") }
      try words.require("generation")
      let generation = try words.number("the generation")
      try words.require("base")
      let base = try words.number("the base")
      let isAfterEdit = words.consume("edited")
      if !words.isEmpty { throw ParseError("too many words") }
      self.contents = JournalContents(
        generation: generation, base: base, isAfterEdit: isAfterEdit, sequence: base)
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .damaged((error as? ParseError)?.reason ?? "\(error)")
    }
    self.bytes = bytes
    self.chain = Checksum.text(of: bytes[..<end])
    self.place = end + 1
  }

  private mutating func readRecords() {
    while place < bytes.count {
      do {
        try readRecord()
      } catch {
        contents.end =
          hasLaterBatch ? .damaged(line: number, error.reason) : .torn(line: number)
        return
      }
    }
  }

  private mutating func readRecord() throws(ParseError) {
    var end = place
    let head = try parse(try line(&end))
    guard head.sequence == contents.sequence + 1 else {
      throw ParseError("change \(head.sequence) is out of turn")
    }
    var lines: [ArraySlice<UInt8>] = []
    for _ in 0..<head.lineCount {
      let line = try line(&end)
      guard line.first == UInt8(ascii: "\t") else {
        throw ParseError("the change has fewer lines than it says")
      }
      lines.append(line.dropFirst())
    }
    let checksum = JournalText.checksum(after: chain, bytes[place..<end])
    guard try line(&end).elementsEqual("end ".utf8 + checksum) else {
      throw ParseError("the checksum does not fit")
    }
    if !isForUndo || head.author == .person {
      contents.transactions.append(try transaction(head, lines))
    }
    contents.sequence = head.sequence
    chain = checksum
    place = end
    number += lines.count + 2
  }

  /// Returns the line at the offset without its line feed, and moves the offset behind it.
  private func line(_ place: inout Int) throws(ParseError) -> ArraySlice<UInt8> {
    let limit = min(bytes.count, place + JournalText.longestLine)
    guard let end = bytes[place..<limit].place(of: lineFeed) else {
      throw ParseError("the line has no end")
    }
    defer { place = end + 1 }
    return bytes[place..<end]
  }

  private func parse(_ line: ArraySlice<UInt8>) throws(ParseError) -> Head {
    var words = Words(line)
    try words.require("change")
    let sequence = try words.number("the number of the change")
    let time = try words.word("the time").time()
    guard let author = Author(rawValue: try words.name("the author")) else {
      throw ParseError("an unknown author")
    }
    var head = Head(
      sequence: sequence, time: time, author: author,
      lineCount: try words.number("the number of lines"), isTogether: words.consume("together"),
      sentence: "")
    if words.consume("asked") {
      let origin = try words.name("an origin")
      guard Transaction.isOrigin(origin) else { throw ParseError("a bad origin") }
      head.origin = origin
    }
    if words.consume("told") {
      guard let text = Escaping.decoded(words.remaining) else { throw ParseError("a bad sentence") }
      head.sentence = String(decoding: text, as: UTF8.self)
    } else if !words.isEmpty {
      throw ParseError("too many words")
    }
    return head
  }

  private func transaction(
    _ head: Head, _ lines: [ArraySlice<UInt8>]
  ) throws(ParseError) -> Transaction {
    var transaction = Transaction(
      by: head.author, sequence: head.sequence, time: head.time, origin: head.origin,
      sentence: isForUndo ? "" : head.sentence)
    if !isForUndo { transaction.changes.reserveCapacity(lines.count) }
    var hasOwnChanges = false
    for line in lines {
      if let direction = Reversal.Direction.allCases.first(where: { line.starts(with: $0.word) }) {
        var words = Words(line.dropFirst(direction.word.count))
        let number = try words.number("the number of a change")
        if !words.isEmpty { throw ParseError("too many words") }
        if hasOwnChanges { throw ParseError("\"\(direction.rawValue)\" stands below a change") }
        transaction.reversals.append(Reversal(direction, number, changeCount: 0))
        continue
      }
      hasOwnChanges = transaction.reversals.isEmpty
      if !isForUndo {
        transaction.changes.append(try ChangeText.change(line))
        if let last = transaction.reversals.indices.last {
          transaction.reversals[last].changeCount += 1
        }
      }
    }
    return transaction
  }
}

extension Reversal.Direction {
  fileprivate var word: [UInt8] { Array("\(rawValue) ".utf8) }
}

// MARK: From the middle, and at the end

extension JournalReader {
  /// Moves to the first record that begins behind the offset, and takes the checksum before it as
  /// the chain. False if there is none.
  private mutating func skip(to offset: Int) -> Bool {
    var start = offset
    while let next = recordStart(from: start) {
      if let end = bytes[next...].place(of: lineFeed), bytes[next - 1] == lineFeed,
        let head = try? parse(bytes[next..<end]), let checksum = checksum(before: next)
      {
        (chain, contents.sequence, place) = (Array(checksum), head.sequence - 1, next)
        return true
      }
      start = next + 1
    }
    return false
  }

  /// Whether a later batch follows the bad record. Half a line proves nothing.
  private var hasLaterBatch: Bool {
    var start = place
    while let next = recordStart(from: start), let end = bytes[next...].place(of: lineFeed) {
      // It follows a hole, or the line feed before it was altered.
      let isStart = [lineFeed, 0].contains(bytes[next - 1]) || checksum(before: next) != nil
      if isStart, let head = try? parse(bytes[next..<end]), !head.isTogether,
        head.sequence > contents.sequence + 1
      {
        return true
      }
      start = next + 1
    }
    return false
  }

  /// The next offset that has the first word of a record.
  private func recordStart(from start: Int) -> Int? {
    var start = start
    while let found = bytes[start...].place(of: word[0]) {
      if bytes[found...].starts(with: word) { return found }
      start = found + 1
    }
    return nil
  }

  /// The checksum in the last line of a record that ends before the offset; nil if none does.
  private func checksum(before place: Int) -> ArraySlice<UInt8>? {
    let start = place - 1 - Checksum.length
    guard start >= 4, bytes[(start - 4)..<start].elementsEqual("end ".utf8) else { return nil }
    return bytes[start..<(place - 1)]
  }
}

private let word = Array("change ".utf8)
private let lineFeed = UInt8(ascii: "\n")
