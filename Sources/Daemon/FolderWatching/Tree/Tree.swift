import LibraryModel

/// The known contents of the music folder: what is present, missing, and left out. Pure; paths are
/// relative to the music folder unless stated otherwise.
struct Tree {
  let root: BytePath
  var catalogue = Catalogue()
  /// Missing files that may still be found elsewhere.
  var absent = AbsentFiles()
  var mounts: LastMounts
  var ignoring: Ignoring
  /// What the last scan of each directory found offline: names in it, or the directory itself if it
  /// is empty.
  var offlinePlaces: [BytePath: Set<BytePath>] = [:]
  /// The names of links and mounts that are not followed, by the directory that they are in.
  private var skipped: [BytePath: Set<[UInt8]>] = [:]
  /// The number of probes picked so far.
  private var probes = 0

  init(_ settings: WatchSettings, root: BytePath, memory: FolderMemory, known: [KnownFile]) {
    self.root = root
    mounts = LastMounts(memory, root: root)
    ignoring = Ignoring(settings, root: root)
    for (path, files) in KnownFiles.byFolder(known, below: root) {
      let folder = catalogue.makeFolder(path)
      for file in files { keep(file.name, file.facts, in: folder) }
    }
    catalogue.compact()
    for path in mounts.known.links {
      if let folder = catalogue.find(path) { catalogue[folder].isLink = true }
    }
  }

  func absolute(_ path: BytePath) -> BytePath { root.appending(path) }

  func path(of key: FileKey) -> BytePath {
    catalogue.path(of: key.folder).appending(key.name)
  }

  func absolute(_ key: FileKey) -> BytePath { absolute(path(of: key)) }

  /// Adds a song's file to the catalogue as the library knows it.
  ///
  /// - Parameter isSong: whether the library has a song there, although the facts are unknown.
  mutating func keep(_ path: BytePath, _ facts: FileFacts?, isSong: Bool = true) {
    keep(path.name, facts, isSong: isSong, in: catalogue.makeFolder(path.parent))
  }

  private mutating func keep(
    _ name: [UInt8], _ facts: FileFacts?, isSong: Bool = true, in folder: Catalogue.ID
  ) {
    let unread = Catalogue.Unsettled(facts: nil, isSong: isSong, stamp: nil)
    let state = facts.map { Catalogue.State.settled($0) } ?? .unsettled(unread)
    catalogue.setState(state, name, in: folder)
  }

  func isListed(_ path: BytePath) -> Bool {
    guard let folder = catalogue.find(path.parent) else { return false }
    return catalogue.state(path.name, in: folder) != nil
  }

  /// Prepares for the folder's return when it goes offline. Absent files go back into the
  /// catalogue, since they may be present then, and the status of every directory is cleared.
  mutating func folderWent() {
    for path in absent.all { keep(path, absent[path]?.toldFacts) }
    absent.removeAll()
    for folder in catalogue.subtree(.root) { catalogue[folder].status = nil }
  }

  // MARK: Directories that are not followed

  mutating func skip(_ path: BytePath) { skipped[path.parent, default: []].insert(path.name) }

  /// Marks a directory as followed or gone. Returns whether it was skipped.
  mutating func unskip(_ path: BytePath) -> Bool {
    if skipped.isEmpty { return false }
    guard var names = skipped[path.parent], names.remove(path.name) != nil else { return false }
    skipped[path.parent] = names.isEmpty ? nil : names
    return true
  }

  func skipped(in folder: BytePath) -> Set<[UInt8]> {
    skipped.isEmpty ? [] : skipped[folder] ?? []
  }

  // MARK: Offline places

  /// Returns the topmost directory whose last scan found this path offline.
  func scanSayingOffline(_ path: BytePath) -> BytePath? {
    if offlinePlaces.isEmpty { return nil }
    var place = path
    var uppermost: BytePath?
    while !place.isEmpty {
      let above = place.parent
      if let offline = offlinePlaces[above], offline.contains(place) || offline.contains(above) {
        uppermost = above
      }
      place = above
    }
    return uppermost
  }

  /// Whether a missing file is missing only because its mount is absent.
  func isOffline(
    _ name: [UInt8], _ state: Catalogue.State, in folder: Catalogue.ID, _ listing: ListingContext
  ) -> Bool {
    guard state.isSong else { return false }
    if listing.isFollowed { return mounts.isAbsent(name, in: folder) }
    let last = mounts.lastMount(of: name, state, in: folder, catalogue)
    if last == .emptied { return !listing.mounts.contains(.emptied) }
    if last != .unknown, listing.mounts.contains(last) { return false }
    guard last == .unknown || listing.mounts.contains(.unknown) else { return true }
    return state.facts.map { $0.stamp.identity.fileSystem != listing.fileSystem } ?? false
  }

  /// Stores the last mount with the file if only the remembered mounts tell it.
  mutating func keepLastMount(
    _ name: [UInt8], _ state: Catalogue.State, in folder: Catalogue.ID
  ) {
    guard catalogue[folder].mount == .unknown else { return }
    mounts.set(
      mounts.lastMount(of: name, state, in: folder, catalogue), of: name, in: folder)
  }

  func countFiles(in folder: Catalogue.ID) -> (there: Int, offline: Int) {
    var (there, offline) = (0, 0)
    for folder in catalogue.subtree(folder) {
      let count = catalogue[folder].files.count
      let away = catalogue[folder].status == nil ? count : mounts.absentCount(in: folder)
      there += count - away
      offline += away
    }
    return (there, offline)
  }

  /// Returns up to a hundred absolute paths of songs, evenly spread.
  func sampleOfSongs() -> [BytePath] {
    var songs = EvenSample<BytePath>(most: Self.mostSampled)
    for folder in catalogue.subtree(.root) {
      for file in catalogue[folder].files where file.state.isSong {
        songs.add(absolute(FileKey(folder: folder, name: file.name)))
      }
    }
    for path in absent.all { songs.add(absolute(path)) }
    return songs.elements
  }

  private static let mostSampled = 100

  // MARK: Probes

  /// Returns a file that was read before and has none of these stamps; nil if there is none. Each
  /// call returns another file, since those of one directory may all be bad.
  mutating func readSong(besides bad: Set<FileStamp>) -> BytePath? {
    file { state in
      if case .settled(let facts) = state { !bad.contains(facts.stamp) } else { false }
    }
  }

  /// Returns a file that was read before if there is one, or else any other. Returns one with a bad
  /// stamp only if there are no others.
  mutating func anyFile(besides bad: Set<FileStamp>) -> BytePath? {
    readSong(besides: bad)
      ?? file { state in state.stamp.map { !bad.contains($0) } ?? true }
      ?? file { _ in true }
  }

  private mutating func file(where isWanted: (Catalogue.State) -> Bool) -> BytePath? {
    var sample = EvenSample<FileKey>(most: Self.mostSampled)
    for folder in catalogue.subtree(.root) {
      for file in catalogue[folder].files where isWanted(file.state) {
        sample.add(FileKey(folder: folder, name: file.name))
      }
    }
    let keys = sample.elements
    if keys.isEmpty { return nil }
    defer { probes += 1 }
    return absolute(keys[probes % keys.count])
  }
}
