import Glibc
package import LibraryModel
import LibraryStore
import Platform

/// A former order, read from a valid backup.
package struct FormerLibrary: Sendable {
  package let library: Library
  /// The date at which it was written: `21 November, 07:11`.
  package let date: String
  let path: BytePath
  let bytes: [UInt8]

  package var origin: String { FormerOrder.origin(of: date) }

  /// Returns the order as a text that can be applied to a library that knows these albums, and
  /// these songs in those albums.
  package func text(isKnown: (AlbumID) -> Bool, home: (SongID) -> AlbumID?) -> String {
    OrderText.text(FormerOrder.written(library, isKnown: isKnown, home: home))
  }
}

extension StoreCare {
  /// Whether a daemon uses the store.
  package var isInUse: Bool { FileLock.holder(path: store.appending("lock".utf8).bytes) != nil }

  // MARK: Listing

  /// Returns a table of the kept generations, the newest first: a heading, and one line each.
  package func backups() throws(DaemonFailure) -> [String] {
    let found: [BackupList<DiskFiles>.Backup]
    do throws(SystemCallError) {
      found = try BackupList.list(try DiskFiles(reading: store))
    } catch {
      throw DaemonFailure(
        status: DaemonFailure.unusableStore,
        "the store can't be read (\(error)): check the path and its permissions")
    }
    let rows =
      [["Generation", "Written", "Crates", "Albums", "Songs"]]
      + found.map { backup in
        let counts =
          backup.isRead
          ? [backup.crates, backup.albums, backup.songs].map(Self.grouped)
          : ["can't be read", "", ""]
        let path = store.appending(backup.name.description.utf8)
        return [String(backup.generation), Self.date(of: path)] + counts
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 1 ? cell.0 + blanks : blanks + cell.0
      }.joined(separator: "  ")
    }
  }

  /// Reads a backup.
  ///
  /// - Parameter backup: A generation, the name of a file in the backups or the store, or the path
  ///   of any snapshot.
  package func former(_ backup: String) throws(DaemonFailure) -> FormerLibrary {
    let (path, bytes) = try read(backup)
    do throws(StoreFailure) {
      let contents = try StoreRestore<DiskFiles>.read(bytes, path.display)
      return FormerLibrary(
        library: contents.library, date: Self.date(of: path), path: path, bytes: bytes)
    } catch {
      throw DaemonFailure(error)
    }
  }

  private func read(_ backup: String) throws(DaemonFailure) -> (BytePath, [UInt8]) {
    let isGeneration = !backup.isEmpty && backup.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let name = isGeneration ? "crates.\(backup).txt" : backup
    var places = [BytePath(name)]
    if !name.hasPrefix("/") {
      let own = [store.appending("backups".utf8), store].map { $0.appending(name.utf8) }
      places = isGeneration ? own : own + places
    }
    for place in places {
      do {
        if let bytes = try DiskFiles.read(place) { return (place, bytes) }
      } catch {
        if error.code == EISDIR {
          throw DaemonFailure(
            status: DaemonFailure.wrongUse,
            "\(place.display) is a directory: name the crates.N.txt in it, such as the newest one")
        }
        throw DaemonFailure(
          status: DaemonFailure.unusableStore,
          "the backup can't be read (\(error)): check the path and its permissions")
      }
    }
    throw DaemonFailure(
      status: DaemonFailure.wrongUse,
      "there is no backup \(backup); crated restore lists those of this store")
  }

  /// Returns the local time at which the file was written, without the year if that is the current
  /// one.
  private static func date(of path: BytePath) -> String {
    let status = path.cString.withUnsafeBufferPointer { name in
      name.baseAddress.flatMap { FileStatus(name: $0, followsLinks: true) }
    }
    var seconds = time_t((status?.modified ?? 0) / 1_000_000_000)
    var now = time(nil)
    var (written, today) = (tm(), tm())
    localtime_r(&seconds, &written)
    localtime_r(&now, &today)
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    let year = written.tm_year == today.tm_year ? "" : " \(written.tm_year + 1900)"
    let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(written.tm_mday) \(months[Int(written.tm_mon)])\(year),"
      + " \(two(written.tm_hour)):\(two(written.tm_min))"
  }

  // MARK: Putting it back

  /// Applies a former order to that of the store. No daemon may use the store meanwhile.
  ///
  /// - Parameter index: The path of the index. Without it, albums and songs are described only by
  ///   what the store knows of them.
  package func laidOver(
    _ former: FormerLibrary, newAlbums: String?, index: BytePath?
  ) throws(DaemonFailure) -> Laying {
    let files = try openStore()
    let lock = try Daemon.claim(store)
    let reading = index.map(IndexReading.init)
    defer { reading?.giveUp() }
    let opened: Recovery<DiskFiles>.Opened
    do throws(StoreFailure) {
      opened = try Recovery.open(files, writesLater: true) { reading?.facts(newest: $0) }
    } catch {
      guard case .unusable(let reason) = error else { throw DaemonFailure(error) }
      return .nothing(because: reason)
    }
    if let damage = opened.damage { return .nothing(because: damage) }
    switch opened.store.state {
    case .ready: break
    case .full(let reason), .readOnly(let reason):
      throw DaemonFailure(status: EX_TEMPFAIL, "nothing was restored: \(reason)")
    }
    var library = opened.library
    if !opened.hasFacts, let facts = reading?.facts(newest: library.sequence) {
      library.attach(facts)
    }
    do {
      return .over(try LaidOrder(former, over: library, of: opened.store, lock, newAlbums, clock))
    } catch {
      throw DaemonFailure(status: EXIT_FAILURE, "nothing was restored: \(error)")
    }
  }

  private func openStore() throws(DaemonFailure) -> DiskFiles {
    do {
      return try DiskFiles(directory: store)
    } catch {
      throw DaemonFailure(
        status: DaemonFailure.unusableStore,
        "the store can't be opened (\(error)): check the directory and the disk")
    }
  }

  /// Installs a backup as a new generation. For a store that has no usable one.
  ///
  /// - Returns: What was done, and notes for the user, one sentence each.
  package func put(_ former: FormerLibrary) throws(DaemonFailure) -> [String] {
    let files = try openStore()
    let lock = try Daemon.claim(store)
    defer { withExtendedLifetime(lock) {} }
    do throws(StoreFailure) {
      let name = former.path.display
      let restored = try StoreRestore.restore(former.bytes, named: name, into: files)
      let library = restored.library
      return [
        "restored \(name) as generation \(restored.generation):"
          + " \(counted(library.songs.count, "song")) in \(counted(library.crates.count, "crate"))"
          + "; what was there before is in backups"
      ] + restored.notes
    } catch {
      throw DaemonFailure(error)
    }
  }
}

/// The store's order that a former one is applied to.
package enum Laying {
  case over(LaidOrder)
  /// The store has no generation that changes can continue from.
  case nothing(because: String)
}

/// A former order applied to the library of an open store, ready to be committed.
package final class LaidOrder {
  private let lock: FileLock
  private let library: Library
  private let store: LibraryStore<DiskFiles>
  private let decision: Decision
  /// Never shows a time before the newest change.
  private let clock: Clock

  fileprivate init(
    _ former: FormerLibrary, over now: Library, of store: LibraryStore<DiskFiles>,
    _ lock: FileLock, _ newAlbums: String?, _ clock: Clock
  ) throws {
    self.clock = clock
    let written = FormerOrder.written(former.library) {
      now.albums[$0] != nil
    } home: {
      now.songs[$0]?.album
    }
    decision = try now.decide(
      written, readFrom: now, newAlbums: newAlbums, origin: former.origin)
    library = now
    self.store = store
    self.lock = lock
  }

  /// A sentence about the dry run; nil if nothing would change.
  package var preview: String? {
    decision.changes.isEmpty ? nil : decision.sentence(from: library, isDryRun: true)
  }

  /// Commits it as one change, which can be undone.
  ///
  /// - Returns: The sentence of that change.
  package func commit() throws(DaemonFailure) -> String {
    defer { withExtendedLifetime(lock) {} }
    var transaction = decision.transaction
    transaction.time = clock.wall() / 1_000_000
    store.writeRecovered(library)
    do throws(StoreRefusal) {
      let numbered = try store.commit([transaction], to: library)
      var later = decision.library
      if let last = numbered.last?.sequence { later.advance(to: last) }
      store.close(later)
      return transaction.sentence
    } catch {
      throw DaemonFailure(
        status: DaemonFailure.unusableStore,
        "the order could not be restored (\(error.reason)): make room or check the disk")
    }
  }
}
