package import LibraryModel

extension LibraryStore {
  package func library(at sequence: Int) -> Library? {
    let names = [StoreName.Folder.backups, .store].flatMap { folder in
      ((try? files.names(in: folder)) ?? []).map { StoreName($0, in: folder) }
    }
    let journals = StoreName.journals(among: names)
    let snapshots = names.compactMap { name in name.generation("crates").map { ($0, name) } }
      .sorted { $0.0 > $1.0 }
    for (generation, name) in snapshots {
      // Its journal says at which number it was written, in fewer bytes.
      guard let journal = journals.first(where: { $0.generation == generation }),
        let begun = contents(journal.name), begun.base <= sequence
      else { continue }
      guard let bytes = try? files.read(name), let read = try? SnapshotReader.read(bytes) else {
        return nil
      }
      var reads = [begun]
      for later in journals where later.generation > generation {
        // What can't be read, or was given up while it was empty, shows as a gap if it counts.
        guard let read = contents(later.name), !read.changes.isEmpty || read.base > sequence
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

  private func contents(_ name: StoreName) -> JournalContents? {
    (try? files.read(name)).flatMap { $0 }.flatMap { try? JournalReader.read($0) }
  }
}
