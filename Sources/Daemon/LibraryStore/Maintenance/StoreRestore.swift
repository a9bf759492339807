package import LibraryModel
import Platform

/// Installs a snapshot as the newest generation, with one rename. The snapshot counts as edited by
/// the user: recovery accepts it and makes a generation of it, and moves everything older to the
/// backups. The caller holds the store's lock.
package struct StoreRestore<Files: StoreFiles> {
  package struct Restored {
    package var library: Library
    /// The generation of the store afterwards.
    package var generation: Int
    /// Notes for the user, one sentence each.
    package var notes: [String]
  }

  private let files: Files
  private let report: StoreReport

  /// - Parameters:
  ///   - backup: a snapshot, sealed or edited.
  ///   - name: its name in messages.
  /// - Throws: why the backup could not be put in place. The store is as it was before. If only its
  ///   directory could not be synchronized, the backup is in place, and a power cut may bring the
  ///   former state back. A later failure is one of the notes.
  package static func restore(
    _ backup: [UInt8], named name: String, into files: Files
  ) throws(StoreFailure) -> Restored {
    let contents = try read(backup, name)
    let report = StoreCheck.run(files)
    if case .newer(let version, let file) = report.verdict {
      throw .newerVersion(version, file: file)
    }
    let restore = StoreRestore(files: files, report: report)
    return try restore.put(contents.library)
  }

  /// Reads and verifies a backup.
  ///
  /// - Parameter name: its name in messages.
  /// - Throws: what is wrong with it. Nothing is written.
  package static func read(
    _ backup: [UInt8], _ name: String
  ) throws(StoreFailure) -> SnapshotReader.Contents {
    let contents: SnapshotReader.Contents
    do throws(SnapshotReader.Fault) {
      contents = try SnapshotReader.read(backup)
    } catch {
      switch error {
      case .newerVersion(let version): throw .newerVersion(version, file: name)
      case .damaged(let line, let reason), .rejected(let line, let reason):
        throw .unusable("\(name), line \(line): \(reason); restore another backup")
      }
    }
    if let fault = contents.library.brokenInvariant {
      throw .unusable("\(name): \(fault); restore another backup")
    }
    return contents
  }

  private func put(_ backup: Library) throws(StoreFailure) -> Restored {
    var library = backup
    // A number identifies one change forever, and clients that know the former state need a new
    // one.
    library.advance(to: max(backup.sequence, report.highestSequence) + 1)
    let text = Snapshot.editedText(library)
    _ = try StoreRestore.read(text, "the restored snapshot")
    do {
      try place(text)
    } catch {
      throw .unusable(
        "the backup could not be put in place (\(error)): make room or check the disk, and try"
          + " again")
    }
    do {
      try backUpDamaged()
    } catch {
      // From here on the next start can do the rest. A directory whose synchronization failed is
      // not synchronized again.
      return Restored(
        library: library, generation: report.newestGeneration + 1,
        notes: ["the next start has to do the rest (\(error))"])
    }
    let opened = try Recovery.open(files)
    let fault = opened.store.close(opened.library)
    return Restored(
      library: opened.library, generation: opened.store.newest,
      notes: opened.notes + (fault.map { ["the next start has to do the rest (\($0))"] } ?? []))
  }

  private func place(_ text: [UInt8]) throws(SystemCallError) {
    try files.writeWhole(text, to: .snapshot(report.newestGeneration + 1))
    try files.synchronize(StoreName.Folder.store)
  }

  /// Moves damaged files to the backups, under names that are never thinned out: the user may
  /// repair them.
  private func backUpDamaged() throws(SystemCallError) {
    let damaged = report.damaged.filter { $0.folder == .store }
    if damaged.isEmpty { return }
    let taken = Set(try files.names(in: .backups))
    for name in damaged {
      var number = 1
      while taken.contains("damaged.\(number).\(name.name)") { number += 1 }
      let aside = StoreName("damaged.\(number).\(name.name)", in: .backups)
      try files.rename(name, to: aside)
    }
    // In this order: a name must not be gone from here before it is safe there.
    try files.synchronize(StoreName.Folder.backups)
    try files.synchronize(StoreName.Folder.store)
  }
}
