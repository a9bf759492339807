import LibraryModel
import Platform

/// The files of a store and of its backups, by kind and generation. Recovery, check, history, the
/// list of backups and their thinning find files by it.
struct StoreListing: Hashable {
  /// The snapshots by generation. If a name is in both folders, as after a power cut while it was
  /// moved, it is the one in the store.
  private(set) var snapshots: [Int: StoreName] = [:]
  private(set) var journals: [Int: StoreName] = [:]
  /// Snapshots whose writing was cut off or is not finished.
  private(set) var unfinished: [StoreName] = []
  private(set) var others: [StoreName] = []
  /// The highest generation of any name; 0 if there is none.
  private(set) var newest = 0

  /// - Throws: the call that failed while listing a folder.
  init(
    _ files: some StoreFiles, _ folders: [StoreName.Folder] = [.store, .backups]
  ) throws(SystemCallError) {
    var names: [StoreName] = []
    // In this order: a file that is moved meanwhile is seen in both.
    for folder in folders {
      names += try files.names(in: folder).map { StoreName($0, in: folder) }
    }
    for name in names.reversed() { add(name) }
  }

  private mutating func add(_ name: StoreName) {
    if let generation = name.generation("crates") {
      snapshots[generation] = name
      newest = max(newest, generation)
    } else if let generation = name.generation("journal") {
      journals[generation] = name
      newest = max(newest, generation)
    } else if let generation = name.unfinishedGeneration {
      unfinished.append(name)
      newest = max(newest, generation)
    } else {
      others.append(name)
    }
  }

  /// Whether the store's directory has the snapshot and the journal of the newest generation, and
  /// no others. Older ones are moved to the backups once the newest is on the disk.
  var hasOnlyNewest: Bool {
    [snapshots, journals].allSatisfy { names in
      names.values.filter { $0.folder == .store }.map(\.name) == [names[newest]?.name]
    }
  }

  /// Returns whether a journal was abandoned right after its header, so that changes went on in the
  /// one before. A journal in use has a change, or its snapshot exists.
  func isAbandoned(_ journal: JournalContents) -> Bool {
    journal.transactions.isEmpty && journal.end == .whole && snapshots[journal.generation] == nil
  }
}

extension JournalContents {
  /// Applies the transactions up to a number to the library that the journal continues. Those after
  /// the base of the next journal were refused.
  ///
  /// - Returns: the applied transactions, and the first one that does not fit the library, if any,
  ///   with the line at which it begins.
  func apply(
    upTo last: Int, to library: inout Library
  ) -> (applied: ArraySlice<Transaction>, fault: (line: Int, misfit: Misfit)?) {
    let counted = transactions.prefix { $0.sequence <= last }
    for (place, transaction) in counted.enumerated() {
      do {
        try library.apply(transaction)
      } catch {
        return (counted.prefix(place), (line(of: place), error))
      }
    }
    return (counted, nil)
  }
}
