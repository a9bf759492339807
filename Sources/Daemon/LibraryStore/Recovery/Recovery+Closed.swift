extension Recovery {
  /// Returns the seal of the snapshot in a store that was closed cleanly, which identifies its
  /// library. Returns nil for a store in any other state, or if a file can't be read. Writes
  /// nothing.
  package static func seal(ofClosed files: Files) -> [UInt8]? {
    guard let recovery = try? Recovery(files: files), recovery.cleanSequence != nil,
      let snapshot = recovery.listing.snapshots[recovery.listing.newest],
      let text = try? files.read(snapshot)
    else { return nil }
    return SnapshotReader.seal(of: text)
  }

  /// The sequence number of the library in the newest snapshot, if its journal is empty and there
  /// is no other generation. Nil for any other state.
  var cleanSequence: Int? {
    guard listing.hasOnlyNewest, let name = listing.journals[listing.newest],
      // It may only have its first line. A longer journal is read when it is replayed.
      let size = try? files.size(of: name), size <= JournalText.longestHeader,
      let bytes = try? files.read(name), bytes.firstIndex(of: 0x0A) == bytes.count - 1,
      let contents = try? JournalReader.read(bytes), contents.generation == listing.newest
    else { return nil }
    return contents.base
  }
}
