import Glibc
package import LibraryModel
import Platform

/// A list that a player changed, and that has not changed since for a while.
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
  /// The time within which an overwritten edit that comes again is tolerated, in nanoseconds: a
  /// program that writes the same once more would do so forever.
  static let tolerance: Int64 = 600_000_000_000
  /// The time after which an edit that could not be decided on, as with a full disk, is offered
  /// again.
  private static let retry: Int64 = 5_000_000_000
  /// The maximum number of edits that are offered at once; the others wait for those.
  private static let mostEdits = 16
  /// The maximum number of overwritten edits that are remembered of a list.
  private static let mostOverwritten = 8

  /// Updates a list that players may edit, by its contents:
  ///
  /// 1. What was written or accepted last stays if the crate has the same songs; else it is
  ///    overwritten.
  /// 2. An edit that comes again after it was overwritten stays until the crate changes: its
  ///    program may write the same for ever.
  /// 3. An edit that was decided on is overwritten, and so is an old copy: cmus saves what it read
  ///    at its start.
  /// 4. A list without songs is overwritten when it was empty for 10 seconds.
  /// 5. Anything else is an edit: it is offered after its quiet period.
  ///
  /// Nothing is overwritten before `EditTiming.writeDue`, since users may go on.
  ///
  /// - Throws: a `SystemCallError`; the file and the records are as they were then.
  mutating func updateEditable(
    _ list: inout PlaylistState, _ found: borrowing PlaylistFile, _ text: PlaylistText,
    in folder: borrowing PlaylistFolder, _ now: Int64, _ outcome: inout Outcome
  ) throws(SystemCallError) {
    let entry = records?[list.file] ?? .init()
    var (bytes, digest) = ([UInt8](), try found.digest())
    // Only contents that differ from crated's own have to fit in memory.
    if digest != entry.last, digest != entry.next {
      bytes = try found.bytes()
      digest = TextDigest(of: bytes)
    }
    list.status = found.status
    let songs = songDigest(of: list.crate, text)
    if let answer = list.answer, answer.songs != songs { list.answer = nil }
    let isWritten = digest == entry.last || digest == entry.next
    let isEmpty = PlaylistLines.count(in: bytes) == 0
    if isWritten {
      if digest == entry.next { try records?.didWrite(list.file) }
      list.timing.forget()
      if try isCurrent(&list, found, entry, digest, text) { return }
    } else if let tolerated = list.tolerated, tolerated.digest == digest {
      list.timing.forget()
      if tolerated.songs == songs { return }
    } else if let last = list.overwritten.last(where: { $0.digest == digest && $0.songs == songs }),
      now - last.at < Self.tolerance
    {
      list.tolerated = (digest, songs)
      list.timing.forget()
      list.answer = PlaylistState.Answer(
        problem: PlaylistProblem(tolerated: folder.path.appending(list.file)), songs: songs)
      return
    } else if digest == list.overwritable || isOldCopy(bytes, digest, list, entry, text) {
      list.timing.forget()
    } else if isEmpty {
      list.timing.see(found.status, .nothing, at: now)
      if isWaiting(&list, until: list.timing.due, now) { return }
    } else {
      list.timing.see(found.status, bytes.last == 0x0A ? .ended : .unended, at: now)
      if isWaiting(&list, until: list.timing.due, now) { return }
      list.scanDue = now + Self.retry
      if outcome.edits.count == Self.mostEdits { return }
      outcome.edits.append(
        FoundEdit(
          crate: list.crate.id, file: list.file, bytes: bytes,
          bases: records?.bases(of: list.file) ?? [],
          reading: reading(of: bytes, list.file, entry), status: found.status, digest: digest))
      return
    }
    if isWaiting(&list, until: list.timing.writeDue, now) { return }
    guard try write(&list, over: found.status, text, in: folder, &outcome) else { return }
    list.tolerated = nil
    if digest != list.overwritable {
      if isWritten || isEmpty { return }
      if entry.bases.dropLast().contains(digest) {
        outcome.notices.append((list.file, EditedList.oldCopy))
      }
    }
    list.overwritten = list.overwritten.suffix(Self.mostOverwritten - 1) + [(digest, songs, now)]
    list.overwritable = nil
  }

  /// Returns whether the list is an earlier one that a player had in memory, and differs from the
  /// crate.
  private func isOldCopy(
    _ bytes: [UInt8], _ digest: TextDigest, _ list: PlaylistState, _ entry: PlaylistRecords.Entry,
    _ text: PlaylistText
  ) -> Bool {
    entry.bases.contains(digest)
      && (digest == entry.bases.last || reading(of: bytes, list.file, entry) == .held)
      && records?.songs(of: digest) != text.songs(of: list.crate)
  }

  private func reading(
    of bytes: [UInt8], _ file: BytePath, _ entry: PlaylistRecords.Entry
  ) -> EditedList.Reading {
    // MPD edits only lists with that ending.
    guard settings.ending == .m3u, let place else { return .held }
    let reading = PlaylistLines.reading(of: bytes, named: file, goesUp: place.goesUp)
    // After a kill it is unknown whether the newest list was there to be read.
    return reading == .anew && entry.next != nil ? .loaded : reading
  }

  /// Returns whether the list, which was written or accepted last, still has the crate's songs.
  private func isCurrent(
    _ list: inout PlaylistState, _ file: borrowing PlaylistFile, _ entry: PlaylistRecords.Entry,
    _ digest: TextDigest, _ text: PlaylistText
  ) throws(SystemCallError) -> Bool {
    if entry.isPlayers, digest == entry.last {
      // The list stays as the player wrote it; comments come with the next change of the crate.
      return records?.songs(of: digest) == text.songs(of: list.crate)
    }
    guard let leftOut = try compare(file, list, text) else { return false }
    list.problems = leftOut.map(PlaylistProblem.init(leftOut:))
    return true
  }

  /// Returns whether a missing list has to be scanned later: its player may be about to write it. A
  /// list that never existed is written at once.
  func isWaitingForAbsent(_ list: inout PlaylistState, _ now: Int64) -> Bool {
    if records?[list.file]?.last == nil { return false }
    list.timing.see(nil, .nothing, at: now)
    return isWaiting(&list, until: list.timing.due, now)
  }

  /// Schedules a scan if it is not yet time, and returns whether it did.
  private func isWaiting(_ list: inout PlaylistState, until due: Int64, _ now: Int64) -> Bool {
    if now >= due { return false }
    list.scanDue = due
    return true
  }

  /// Returns the lookup of the songs in offered lists; nil before the first update.
  package func lookup(in library: Library) -> ListLookup? {
    place.map { ListLookup(library, $0, named: directory) }
  }

  private func songDigest(of crate: Crate, _ text: PlaylistText) -> TextDigest {
    TextDigest(
      of: text.songs(of: crate).lazy.flatMap { song in
        withUnsafeBytes(of: song.number.littleEndian) { Array($0) }
      })
  }

  // MARK: Decisions

  /// Accepts an edit that is durable, or changed nothing.
  ///
  /// - Parameters:
  ///   - songs: the songs of the list, each once.
  ///   - isPlain: whether the list has a line for each of them and no other. It stays as the player
  ///     wrote it then, if the crate has the same songs. Songs of other crates that the player had
  ///     not read here, and that were not moved, don't count.
  ///   - problem: what the user should know.
  /// - Returns: why the edit could not be recorded or backed up; it is offered again then.
  package mutating func accept(
    _ edit: FoundEdit, songs: [SongID], isPlain: Bool, problem: String? = nil, _ library: Library
  ) -> PlaylistProblem? {
    let read = Set(edit.bases.joined())
    let ours = songs.filter { id in
      guard let song = library.songs[id], let album = library.albums[song.album] else {
        return true
      }
      return album.crate == edit.crate || read.contains(id)
    }
    let isPlain = isPlain && ours.count == songs.count
    do {
      // A list that is about to be written anew in another order, merged with changes since it was
      // read, is kept as well.
      if !isPlain || !has(edit.crate, ours, library) {
        try backUp(edit.bytes, of: edit.file, edit.status)
      }
      try records?.didAccept(edit.file, edit.digest, songs: ours, isPlain: isPlain)
    } catch {
      return PlaylistProblem(directory.appending(edit.file), error)
    }
    close(edit, problem, songs: isPlain ? ours : nil, library)
    return nil
  }

  /// Whether the crate's list has these songs, in this order.
  private func has(_ crate: CrateID, _ songs: [SongID], _ library: Library) -> Bool {
    guard let crate = library.crate(crate), let place else { return false }
    return PlaylistText(library, at: place, settings.ending).songs(of: crate) == songs
  }

  /// Declines an edit: it is backed up, and the list is written again.
  ///
  /// - Returns: why the edit could not be backed up; it is offered again then.
  package mutating func decline(
    _ edit: FoundEdit, _ reason: String, _ library: Library
  ) -> PlaylistProblem? {
    do {
      let place = try backUp(edit.bytes, of: edit.file, edit.status)
      close(
        edit, "\(reason): the crate stays as it is; the list is kept in \(place.display)",
        songs: nil,
        library)
      return nil
    } catch {
      return PlaylistProblem(directory.appending(edit.file), error)
    }
  }

  /// - Parameter songs: the songs of the list, if it may stay when the crate has the same ones.
  private mutating func close(
    _ edit: FoundEdit, _ problem: String?, songs: [SongID]?, _ library: Library
  ) {
    guard var list = lists[edit.crate] else { return }
    list.tolerated = nil
    list.overwritable = edit.digest
    // The crate after the edit; the one in `lists` may be older.
    if let crate = library.crate(edit.crate), let place {
      let text = PlaylistText(library, at: place, settings.ending)
      if let songs, has(edit.crate, songs, library) { list.overwritable = nil }
      list.answer = problem.map {
        PlaylistState.Answer(
          problem: PlaylistProblem(edited: directory.appending(edit.file), $0),
          songs: songDigest(of: crate, text))
      }
    }
    list.scanDue = .min
    lists[edit.crate] = list
  }
}
