import LibraryModel
import Platform

/// What a listing says beside what is known.
extension WatchLoop {
  /// What differs. Indices and numbers only, so that a directory in which nothing changed costs
  /// nothing.
  private struct Difference {
    var newEntries: [Int] = []
    /// Files of the catalogue and entries of the listing.
    var openFiles: [(file: Int, entry: Int)] = []
    var missingFiles: [Int] = []
    var missingFolders: [Catalogue.ID] = []
    var below: [(Catalogue.ID, Bool)] = []
    var newFolders: [Int] = []
    /// Names that are there but could not be seen, and are known.
    var unseen: [[UInt8]] = []
    var fileCount = 0
  }

  /// Takes the listing in, and returns the directories below that have to be looked at.
  func compare(
    _ folder: Catalogue.ID, _ path: BytePath, descends: Bool
  ) -> [(Catalogue.ID, Bool)] {
    noteCover(folder, path)
    catalogue[folder].status = listing.status
    var difference = difference(folder, path, descends: descends)
    walk.filesListed += difference.fileCount
    trace(difference, of: path)
    var away = Set(difference.unseen.map { path.appending($0) })

    let names = difference.missingFiles.map { catalogue[folder].files[$0].name }
    for pair in difference.openFiles { update(pair.file, pair.entry, in: folder, path) }
    let lack = Lack(mounts: [walk.mount], fileSystem: listing.status.fileSystem)
    let strayed = names.filter { !takeOut($0, in: folder, path, lack) }
    // Where nothing else is, the place says it all.
    let isEmpty = listing.entries.isEmpty
    if !strayed.isEmpty { away.formUnion(isEmpty ? [path] : strayed.map { path.appending($0) }) }
    settleMount(of: folder, away: strayed + difference.unseen)
    if difference.fileCount > 0 { holdMount() }
    for missing in difference.missingFolders {
      let missingPath = catalogue.path(of: missing)
      if !takeOut(missing, isFollowed: false) { away.insert(missingPath) }
    }
    for index in difference.newEntries { noteNew(listing.entries[index], in: folder, path) }
    for index in difference.newFolders {
      let entry = listing.entries[index]
      let new = catalogue.makeSubfolder(listing.name(entry), of: folder)
      catalogue[new].isLink = entry.isLink
      difference.below.append((new, true))
    }
    unskipMissing(in: path)
    batch.clearProblems(in: absolute(path)) { listing.hasEntry($0) }
    noteLinks(of: folder, path)
    // What is offline below was found by looks at the directories themselves, and stays.
    offlinePlaces[path] = away.isEmpty ? nil : away
    return difference.below
  }

  /// Of a full scan only what is not as it was.
  private func trace(_ difference: Difference, of path: BytePath) {
    let step = Trace.Step.scanned(
      path, new: difference.newEntries.count, changed: difference.openFiles.count,
      missing: difference.missingFiles.count + difference.missingFolders.count)
    if !walk.isFull || step != .scanned(path, new: 0, changed: 0, missing: 0) { note(step) }
  }

  private func noteCover(_ folder: Catalogue.ID, _ path: BytePath) {
    let isFirst = catalogue[folder].status == nil
    guard isFirst || catalogue[folder].cover != listing.cover else { return }
    catalogue[folder].cover = listing.cover
    receiver.cover(listing.cover, in: absolute(path))
  }

  private func difference(
    _ folder: Catalogue.ID, _ path: BytePath, descends: Bool
  ) -> Difference {
    var difference = Difference()
    let files = catalogue[folder].files
    let subfolders = catalogue[folder].subfolders
    var file = 0
    var subfolder = 0
    listing.names.withUnsafeBufferPointer { listed in
      for index in listing.entries.indices {
        let entry = listing.entries[index]
        // Negative where the known name comes before the listed one.
        func order(_ known: [UInt8]) -> Int {
          -compareNames(listed, entry.nameStart, entry.nameLength, known, 0, known.count)
        }
        func order(_ known: Catalogue.File) -> Int { order(known.name) }
        func order(_ known: Catalogue.ID) -> Int { order(catalogue[known].name) }
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
          entry, index, file: isFile ? file : nil,
          state: isFile ? files[file].state : nil,
          folder: isFolder ? subfolders[subfolder] : nil, in: path, descends, &difference)
        if isFile { file += 1 }
        if isFolder { subfolder += 1 }
      }
    }
    difference.missingFiles.append(contentsOf: file..<files.count)
    difference.missingFolders.append(contentsOf: subfolders[subfolder...])
    return difference
  }

  private func note(
    _ entry: FolderListing.Entry, _ index: Int, file: Int?, state: Catalogue.State?,
    folder: Catalogue.ID?, in folderPath: BytePath, _ descends: Bool,
    _ difference: inout Difference
  ) {
    switch entry.kind {
    case .unseen:
      if file != nil || folder != nil { difference.unseen.append(listing.name(entry)) }
    case .folder:
      if let file { difference.missingFiles.append(file) }
      guard let folder else { return difference.newFolders.append(index) }
      catalogue[folder].isLink = entry.isLink
      let known = catalogue[folder]
      if descends || known.status == nil || known.isUnreadable {
        difference.below.append((folder, descends))
      }
    case .file:
      difference.fileCount += 1
      if let folder { difference.missingFolders.append(folder) }
      if (entry.isLink || paths.hasLinks) && losesToOtherPath(entry, in: folderPath) {
        if let file { difference.missingFiles.append(file) }
        return
      }
      guard let file else { return difference.newEntries.append(index) }
      if case .settled(let facts)? = state, facts.stamp == entry.stamp { return }
      difference.openFiles.append((file, index))
    }
  }

  // MARK: Files

  private func noteNew(
    _ entry: FolderListing.Entry, in folder: Catalogue.ID, _ path: BytePath
  ) {
    let name = listing.name(entry)
    let isFinished = walk.finished[path]?.contains(name) == true
    let key = FileKey(folder: folder, name: name)
    if let former = absent.remove(path.appending(name)) {
      // It is back before anybody was told that it went.
      if let facts = former.facts, facts.stamp == entry.stamp {
        catalogue.setState(.settled(facts), name, in: folder)
        if !former.isTold { found(key, facts, seen: walk.seen) }
        return
      }
      let state = Catalogue.Unsettled(
        facts: former.isTold ? former.facts : nil, isSong: true, stamp: entry.stamp,
        phase: .unread, seen: walk.seen)
      catalogue.setState(.unsettled(state), name, in: folder)
    } else {
      let state = Catalogue.Unsettled(
        facts: nil, isSong: false, stamp: entry.stamp, phase: .unread, seen: walk.seen)
      catalogue.setState(.unsettled(state), name, in: folder)
    }
    walk.newFiles.append(NewFile(key: key, stamp: entry.stamp, isFinished: isFinished))
  }

  /// A known file that is not as it was, or not at rest.
  private func update(
    _ index: Int, _ entryIndex: Int, in folder: Catalogue.ID, _ path: BytePath
  ) {
    let entry = listing.entries[entryIndex]
    let name = listing.name(entry)
    let key = FileKey(folder: folder, name: name)
    let isFinished = walk.finished[path]?.contains(name) == true
    var file: Catalogue.Unsettled
    switch catalogue[folder].files[index].state {
    case .settled(let facts):
      file = Catalogue.Unsettled(
        facts: facts, isSong: true, stamp: entry.stamp, phase: .unread)
    case .unsettled(let known):
      file = known
      switch known.phase {
      case .unread:
        break
      case .requested(let sequence):
        // The answer is compared with the file as it is then.
        return readings.foundAgain(sequence, isFinished: isFinished)
      case .waiting where known.stamp == entry.stamp && !isFinished:
        return askWhetherReady(key)
      case .waiting:
        break
      case .failed:
        if known.stamp == entry.stamp && !walk.retriesFailures { return }
      }
      if let facts = known.facts, facts.stamp == entry.stamp {
        // It is back, and what was told of another one in its place is so no longer.
        batch.clearProblem(at: absolute(key))
        readings.succeeded(key)
        settle(key, facts)
        return
      }
      file.stamp = entry.stamp
    }
    file.seen = walk.seen
    catalogue.setState(.unsettled(file), at: index, in: folder)
    readings.stopWaiting(key)
    request(key, isFinished: isFinished)
  }

  func settle(_ key: FileKey, _ facts: FileFacts) {
    catalogue.setState(.settled(facts), key.name, in: key.folder)
    readings.settled(key)
  }

  /// What is new at its path: known by the stamp of an absent file, or read.
  func resolveNewFiles() {
    let files = walk.newFiles
    walk.newFiles.removeAll(keepingCapacity: true)
    for file in files {
      guard case .unsettled(let known)? = catalogue.state(file.key.name, in: file.key.folder),
        known.phase == .unread, known.stamp == file.stamp
      else { continue }
      if let facts = absent.facts(of: file.stamp, named: file.key.name) {
        settle(file.key, facts)
        found(file.key, facts, seen: known.seen)
      } else {
        request(file.key, isFinished: file.isFinished)
      }
    }
  }

  // MARK: Going

  /// Takes out a file that was not listed. False: it is offline, and stays as it is.
  private func takeOut(
    _ name: [UInt8], in folder: Catalogue.ID, _ path: BytePath, _ lack: Lack,
    since: Int64? = nil
  ) -> Bool {
    guard let state = catalogue.state(name, in: folder) else { return true }
    if isOffline(name, state, in: folder, lack) {
      keepHome(name, state, in: folder)
      return false
    }
    let key = FileKey(folder: folder, name: name)
    catalogue.setState(nil, name, in: folder)
    if !strays.isEmpty { strays[folder]?[name] = nil }
    // Another path leads to the file now, if any does.
    if paths.hasLinks, paths.forgetLink(path.appending(name)) {
      scanAll(because: .linkChanged)
    }
    readings.forget(key)
    batch.clearProblem(at: absolute(path.appending(name)))
    if state.isSong {
      absent.add(path.appending(name), state.facts, since: since ?? walk.since[path] ?? now)
    }
    return true
  }

  /// Takes out a directory that was not listed, with all below it, except for what is offline.
  /// - Parameter isFollowed: what was in it is followed by another path, or by none from now on.
  /// - Returns: false where something is offline.
  @discardableResult
  func takeOut(_ folder: Catalogue.ID, isFollowed: Bool) -> Bool {
    let parent = catalogue[folder].parent
    let since = walk.since[catalogue.path(of: parent)] ?? now
    var lack = Lack(
      mounts: [catalogue[parent].mount], fileSystem: catalogue[parent].status?.fileSystem ?? 0,
      isFollowed: isFollowed)
    // Behind a link that was taken away by hand, everything went with it.
    if catalogue[folder].isLink {
      lack.mounts.formUnion(knownMounts.links(at: catalogue.path(of: folder)))
      lack.mounts.insert(.emptied)
    }
    var isAllGone = true
    for below in catalogue.subtree(folder).reversed() {
      let path = catalogue.path(of: below)
      for file in catalogue[below].files
      where !takeOut(file.name, in: below, path, lack, since: since) {
        isAllGone = false
      }
      if let watch = watches.remove(folder: below) { inotify?.remove(watch) }
      coverage.forget(below)
      forgetLinks(of: below)
      paths.leave(below)
      for name in paths.skipped(in: path) { unskip(path.appending(name)) }
      failedLooks[path] = nil
      folderTimers[path] = nil
      offlinePlaces[path] = nil
      batch.clearProblem(at: absolute(path))
      batch.clearProblems(in: absolute(path)) { catalogue.state($0, in: below) != nil }
      catalogue[below].status = nil
      if catalogue[below].files.isEmpty && catalogue[below].subfolders.isEmpty {
        strays[below] = nil
        catalogue.removeEmpty(below)
      }
    }
    return isAllGone
  }
}
