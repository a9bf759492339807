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
  let good = goodPrefix(of: bytes, base: contents.base)
  let last = contents.transactions.last?.sequence ?? contents.base
  require(contents.sequence <= contents.base + good.lines, "more than the good lines hold")
  require(last <= contents.sequence, "changes end with the last good batch")
  require(contents.end != .whole || good.bytes == bytes.count, "whole is good to the end")
  let (text, again) = written(contents.transactions)
  let prefix = try? JournalReader.read(Array(bytes.prefix(good.bytes)))
  require(prefix.map { written($0.transactions).text } == text, "what follows adds something")
  require(written(again).text == text, "what is written is read as the same")
  if contents.end == .whole {
    let steps = try? JournalReader.ownSteps(bytes)
    require(
      steps?.end == .whole
        && steps?.transactions.flatMap(UndoStep.steps)
          == contents.transactions.flatMap(UndoStep.steps),
      "undo is told the same")
  }
  if contents.base == 0 { apply(contents.transactions) }
}

/// The lines whose checksums continue the chain and whose numbers follow one another, by other
/// means than the reader's.
private func goodPrefix(of bytes: [UInt8], base: Int) -> (bytes: Int, lines: Int) {
  let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
  guard let header = lines.first else { return (0, 0) }
  var chain = Checksum.crc32c(header)
  var good = (bytes: header.count + 1, lines: 0)
  for line in lines.dropFirst() {
    let rest = line.dropFirst(9)
    let checksum = JournalText.checksum(after: chain, rest)
    guard line.starts(with: Checksum.text(checksum) + [0x20]),
      rest.starts(with: "\(base + good.lines + 1) ".utf8)
    else { break }
    chain = checksum
    good = (good.bytes + line.count + 1, good.lines + 1)
  }
  return good
}

/// The changes as a journal writes them, and as it is read.
private func written(
  _ changes: [Transaction]
) -> (text: [UInt8], changes: [Transaction]) {
  let header = JournalText.header(generation: 1, base: 0)
  var text = JournalText(header: header, base: 0)
  var bytes = header + [0x0A]
  // Nothing is ever done without a step.
  let changes = changes.filter { !$0.changes.isEmpty }
  for change in changes {
    var batch = [change]
    bytes += text.lines(of: &batch)
  }
  guard let contents = try? JournalReader.read(bytes), contents.end == .whole else {
    fatalError("what is written is read")
  }
  require(contents.transactions.count == changes.count, "as many changes as were written")
  for (read, change) in zip(contents.transactions, changes) {
    require(read.changes == change.changes, "the same changes")
    require(read.time == change.time && read.author == change.author, "the same origin")
  }
  return (bytes, contents.transactions)
}

/// As recovery does: the changes fit, or one of them is a misfit.
private func apply(_ changes: [Transaction]) {
  var library = Library()
  for change in changes {
    for step in change.changes {
      do {
        try library.apply(step, by: change.author)
      } catch {
        return
      }
    }
    library.advance(to: change.sequence)
  }
  check(library)
}

/// With the checksums that its lines should have; every other time with the numbers, too.
private func sealed(_ input: [UInt8]) -> [UInt8] {
  let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
  guard let header = lines.first, lines.count > 1 else { return input }
  var chain = Checksum.crc32c(header)
  var bytes = header + [0x0A]
  for (place, line) in lines.dropFirst().dropLast().enumerated() {
    var rest = line.dropFirst(9)
    if input.count.isMultiple(of: 2) {
      rest = Array("\(place + 1)".utf8) + rest.drop { $0 != 0x20 }
    }
    chain = JournalText.checksum(after: chain, rest)
    bytes += Checksum.text(chain) + [0x20] + rest + [0x0A]
  }
  return Array(bytes + (lines.last ?? []))
}

// MARK: Snapshot

/// As it is, as a person would hand it in, and with a seal that fits.
func fuzzSnapshot(_ input: [UInt8]) {
  let start = input.dropLast().lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
  let body = Array(input[..<start])
  let lines = body.count { $0 == 0x0A } - 1
  let seal = Snapshot.end(seal: Snapshot.seal(body[...]), lines: lines)
  for bytes in [input, body + Array("end edited\n".utf8), body + seal] {
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
    lines += "crate ".utf8
    // Blanks at its ends are not a name's, but may be written.
    Escaping.append(Array(crate.name.utf8), asWord: true, to: &lines)
    lines += "\n".utf8
    for album in crate.albums {
      lines += "album \(album.id)\n".utf8
      for song in album.songs { lines += "song \(song.id)\n".utf8 }
    }
  }
  return String(decoding: lines, as: UTF8.self)
}

/// A few crates, albums and songs, which the texts of the corpus show.
private let shown: Library = {
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
      apply(.albumAdded(id, crate: crate, after: nil, group: group, isFresh: false, seen: 0))
      for _ in 0..<3 {
        song += 1
        let path = BytePath("/m/\(song).flac")
        apply(
          .songAdded(
            SongID(number: song), album: id, after: nil, path: path, digest: nil, added: 0, seen: 0)
        )
      }
    }
  }
  return library
}()
