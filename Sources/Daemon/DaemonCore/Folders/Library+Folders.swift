import FolderWatching
import LibraryModel

/// The library's knowledge of one music folder.
extension Library {
  /// Returns whether the folder was scanned in full, judging by its songs: those of an unfinished
  /// first scan are marked.
  func hasScanned(_ root: BytePath) -> Bool {
    if knownFiles(below: root).isEmpty { return false }
    var isFresh = false
    songs.forEach { _, song in
      if song.path.isInside(root), albums[song.album]?.isFresh == true { isFresh = true }
    }
    return !isFresh
  }

  /// Returns the files of its songs that are not gone, including duplicates.
  func knownFiles(below root: BytePath) -> [KnownFile] {
    var known: [KnownFile] = []
    known.reserveCapacity(songs.count)
    songs.forEach { _, song in
      if !song.isGone, song.path.isInside(root) {
        known.append(KnownFile(path: song.path, facts: song.facts))
      }
    }
    forEachDuplicateFile { file, _ in
      if file.path.isInside(root) { known.append(KnownFile(path: file.path, facts: file.facts)) }
    }
    return known
  }

  /// Returns the files of the songs that edits added, as an undo of a forgetting does, except for
  /// gone songs.
  func filesRestored(by changes: [Change]) -> [KnownFile] {
    changes.compactMap { change in
      guard case .songAdded(let id, _) = change, let song = songs[id], !song.isGone else {
        return nil
      }
      return KnownFile(path: song.path, facts: song.facts)
    }
  }
}
