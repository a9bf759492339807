import LibraryStore
import Platform

/// A disk that promises no more than POSIX does: what wasn't synchronized may be there in part, in
/// any order, or not at all when the power goes. One thread uses it: what runs beside the changes
/// is interrupted by them, between any two of its operations.
final class SimulatedDisk: StoreFiles, @unchecked Sendable {
  enum Kind: String, CaseIterable {
    case names, read, create, append, synchronizeFile, truncate, close, rename, remove
    case synchronizeFolder, probe
  }

  struct Operation {
    var kind: Kind
    var subject: String
    var failed: Bool
  }

  /// Makes operations fail, from this one on or this one alone.
  struct Fault {
    var operation: Int
    var isLasting: Bool
    var code: Int32
    var kinds = Set(Kind.allCases)
    /// The only file that it is a fault of; nil: all of them.
    var name: StoreName?
  }

  /// The fault is over when it has been.
  var failsOnce = false
  /// Operations that would fail and don't, before the first that does.
  var passes = 0
  /// Whether some bytes of a write that fails get there.
  var partial = true
  /// How many do, where that is of interest.
  var partialBytes: Int?

  /// What a name stands for. The first content is on the disk; any of the others may come there.
  final class Node: @unchecked Sendable {
    var contents: [[UInt8]]
    var isPoisoned = false
    var current: [UInt8] { contents.last ?? [] }
    init(_ bytes: [UInt8]) { contents = [bytes] }
  }

  final class Handle: Sendable {
    let node: Node
    let name: StoreName
    init(_ node: Node, _ name: StoreName) {
      self.node = node
      self.name = name
    }
  }

  struct Folder {
    var durable: [String: Node] = [:]
    /// Changes of names that may be forgotten, the later ones first; nil: the name is gone.
    var pending: [[(name: String, node: Node?)]] = []
    var isPoisoned = false

    func names(after count: Int) -> [String: Node] {
      var names = durable
      for change in pending.prefix(count) {
        for (name, node) in change { names[name] = node }
      }
      return names
    }
    var current: [String: Node] { names(after: pending.count) }
  }

  static let stopped: Int32 = 125
  private var folders: [StoreName.Folder: Folder] = [.store: Folder(), .backups: Folder()]
  private(set) var trace: [Operation] = []
  /// What no program may do to a file after its synchronization failed.
  private(set) var offences: [String] = []
  private(set) var faultsMade = 0
  /// After how many operations each hint came that a file is to be written.
  private(set) var writesBegun: [Int] = []
  /// The operation that doesn't happen any more, nor any after it.
  var stopsAt: Int?
  var fault: Fault?
  var isIntact = true
  /// What another thread does after each operation, as long as this is set.
  var beside: (() -> Void)?

  init() {}

  var isStopped: Bool { stopsAt.map { trace.count >= $0 } ?? false }

  /// All files as they are seen now.
  var files: [StoreName: [UInt8]] {
    var files: [StoreName: [UInt8]] = [:]
    for (place, folder) in folders {
      for (name, node) in folder.current { files[StoreName(name, in: place)] = node.current }
    }
    return files
  }

  /// A disk on which these files are safe.
  convenience init(_ files: [StoreName: [UInt8]]) {
    self.init()
    for (name, bytes) in files {
      folders[name.folder, default: Folder()].durable[name.name] = Node(bytes)
    }
  }

  /// Another program writes into files that are there.
  func replaceFiles(by files: [StoreName: [UInt8]]) {
    for (name, bytes) in files { folders[name.folder]?.current[name.name]?.contents = [bytes] }
  }

  /// Another process: it can't know what an earlier one was told of its files.
  func restart() {
    for place in folders.keys { folders[place]?.isPoisoned = false }
  }

  // MARK: Operations

  private func begin(_ kind: Kind, _ subject: String) throws(SystemCallError) {
    // Before the first as well; a directory's synchronization keeps others from theirs.
    if kind != .synchronizeFolder, let beside {
      self.beside = nil
      beside()
      self.beside = beside
    }
    let number = trace.count
    if let stopsAt, number >= stopsAt {
      throw SystemCallError(kind.rawValue, subject, code: SimulatedDisk.stopped)
    }
    var failed = false
    let isMeant = fault?.name.map { $0.description == subject } ?? true
    if let fault, isMeant, fault.kinds.contains(kind) {
      failed = fault.isLasting ? number >= fault.operation : number == fault.operation
    }
    if failed, passes > 0 {
      passes -= 1
      failed = false
    }
    trace.append(Operation(kind: kind, subject: subject, failed: failed))
    if failed, let fault {
      faultsMade += 1
      if failsOnce { self.fault = nil }
      throw SystemCallError(kind.rawValue, subject, code: fault.code)
    }
  }

  func names(in folder: StoreName.Folder) throws(SystemCallError) -> [String] {
    try begin(.names, "\(folder)")
    return folders[folder, default: Folder()].current.keys.sorted()
  }

  func size(of name: StoreName) throws(SystemCallError) -> Int? {
    folders[name.folder]?.current[name.name]?.current.count
  }

  func read(_ name: StoreName) throws(SystemCallError) -> [UInt8]? {
    try begin(.read, name.description)
    return folders[name.folder]?.current[name.name]?.current
  }

  func create(_ name: StoreName) throws(SystemCallError) -> Handle {
    try begin(.create, name.description)
    if folders[name.folder]?.current[name.name] != nil {
      throw SystemCallError("create", name.description, code: 17)
    }
    let node = Node([])
    change(name.folder, [(name.name, node)])
    return Handle(node, name)
  }

  func append(_ bytes: [UInt8], to file: Handle) throws(SystemCallError) {
    // Some of it gets there before anything stops it.
    let some = partialBytes ?? (partial ? trace.count &* 7919 % max(1, bytes.count) : 0)
    let wasStopped = isStopped
    do {
      refuse(.append, file)
      try begin(.append, file.name.description)
    } catch {
      let isFirst = !wasStopped || stopsAt == trace.count
      if isFirst { file.node.contents.append(file.node.current + bytes.prefix(some)) }
      throw error
    }
    file.node.contents.append(file.node.current + bytes)
  }

  func size(of file: Handle) throws(SystemCallError) -> Int { file.node.current.count }

  /// What was not synchronized may be on this disk or not in any case.
  func startWriting(_ file: Handle) { writesBegun.append(trace.count) }

  func synchronize(_ file: Handle) throws(SystemCallError) {
    refuse(.synchronizeFile, file)
    do {
      try begin(.synchronizeFile, file.name.description)
    } catch {
      // The kernel has told once; what was to be written may be forgotten, and nothing tells again.
      if error.code != SimulatedDisk.stopped { file.node.isPoisoned = true }
      throw error
    }
    if !file.node.isPoisoned { file.node.contents = [file.node.current] }
  }

  func synchronizeFound(_ name: StoreName) throws(SystemCallError) {
    guard let node = folders[name.folder]?.current[name.name] else {
      throw SystemCallError("open", name.description, code: 2)
    }
    do {
      try begin(.synchronizeFile, name.description)
    } catch {
      if error.code != SimulatedDisk.stopped { node.isPoisoned = true }
      throw error
    }
    // The kernel says nothing more of what an earlier process was told to have failed.
    if !node.isPoisoned { node.contents = [node.current] }
  }

  func truncate(_ file: Handle, to size: Int) throws(SystemCallError) {
    refuse(.truncate, file)
    try begin(.truncate, file.name.description)
    file.node.contents.append(Array(file.node.current.prefix(size)))
  }

  func close(_ file: Handle) throws(SystemCallError) {
    try begin(.close, file.name.description)
  }

  func rename(_ old: StoreName, to new: StoreName) throws(SystemCallError) {
    try begin(.rename, "\(old) \(new)")
    guard let node = folders[old.folder]?.current[old.name] else {
      throw SystemCallError("rename", old.description, code: 2)
    }
    if folders[new.folder]?.current[new.name] != nil {
      throw SystemCallError("rename", new.description, code: 17)
    }
    if old.folder == new.folder {
      change(old.folder, [(old.name, nil), (new.name, node)])
    } else {
      // Each folder forgets for itself: the file may be in both then, or in neither.
      change(new.folder, [(new.name, node)])
      change(old.folder, [(old.name, nil)])
    }
  }

  func probe() throws(SystemCallError) {
    try begin(.probe, "")
  }

  func remove(_ name: StoreName) throws(SystemCallError) {
    try begin(.remove, name.description)
    if folders[name.folder]?.current[name.name] == nil {
      throw SystemCallError("unlink", name.description, code: 2)
    }
    change(name.folder, [(name.name, nil)])
  }

  func synchronize(_ folder: StoreName.Folder) throws(SystemCallError) {
    if folders[folder]?.isPoisoned == true { offences.append("synchronize \(folder)") }
    do {
      try begin(.synchronizeFolder, "\(folder)")
    } catch {
      if error.code != SimulatedDisk.stopped { folders[folder]?.isPoisoned = true }
      throw error
    }
    guard let state = folders[folder], !state.isPoisoned else { return }
    folders[folder]?.durable = state.current
    folders[folder]?.pending = []
  }

  private func change(_ folder: StoreName.Folder, _ names: [(name: String, node: Node?)]) {
    folders[folder, default: Folder()].pending.append(names)
  }

  private func refuse(_ kind: Kind, _ file: Handle) {
    if file.node.isPoisoned { offences.append("\(kind) \(file.name)") }
  }
}

// MARK: Power loss

extension SimulatedDisk {
  /// Bytes that a disk writes whole or not at all.
  private static let sector = 512

  /// How many changes of names and contents may be forgotten now.
  var unsafeChanges: Int {
    folders.values.reduce(0) { count, folder in
      count + folder.pending.count
        + folder.current.values.reduce(0) { $0 + $1.contents.count - 1 }
    }
  }

  /// The disk as it may be found when the power is back.
  func afterPowerLoss(_ choices: inout Choices) -> SimulatedDisk {
    var found: [StoreName: [UInt8]] = [:]
    for place in [StoreName.Folder.store, .backups] {
      guard let folder = folders[place] else { continue }
      let names = folder.names(after: choices.choose(folder.pending.count + 1))
      for (name, node) in names.sorted(by: { $0.key < $1.key }) {
        found[StoreName(name, in: place)] = surviving(node, &choices)
      }
    }
    return SimulatedDisk(found)
  }

  private func surviving(_ node: Node, _ choices: inout Choices) -> [UInt8] {
    if node.contents.count == 1 { return node.current }
    var lengths = Set(node.contents.map(\.count)).sorted()
    let (least, most) = (lengths.first ?? 0, lengths.last ?? 0)
    if choices.isByChance {
      lengths.append(least + choices.choose(most - least + 1))
    } else {
      lengths += stride(from: least / Self.sector * Self.sector, to: most, by: Self.sector)
        .filter { $0 > least }
    }
    let length = lengths[choices.choose(lengths.count)]
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: length, by: Self.sector) {
      let size = min(Self.sector, length - start)
      var variants: [[UInt8]] = []
      for content in node.contents {
        let part = Array(content.dropFirst(start).prefix(size))
        let sector = part + [UInt8](repeating: 0, count: size - part.count)
        if !variants.contains(sector) { variants.append(sector) }
      }
      bytes += variants[variants.count == 1 ? 0 : choices.choose(variants.count)]
    }
    return bytes
  }
}
