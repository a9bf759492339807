import FolderWatching
import LibraryModel

/// What a library knows of one music folder.
extension Library {
  /// Whether the folder was scanned whole, as far as its songs tell: those of a first scan that
  /// never ended are marked.
  func hasScanned(_ root: BytePath) -> Bool {
    if knownFiles(below: root).isEmpty { return false }
    var isFresh = false
    songs.forEach { _, song in
      if song.path.isInside(root), albums[song.album]?.isFresh == true { isFresh = true }
    }
    return !isFresh
  }

  /// The files of its songs that are not gone, further ones of the same songs too.
  func knownFiles(below root: BytePath) -> [KnownFile] {
    var known: [KnownFile] = []
    known.reserveCapacity(songs.count)
    songs.forEach { _, song in
      if !song.isGone, song.path.isInside(root) {
        known.append(KnownFile(path: song.path, facts: song.facts))
      }
    }
    forEachOtherFile { file, _ in
      if file.path.isInside(root) { known.append(KnownFile(path: file.path, facts: file.facts)) }
    }
    return known
  }
}
