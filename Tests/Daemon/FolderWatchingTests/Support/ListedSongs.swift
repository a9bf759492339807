import Glibc

/// What a music folder has to be told to hold, by a walk that shares nothing with the watcher's:
/// each directory and file that symbolic links lead to once, by the first of its paths in byte
/// order.
struct ListedSongs {
  private struct Node: Hashable {
    var device: dev_t
    var inode: ino_t
  }

  private(set) var songs: [String: String] = [:]
  /// Paths of links to what is away, and of what was listed below them, are as they were.
  let dangling: Dangling

  struct Dangling {
    fileprivate var links: Set<String> = []

    func contains(_ path: String) -> Bool {
      links.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
  }

  init(of root: String) {
    var dangling = Dangling()
    var folders: [String] = [""]
    var seen: Set<Node> = []
    var files: [Node: [(path: String, isLink: Bool)]] = [:]
    // The smallest path first: what is found below it is larger.
    while let folder = folders.min() {
      folders.removeAll { $0 == folder }
      let place = folder.isEmpty ? root : root + "/" + folder
      guard let node = Self.status(place, follows: true)?.node, seen.insert(node).inserted
      else { continue }
      for name in Self.names(place) where !name.hasPrefix(".") {
        let path = folder.isEmpty ? name : folder + "/" + name
        guard let own = Self.status(root + "/" + path, follows: false) else { continue }
        let isLink = own.mode & S_IFMT == S_IFLNK
        guard let status = isLink ? Self.status(root + "/" + path, follows: true) : own else {
          dangling.links.insert(path)
          continue
        }
        if status.mode & S_IFMT == S_IFDIR {
          folders.append(path)
        } else if name.hasSuffix(".mp3") {
          files[status.node, default: []].append((path, isLink))
        }
      }
    }
    for names in files.values {
      // Hard links are files of their own.
      let isLinked = names.contains { $0.isLink }
      let listed = isLinked ? [names.map(\.path).min() ?? ""] : names.map(\.path)
      for path in listed { songs[path] = TemporaryFolder.text(root + "/" + path) }
    }
    self.dangling = dangling
  }

  private static func status(_ path: String, follows: Bool) -> (node: Node, mode: mode_t)? {
    var found = stat()
    guard (follows ? stat(path, &found) : lstat(path, &found)) == 0 else { return nil }
    return (Node(device: found.st_dev, inode: found.st_ino), found.st_mode)
  }

  private static func names(_ path: String) -> [String] {
    guard let entries = opendir(path) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }
}
