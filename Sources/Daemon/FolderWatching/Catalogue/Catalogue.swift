import LibraryModel

/// A file in the catalogue.
struct FileKey: Hashable {
  var folder: Catalogue.ID
  var name: [UInt8]
}

/// The catalogue: every directory of the music folder with its files and what is known of each.
/// Pure, and lean: four words for a file at rest, whose name and facts are those of its song.
struct Catalogue {
  /// Numbers are used again after a folder went.
  struct ID: Hashable {
    let index: Int32
    static let root = ID(index: 0)
  }

  /// What is known of a file that is not at rest.
  struct Unsettled {
    /// What the library knows; may be older than the file.
    var facts: FileFacts?
    /// Whether the library has a song here, so that its going has to be told.
    var isSong: Bool
    /// The file as its last scan found it.
    var stamp: FileStamp?
    /// When the scan was that found it like this; there was one before it is read.
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

    /// The file as its last scan found it.
    var stamp: FileStamp? {
      switch self {
      case .settled(let facts): facts.stamp
      case .unsettled(let file): file.stamp
      }
    }
  }

  struct File {
    /// The same array as in the path of its song.
    let name: [UInt8]
    var state: State
  }

  struct Folder {
    var parent: ID
    var name: [UInt8]
    /// In byte order of their names.
    var subfolders: [ID] = []
    /// In byte order of their names.
    var files: [File] = []
    /// Nil before the first scan.
    var status: FolderStatus?
    /// The one that its files are on, but for those that were seen on another and are away.
    var mount = KnownMounts.ID.unknown
    /// Whether a symbolic link led here.
    var isLink = false
    /// The last scan failed: what is known may or may not be there.
    var isUnreadable = false
    /// The digest of the image file in it.
    var cover: CoverDigest?
  }

  private(set) var folders: [Folder] = [Folder(parent: .root, name: [])]
  private var free: [ID] = []
  private(set) var fileCount = 0
  var folderCount: Int { folders.count - free.count }

  subscript(id: ID) -> Folder {
    // Not `_read`: of what that lends, the compiler (6.3.1) was seen to read a part after it was
    // given back.
    get { folders[Int(id.index)] }
    _modify { yield &folders[Int(id.index)] }
  }

  /// Whether the folder is still there, which is not the root: what was taken out has no name.
  func has(_ id: ID) -> Bool { !self[id].name.isEmpty }

  /// Relative to the music folder, whose own path is empty.
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

  /// The folder of that path, or the nearest one above it that is known.
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

  /// Makes the folder if there is none.
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

  /// Takes away the folder, which has to be without files and folders, and is not the root.
  mutating func removeEmpty(_ id: ID) {
    precondition(
      id != .root && self[id].files.isEmpty && self[id].subfolders.isEmpty,
      "only an empty folder is taken out of the catalogue")
    let parent = self[id].parent
    self[parent].subfolders.removeAll { $0 == id }
    self[id] = Folder(parent: .root, name: [])
    free.append(id)
  }

  /// The folder and all below it, each after its parent.
  func subtree(_ id: ID) -> [ID] {
    var result = [id]
    var next = 0
    while next < result.count {
      result.append(contentsOf: self[result[next]].subfolders)
      next += 1
    }
    return result
  }

  /// Gives back the room that lists and names were given to grow: for when much has come in.
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

  /// Nil takes the file out.
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

  /// The paths of the songs at or below the path.
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

  /// Where the name is, or belongs.
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
    // The empty array that all share would be written to.
    if isEmpty { return [] }
    return withUnsafeBufferPointer { elements in
      Self(unsafeUninitializedCapacity: count) { room, used in
        used = room.initialize(fromContentsOf: elements)
      }
    }
  }
}
