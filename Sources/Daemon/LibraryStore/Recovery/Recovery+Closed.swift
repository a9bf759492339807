extension Recovery {
  /// The seal of the snapshot in a store that was left whole, with nothing done after it: whoever
  /// knows it knows the library. Nil for a store in any other state, and where anything can't be
  /// read: `open` reads it all again, and judges. Writes nothing.
  package static func seal(ofClosed files: Files) -> [UInt8]? {
    guard let recovery = try? Recovery(files: files), recovery.sequenceLeft != nil,
      let snapshot = recovery.listing.snapshots[recovery.listing.newest],
      let text = try? files.read(snapshot)
    else { return nil }
    return SnapshotReader.seal(of: text)
  }

  /// The number of the library in the newest snapshot, where its journal says that nothing was done
  /// after it, and there is no other generation. Nil for any other state.
  var sequenceLeft: Int? {
    guard listing.hasOnlyNewest, let name = listing.journals[listing.newest],
      // Its first line alone. A longer one is read when it is replayed.
      let size = try? files.size(of: name), size <= JournalText.longestHeader,
      let bytes = try? files.read(name), bytes.firstIndex(of: 0x0A) == bytes.count - 1,
      let contents = try? JournalReader.read(bytes), contents.generation == listing.newest
    else { return nil }
    return contents.base
  }
}
