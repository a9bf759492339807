import Glibc
package import LibraryModel
import Platform

/// Updates a directory of playlists to a library. Each update compares the directory with the
/// library; only the order and the records of crated's own writing are trusted.
///
/// If players may edit, a list that is neither the one written last nor an older one is an edit. It
/// is offered (`FoundEdit`) when it has not changed for a while, and not overwritten before it was
/// accepted or declined.
package struct PlaylistKeeper: Sendable {
  /// The result of an update.
  package struct Outcome: Sendable {
    /// All current problems.
    package var problems: [PlaylistProblem] = []
    /// Edits that wait for a decision, in the order in which they were saved.
    package var edits: [FoundEdit] = []
    /// Lines for the log, and the file that each is about: an overwritten list that may have been
    /// an edit, or damaged records.
    package var notices: [(file: BytePath, reason: String)] = []
    /// The number of lists that were written or removed.
    package var written = 0
  }

  package let settings: PlaylistSettings
  var lists: [CrateID: PlaylistState] = [:]
  /// Nil until the directory could be opened.
  var records: PlaylistRecords?
  var place: PlaylistPlace?
  private var isStoreNew: Bool

  /// - Parameter isStoreNew: whether existing lists are of another store, and may be all that is
  ///   left of it. None of them counts as crated's then.
  package init(_ settings: PlaylistSettings, isStoreNew: Bool = false) {
    self.settings = settings
    self.isStoreNew = isStoreNew
  }

  package var directory: BytePath { settings.directory }

  /// The time at which the next update is due even if nothing changes; `.max` for never.
  package var due: Int64 { lists.values.map(\.scanDue).min() ?? .max }

  /// Writes the playlists that differ from the library, and removes those of crates that no longer
  /// exist. A list that can't be read or written is a problem in the outcome, and stays as it is.
  ///
  /// - Parameters:
  ///   - albums: the albums whose songs may differ from those written last.
  ///   - now: the monotonic time in nanoseconds.
  package mutating func update(
    to library: Library, touched albums: Set<AlbumID>, now: Int64 = 0
  ) -> Outcome {
    var outcome = Outcome()
    let folder: PlaylistFolder
    do {
      folder = try PlaylistFolder(directory)
    } catch {
      self = PlaylistKeeper(settings, isStoreNew: isStoreNew)
      outcome.problems = [error]
      return outcome
    }
    if records == nil {
      do {
        try loadRecords(for: folder, &outcome)
      } catch {
        outcome.problems = [PlaylistProblem(settings.state, error)]
        return outcome
      }
    }
    let place = PlaylistPlace(
      directory: BytePath(resolvedPath(directory.bytes)),
      roots: library.away.folders.map { .init(named: $0, real: realPath(of: $0)) })
    let isElsewhere = place != self.place
    self.place = place
    let before = lists
    lists = [:]
    let text = PlaylistText(library, at: place, settings.ending)
    let names = PlaylistName.names(of: library.crates.map(\.name), settings.ending)
    for (crate, file) in zip(library.crates, names) {
      let known = before[crate.id].flatMap { $0.file == file ? $0 : nil }
      if let known, !isElsewhere, known.isOf(crate), now < known.scanDue,
        let status = known.status,
        !crate.albums.contains(where: albums.contains), folder.status(of: file) == status
      {
        lists[crate.id] = known
        continue
      }
      var list = known ?? PlaylistState(crate: crate, file: file)
      list.crate = crate
      update(&list, text, in: folder, now, &outcome)
      lists[crate.id] = list
    }
    outcome.problems += lists.values.flatMap {
      $0.problems + [$0.answer?.problem].compactMap(\.self)
    }
    outcome.problems += removeOthers(than: Set(names), in: folder, &outcome.written)
    outcome.edits.sort { $0.status.modified < $1.status.modified }
    return outcome
  }

  /// Resolves the links in a music folder's path. For a folder that hangs, returns what it was
  /// before.
  private func realPath(of folder: BytePath) -> BytePath {
    guard let known = place?.roots.first(where: { $0.named == folder })?.real else {
      return BytePath(resolvedPath(folder.bytes))
    }
    return resolvedPath(folder.bytes, within: Self.resolvingTimeout).map { BytePath($0) } ?? known
  }

  /// The time that the lists wait for a music folder that hangs, in nanoseconds.
  private static let resolvingTimeout: Int64 = 200_000_000

  private mutating func loadRecords(
    for folder: borrowing PlaylistFolder, _ outcome: inout Outcome
  ) throws(SystemCallError) {
    folder.removeDraft()
    var records = try PlaylistRecords(of: directory, in: settings.state)
    if let line = records.damagedLine {
      outcome.notices.append(
        (
          settings.state,
          "line \(line) of what is remembered of \(directory.display) is damaged: no list there is"
            + " known to be crated's any more"
        ))
    }
    if isStoreNew { try records.removeAll() }
    records.removeUnusedSongs()
    isStoreNew = false
    self.records = records
  }

  /// Compares one playlist with its crate, and writes it if need be.
  private mutating func update(
    _ list: inout PlaylistState, _ text: PlaylistText, in folder: borrowing PlaylistFolder,
    _ now: Int64, _ outcome: inout Outcome
  ) {
    let path = folder.path.appending(list.file)
    list.problems = []
    list.scanDue = .max
    do throws(SystemCallError) {
      guard let found = try folder.read(list.file) else {
        if settings.takesEdits, isWaitingForAbsent(&list, now) { return }
        try write(&list, over: nil, text, in: folder, &outcome)
        return
      }
      if try !isOurs(list.file, found), try !adopt(list, found, text) {
        list.problems = [PlaylistProblem(foreign: path)]
      } else if settings.takesEdits {
        try updateEditable(&list, found, text, in: folder, now, &outcome)
      } else {
        try updateReadOnly(&list, found, text, in: folder, &outcome)
      }
    } catch {
      list.status = nil
      let isForeign = [ELOOP, EISDIR, EEXIST, ENXIO].contains(error.code)
      list.problems = [
        isForeign ? PlaylistProblem(foreign: path) : PlaylistProblem(path, error)
      ]
    }
  }

  private func isOurs(
    _ name: BytePath, _ file: borrowing PlaylistFile
  ) throws(SystemCallError) -> Bool {
    guard let entry = records?[name] else { return false }
    if entry.last != nil { return true }
    // The daemon was killed just before or after the first rename to this name.
    guard let next = entry.next else { return false }
    return try file.digest() == next
  }

  /// Records an unknown file as crated's if it has the exact bytes that crated would write. If the
  /// records are lost, or the folder was moved, this can't lose anything.
  ///
  /// - Returns: whether it has these bytes.
  private mutating func adopt(
    _ list: PlaylistState, _ file: borrowing PlaylistFile, _ text: PlaylistText
  ) throws(SystemCallError) -> Bool {
    guard try compare(file, list, text) != nil else { return false }
    try records?.willWrite(list.file, try file.digest(), songs: text.songs(of: list.crate))
    try records?.didWrite(list.file)
    return true
  }

  /// Updates a list that players may not edit.
  private mutating func updateReadOnly(
    _ list: inout PlaylistState, _ found: borrowing PlaylistFile, _ text: PlaylistText,
    in folder: borrowing PlaylistFolder, _ outcome: inout Outcome
  ) throws(SystemCallError) {
    if let leftOut = try compare(found, list, text) {
      list.status = found.status
      list.problems = leftOut.map(PlaylistProblem.init(leftOut:))
      return
    }
    // What a player wrote there is backed up.
    let digest = try found.digest()
    if let entry = records?[list.file], digest != entry.last, digest != entry.next {
      try backUp(try found.bytes(), of: list.file, found.status)
    }
    try write(&list, over: found.status, text, in: folder, &outcome)
  }

  @discardableResult
  func backUp(
    _ bytes: [UInt8], of name: BytePath, _ status: FileStatus
  ) throws(SystemCallError) -> BytePath {
    try ListBackups(in: settings.state).add(bytes, of: name, saved: status.modified)
  }

  /// Writes a list.
  ///
  /// - Returns: false if another program wrote it just now: that stays.
  @discardableResult
  mutating func write(
    _ list: inout PlaylistState, over former: FileStatus?, _ text: PlaylistText,
    in folder: borrowing PlaylistFolder, _ outcome: inout Outcome
  ) throws(SystemCallError) -> Bool {
    // Recorded even if players may not edit: they may be allowed to later, with a list that they
    // read now.
    let songs = text.songs(of: list.crate)
    let (crate, file, before) = (list.crate, list.file, records?[list.file])
    var leftOut: [BytePath] = []
    var records = self.records
    defer { self.records = records }
    list.status = try folder.write(
      file, over: former,
      beforeRename: { (digest) throws(SystemCallError) in
        try records?.willWrite(file, digest, songs: songs)
      },
      { (append) throws(SystemCallError) in
        leftOut = try text.write(crate, named: file, to: append)
      })
    if list.status == nil {
      // No player can have read this version.
      try records?.restore(file, before)
      list.scanDue = .min
      return false
    }
    try records?.didWrite(file)
    list.problems = leftOut.map(PlaylistProblem.init(leftOut:))
    list.timing = EditTiming()
    outcome.written += 1
    return true
  }

  /// Compares a file with the text of the list.
  ///
  /// - Returns: the songs that the list leaves out; nil if the file differs.
  func compare(
    _ file: borrowing PlaylistFile, _ list: PlaylistState, _ text: PlaylistText
  ) throws(SystemCallError) -> [BytePath]? {
    var offset = 0
    var isSame = true
    let leftOut = try text.write(list.crate, named: list.file) { (bytes) throws(SystemCallError) in
      isSame = try file.bytes(at: offset, most: bytes.count) == bytes
      offset += bytes.count
      return isSame
    }
    return isSame && file.status.size == offset ? leftOut : nil
  }

  /// Removes crated's playlists that belong to no crate.
  private mutating func removeOthers(
    than names: Set<BytePath>, in folder: borrowing PlaylistFolder, _ written: inout Int
  ) -> [PlaylistProblem] {
    var problems: [PlaylistProblem] = []
    let others = (records?.entries ?? [:]).filter { !names.contains($0.key) }
    for (name, entry) in others.sorted(by: { $0.key < $1.key }) {
      do {
        try folder.remove(name, where: entry.isOurs)
        try records?.restore(name, nil)
        written += 1
      } catch {
        problems.append(PlaylistProblem(folder.path.appending(name), error))
      }
    }
    return problems
  }
}
