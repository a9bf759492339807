/// The directory of each watch. A watch belongs to the directory itself, not to its path. If a
/// moved directory is watched again, its number stays the same and maps to the new place.
struct WatchTable {
  private var folders: [Int32: Catalogue.ID] = [:]
  private var watches: [Catalogue.ID: Int32] = [:]

  var count: Int { folders.count }

  func folder(of watch: Int32) -> Catalogue.ID? { folders[watch] }

  func watch(of folder: Catalogue.ID) -> Int32? { watches[folder] }

  /// Sets the folder's watch. Returns its former one if that was different and is no longer needed.
  mutating func set(_ watch: Int32, of folder: Catalogue.ID) -> Int32? {
    if let former = folders[watch], former != folder { watches[former] = nil }
    let other = watches[folder]
    folders[watch] = folder
    watches[folder] = watch
    guard let other, other != watch else { return nil }
    folders[other] = nil
    return other
  }

  /// Removes a watch that the kernel has removed.
  mutating func remove(_ watch: Int32) {
    guard let folder = folders.removeValue(forKey: watch) else { return }
    watches[folder] = nil
  }

  /// Removes a folder. Returns its watch, which must be removed from the kernel.
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
