import LibraryModel

/// Where the symbolic links in the music folder lead to, by the directories they are in: what may
/// be mounted there, and which names in other directories the kernel is to tell of. Pure, and
/// bounded.
struct LinkTargets {
  /// A file that a link leads to, or, where it is not there, the first name that is missing on the
  /// way to it.
  struct Target: Hashable {
    /// An absolute path without links.
    var folder: BytePath
    var name: [UInt8]
  }

  private struct Links {
    var places: Set<BytePath>
    var targets: Set<Target>
    var count: Int { places.count + targets.count }
  }

  private struct Watch {
    var number: Int32
    var isRemote: Bool
  }

  /// How many places and targets are held, of a few hundred bytes each.
  static let most = 16_384
  /// As many places are compared with each mount.
  static let mostCompared = 256

  private var links: [Catalogue.ID: Links] = [:]
  private var count = 0
  /// Directories whose links lead to more than can be held.
  private var crowded: Set<Catalogue.ID> = []
  /// The directories with links to each name of a target's directory.
  private var users: [BytePath: [[UInt8]: Set<Catalogue.ID>]] = [:]
  private var watches: [BytePath: Watch] = [:]
  private var watched: [Int32: Set<BytePath>] = [:]
  private var unused: [Int32] = []

  // MARK: Links

  /// A directory was listed.
  ///
  /// - Parameters:
  ///   - places: outside of the music folder, where something may be mounted.
  ///   - targets: of links to files.
  /// - Returns: false where they are too many.
  mutating func set(
    _ places: Set<BytePath>, _ targets: Set<Target>, of folder: Catalogue.ID
  ) -> Bool {
    let former = links.removeValue(forKey: folder)
    count -= former?.count ?? 0
    crowded.remove(folder)
    let new = Links(places: places, targets: targets)
    let isHeld = count + new.count <= Self.most
    if isHeld && new.count > 0 {
      links[folder] = new
      count += new.count
      for target in targets {
        users[target.folder, default: [:]][target.name, default: []].insert(folder)
      }
    } else if !isHeld {
      crowded.insert(folder)
    }
    for target in former?.targets ?? [] where !(isHeld && targets.contains(target)) {
      leave(target, folder)
    }
    return isHeld
  }

  mutating func forget(_ folder: Catalogue.ID) { _ = set([], [], of: folder) }

  private mutating func leave(_ target: Target, _ folder: Catalogue.ID) {
    users[target.folder]?[target.name]?.remove(folder)
    if users[target.folder]?[target.name]?.isEmpty == true {
      users[target.folder]?[target.name] = nil
    }
    guard users[target.folder]?.isEmpty == true else { return }
    users[target.folder] = nil
    if let watch = watches.removeValue(forKey: target.folder) { drop(watch.number, target.folder) }
  }

  func hasAny(_ folder: Catalogue.ID) -> Bool { links[folder] != nil || crowded.contains(folder) }

  /// Directories with links to files.
  var linking: Set<Catalogue.ID> {
    crowded.union(links.lazy.filter { !$0.value.targets.isEmpty }.map(\.key))
  }

  /// Directories with links to that name, or, where it is nil, to any name in the directory.
  func folders(linkingTo name: [UInt8]?, in folder: BytePath) -> Set<Catalogue.ID> {
    guard let names = users[folder] else { return [] }
    if let name { return names[name] ?? [] }
    return Set(names.values.joined())
  }

  /// All places, or, where they are many, the nearest directories above them that are not; the root
  /// of the file system stands for what can't be held.
  var mountedPlaces: Set<BytePath> {
    var all = Set(links.values.lazy.map(\.places).joined())
    while all.count > Self.mostCompared { all = Set(all.map(\.parentOrRoot)) }
    if !crowded.isEmpty { all.insert(filesRoot) }
    return all
  }

  // MARK: Watches

  var watchCount: Int { watched.count }

  func isWatched(_ folder: BytePath) -> Bool { watches[folder] != nil }

  /// Whether the kernel tells of all that becomes of the target.
  func isTold(_ target: Target) -> Bool { watches[target.folder]?.isRemote == false }

  /// - Returns: whether it is another one than before.
  mutating func setWatch(_ number: Int32, of folder: BytePath, isRemote: Bool) -> Bool {
    let former = watches.updateValue(Watch(number: number, isRemote: isRemote), forKey: folder)
    if former?.number == number { return false }
    if let former { drop(former.number, folder) }
    watched[number, default: []].insert(folder)
    return true
  }

  /// The directories that a watch is of: several where mounts lead to one by several paths.
  func folders(of watch: Int32) -> Set<BytePath> { watched[watch] ?? [] }

  mutating func removeWatch(_ number: Int32) {
    for folder in watched.removeValue(forKey: number) ?? [] { watches[folder] = nil }
  }

  private mutating func drop(_ number: Int32, _ folder: BytePath) {
    watched[number]?.remove(folder)
    guard watched[number]?.isEmpty == true else { return }
    watched[number] = nil
    unused.append(number)
  }

  /// Watches that nothing here needs any more.
  mutating func takeUnused() -> [Int32] {
    defer { unused = [] }
    return unused
  }
}

extension BytePath {
  /// The directory above an absolute path; the root's own is itself.
  var parentOrRoot: BytePath { parent.isEmpty ? filesRoot : parent }
}

private let filesRoot = BytePath("/")
