package import LibraryModel
import Platform

/// Reads the past from the remaining snapshots and journals, on any thread, while the store goes
/// on. A change that the store is writing may be seen before it is durable.
///
/// A missing file ends the past. Every function throws `UnreadablePast` if a file can't be read
/// now, maybe after some calls of its body; a later attempt may succeed. Nothing is written.
package struct PastLibrary<Files: StoreFiles>: Sendable {
  private let files: Files

  package init(_ files: Files) { self.files = files }

  // MARK: The library

  /// See `ChangeStore`.
  package func library(at sequence: Int) throws(UnreadablePast) -> Library? {
    let listing = try listing
    for generation in listing.snapshots.keys.sorted(by: >) {
      // Its journal says at which number it was written, in fewer bytes.
      guard case .success(let begun)? = try journal(generation), begun.base <= sequence
      else { continue }
      guard let bytes = try read(.snapshot(generation)),
        let snapshot = try? SnapshotReader.read(bytes)
      else { return nil }
      var reads = [begun]
      for later in listing.journals.keys.sorted() where later > generation {
        // A journal that is damaged, or was abandoned while empty, shows as a gap if it matters.
        guard case .success(let read)? = try journal(later),
          !read.transactions.isEmpty || read.base > sequence
        else { continue }
        reads.append(read)
        if read.base > sequence { break }
      }
      return replay(reads, on: snapshot.library, to: sequence)
    }
    return nil
  }

  /// Returns nil if the journals don't lead to that number.
  private func replay(
    _ journals: [JournalContents], on snapshot: Library, to sequence: Int
  ) -> Library? {
    var library = snapshot
    for (place, journal) in journals.enumerated() where library.sequence < sequence {
      guard journal.base == library.sequence else { return nil }
      // Transactions after the base of the next journal were given up.
      let next = place + 1 < journals.count ? journals[place + 1].base : .max
      if journal.apply(upTo: min(next, sequence), to: &library).fault != nil { return nil }
    }
    return library.sequence == sequence ? library : nil
  }

  // MARK: Transactions

  /// See `ChangeStore.pastTransactions`.
  package func transactions(
    before: Int, most: Int, of author: Author?
  ) throws(UnreadablePast) -> [Transaction] {
    var found: [Transaction] = []
    try forEachNewest(before: before, most: most, of: author) { found.append($0) }
    return found.reversed()
  }

  /// Calls the body with the same transactions, the newest first. Only those of one journal are in
  /// memory at a time, since a thousand large changes would take too much.
  ///
  /// - Throws: if a file can't be read now, maybe after some calls.
  package func forEachNewest(
    before: Int, most: Int, of author: Author?, _ body: (Transaction) -> Void
  ) throws(UnreadablePast) {
    var left = most
    var place = PastPlace(before: before)
    while left > 0, !place.isOver {
      let wanted = author == nil ? left : nil
      for transaction in try older(&place, isOwn: author == .person, wanted).reversed()
      where left > 0 && (author == nil || transaction.author == author) {
        body(transaction)
        left -= 1
      }
    }
  }

  /// See `ChangeStore.ownTransactions`.
  package func ownTransactions(_ place: inout PastPlace) throws(UnreadablePast) -> [Transaction] {
    while !place.isOver {
      let own = try older(&place, isOwn: true).filter { $0.author == .person }
      if !own.isEmpty { return own }
    }
    return []
  }

  /// See `ChangeStore`. No journal is read twice, and none that is older than all of them.
  package func forEach(
    _ numbers: Set<Int>, _ body: (Transaction) -> Void
  ) throws(UnreadablePast) {
    var left = numbers
    guard let newest = numbers.max() else { return }
    var place = PastPlace(before: newest + 1)
    while !place.isOver, left.contains(where: { $0 < place.before }) {
      for transaction in try older(&place, isOwn: false)
      where left.remove(transaction.sequence) != nil { body(transaction) }
    }
  }

  /// Returns what is in the next older journal, and moves the place behind it. The place stays if
  /// the journal can't be read.
  ///
  /// - Parameters:
  ///   - isOwn: whether only the user's changes are wanted, and so none before an edited snapshot.
  ///   - most: how many changes are enough; nil for all.
  private func older(
    _ place: inout PastPlace, isOwn: Bool, _ most: Int? = nil
  ) throws(UnreadablePast) -> [Transaction] {
    let generations = try listing.journals.keys
    guard let generation = generations.filter({ $0 < place.below }).max() else {
      place.isOver = true
      return []
    }
    switch try journal(generation, newest: most, before: place.before) {
    case nil, .failure(.notBegun)?:
      place.below = generation
      return []
    case .failure?:
      place.isOver = true
      place.damage =
        "journal.\(generation).txt can't be understood: what was done before it can't be told"
      return []
    case .success(let contents)?:
      let found = contents.transactions.filter { $0.sequence < place.before }
      place.below = generation
      // Transactions after the base of the next journal were given up. Journals without changes of
      // the user's may have been thinned out in between.
      if isOwn, case .damaged(let line, _) = contents.end, contents.sequence < place.before - 1 {
        place.isOver = true
        place.damage =
          "journal.\(generation).txt is damaged at line \(line): what was done before can't be told"
        return []
      }
      place.before = min(place.before, contents.base + 1)
      if isOwn, contents.isAfterEdit { place.isOver = true }
      return found
    }
  }

  /// Returns the date of the newest change in milliseconds since 1970; nil if there is none. It is
  /// compared with the clock, and decides nothing.
  ///
  /// - Throws: if a file can't be read now.
  package func newestTime() throws(UnreadablePast) -> Int64? {
    try transactions(before: .max, most: 1, of: nil).last?.time
  }

  // MARK: Files that go to the backups meanwhile

  private var listing: StoreListing {
    get throws(UnreadablePast) {
      do {
        return try StoreListing(files)
      } catch {
        throw UnreadablePast(reason: "the store can't be read now (\(error)): try again")
      }
    }
  }

  /// Returns nil if the file does not exist.
  private func read(_ name: StoreName) throws(UnreadablePast) -> [UInt8]? {
    for folder in [StoreName.Folder.store, .backups] {
      let name = StoreName(name.name, in: folder)
      do {
        if let bytes = try files.read(name) { return bytes }
      } catch {
        throw UnreadablePast(reason: "\(name) can't be read now (\(error)): try again")
      }
    }
    return nil
  }

  /// - Parameters:
  ///   - most: how many changes are enough; nil for all.
  ///   - before: the exclusive upper bound of their numbers.
  /// - Returns: nil if the journal does not exist.
  private func journal(
    _ generation: Int, newest most: Int? = nil, before: Int = .max
  ) throws(UnreadablePast) -> Result<JournalContents, JournalReader.Fault>? {
    guard let bytes = try read(.journal(generation)) else { return nil }
    return Result { () throws(JournalReader.Fault) in
      let beginning = try JournalReader.beginning(bytes)
      // All of the journal is newer than the wanted changes.
      if beginning.base + 1 >= before { return beginning }
      if let most, let end = try JournalReader.newest(most, before: before, in: bytes) {
        return end
      }
      return try JournalReader.read(bytes)
    }
  }
}

extension LibraryStore {
  package func library(at sequence: Int) throws(UnreadablePast) -> Library? {
    try PastLibrary(files).library(at: sequence)
  }

  package func pastTransactions(
    before: Int, most: Int, of author: Author?
  ) throws(UnreadablePast) -> [Transaction] {
    try PastLibrary(files).transactions(before: before, most: most, of: author)
  }

  package func ownTransactions(_ place: inout PastPlace) throws(UnreadablePast) -> [Transaction] {
    try PastLibrary(files).ownTransactions(&place)
  }

  package func forEachPast(
    _ numbers: Set<Int>, _ body: (Transaction) -> Void
  ) throws(UnreadablePast) {
    try PastLibrary(files).forEach(numbers, body)
  }
}
