import LibraryModel

/// Where the symbolic links in the music folder lead to that leave it, by the directories they are
/// in. Pure, and bounded.
struct LinkTargets {
  /// How many places are held, of a few hundred bytes each.
  static let most = 16_384
  /// As many places are compared with each mount.
  static let mostCompared = 256

  private var places: [Catalogue.ID: Set<BytePath>] = [:]
  private var count = 0
  /// Directories whose links lead to more places than can be held.
  private var crowded: Set<Catalogue.ID> = []

  /// A directory was listed.
  mutating func set(_ new: Set<BytePath>, of folder: Catalogue.ID) {
    forget(folder)
    if new.isEmpty { return }
    guard count + new.count <= Self.most else {
      crowded.insert(folder)
      return
    }
    places[folder] = new
    count += new.count
  }

  mutating func forget(_ folder: Catalogue.ID) {
    crowded.remove(folder)
    if let former = places.removeValue(forKey: folder) { count -= former.count }
  }

  func hasAny(_ folder: Catalogue.ID) -> Bool {
    places[folder] != nil || crowded.contains(folder)
  }

  /// All places, or, where they are many, the nearest directories above them that are not; the root
  /// of the file system stands for what can't be held.
  var mountedPlaces: Set<BytePath> {
    var all = Set(places.values.joined())
    while all.count > Self.mostCompared {
      all = Set(all.map { $0.parent.isEmpty ? filesRoot : $0.parent })
    }
    if !crowded.isEmpty { all.insert(filesRoot) }
    return all
  }
}

private let filesRoot = BytePath("/")
