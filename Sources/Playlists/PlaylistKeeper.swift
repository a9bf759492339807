import Glibc
package import LibraryModel
import Platform

/// Keeps a directory of playlists in step with a library. What is in the directory is looked at and
/// compared; nothing but the person's order is taken for granted.
package struct PlaylistKeeper: Sendable {
  private struct Kept {
    var crate: Crate
    var file: BytePath
    /// As it was when it was compared or written; nil: it is to be looked at again.
    var status: FileStatus?
    var problems: [PlaylistProblem] = []

    /// To the byte: a text equals others that are spelt with other code points.
    func isOf(_ crate: Crate, in file: BytePath) -> Bool {
      self.file == file && self.crate.name.utf8.elementsEqual(crate.name.utf8)
        && self.crate.albums == crate.albums
    }
  }

  package let directory: BytePath
  private var kept: [CrateID: Kept] = [:]
  private var place: PlaylistPlace?
  /// Of the directory that was looked through for what an earlier daemon left.
  private var identity: [UInt64] = []
  /// Names that are not needed any longer and could not be removed yet.
  private var leaving: Set<BytePath> = []

  /// Until it was done.
  private var setsAside: Bool

  /// - Parameter setsAside: whether playlists that are there already are of another store, and may
  ///   be all that is left of it: they are kept under other names.
  package init(_ directory: BytePath, setsAside: Bool = false) {
    self.directory = directory
    self.setsAside = setsAside
  }

  /// Writes the playlists that are not as they should be, and removes those of crates that went.
  ///
  /// - Parameter albums: whose songs may differ from those that were written last.
  /// - Returns: everything that is wrong now.
  package mutating func follow(_ library: Library, touched albums: Set<AlbumID>)
    -> [PlaylistProblem]
  {
    let folder: PlaylistFolder
    do {
      folder = try PlaylistFolder(directory)
    } catch {
      self = PlaylistKeeper(directory, setsAside: setsAside)
      return [error]
    }
    let place = PlaylistPlace(
      directory: BytePath(resolvedPath(directory.bytes)),
      roots: library.away.folders.map { .init(named: $0, real: BytePath(resolvedPath($0.bytes))) })
    let isFirst = folder.identity != identity
    if isFirst {
      self = PlaylistKeeper(directory, setsAside: setsAside)
      folder.removeDraft()
      do {
        if setsAside { try folder.setAside() }
        setsAside = false
      } catch {
        return [PlaylistProblem(directory, error)]
      }
    }
    let isElsewhere = place != self.place
    let before = kept
    kept = [:]
    let text = PlaylistText(library, at: place)
    let names = PlaylistName.names(of: library.crates.map(\.name))
    for (crate, file) in zip(library.crates, names) {
      if let old = before[crate.id], !isElsewhere, old.isOf(crate, in: file),
        let status = old.status,
        !crate.albums.contains(where: albums.contains), folder.status(of: file) == status
      {
        kept[crate.id] = old
      } else {
        kept[crate.id] = Self.keep(crate, file, text, in: folder)
      }
    }
    self.place = place
    leaving.formUnion(before.values.map(\.file))
    let problems = removeOthers(than: Set(names), isFirst, in: folder)
    return kept.values.flatMap(\.problems) + problems
  }

  /// Compares and writes one playlist.
  private static func keep(
    _ crate: Crate, _ file: BytePath, _ text: PlaylistText, in folder: borrowing PlaylistFolder
  ) -> Kept {
    var kept = Kept(crate: crate, file: file)
    let path = folder.path.appending(file)
    do throws(SystemCallError) {
      var leftOut: [BytePath]?
      let found = try folder.read(file)
      let isThere = found != nil
      if let found {
        // One with another's mark is a copy that the person saved under this name.
        guard try found.mark() == file else {
          kept.problems = [PlaylistProblem(foreign: path)]
          return kept
        }
        leftOut = try compare(found, crate, file, text)
        kept.status = found.status
      }
      if leftOut == nil {
        kept.status = try folder.write(file, isThere: isThere) { (take) throws(SystemCallError) in
          leftOut = try text.write(crate, named: file, to: take)
        }
      }
      kept.problems = leftOut?.map(PlaylistProblem.init(leftOut:)) ?? []
    } catch {
      kept.status = nil
      let isOthers = [ELOOP, EISDIR, EEXIST, ENXIO].contains(error.code)
      kept.problems = [
        isOthers ? PlaylistProblem(foreign: path) : PlaylistProblem(path, error)
      ]
    }
    return kept
  }

  /// - Returns: the songs left out; nil where the file is another one.
  private static func compare(
    _ file: borrowing PlaylistFile, _ crate: Crate, _ name: BytePath, _ text: PlaylistText
  ) throws(SystemCallError) -> [BytePath]? {
    var offset = 0
    var isSame = true
    let leftOut = try text.write(crate, named: name) { (bytes) throws(SystemCallError) in
      isSame = try file.bytes(at: offset, most: bytes.count) == bytes
      offset += bytes.count
      return isSame
    }
    return isSame && file.status.size == offset ? leftOut : nil
  }

  /// Removes playlists of ours that are no crate's any longer.
  private mutating func removeOthers(
    than names: Set<BytePath>, _ isFirst: Bool, in folder: borrowing PlaylistFolder
  ) -> [PlaylistProblem] {
    var problems: [PlaylistProblem] = []
    if isFirst {
      do {
        leaving.formUnion(try folder.names())
        identity = folder.identity
      } catch {
        problems.append(PlaylistProblem(directory, error))
      }
    }
    leaving.subtract(names)
    for name in leaving.sorted() {
      do {
        try folder.remove(name)
        leaving.remove(name)
      } catch {
        problems.append(PlaylistProblem(folder.path.appending(name), error))
      }
    }
    return problems
  }
}
