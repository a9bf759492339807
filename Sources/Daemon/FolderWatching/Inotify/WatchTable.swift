/// Which directory each watch is of. A watch belongs to the directory itself, not to its path: when
/// one moved, adding its watch anew gives the same number, and the number leads to the new place.
struct WatchTable {
  private var folders: [Int32: Catalogue.ID] = [:]
  private var watches: [Catalogue.ID: Int32] = [:]

  var count: Int { folders.count }

  func folder(of watch: Int32) -> Catalogue.ID? { folders[watch] }

  func watch(of folder: Catalogue.ID) -> Int32? { watches[folder] }

  /// Returns the watch that the folder had before if it was another: nobody needs that one now.
  mutating func set(_ watch: Int32, of folder: Catalogue.ID) -> Int32? {
    if let former = folders[watch], former != folder { watches[former] = nil }
    let other = watches[folder]
    folders[watch] = folder
    watches[folder] = watch
    guard let other, other != watch else { return nil }
    folders[other] = nil
    return other
  }

  /// The kernel took the watch away.
  mutating func remove(_ watch: Int32) {
    guard let folder = folders.removeValue(forKey: watch) else { return }
    watches[folder] = nil
  }

  /// The folder is none of ours any more. Returns its watch, which is to be removed.
  mutating func remove(folder: Catalogue.ID) -> Int32? {
    guard let watch = watches.removeValue(forKey: folder) else { return nil }
    folders[watch] = nil
    return watch
  }

  mutating func removeAll() {
    folders = [:]
    watches = [:]
  }
}
