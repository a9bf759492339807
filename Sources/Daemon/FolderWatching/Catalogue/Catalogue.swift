import LibraryModel

/// A file in the catalogue.
struct FileKey: Hashable {
  var folder: Catalogue.ID
  var name: [UInt8]
}

/// The catalogue: every directory of the music folder with its files and what is known of each.
/// Pure and compact: a file at rest takes four words, and shares its name and facts with its song.
struct Catalogue {
  /// The index of a folder. Indices are reused after a folder is removed.
  struct ID: Hashable {
    let index: Int32
    static let root = ID(index: 0)
  }

  /// The state of a file that is not at rest.
  struct Unsettled {
    /// The facts in the library, which may be older than the file.
    var facts: FileFacts?
    /// Whether the library has a song here, so that the file's disappearance must be reported.
    var isSong: Bool
    /// The stamp of the file at its last scan.
    var stamp: FileStamp?
    /// The time of the scan that found the file in this state. Each file is scanned before it is
    /// read.
    var seen: Int64 = .min
  }

  enum State {
    case settled(FileFacts)
    indirect case unsettled(Unsettled)

    var facts: FileFacts? {
      switch self {
      case .settled(let facts): facts
      case .unsettled(let file): file.facts
      }
    }

    var isSong: Bool {
      switch self {
      case .settled: true
      case .unsettled(let file): file.isSong
      }
    }

    /// The stamp of the file at its last scan.
    var stamp: FileStamp? {
      switch self {
      case .settled(let facts): facts.stamp
      case .unsettled(let file): file.stamp
      }
    }
  }

  struct File {
    /// Shares its memory with the path of its song.
    let name: [UInt8]
    var state: State
  }

  struct Folder {
    var parent: ID
    var name: [UInt8]
    /// Sorted by their names in byte order.
    var subfolders: [ID] = []
    /// Sorted by their names in byte order.
    var files: [File] = []
    /// Nil before the first scan.
    var status: FolderStatus?
    /// The mount of its files, except those that were seen on another one and are offline.
    var mount = KnownMounts.ID.unknown
    /// Whether a symbolic link leads here.
    var isLink = false
    /// Whether the last scan failed. What is known may be out of date then.
    var isUnreadable = false
    /// The digest of the image file in it.
    var cover: CoverDigest?
  }

  private(set) var folders: [Folder] = [Folder(parent: .root, name: [])]
  private var free: [ID] = []
  private(set) var fileCount = 0
  var folderCount: Int { folders.count - free.count }

  subscript(id: ID) -> Folder {
    // Not `_read`: the compiler (6.3.1) was seen to read a part of the borrowed value after the
    // borrow had ended.
    get { folders[Int(id.index)] }
    _modify { yield &folders[Int(id.index)] }
  }

  /// Whether the folder, which is not the root, still exists: a removed one has no name.
  func has(_ id: ID) -> Bool { !self[id].name.isEmpty }

  /// Returns the path relative to the music folder; empty for the root.
  func path(of id: ID) -> BytePath {
    if id == .root { return BytePath([]) }
    var parts: [ID] = []
    var folder = id
    while folder != .root {
      parts.append(folder)
      folder = self[folder].parent
    }
    var bytes: [UInt8] = []
    for part in parts.reversed() {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "/")) }
      bytes.append(contentsOf: self[part].name)
    }
    return BytePath(bytes)
  }

  func find(_ path: BytePath) -> ID? {
    if path.isEmpty { return .root }
    var folder = ID.root
    for part in path.bytes.split(separator: UInt8(ascii: "/")) {
      guard let next = subfolder(Array(part), of: folder) else { return nil }
      folder = next
    }
    return folder
  }

  /// Returns the folder at the path, or its nearest ancestor that is known.
  func nearest(to path: BytePath) -> ID {
    var folder = ID.root
    for part in path.bytes.split(separator: UInt8(ascii: "/")) {
      guard let next = subfolder(Array(part), of: folder) else { return folder }
      folder = next
    }
    return folder
  }

  func subfolder(_ name: [UInt8], of id: ID) -> ID? {
    let index = subfolderIndex(name, of: id)
    let subfolders = self[id].subfolders
    guard index < subfolders.count, self[subfolders[index]].name == name else { return nil }
    return subfolders[index]
  }

  /// Returns the subfolder, and adds it if there is none.
  mutating func makeSubfolder(_ name: [UInt8], of id: ID) -> ID {
    let index = subfolderIndex(name, of: id)
    let subfolders = self[id].subfolders
    if index < subfolders.count, self[subfolders[index]].name == name { return subfolders[index] }
    let new: ID
    if let used = free.popLast() {
      new = used
      self[new] = Folder(parent: id, name: name)
    } else {
      new = ID(index: Int32(folders.count))
      folders.append(Folder(parent: id, name: name))
    }
    self[id].subfolders.insert(new, at: index)
    return new
  }

  mutating func makeFolder(_ path: BytePath) -> ID {
    var folder = ID.root
    for part in path.bytes.split(separator: UInt8(ascii: "/")) {
      folder = makeSubfolder(Array(part), of: folder)
    }
    return folder
  }

  /// Removes a folder without files and subfolders, other than the root.
  mutating func removeEmpty(_ id: ID) {
    precondition(
      id != .root && self[id].files.isEmpty && self[id].subfolders.isEmpty,
      "only an empty folder is taken out of the catalogue")
    let parent = self[id].parent
    self[parent].subfolders.removeAll { $0 == id }
    self[id] = Folder(parent: .root, name: [])
    free.append(id)
  }

  /// Returns the folder and all below it, each after its parent.
  func subtree(_ id: ID) -> [ID] {
    var result = [id]
    var next = 0
    while next < result.count {
      result.append(contentsOf: self[result[next]].subfolders)
      next += 1
    }
    return result
  }

  /// Releases the spare capacity of lists. Called after many additions.
  mutating func compact() {
    for index in folders.indices {
      folders[index].files = folders[index].files.withoutSpareRoom()
      folders[index].subfolders = folders[index].subfolders.withoutSpareRoom()
    }
  }

  // MARK: Files

  func state(_ name: [UInt8], in id: ID) -> State? {
    let index = fileIndex(name, in: id)
    guard index < self[id].files.count, self[id].files[index].name == name else { return nil }
    return self[id].files[index].state
  }

  /// Whether it is at rest with these very facts.
  func isAtRest(_ name: [UInt8], _ facts: FileFacts?, in id: ID) -> Bool {
    guard let facts, case .settled(let known)? = state(name, in: id) else { return false }
    return known == facts
  }

  /// Sets the state of a file; nil removes the file.
  mutating func setState(_ state: State?, _ name: [UInt8], in id: ID) {
    let index = fileIndex(name, in: id)
    let isThere = index < self[id].files.count && self[id].files[index].name == name
    switch (isThere, state) {
    case (true, let state?):
      self[id].files[index].state = state
    case (true, nil):
      self[id].files.remove(at: index)
      fileCount -= 1
    case (false, let state?):
      self[id].files.insert(File(name: name, state: state), at: index)
      fileCount += 1
    case (false, nil):
      break
    }
  }

  mutating func setState(_ state: State, at index: Int, in id: ID) {
    self[id].files[index].state = state
  }

  /// Returns the paths of the songs at or below the path.
  func songs(at path: BytePath) -> [BytePath] {
    guard let id = find(path) else {
      guard let parent = find(path.parent), let state = state(path.name, in: parent),
        state.isSong
      else { return [] }
      return [path]
    }
    var result: [BytePath] = []
    for folder in subtree(id) {
      let path = self.path(of: folder)
      for file in self[folder].files where file.state.isSong {
        result.append(path.appending(file.name))
      }
    }
    return result
  }

  /// Returns the index at which the name is or belongs.
  private func fileIndex(_ name: [UInt8], in id: ID) -> Int {
    let files = self[id].files
    return firstIndex(below: files.count) { !files[$0].name.lexicographicallyPrecedes(name) }
  }

  private func subfolderIndex(_ name: [UInt8], of id: ID) -> Int {
    let subfolders = self[id].subfolders
    return firstIndex(below: subfolders.count) {
      !self[subfolders[$0]].name.lexicographicallyPrecedes(name)
    }
  }

  private func firstIndex(below count: Int, where isReached: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Array {
  fileprivate func withoutSpareRoom() -> Self {
    if capacity == count { return self }
    // All empty arrays share one storage, which must not be written to.
    if isEmpty { return [] }
    return withUnsafeBufferPointer { elements in
      Self(unsafeUninitializedCapacity: count) { room, used in
        used = room.initialize(fromContentsOf: elements)
      }
    }
  }
}
