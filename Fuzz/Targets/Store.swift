import LibraryModel

@testable import LibraryStore

// MARK: Journal

/// As it is, and with checksums that fit: otherwise nothing behind them is ever reached.
func fuzzJournal(_ input: [UInt8]) {
  check(journal: input)
  check(journal: sealed(input))
}

private func check(journal bytes: [UInt8]) {
  guard let contents = try? JournalReader.read(bytes) else { return }
  let good = goodPrefix(of: bytes)
  require(contents.transactions.count <= good.records, "more than the good records hold")
  let last = contents.transactions.last?.sequence ?? contents.base
  require(last == contents.sequence, "changes end with the last good record")
  require(contents.end != .whole || good.bytes == bytes.count, "whole is good to the end")
  let (text, again) = written(contents.transactions)
  require(written(again).text == text, "what is written is read as the same")
  if contents.end == .whole {
    let own = (try? JournalReader.ownTransactions(bytes))?.transactions
    let expected = contents.transactions.filter { $0.author == .person }
    require(
      own?.map(\.sequence) == expected.map(\.sequence)
        && own?.map { $0.reversals.map(\.number) } == expected.map { $0.reversals.map(\.number) },
      "undo is told the same")
  }
  if contents.base == 0 { apply(contents.transactions) }
}

/// The records whose checksums continue the chain, by other means than the reader's.
private func goodPrefix(of bytes: [UInt8]) -> (bytes: Int, records: Int) {
  let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
  guard let header = lines.first else { return (0, 0) }
  var chain = Checksum.text(of: header)
  var good = (bytes: header.count + 1, records: 0)
  var record: [UInt8] = []
  for line in lines.dropFirst() {
    guard line.starts(with: "end ".utf8) else {
      record += line + [0x0A]
      continue
    }
    let checksum = Checksum.text(of: (chain + record)[...])
    guard line.dropFirst(4).elementsEqual(checksum) else { break }
    good = (good.bytes + record.count + line.count + 1, good.records + 1)
    (chain, record) = (checksum, [])
  }
  return good
}

/// The transactions as a journal writes them, and as it is read.
private func written(
  _ transactions: [Transaction]
) -> (text: [UInt8], transactions: [Transaction]) {
  let header = JournalText.header(generation: 1, base: 0)
  var text = JournalText(header: header, base: 0)
  var batch = transactions
  let bytes = header + [0x0A] + text.records(of: &batch)
  guard let contents = try? JournalReader.read(bytes), contents.end == .whole else {
    fatalError("what is written is read")
  }
  require(contents.transactions == batch, "the same transactions")
  return (bytes, contents.transactions)
}

/// As recovery does: the changes fit, or one of them is a misfit.
private func apply(_ transactions: [Transaction]) {
  var library = Library()
  for transaction in transactions {
    guard (try? library.apply(transaction)) != nil else { return }
  }
  check(library)
}

/// With the checksums that its records should have; every other time with the numbers and counts,
/// too.
private func sealed(_ input: [UInt8]) -> [UInt8] {
  let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
  guard let header = lines.first, lines.count > 1 else { return input }
  var chain = Checksum.text(of: header)
  var bytes = header + [0x0A]
  var record: [ArraySlice<UInt8>] = []
  var number = 0
  for line in lines.dropFirst().dropLast() {
    guard line.starts(with: "end ".utf8) else {
      record.append(line)
      continue
    }
    number += 1
    if input.count.isMultiple(of: 2), let head = record.first {
      var words = head.split(separator: 0x20, omittingEmptySubsequences: false)
      if words.count > 4 {
        words[1] = Array("\(number)".utf8)[...]
        words[4] = Array("\(record.count - 1)".utf8)[...]
        record[0] = Array(words.joined(separator: [0x20]))[...]
      }
    }
    let text = lined(record)
    chain = Checksum.text(of: (chain + text)[...])
    bytes += text + "end ".utf8 + chain + [0x0A]
    record = []
  }
  return Array(bytes) + lined(record) + (lines.last ?? [])
}

private func lined(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
  lines.reduce(into: []) { $0 += $1 + [0x0A] }
}

// MARK: Snapshot

/// As it is, as a person would hand it in, and with a seal that fits.
func fuzzSnapshot(_ input: [UInt8]) {
  let start = input.dropLast().lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
  let body = Array(input[..<start])
  var sealed = body
  SealedText.seal(&sealed)
  for bytes in [input, body + Array("end edited\n".utf8), sealed] {
    if let contents = try? SnapshotReader.read(bytes) { check(contents.library) }
  }
}

/// What is read is written so that it is read as the same.
private func check(_ library: Library) {
  let text = Snapshot.text(library)
  do {
    let contents = try SnapshotReader.read(text)
    require(!contents.isEdited, "what is written is not edited")
    require(Snapshot.text(contents.library) == text, "a library is read as it was written")
  } catch {
    fatalError("\(error): \(String(decoding: text, as: UTF8.self))")
  }
}

// MARK: Folders

func fuzzFolders(_ input: [UInt8]) {
  guard let records = FolderRecords.records(input) else { return }
  require(FolderRecords.records(FolderRecords.text(records)) == records, "the same folders")
}

// MARK: Order

/// What a person may write: refused with one of its lines, or an order that a library can take.
func fuzzOrder(_ input: [UInt8]) {
  let text = String(decoding: input, as: UTF8.self)
  do throws(Refusal) {
    let order = try OrderText.written(text)
    let again = try OrderText.written(rendered(order))
    require(rendered(again) == rendered(order), "an order is read as it was written")
    let decision = try shown.decide(order, readFrom: shown, newAlbums: nil)
    require(decision.library.songs.count == shown.songs.count, "every song is kept")
    require(decision.library.albums.count == shown.albums.count, "every album is kept")
    var library = shown
    for change in decision.changes {
      do {
        try library.apply(change, by: .person)
      } catch {
        fatalError("\(error)")
      }
    }
    require(Snapshot.text(library) == Snapshot.text(decision.library), "as decided")
    check(library)
  } catch {
    guard case .editRejected(let line, _) = error else { return }
    let lines = text.utf8.count { $0 == 0x0A } + 1
    require((1...lines).contains(line), "the line that is refused is one of the text")
  }
}

private func rendered(_ order: WrittenOrder) -> String {
  var lines: [UInt8] = []
  for crate in order.crates {
    // Blanks at its ends are not a name's, but may be written.
    lines += "crate \(word: crate.name)\n"
    for album in crate.albums {
      lines += "album \(album.id)\n".utf8
      for song in album.songs { lines += "song \(song.id)\n".utf8 }
    }
  }
  return String(decoding: lines, as: UTF8.self)
}

/// A few crates, albums and songs, which the texts of the corpus show.
let shown: Library = {
  var library = Library()
  var (album, song) = (UInt64(0), UInt64(0))
  func apply(_ change: Change) {
    do { try library.apply(change, by: .folder) } catch { fatalError("\(error)") }
  }
  for crate in ["Music", "Jazz", "100%"] {
    apply(.crateAdded(crate, after: nil))
    for _ in 0..<3 {
      album += 1
      let id = AlbumID(number: album)
      let group = GroupKey(family: "by\tx\t\(album)")
      apply(.albumAdded(id, AlbumRecord(crate: crate, after: nil, group: group)))
      for _ in 0..<3 {
        song += 1
        let path = BytePath("/m/\(song).flac")
        apply(
          .songAdded(
            SongID(number: song),
            SongRecord(album: id, after: nil, path: path, digest: nil, added: 0)))
      }
    }
  }
  return library
}()
