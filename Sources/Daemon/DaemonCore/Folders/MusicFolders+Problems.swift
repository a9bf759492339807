import CratesInterface
import FolderWatching
import LibraryModel
import Platform

/// The status and the problems of the folders.
extension MusicFolders {
  /// Returns the folders in the form that clients receive.
  func shown(_ counts: LibraryCounts) -> [Interface.MusicFolder] { all.map { shown($0, counts) } }

  /// Returns the offline places in a folder that songs are missed from.
  private func missed(of state: WatchState) -> [BytePath] {
    if state.offlineSubtrees.isEmpty { return [] }
    let away = all.flatMap(\.watchState.offlineSubtrees)
    let library = published.atHand
    // Until the songs are read, any of them may be missed.
    if library.isOutline { return state.offlineSubtrees }
    let missed = missedPlaces.found(in: library, for: away) { library.missedPlaces(of: Set(away)) }
    return state.offlineSubtrees.filter(missed.contains)
  }

  private func shown(_ folder: FolderService, _ counts: LibraryCounts) -> Interface.MusicFolder {
    let state = folder.watchState
    var shown = Interface.MusicFolder(
      path: folder.root.display, state: .watching, directories: state.foldersWatched,
      songs: counts.songsOfFolder[folder.root] ?? 0)
    switch state.mode {
    case .watching:
      let away = missed(of: state)
      if let first = away.first {
        let others = away.count - 1
        shown.reason =
          switch others {
          case 0: "\(first.display) is not there now: its songs are offline"
          case 1: "\(first.display) and another place are not there now: their songs are offline"
          default:
            "\(first.display) and \(others) other places are not there now: their songs are offline"
          }
      }
    case .polling(let reason): (shown.state, shown.reason) = (.polling, reason)
    case .offline(let reason): (shown.state, shown.reason) = (.offline, reason)
    }
    let progress = folder.progress
    shown.scanned = progress?.scanned
    shown.toScan = progress?.toScan
    return shown
  }

  /// The duplicates that may be removed, since both files are known to be present.
  var duplicates: [(file: BytePath, original: BytePath)] {
    let library = published.atHand
    if library.duplicateFileCount == 0 { return [] }
    let away = library.away
    let seen = all.filter(\.watchState.isSeen).map(\.root)
    func isThere(_ path: BytePath) -> Bool {
      !away.covers(path) && seen.contains { path.isInside($0) }
    }
    var found: [(file: BytePath, original: BytePath)] = []
    library.forEachDuplicateFile { file, song in
      if isThere(file.path), isThere(song.path) { found.append((file.path, song.path)) }
    }
    return found.sorted { $0.file < $1.file }
  }

  private var foldersLeft: [LeftFolder] {
    let (library, counts) = (published.atHand, published.counts)
    // Nearly always no song lies outside of the folders.
    if library.isOutline || counts.songs == counts.songsOfFolder.values.reduce(0, +) { return [] }
    let roots = knownFolders.roots
    return leftFolders.found(in: library, for: roots) { library.leftFolders(of: roots) }
  }

  /// Returns the problems of folders that are offline, fully or in part, and of those that were
  /// removed from the settings.
  ///
  /// - Parameter started: The start of the daemon, in milliseconds since 1970.
  func ownProblems(since started: Int64) -> [Interface.Problem] {
    var list: [Interface.Problem] = []
    for folder in all {
      let state = folder.watchState
      if case .offline(let reason) = state.mode {
        let hasSongs = published.counts.songsOfFolder[folder.root, default: 0] > 0
        var message = "is offline: \(reason)"
        // Some reasons say themselves what to do.
        if !reason.contains("crate rescan") {
          message +=
            "; \(hasSongs ? "" : "make it, ")mount it or plug it in, or change music_folders"
        }
        if hasSongs { message += "; its places are kept meanwhile" }
        list.append(Interface.Problem(.folder, at: folder.root, message, since: started))
      }
      // One problem for all places: a drive that is unplugged may hold thousands of files.
      let missed = missed(of: state)
      if let first = missed.first {
        let others = missed.count - 1
        let message =
          others == 0
          ? "is not there now: its songs are offline until you plug in or mount its drive"
          : "and \(others) more in \(folder.root.display) are not there now: their songs are"
            + " offline until you plug in or mount their drives"
        list.append(Interface.Problem(.folder, at: first, message, since: started))
      }
    }
    return list
      + foldersLeft.map { folder in
        let songs = folder.songs == 1 ? "1 song lies" : "\(folder.songs) songs lie"
        let message =
          "\(songs) in this folder, which is in no setting any more: put it back into"
          + " music_folders, or drop them with `crate forget` and the folder, a crate or albums"
        return Interface.Problem(.folder, at: folder.path, message, since: started)
      }
  }

}
