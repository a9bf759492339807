import Glibc
package import LibraryModel
import Platform

/// A list that a player made another one of, and that has settled.
package struct FoundEdit: Sendable {
  package let crate: CrateID
  package let file: BytePath
  package let bytes: [UInt8]
  /// The songs of the lists that the player may have read, the oldest first.
  package let bases: [[SongID]]
  package let reading: EditedList.Reading
  let status: FileStatus
  let digest: TextDigest
}

extension PlaylistKeeper {
  /// How long an edit that was answered by writing the list is not answered again: whoever writes
  /// the same once more would do so for ever.
  static let patience: Int64 = 600_000_000_000
  /// An edit that nobody could decide on, because of a full disk, say, is offered again.
  private static let retry: Int64 = 5_000_000_000
  /// Edits that are offered at once; the others wait for those.
  private static let mostEdits = 16
  /// How many such edits of one list are remembered.
  private static let mostAnswered = 8

  /// Keeps a list that players may edit: what they did is offered, and only what is known is
  /// written over.
  mutating func keepEdited(
    _ one: inout Kept, _ found: borrowing PlaylistFile, _ text: PlaylistText,
    in folder: borrowing PlaylistFolder, _ now: Int64, _ outcome: inout Outcome
  ) throws(SystemCallError) {
    let entry = records?[one.file] ?? .init()
    var (bytes, digest) = ([UInt8](), try found.digest())
    // What is known has any size.
    if digest != entry.last, digest != entry.next {
      bytes = try found.bytes()
      digest = TextDigest(of: bytes)
    }
    one.status = found.status
    let songs = songDigest(of: one.crate, text)
    if let verdict = one.verdict, verdict.songs != songs { one.verdict = nil }
    let isEmpty = PlaylistLines.count(in: bytes) == 0
    if digest == entry.last || digest == entry.next {
      if digest == entry.next { try records?.confirm(one.file) }
      one.timing.settle()
      if try isFine(&one, found, entry, digest, text) { return }
    } else if let left = one.left, left.digest == digest {
      one.timing.settle()
      if left.songs == songs { return }
    } else if let answered = one.answered.last(where: { $0.digest == digest && $0.songs == songs }),
      now - answered.at < Self.patience
    {
      one.left = (digest, songs)
      one.timing.settle()
      one.verdict = Verdict(
        problem: PlaylistProblem(left: folder.path.appending(one.file)), songs: songs)
      return
    } else if digest == one.overwritable || isOldCopy(bytes, digest, one, entry, text) {
      one.timing.settle()
    } else if isEmpty {
      one.timing.see(found.status, .nothing, at: now)
      if wait(&one, until: one.timing.due, now) { return }
    } else {
      one.timing.see(found.status, bytes.last == 0x0A ? .ended : .unended, at: now)
      if wait(&one, until: one.timing.due, now) { return }
      one.wake = now + Self.retry
      if outcome.edits.count == Self.mostEdits { return }
      outcome.edits.append(
        FoundEdit(
          crate: one.crate.id, file: one.file, bytes: bytes,
          bases: records?.bases(of: one.file) ?? [],
          reading: reading(of: bytes, one.file, entry), status: found.status, digest: digest))
      return
    }
    if wait(&one, until: one.timing.writeDue, now) { return }
    guard try write(&one, over: found.status, text, in: folder, &outcome) else { return }
    one.left = nil
    if digest != one.overwritable {
      if digest == entry.last || digest == entry.next || isEmpty { return }
      if entry.bases.dropLast().contains(digest) {
        outcome.notices.append((one.file, EditedList.oldCopy))
      }
    }
    one.answered = one.answered.suffix(Self.mostAnswered - 1) + [(digest, songs, now)]
    one.overwritable = nil
  }

  /// Whether the list is one of earlier that a player had in memory, and not what the crate is by
  /// now.
  private func isOldCopy(
    _ bytes: [UInt8], _ digest: TextDigest, _ one: Kept, _ entry: PlaylistRecords.Entry,
    _ text: PlaylistText
  ) -> Bool {
    entry.bases.contains(digest)
      && (digest == entry.bases.last || reading(of: bytes, one.file, entry) == .held)
      && records?.songs(of: digest) != text.songs(of: one.crate)
  }

  private func reading(
    of bytes: [UInt8], _ file: BytePath, _ entry: PlaylistRecords.Entry
  ) -> EditedList.Reading {
    // What MPD changes has that ending.
    guard settings.ending == .m3u, let place else { return .held }
    let reading = PlaylistLines.reading(of: bytes, named: file, goesUp: place.goesUp)
    // After a kill nobody knows whether the newest was there to be read.
    return reading == .anew && entry.next != nil ? .loaded : reading
  }

  /// Whether the list, which is what was written or taken last, is still what the crate is.
  private func isFine(
    _ one: inout Kept, _ file: borrowing PlaylistFile, _ entry: PlaylistRecords.Entry,
    _ digest: TextDigest, _ text: PlaylistText
  ) throws(SystemCallError) -> Bool {
    if entry.isTaken, digest == entry.last {
      // The list stays as the player wrote it: what it left out beside the songs comes with the
      // next change.
      return records?.songs(of: digest) == text.songs(of: one.crate)
    }
    guard let leftOut = try compare(file, one, text) else { return false }
    one.problems = leftOut.map(PlaylistProblem.init(leftOut:))
    return true
  }

  /// Whether a list that is not there may be between two states of a player's, or is to be looked
  /// at later; one that never was is neither.
  func waitForAbsent(_ one: inout Kept, _ now: Int64) -> Bool {
    if records?[one.file]?.last == nil { return false }
    one.timing.see(nil, .nothing, at: now)
    return wait(&one, until: one.timing.due, now)
  }

  /// Whether it is to be looked at later.
  private func wait(_ one: inout Kept, until due: Int64, _ now: Int64) -> Bool {
    if now >= due { return false }
    one.wake = due
    return true
  }

  /// Which songs of the library the lists mean that were offered; nil before the first look.
  package func lookup(in library: Library) -> ListLookup? {
    place.map { ListLookup(library, $0, named: directory) }
  }

  private func songDigest(of crate: Crate, _ text: PlaylistText) -> TextDigest {
    TextDigest(
      of: text.songs(of: crate).lazy.flatMap { song in
        withUnsafeBytes(of: song.number.littleEndian) { Array($0) }
      })
  }

  // MARK: What was decided

  /// The edit is durable, or came to nothing.
  ///
  /// - Parameters:
  ///   - songs: of the list, each once.
  ///   - isPlain: whether the list has a line for each of them and no other; then it stays as the
  ///     player wrote it where the crate has the same songs. What of them is in other crates, and
  ///     was not taken, is no part of what the player had read here.
  ///   - problem: what the person should know.
  package mutating func took(
    _ edit: FoundEdit, songs: [SongID], isPlain: Bool, problem: String? = nil, _ library: Library
  ) -> PlaylistProblem? {
    let read = Set(edit.bases.joined())
    let taken = songs.filter { id in
      guard let song = library.songs[id], let album = library.albums[song.album] else {
        return true
      }
      return album.crate == edit.crate || read.contains(id)
    }
    let isPlain = isPlain && taken.count == songs.count
    do {
      if !isPlain { try keepBytes(edit.bytes, of: edit.file, edit.status) }
      try records?.take(edit.file, edit.digest, songs: taken, isPlain: isPlain)
    } catch {
      return PlaylistProblem(directory.appending(edit.file), error)
    }
    close(edit, problem, songs: isPlain ? taken : nil, library)
    return nil
  }

  /// The edit can't be meant: the list is written again, and what the person made of it kept.
  package mutating func decline(
    _ edit: FoundEdit, _ reason: String, _ library: Library
  ) -> PlaylistProblem? {
    do {
      let place = try keepBytes(edit.bytes, of: edit.file, edit.status)
      close(
        edit, "\(reason): the crate stays as it is; the list is kept in \(place.display)",
        songs: nil,
        library)
      return nil
    } catch {
      return PlaylistProblem(directory.appending(edit.file), error)
    }
  }

  /// - Parameter songs: of the list, if it can stay where the crate has the same.
  private mutating func close(
    _ edit: FoundEdit, _ problem: String?, songs: [SongID]?, _ library: Library
  ) {
    guard var one = kept[edit.crate] else { return }
    one.left = nil
    one.overwritable = edit.digest
    // The crate as the edit left it; the one in `kept` may be older.
    if let crate = library.crate(edit.crate), let place {
      let text = PlaylistText(library, at: place, settings.ending)
      if let songs, songs == text.songs(of: crate) { one.overwritable = nil }
      one.verdict = problem.map {
        Verdict(
          problem: PlaylistProblem(edited: directory.appending(edit.file), $0),
          songs: songDigest(of: crate, text))
      }
    }
    one.wake = .min
    kept[edit.crate] = one
  }
}
