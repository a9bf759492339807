package import Platform

/// The snapshots of a store, by the number of their generation.
package struct BackupList<Files: StoreFiles> {
  /// A snapshot with its lines counted as they stand, whether or not it is good.
  package struct Backup: Equatable, Sendable {
    package var generation: Int
    package var name: StoreName
    package var crates = 0
    package var albums = 0
    package var songs = 0
    package var isRead = true
  }

  /// Lists the snapshots, the newest first. One that can't be read is listed without counts.
  ///
  /// - Throws: the call that failed while listing the names.
  package static func list(_ files: Files) throws(SystemCallError) -> [Backup] {
    var found: [Backup] = []
    for (generation, name) in try StoreListing(files).snapshots.sorted(by: { $0.key > $1.key }) {
      var backup = Backup(generation: generation, name: name)
      do {
        // It may have been moved to the backups meanwhile.
        guard let text = try files.read(name) else { continue }
        backup = count(text, backup)
      } catch {
        backup.isRead = false
      }
      found.append(backup)
    }
    return found
  }

  private static func count(_ text: [UInt8], _ backup: Backup) -> Backup {
    var backup = backup
    let (crate, album, song) = (Array("crate ".utf8), Array("\talbum".utf8), Array("\t\tsong".utf8))
    for line in text.lazy.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: song) {
        backup.songs += 1
      } else if line.starts(with: album) {
        backup.albums += 1
      } else if line.starts(with: crate) {
        backup.crates += 1
      }
    }
    return backup
  }
}
