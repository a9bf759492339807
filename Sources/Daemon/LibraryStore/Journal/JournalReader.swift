package import LibraryModel

/// What a journal holds, as far as it is proved good.
package struct JournalContents: Sendable {
  package enum End: Hashable, Sendable {
    case whole
    /// The last batch was not written whole: it did not happen.
    case torn(line: Int)
    /// Something before the end is not as it was written.
    case damaged(line: Int, String)
  }

  package var generation: Int
  package var base: Int
  /// Whether it continues what a person edited or restored: what was done before can't be undone.
  package var isAfterEdit: Bool
  package var transactions: [Transaction] = []
  /// The number of the last good line.
  package var sequence: Int
  package var end = End.whole
}

/// Reads a journal. A journal is damaged, not torn, where a later batch follows the bad line: batch
/// k + 1 is written only after batch k is on the disk.
package struct JournalReader {
  package enum Fault: Error, Hashable, Sendable {
    case newerVersion(Int)
    /// Not even the header can be read.
    case damaged(String)
  }

  /// How much of the changes is read.
  private enum Depth {
    case all
    /// Of the person's alone, and of them what was taken back or done again.
    case ownSteps
  }

  private struct Line {
    var sequence: Int
    var time: Int64
    var author: Author
    /// More lines of the batch follow.
    var isOpen: Bool
    var words: ArraySlice<UInt8>
  }

  private let bytes: [UInt8]
  private let format: Int
  private var depth = Depth.all
  private var contents: JournalContents
  private var chain: UInt32
  private var place: Int
  private var number = 1
  private var batch: [Line] = []

  package static func read(_ bytes: [UInt8]) throws(Fault) -> JournalContents {
    var reader = try JournalReader(bytes)
    reader.readLines()
    return reader.contents
  }

  /// The person's transactions, with nothing in them but what `UndoStep` asks for: the numbers of
  /// what was taken back, or done again. Of anything else in a line only the checksum is looked at,
  /// so that this is quick, and small, where somebody sorted a large library a thousand times.
  static func ownSteps(_ bytes: [UInt8]) throws(Fault) -> JournalContents {
    var reader = try JournalReader(bytes)
    reader.depth = .ownSteps
    reader.readLines()
    return reader.contents
  }

  /// What the header says, without any change.
  static func beginning(_ bytes: [UInt8]) throws(Fault) -> JournalContents {
    try JournalReader(bytes).contents
  }

  /// The newest changes, without what stands before them being read; nil where there are fewer, or
  /// what is read is not whole: then all of it counts.
  ///
  /// - Parameters:
  ///   - most: changes that are wanted.
  ///   - before: only those with a smaller number count.
  ///   - shortest: bytes of the end that are read at least. Most changes have far fewer.
  static func newest(
    _ most: Int, before: Int, in bytes: [UInt8], shortest: Int = 64 * 1024
  ) throws(Fault) -> JournalContents? {
    let beginning = try JournalReader(bytes)
    var length = shortest
    while length < bytes.count - beginning.place {
      var reader = beginning
      guard reader.skip(to: bytes.count - length) else { return nil }
      reader.readLines()
      if reader.contents.end != .whole { return nil }
      let count = reader.contents.transactions.count { $0.sequence < before }
      if count >= most { return reader.contents }
      length *= growth(found: count, of: most)
    }
    return nil
  }

  /// How many times as much is read next: what as many as are wanted may take, and some more.
  static func growth(found: Int, of wanted: Int) -> Int {
    found == 0 ? 4 : max(2, (wanted * 5 / 4 + found) / found)
  }

  private init(_ bytes: [UInt8]) throws(Fault) {
    guard let end = bytes.firstIndex(of: 0x0A) else { throw .damaged("the header is missing") }
    var words = Words(bytes[..<end])
    do {
      try words.require("crated-journal")
      let version = try words.number("the version")
      if version > JournalText.version { throw Fault.newerVersion(version) }
      guard version > 0 else { throw LineFault("an unknown version") }
      format = version
      try words.require("generation")
      let generation = try words.number("the generation")
      try words.require("base")
      let base = try words.number("the base")
      let isAfterEdit = words.take("edited")
      if !words.isEmpty { throw LineFault("too many words") }
      self.contents = JournalContents(
        generation: generation, base: base, isAfterEdit: isAfterEdit, sequence: base)
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .damaged((error as? LineFault)?.reason ?? "\(error)")
    }
    self.bytes = bytes
    self.chain = Checksum.crc32c(bytes[..<end])
    self.place = end + 1
  }

  private mutating func readLines() {
    while place < bytes.count {
      number += 1
      do {
        let (line, checksum, end) = try nextLine()
        try take(line)
        // Only then: a line that isn't understood is judged with what follows it.
        chain = checksum
        place = end + 1
      } catch {
        // typed throws: only LineFault
        return stop(error.reason)
      }
    }
    if !batch.isEmpty { contents.end = .torn(line: number - batch.count + 1) }
  }

  /// Goes on after the first batch that ends behind the offset: the chain is known there. False
  /// where none does.
  private mutating func skip(to offset: Int) -> Bool {
    guard var start = bytes[offset...].firstIndex(of: 0x0A) else { return false }
    while let end = bytes[(start + 1)...].firstIndex(of: 0x0A) {
      let text = bytes[(start + 1)..<end]
      if let line = plausibleLine(text), !line.isOpen, let found = Checksum.number(text.prefix(8)) {
        chain = found
        contents.sequence = line.sequence
        place = end + 1
        return true
      }
      start = end
    }
    return false
  }

  /// The line at the place, if its checksum continues the chain, and where it ends.
  private func nextLine() throws(LineFault) -> (line: Line, checksum: UInt32, end: Int) {
    let limit = min(bytes.count, place + JournalText.longestLine)
    guard let end = bytes[place..<limit].place(of: 0x0A) else {
      throw LineFault("the line has no end")
    }
    let text = bytes[place..<end]
    guard text.count > 9, text[place + 8] == 0x20 else { throw LineFault("no line of a journal") }
    let rest = text[(place + 9)...]
    let checksum = JournalText.checksum(after: chain, rest)
    guard checksum == Checksum.number(text.prefix(8)) else {
      throw LineFault("the checksum does not fit")
    }
    return (try parse(rest), checksum, end)
  }

  private func parse(_ rest: ArraySlice<UInt8>) throws(LineFault) -> Line {
    var words = Words(rest)
    let sequence = try words.number("the sequence number")
    guard let time = Timestamp.milliseconds(try words.word("the time")) else {
      throw LineFault("a bad time")
    }
    var name = try words.word("the author")
    let isOpen = name.last == UInt8(ascii: "+")
    if isOpen { name.removeLast() }
    guard let author = Author(rawValue: String(decoding: name, as: UTF8.self)) else {
      throw LineFault("an unknown author")
    }
    return Line(
      sequence: sequence, time: time, author: author, isOpen: isOpen, words: words.remaining)
  }

  private mutating func take(_ line: Line) throws(LineFault) {
    guard line.sequence == contents.sequence + batch.count + 1 else {
      throw LineFault("sequence number \(line.sequence) is out of turn")
    }
    if line.isOpen {
      batch.append(line)
      return
    }
    contents.transactions +=
      try batch.isEmpty ? [single(line)].compactMap { $0 } : transactions(of: batch, last: line)
    contents.sequence = line.sequence
    batch = []
  }

  /// What a whole batch did, which the last line closes.
  private func transactions(
    of lines: [Line], last: Line
  ) throws(LineFault) -> [Transaction] {
    var words = Words(last.words)
    try words.require("commit")
    guard try words.number("the number of lines") == lines.count else {
      throw LineFault("the commit counts other lines")
    }
    var done: [Transaction?] = []
    if !words.remaining.isEmpty {
      done.append(try joined(lines[...], last, words.remaining))
      return done.compactMap { $0 }
    }
    var open = lines[..<0]
    for (place, line) in lines.enumerated() {
      var words = Words(line.words)
      guard words.take("done") else {
        open = lines[open.startIndex...place]
        continue
      }
      let count = try words.number("the number of lines")
      guard count <= open.count else { throw LineFault("done counts too many lines") }
      for line in open.dropLast(count) { done.append(try single(line)) }
      done.append(try joined(open.suffix(count), line, words.remaining))
      open = lines[(place + 1)..<(place + 1)]
    }
    for line in open { done.append(try single(line)) }
    return done.compactMap { $0 }
  }

  /// Nil where it is nothing of what is wanted.
  private func single(_ line: Line) throws(LineFault) -> Transaction? {
    if depth == .ownSteps { return try ownSteps([line], line) }
    var words = Words(line.words)
    var changes: [Change] = []
    try ChangeText.read(&words, format: format, to: &changes)
    let sentence: String
    if format >= 2, words.take("told") {
      guard let text = Escaping.decoded(words.remaining) else { throw LineFault("a bad sentence") }
      sentence = String(decoding: text, as: UTF8.self)
    } else {
      if !words.isEmpty { throw LineFault("too many words") }
      sentence = wordsWithoutReasons(line.words)
    }
    return Transaction(
      by: line.author, sequence: line.sequence, time: line.time, sentence: sentence,
      changes: changes)
  }

  /// A line without a sentence is its own, without what only undoing needs: that begins with `was`,
  /// which may be a name as well.
  private func wordsWithoutReasons(_ line: ArraySlice<UInt8>) -> String {
    var rest = Words(line)
    var end = line.endIndex
    var isName = false
    while let word = rest.next() {
      if !isName, word.elementsEqual("was".utf8), !rest.isEmpty {
        end = word.startIndex - 1
        break
      }
      isName = !isName && ["crate", "after", "group"].contains { word.elementsEqual($0.utf8) }
    }
    let words = line[..<end]
    return String(decoding: Escaping.decoded(words) ?? Array(words), as: UTF8.self)
  }

  private func read(_ line: Line, to changes: inout [Change]) throws(LineFault) {
    var words = Words(line.words)
    try ChangeText.read(&words, format: format, to: &changes)
    if !words.isEmpty { throw LineFault("too many words") }
  }

  private func joined(
    _ lines: ArraySlice<Line>, _ last: Line, _ sentence: ArraySlice<UInt8>
  ) throws(LineFault) -> Transaction? {
    if depth == .ownSteps { return try ownSteps(lines, last) }
    guard let text = Escaping.decoded(sentence) else { throw LineFault("a bad sentence") }
    var steps: [Change] = []
    steps.reserveCapacity(lines.count)
    for line in lines { try read(line, to: &steps) }
    return Transaction(
      by: last.author, sequence: last.sequence, time: last.time,
      sentence: String(decoding: text, as: UTF8.self), changes: steps)
  }

  /// The transaction of these lines as far as `UndoStep` asks; nil where it is not the person's.
  private func ownSteps(
    _ lines: ArraySlice<Line>, _ last: Line
  ) throws(LineFault) -> Transaction? {
    guard last.author == .person else { return nil }
    var steps: [Change] = []
    for line in lines where ChangeText.isUndoStep(line.words) { try read(line, to: &steps) }
    return Transaction(
      by: .person, sequence: last.sequence, time: last.time, sentence: "", changes: steps)
  }
}

// MARK: Torn or damaged

extension JournalReader {
  /// Judges what begins at the bad line, by what follows it.
  private mutating func stop(_ reason: String) {
    let bad = number
    let start = batch.isEmpty ? bad : bad - batch.count
    let lines = bytes[place...].split(separator: 0x0A, omittingEmptySubsequences: false)
    // What has no line feed, or a hole, proves nothing: a torn commit line may read like a change
    // of its own.
    let whole = lines.dropFirst().dropLast().filter { line in line.allSatisfy { $0 >= 0x20 } }
    let later = (behindHole(lines) + whole).compactMap(plausibleLine)
    let isDamaged =
      provesLaterBatch(later, badSequence: contents.sequence + batch.count + 1)
      || lines.first.map(hidesWholeBatch) == true
    contents.end = isDamaged ? .damaged(line: bad, reason) : .torn(line: start)
  }

  /// A hole may have swallowed the line feed between the bad line and a later one.
  private func behindHole(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    guard lines.count > 1, let end = lines[0].lastIndex(of: 0) else { return [] }
    return [lines[0][(end + 1)...]]
  }

  /// Whether a batch began after the bad line: a line that stands alone, a commit that does not
  /// reach back to the bad line, or anything after a commit.
  private func provesLaterBatch(_ later: [Line], badSequence: Int) -> Bool {
    for (place, line) in later.enumerated() where !line.isOpen {
      var words = Words(line.words)
      guard words.take("commit"), let count = try? words.number("") else { return true }
      if line.sequence - count > badSequence || place + 1 < later.count { return true }
    }
    return false
  }

  /// What has the form of a line; its checksum can't be proved where its predecessor is bad.
  private func plausibleLine(_ text: ArraySlice<UInt8>) -> Line? {
    guard text.count > 9, text[text.startIndex + 8] == 0x20,
      Checksum.number(text.prefix(8)) != nil
    else { return nil }
    return try? parse(text.dropFirst(9))
  }

  /// Whether the bad line is a good one that closes its batch, with more after it on the same line:
  /// the line feed between two batches was lost.
  private func hidesWholeBatch(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = plausibleLine(text), !first.isOpen else { return false }
    let checksum = Checksum.number(text.prefix(8))
    for place in text.indices.dropFirst(10).dropLast(9) where text[place + 9] == 0x20 {
      let rest = text[(text.startIndex + 9)..<place]
      if JournalText.checksum(after: chain, rest) == checksum { return true }
    }
    return false
  }
}
