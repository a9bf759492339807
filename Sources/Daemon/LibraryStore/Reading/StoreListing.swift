import LibraryModel
import Platform

/// The names in a store's directory and in its backups, by what they mean. Recovery, check, the
/// past and the list of backups see a store by it.
struct StoreListing: Hashable {
  /// By generation. A name that is in both folders, as after a power cut while it went to the
  /// backups, is that in the store.
  private(set) var snapshots: [Int: StoreName] = [:]
  private(set) var journals: [Int: StoreName] = [:]
  /// Snapshots that were being written.
  private(set) var unfinished: [StoreName] = []
  private(set) var others: [StoreName] = []
  /// The highest generation that any name bears; 0: there is none.
  private(set) var newest = 0

  /// - Throws: where one of the folders can't be listed.
  init(
    _ files: some StoreFiles, _ folders: [StoreName.Folder] = [.store, .backups]
  ) throws(SystemCallError) {
    var names: [StoreName] = []
    // In this order: what leaves the first for the second in between is in both.
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

  /// Whether the store's directory has a snapshot and a journal of the newest generation, and no
  /// other. Older ones leave it when the newest is safe.
  var hasOnlyNewest: Bool {
    [snapshots, journals].allSatisfy { names in
      names.values.filter { $0.folder == .store }.map(\.name) == [names[newest]?.name]
    }
  }

  /// Whether a journal was given up while it was begun, so that changes went on in the one before:
  /// one that is used holds something, or its snapshot is there.
  func isAbandoned(_ journal: JournalContents) -> Bool {
    journal.transactions.isEmpty && journal.end == .whole && snapshots[journal.generation] == nil
  }
}

extension JournalContents {
  /// Applies the transactions to the library that the journal continues, those up to a number: what
  /// stands behind the beginning of the next journal was given up.
  ///
  /// - Returns: what was applied, and where there is one, the first transaction that does not fit
  ///   what is before it, by the line at which it begins.
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
