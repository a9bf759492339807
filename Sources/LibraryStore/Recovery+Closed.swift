extension Recovery {
  /// The seal of the snapshot in a store that was left whole, with nothing done after it: whoever
  /// knows it knows the library. Nil for a store in any other state, which `open` judges. Writes
  /// nothing.
  package static func seal(ofClosed files: Files) -> [UInt8]? {
    var recovery = Recovery(files: files)
    guard (try? recovery.findFiles()) != nil, recovery.hasOnlyNewest,
      let snapshot = recovery.snapshots[recovery.newest],
      let journal = recovery.journals[recovery.newest],
      case .begun(let contents)? = try? recovery.journal(journal),
      contents.changes.isEmpty, contents.end == .whole, contents.generation == recovery.newest,
      let text = try? files.read(snapshot)
    else { return nil }
    return SnapshotReader.seal(of: text)
  }
}
