package import LibraryModel

/// What was before, from the snapshots and journals that are left of it. Any thread may look, while
/// the store goes on; what it is just writing may be seen, too, before it is durable.
package struct PastLibrary<Files: StoreFiles>: Sendable {
  private let files: Files

  package init(_ files: Files) { self.files = files }

  /// See `ChangeStore`.
  package func library(at sequence: Int) -> Library? {
    let journals = generations("journal")
    for generation in generations("crates").reversed() {
      // Its journal says at which number it was written, in fewer bytes.
      guard journals.contains(generation), let begun = journal(generation), begun.base <= sequence
      else { continue }
      guard let bytes = read(.snapshot(generation)), let read = try? SnapshotReader.read(bytes)
      else { return nil }
      var reads = [begun]
      for later in journals where later > generation {
        // What can't be read, or was given up while it was empty, shows as a gap if it counts.
        guard let read = journal(later), !read.changes.isEmpty || read.base > sequence
        else { continue }
        reads.append(read)
        if read.base > sequence { break }
      }
      return replay(reads, on: read.library, to: sequence)
    }
    return nil
  }

  /// Nil where what is there does not lead to that number.
  private func replay(
    _ journals: [JournalContents], on snapshot: Library, to sequence: Int
  ) -> Library? {
    var library = snapshot
    for (place, journal) in journals.enumerated() where library.sequence < sequence {
      guard journal.base == library.sequence else { return nil }
      // What stands behind the beginning of the next journal was given up.
      let next = place + 1 < journals.count ? journals[place + 1].base : .max
      for change in journal.changes where change.sequence <= min(next, sequence) {
        do {
          for step in change.changes { try library.apply(step, by: change.author) }
        } catch {
          return nil
        }
        library.advance(to: change.sequence)
      }
    }
    return library.sequence == sequence ? library : nil
  }

  /// See `ChangeStore.pastChanges`.
  package func changes(before: Int, most: Int, of author: Author?) -> [CommittedChange] {
    var found: [CommittedChange] = []
    // What stands behind the beginning of the next journal was given up. Journals without anything
    // of the person's may have been thinned out in between.
    var end = before - 1
    for generation in generations("journal").reversed() where found.count < most {
      guard let bytes = read(.journal(generation)) else { break }
      // Without a header: just made for a checkpoint, or cut off. Nothing was answered from it.
      guard bytes.contains(0x0A) else { continue }
      guard let contents = try? JournalReader.read(bytes) else { break }
      for change in contents.changes.reversed() where found.count < most {
        if change.sequence <= end, author == nil || change.author == author {
          found.append(change)
        }
      }
      end = min(end, contents.base)
      if author == .person, contents.isAfterEdit { break }
    }
    return found.reversed()
  }

  // MARK: Files that go to the backups meanwhile

  /// Those of the kind that are there, in their order.
  private func generations(_ kind: String) -> [Int] {
    // In this order: what leaves the first for the second in between is in both.
    let names = [StoreName.Folder.store, .backups].flatMap { folder in
      ((try? files.names(in: folder)) ?? []).map { StoreName($0, in: folder) }
    }
    return Set(names.compactMap { $0.generation(kind) }).sorted()
  }

  private func read(_ name: StoreName) -> [UInt8]? {
    for folder in [StoreName.Folder.store, .backups] {
      if let bytes = try? files.read(StoreName(name.name, in: folder)) { return bytes }
    }
    return nil
  }

  private func journal(_ generation: Int) -> JournalContents? {
    read(.journal(generation)).flatMap { try? JournalReader.read($0) }
  }
}

extension LibraryStore {
  package func library(at sequence: Int) -> Library? { PastLibrary(files).library(at: sequence) }

  package func pastChanges(before: Int, most: Int, of author: Author?) -> [CommittedChange] {
    PastLibrary(files).changes(before: before, most: most, of: author)
  }
}
