import LibraryModel
import Platform

/// Compares a listing with the catalogue.
extension WatchCore {
  /// The differences between a listing and the catalogue. Holds indices and numbers only, so that a
  /// directory in which nothing changed costs nothing.
  private struct Difference {
    var newEntries: [Int] = []
    /// Files of the catalogue that need an update, with their entries in the listing.
    var openFiles: [(file: Int, entry: Int)] = []
    var missingFiles: [Int] = []
    var missingFolders: [Catalogue.ID] = []
    var below: [(folder: Catalogue.ID, descends: Bool)] = []
    var newFolders: [Int] = []
    /// Known names that are present but could not be examined.
    var unseen: [[UInt8]] = []
    var fileCount = 0
    /// Whether links lead to any files, so that each may be listed by another path.
    var hasLinks: Bool
  }

  /// Applies the listing to the catalogue. Returns the directories below that must be scanned.
  mutating func compare(
    _ current: Round.Current, _ listing: FolderListing, descends: Bool
  ) -> [(folder: Catalogue.ID, descends: Bool)] {
    let (folder, path) = (current.folder, current.path)
    noteCover(of: folder, path, listing)
    tree.catalogue[folder].status = listing.status
    var difference = difference(folder, path, listing, descends: descends)
    session.progress.filesListed += difference.fileCount
    trace(difference, of: path)
    var away = Set(difference.unseen.map { path.appending($0) })

    let names = difference.missingFiles.map { tree.catalogue[folder].files[$0].name }
    for pair in difference.openFiles {
      update(pair.file, listing.entries[pair.entry], listing.name(pair.entry), in: folder, path)
    }
    let context = ListingContext(
      mounts: [current.mount], fileSystem: listing.status.fileSystem)
    let offline = names.filter { !takeOut($0, in: folder, path, context) }
    // An empty directory stands for all its offline files.
    let isEmpty = listing.entries.isEmpty
    if !offline.isEmpty { away.formUnion(isEmpty ? [path] : offline.map { path.appending($0) }) }
    tree.mounts.settle(
      folder, on: current.mount, away: offline + difference.unseen, tree.catalogue)
    tree.catalogue[folder].mount = current.mount
    if difference.fileCount > 0 { tree.mounts.following { $0.hold(current.mount) } }
    for missing in difference.missingFolders {
      let missingPath = tree.catalogue.path(of: missing)
      if !takeOut(missing, isFollowed: false) { away.insert(missingPath) }
    }
    for index in difference.newEntries {
      noteNew(listing.entries[index], listing.name(index), in: folder, path)
    }
    for index in difference.newFolders {
      let new = tree.catalogue.makeSubfolder(listing.name(index), of: folder)
      tree.catalogue[new].isLink = listing.entries[index].isLink
      difference.below.append((new, true))
    }
    unskipMissing(from: listing, in: path)
    outbox.batch.clearProblems(in: tree.absolute(path)) { listing.hasEntry($0) }
    noteLinks(of: folder, path, listing)
    // Offline places further down were found by scans of their own directories, and stay.
    tree.offlinePlaces[path] = away.isEmpty ? nil : away
    return difference.below
  }

  /// Traces the scan. During a full scan, only directories with differences are traced.
  private mutating func trace(_ difference: Difference, of path: BytePath) {
    let step = Trace.Step.scanned(
      path, new: difference.newEntries.count, changed: difference.openFiles.count,
      missing: difference.missingFiles.count + difference.missingFolders.count)
    if !session.round.isFull || step != .scanned(path, new: 0, changed: 0, missing: 0) {
      trace(step)
    }
  }

  private mutating func noteCover(
    of folder: Catalogue.ID, _ path: BytePath, _ listing: FolderListing
  ) {
    let isFirst = tree.catalogue[folder].status == nil
    guard isFirst || tree.catalogue[folder].cover != listing.cover else { return }
    tree.catalogue[folder].cover = listing.cover
    emit(.cover(listing.cover, tree.absolute(path)))
  }

  private mutating func difference(
    _ folder: Catalogue.ID, _ path: BytePath, _ listing: FolderListing, descends: Bool
  ) -> Difference {
    var difference = Difference(hasLinks: session.paths.hasLinks)
    let files = tree.catalogue[folder].files
    let subfolders = tree.catalogue[folder].subfolders
    var file = 0
    var subfolder = 0
    listing.names.withUnsafeBufferPointer { listed in
      for index in listing.entries.indices {
        let entry = listing.entries[index]
        // Negative if the known name comes before the listed one.
        func order(_ known: [UInt8]) -> Int {
          -compareNames(listed, entry.nameStart, entry.nameLength, known, 0, known.count)
        }
        func order(_ known: Catalogue.File) -> Int { order(known.name) }
        func order(_ known: Catalogue.ID) -> Int { order(tree.catalogue[known].name) }
        while file < files.count, order(files[file]) < 0 {
          difference.missingFiles.append(file)
          file += 1
        }
        while subfolder < subfolders.count, order(subfolders[subfolder]) < 0 {
          difference.missingFolders.append(subfolders[subfolder])
          subfolder += 1
        }
        let isFile = file < files.count && order(files[file]) == 0
        let isFolder = subfolder < subfolders.count && order(subfolders[subfolder]) == 0
        note(
          index, of: listing, file: isFile ? file : nil, state: isFile ? files[file].state : nil,
          folder: isFolder ? subfolders[subfolder] : nil, in: path, descends, &difference)
        if isFile { file += 1 }
        if isFolder { subfolder += 1 }
      }
    }
    difference.missingFiles.append(contentsOf: file..<files.count)
    difference.missingFolders.append(contentsOf: subfolders[subfolder...])
    return difference
  }

  private mutating func note(
    _ index: Int, of listing: FolderListing, file: Int?, state: Catalogue.State?,
    folder: Catalogue.ID?, in folderPath: BytePath, _ descends: Bool,
    _ difference: inout Difference
  ) {
    let entry = listing.entries[index]
    switch entry.kind {
    case .unseen:
      if file != nil || folder != nil { difference.unseen.append(listing.name(entry)) }
    case .folder:
      if let file { difference.missingFiles.append(file) }
      guard let folder else { return difference.newFolders.append(index) }
      tree.catalogue[folder].isLink = entry.isLink
      let known = tree.catalogue[folder]
      if descends || known.status == nil || known.isUnreadable {
        difference.below.append((folder, descends))
      }
    case .file:
      difference.fileCount += 1
      if let folder { difference.missingFolders.append(folder) }
      if entry.isLink || difference.hasLinks {
        let loses = losesToOtherPath(entry, listing.name(entry), in: folderPath)
        difference.hasLinks = session.paths.hasLinks
        if loses {
          if let file { difference.missingFiles.append(file) }
          return
        }
      }
      guard let file else { return difference.newEntries.append(index) }
      if case .settled(let facts)? = state, facts.stamp == entry.stamp { return }
      difference.openFiles.append((file, index))
    }
  }

  // MARK: Files

  private mutating func noteNew(
    _ entry: FolderListing.Entry, _ name: [UInt8], in folder: Catalogue.ID, _ path: BytePath
  ) {
    let isFinished = session.round.finished[path]?.contains(name) == true
    let key = FileKey(folder: folder, name: name)
    let former = tree.absent.remove(path.appending(name))
    // It is back before its absence was reported.
    if let former, let facts = former.facts, facts.stamp == entry.stamp {
      tree.catalogue.setState(.settled(facts), name, in: folder)
      if !former.isTold { found(key, facts, isNew: false, seen: session.round.seen) }
      return
    }
    let state = Catalogue.Unsettled(
      facts: former?.toldFacts, isSong: former != nil,
      stamp: entry.stamp, seen: session.round.seen)
    tree.catalogue.setState(.unsettled(state), name, in: folder)
    session.round.newFiles.append(NewFile(key: key, stamp: entry.stamp, isFinished: isFinished))
  }

  /// Updates a known file that changed, or that is not at rest.
  private mutating func update(
    _ index: Int, _ entry: FolderListing.Entry, _ name: [UInt8], in folder: Catalogue.ID,
    _ path: BytePath
  ) {
    let key = FileKey(folder: folder, name: name)
    let isFinished = session.round.finished[path]?.contains(name) == true
    var file: Catalogue.Unsettled
    switch tree.catalogue[folder].files[index].state {
    case .settled(let facts):
      file = Catalogue.Unsettled(facts: facts, isSong: true, stamp: entry.stamp)
    case .unsettled(let known):
      switch reads.phase(key) {
      case .asked:
        // The answer is compared with the file as it is by then.
        return reads.foundAgain(key, isFinished: isFinished)
      case .standing where known.stamp == entry.stamp && !isFinished:
        return askWhetherReady(key)
      case .failed where known.stamp == entry.stamp && !session.round.retriesFailures:
        return
      case .unread, .standing, .failed, .racy: break
      }
      if let facts = known.facts, facts.stamp == entry.stamp {
        // The file is back. A problem reported for another one in its place is obsolete.
        outbox.batch.clearProblem(at: tree.absolute(key))
        return settle(key, facts)
      }
      file = known
      file.stamp = entry.stamp
    }
    file.seen = session.round.seen
    tree.catalogue.setState(.unsettled(file), at: index, in: folder)
    request(key, isFinished: isFinished)
  }

  /// Handles files that are new at their paths: each is recognized by the stamp of an absent file,
  /// or read.
  mutating func resolveNewFiles() {
    let files = session.round.newFiles
    session.round.newFiles.removeAll(keepingCapacity: true)
    for file in files {
      let key = file.key
      guard case .unsettled(let known)? = tree.catalogue.state(key.name, in: key.folder),
        case .unread = reads.phase(key), known.stamp == file.stamp
      else { continue }
      if let facts = tree.absent.facts(of: file.stamp, named: key.name) {
        settle(key, facts)
        found(key, facts, isNew: !known.isSong, seen: known.seen)
      } else {
        request(key, isFinished: file.isFinished)
      }
    }
  }

  // MARK: Removal

  /// Removes a file that was not listed. Returns false if it is offline, and so stays as it is.
  private mutating func takeOut(
    _ name: [UInt8], in folder: Catalogue.ID, _ path: BytePath, _ listing: ListingContext,
    since: Int64? = nil
  ) -> Bool {
    guard let state = tree.catalogue.state(name, in: folder) else { return true }
    if tree.isOffline(name, state, in: folder, listing) {
      tree.keepLastMount(name, state, in: folder)
      return false
    }
    tree.catalogue.setState(nil, name, in: folder)
    tree.mounts.forget(name, in: folder)
    // The file may be listed by another path now.
    if session.paths.hasLinks, session.paths.forgetLink(path.appending(name)) {
      scanAll(because: .linkChanged)
    }
    reads.forget(FileKey(folder: folder, name: name))
    outbox.batch.clearProblem(at: tree.absolute(path.appending(name)))
    let untold = outbox.batch.remove(tree.absolute(path.appending(name)))
    if state.isSong, untold?.isNew != true {
      tree.absent.add(
        path.appending(name), state.facts, isTold: untold == nil,
        since: since ?? session.round.since[path] ?? now)
    }
    return true
  }

  /// Removes a directory that was not listed, with everything below it except what is offline.
  /// - Parameter isFollowed: whether its files are followed by another path, or by none from now
  ///   on.
  /// - Returns: false if something is offline.
  @discardableResult
  mutating func takeOut(_ folder: Catalogue.ID, isFollowed: Bool) -> Bool {
    let parent = tree.catalogue[folder].parent
    let since = session.round.since[tree.catalogue.path(of: parent)] ?? now
    var listing = ListingContext(
      mounts: [tree.catalogue[parent].mount],
      fileSystem: tree.catalogue[parent].status?.fileSystem ?? 0, isFollowed: isFollowed)
    // If a link was removed by the user, everything behind it went with it.
    if tree.catalogue[folder].isLink {
      listing.mounts.formUnion(tree.mounts.known.links(at: tree.catalogue.path(of: folder)))
      listing.mounts.insert(.emptied)
    }
    var isAllGone = true
    for below in tree.catalogue.subtree(folder).reversed() {
      let path = tree.catalogue.path(of: below)
      for file in tree.catalogue[below].files
      where !takeOut(file.name, in: below, path, listing, since: since) {
        isAllGone = false
      }
      forget(below, path)
    }
    return isAllGone
  }

  /// Forgets a directory that is gone. It stays in the catalogue if files of it are offline.
  private mutating func forget(_ folder: Catalogue.ID, _ path: BytePath) {
    if let watch = session.watching.table.remove(folder: folder) { emit(.unwatch(watch)) }
    session.watching.coverage.forget(folder)
    session.agenda.forget(path)
    session.paths.leave(folder)
    forgetLinks(of: folder)
    for name in tree.skipped(in: path) { unskip(path.appending(name)) }
    tree.offlinePlaces[path] = nil
    outbox.batch.clearProblem(at: tree.absolute(path))
    let known = tree.catalogue[folder]
    outbox.batch.clearProblems(in: tree.absolute(path)) { name in
      known.files.contains { $0.name == name }
    }
    tree.catalogue[folder].status = nil
    guard known.files.isEmpty && known.subfolders.isEmpty else { return }
    if known.cover != nil { emit(.cover(nil, tree.absolute(path))) }
    tree.mounts.forget(folder)
    tree.ignoring.forget(path)
    tree.catalogue.removeEmpty(folder)
  }
}
