import Glibc
package import LibraryModel
import Platform

/// Keeps a directory of playlists in step with a library. What is in the directory is looked at and
/// compared; nothing but the person's order, and what is remembered of our own writing, is taken
/// for granted.
///
/// Where players may edit, a list that is neither what was written last nor older is an edit, which
/// is offered (`FoundEdit`) when it has settled, and not written over before it was taken or
/// declined.
package struct PlaylistKeeper: Sendable {
  struct Kept {
    var crate: Crate
    var file: BytePath
    /// The file as it was when it was compared or written; nil: it is to be looked at again.
    var status: FileStatus?
    var problems: [PlaylistProblem] = []
    /// What was said of an edit, until the next one or a change of the crate.
    var verdict: Verdict?
    var timing = EditTiming()
    /// When it is to be looked at though nothing has changed.
    var wake = Int64.max
    /// The digest of an edit that was decided on and does not stay as it is: it may be written
    /// over.
    var overwritable: TextDigest?
    /// Digests of what was written over, with what the crate's songs were and when; the oldest
    /// first.
    var answered: [(digest: TextDigest, songs: TextDigest, at: Int64)] = []
    /// The digest of an edit that came again, and of the crate's songs then: it stays until those
    /// change.
    var left: (digest: TextDigest, songs: TextDigest)?

    /// To the byte: a text equals others that are spelt with other code points.
    func isOf(_ crate: Crate, in file: BytePath) -> Bool {
      self.file == file && self.crate.name.utf8.elementsEqual(crate.name.utf8)
        && self.crate.albums == crate.albums
    }
  }

  struct Verdict {
    var problem: PlaylistProblem
    /// The digest of the crate's songs then.
    var songs: TextDigest
  }

  /// What a look at everything came to.
  package struct Outcome: Sendable {
    /// Everything that is wrong now.
    package var problems: [PlaylistProblem] = []
    /// What players did and nobody has decided on; the one that was saved first is first.
    package var edits: [FoundEdit] = []
    /// What the log should have, and of which file: what was written over that the person may have
    /// meant, or a memory that was damaged.
    package var notices: [(file: BytePath, reason: String)] = []
    /// How many lists were written or removed.
    package var written = 0
  }

  package let settings: PlaylistSettings
  var kept: [CrateID: Kept] = [:]
  /// Nil while the directory can't be opened.
  var records: PlaylistRecords?
  var place: PlaylistPlace?
  private var isStoreNew: Bool

  /// - Parameter isStoreNew: whether the lists that are there are of another store, and may be all
  ///   that is left of it: none of them is crated's then.
  package init(_ settings: PlaylistSettings, isStoreNew: Bool = false) {
    self.settings = settings
    self.isStoreNew = isStoreNew
  }

  package var directory: BytePath { settings.directory }

  /// When it wants to look again though nothing changes; `.max`: never.
  package var due: Int64 { kept.values.map(\.wake).min() ?? .max }

  /// Writes the playlists that are not as they should be, and removes those of crates that went.
  ///
  /// - Parameters:
  ///   - albums: whose songs may differ from those that were written last.
  ///   - now: in nanoseconds that never jump.
  package mutating func follow(
    _ library: Library, touched albums: Set<AlbumID>, now: Int64 = 0
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
        try begin(in: folder, &outcome)
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
    let before = kept
    kept = [:]
    let text = PlaylistText(library, at: place, settings.ending)
    let names = PlaylistName.names(of: library.crates.map(\.name), settings.ending)
    for (crate, file) in zip(library.crates, names) {
      let old = before[crate.id].flatMap { $0.file == file ? $0 : nil }
      if let old, !isElsewhere, old.isOf(crate, in: file), now < old.wake,
        let status = old.status,
        !crate.albums.contains(where: albums.contains), folder.status(of: file) == status
      {
        kept[crate.id] = old
        continue
      }
      var one = old ?? Kept(crate: crate, file: file)
      one.crate = crate
      keep(&one, text, in: folder, now, &outcome)
      kept[crate.id] = one
    }
    outcome.problems += kept.values.flatMap {
      $0.problems + [$0.verdict?.problem].compactMap(\.self)
    }
    outcome.problems += removeOthers(than: Set(names), in: folder, &outcome.written)
    outcome.edits.sort { $0.status.modified < $1.status.modified }
    return outcome
  }

  /// Where a music folder is; one that hangs, where it was.
  private func realPath(of folder: BytePath) -> BytePath {
    guard let known = place?.roots.first(where: { $0.named == folder })?.real else {
      return BytePath(resolvedPath(folder.bytes))
    }
    return resolvedPath(folder.bytes, within: Self.knownWithin).map { BytePath($0) } ?? known
  }

  /// For how long the lists of other folders wait for one that hangs, in nanoseconds.
  private static let knownWithin: Int64 = 200_000_000

  /// Reads which lists of the directory are crated's.
  private mutating func begin(
    in folder: borrowing PlaylistFolder, _ outcome: inout Outcome
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
    if isStoreNew { try records.forgetAll() }
    records.tidy()
    isStoreNew = false
    self.records = records
  }

  /// Compares and writes one playlist.
  private mutating func keep(
    _ one: inout Kept, _ text: PlaylistText, in folder: borrowing PlaylistFolder, _ now: Int64,
    _ outcome: inout Outcome
  ) {
    let path = folder.path.appending(one.file)
    one.problems = []
    one.wake = .max
    do throws(SystemCallError) {
      guard let found = try folder.read(one.file) else {
        if settings.takesEdits, waitForAbsent(&one, now) { return }
        try write(&one, over: nil, text, in: folder, &outcome)
        return
      }
      if try !isOurs(one.file, found), try !adopt(one, found, text) {
        one.problems = [PlaylistProblem(foreign: path)]
      } else if settings.takesEdits {
        try keepEdited(&one, found, text, in: folder, now, &outcome)
      } else {
        try keepWritten(&one, found, text, in: folder, &outcome)
      }
    } catch {
      one.status = nil
      let isOthers = [ELOOP, EISDIR, EEXIST, ENXIO].contains(error.code)
      one.problems = [
        isOthers ? PlaylistProblem(foreign: path) : PlaylistProblem(path, error)
      ]
    }
  }

  private func isOurs(
    _ name: BytePath, _ file: borrowing PlaylistFile
  ) throws(SystemCallError) -> Bool {
    guard let entry = records?[name] else { return false }
    if entry.last != nil { return true }
    // Killed before it had its name, or after.
    guard let next = entry.next else { return false }
    return try file.digest() == next
  }

  /// Takes a file that crated doesn't know for its own, if it has the very bytes that it would get:
  /// where what was remembered is lost, or the folder was moved, nothing in it can be lost then.
  ///
  /// - Returns: whether it has.
  private mutating func adopt(
    _ one: Kept, _ file: borrowing PlaylistFile, _ text: PlaylistText
  ) throws(SystemCallError) -> Bool {
    guard try compare(file, one, text) != nil else { return false }
    try records?.intend(one.file, try file.digest(), songs: text.songs(of: one.crate))
    try records?.confirm(one.file)
    return true
  }

  /// Keeps a list that players don't edit: what is not as it should be is written.
  private mutating func keepWritten(
    _ one: inout Kept, _ found: borrowing PlaylistFile, _ text: PlaylistText,
    in folder: borrowing PlaylistFolder, _ outcome: inout Outcome
  ) throws(SystemCallError) {
    if let leftOut = try compare(found, one, text) {
      one.status = found.status
      one.problems = leftOut.map(PlaylistProblem.init(leftOut:))
      return
    }
    // Whatever somebody made of it is not lost.
    let digest = try found.digest()
    if let entry = records?[one.file], digest != entry.last, digest != entry.next {
      try keepBytes(try found.bytes(), of: one.file, found.status)
    }
    try write(&one, over: found.status, text, in: folder, &outcome)
  }

  @discardableResult
  func keepBytes(
    _ bytes: [UInt8], of name: BytePath, _ status: FileStatus
  ) throws(SystemCallError) -> BytePath {
    try KeptLists(in: settings.state).keep(bytes, of: name, saved: status.modified)
  }

  /// - Returns: whether it was; not where somebody else wrote it just now.
  @discardableResult
  mutating func write(
    _ one: inout Kept, over former: FileStatus?, _ text: PlaylistText,
    in folder: borrowing PlaylistFolder, _ outcome: inout Outcome
  ) throws(SystemCallError) -> Bool {
    // Also where no edits are taken: they may be later, with what was done to this list by then.
    let songs = text.songs(of: one.crate)
    let (crate, file, before) = (one.crate, one.file, records?[one.file])
    var leftOut: [BytePath] = []
    var records = self.records
    defer { self.records = records }
    one.status = try folder.write(
      file, over: former,
      before: { (digest) throws(SystemCallError) in
        try records?.intend(file, digest, songs: songs)
      },
      { (take) throws(SystemCallError) in leftOut = try text.write(crate, named: file, to: take) })
    if one.status == nil {
      // Nobody has read ours.
      try records?.restore(file, before)
      one.wake = .min
      return false
    }
    try records?.confirm(file)
    one.problems = leftOut.map(PlaylistProblem.init(leftOut:))
    one.timing.wrote()
    outcome.written += 1
    return true
  }

  /// - Returns: the songs left out; nil where the file is another one.
  func compare(
    _ file: borrowing PlaylistFile, _ one: Kept, _ text: PlaylistText
  ) throws(SystemCallError) -> [BytePath]? {
    var offset = 0
    var isSame = true
    let leftOut = try text.write(one.crate, named: one.file) { (bytes) throws(SystemCallError) in
      isSame = try file.bytes(at: offset, most: bytes.count) == bytes
      offset += bytes.count
      return isSame
    }
    return isSame && file.status.size == offset ? leftOut : nil
  }

  /// Removes playlists of ours that are no crate's any longer.
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
