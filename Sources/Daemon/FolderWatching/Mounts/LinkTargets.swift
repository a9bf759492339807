import LibraryModel

/// The targets of the symbolic links in the music folder, by the directories of the links. Tells
/// where a mount matters and which names in other directories need events. Pure and bounded.
struct LinkTargets {
  /// The file that a link leads to. If it doesn't exist, the first missing name on the way to it.
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

  /// The maximum number of stored places and targets, of a few hundred bytes each.
  static let most = 16_384
  /// The maximum number of places that are compared with each mount.
  static let mostCompared = 256

  private var links: [Catalogue.ID: Links] = [:]
  private var count = 0
  /// Directories with more links than can be stored.
  private var crowded: Set<Catalogue.ID> = []
  /// The directories with links to a target, by the target's directory and name.
  private var users: [BytePath: [[UInt8]: Set<Catalogue.ID>]] = [:]
  private var watches: [BytePath: Watch] = [:]
  private var watched: [Int32: Set<BytePath>] = [:]
  private var unused: [Int32] = []

  // MARK: Links

  /// Stores the links of a listed directory.
  ///
  /// - Parameters:
  ///   - places: locations outside the music folder where something may be mounted.
  ///   - targets: the targets of links to files.
  /// - Returns: false if there are too many to store.
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

  /// The directories with links to files, or with more links than can be stored.
  var linking: Set<Catalogue.ID> {
    crowded.union(links.lazy.filter { !$0.value.targets.isEmpty }.map(\.key))
  }

  /// Returns the directories with links to this name or, if it is nil, to any name in the
  /// directory.
  func folders(linkingTo name: [UInt8]?, in folder: BytePath) -> Set<Catalogue.ID> {
    guard let names = users[folder] else { return [] }
    if let name { return names[name] ?? [] }
    return Set(names.values.joined())
  }

  /// All places, or their parents at a level where they are few enough. The root of the file system
  /// stands for places that can't be stored.
  var mountedPlaces: Set<BytePath> {
    var all = Set(links.values.lazy.map(\.places).joined())
    while all.count > Self.mostCompared { all = Set(all.map(\.parentOrRoot)) }
    if !crowded.isEmpty { all.insert(filesRoot) }
    return all
  }

  // MARK: Watches

  var watchCount: Int { watched.count }

  func isWatched(_ folder: BytePath) -> Bool { watches[folder] != nil }

  /// Whether the kernel reports everything that happens to the target.
  func isTold(_ target: Target) -> Bool { watches[target.folder]?.isRemote == false }

  /// Sets the watch of a directory.
  ///
  /// - Returns: whether the watch is another one than before.
  mutating func setWatch(_ number: Int32, of folder: BytePath, isRemote: Bool) -> Bool {
    let former = watches.updateValue(Watch(number: number, isRemote: isRemote), forKey: folder)
    if former?.number == number { return false }
    if let former { drop(former.number, folder) }
    watched[number, default: []].insert(folder)
    return true
  }

  /// Returns the directories of a watch: several if mounts lead to one directory by several paths.
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

  /// Returns the watches that no link needs any more, each once.
  mutating func takeUnused() -> [Int32] {
    defer { unused = [] }
    return unused
  }
}

extension BytePath {
  /// The directory above an absolute path; the root is its own parent.
  var parentOrRoot: BytePath { parent.isEmpty ? filesRoot : parent }
}

private let filesRoot = BytePath("/")
