/// A dictionary whose copies share storage. Copying is free, and the cost of changing one value of
/// a copy hardly depends on the number of values. This allows readers to keep a library. The
/// iteration order depends on hashes, so no result may depend on it.
///
/// A change of a copy copies one leaf, and a branch for every three bits of the number of leaves,
/// and retains everything in them. In a large library these are not in a CPU cache, and dominate
/// the cost of a change ([decision
/// 15](../../../Documentation/developers/decisions/0015-a-map-of-our-own.md)).
package struct SharedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @inlinable static var branchBits: Int { 3 }

  /// The most entries in one leaf. More entries make copying expensive, fewer make the number of
  /// leaves large.
  private static var leafLength: Int { 32 }

  @usableFromInline struct Entry {
    @usableFromInline var key: Key
    @usableFromInline var value: Value
  }

  @usableFromInline enum Node {
    case leaf([Entry])
    /// The children, indexed by the next bits of the hash.
    case branch([Node])
  }

  package private(set) var count = 0
  @usableFromInline var root = Node.leaf([])

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package subscript(key: Key) -> Value? {
    // Inlinable, so that other targets specialize it for their keys. Unspecialized code fetches the
    // types' metadata at each step, which takes longer than the step itself.
    @inlinable get { Self.find(key, hash: Self.hash(of: key), in: root) }
    set {
      if let newValue {
        set(key, newValue)
      } else {
        remove(key)
      }
    }
  }

  /// - Returns: whether the key is new.
  @discardableResult
  package mutating func set(_ key: Key, _ value: Value) -> Bool {
    let isNew = root.set(Entry(key: key, value: value), hash: Self.hash(of: key), from: 0)
    if isNew { count += 1 }
    return isNew
  }

  private mutating func remove(_ key: Key) {
    let hash = Self.hash(of: key)
    // Removing a missing key copies nothing.
    if Self.find(key, hash: hash, in: root) == nil { return }
    root.remove(key, hash: hash)
    count -= 1
  }

  @inlinable static func hash(of key: Key) -> UInt { UInt(bitPattern: key.hashValue) }

  @inlinable static func branch(_ hash: UInt) -> Int { Int(hash & (1 << UInt(branchBits) - 1)) }

  @inlinable static func find(_ key: Key, hash: UInt, in node: Node) -> Value? {
    switch node {
    case .leaf(let entries):
      return entries.withUnsafeBufferPointer { entries in
        for place in entries.indices where entries[place].key == key { return entries[place].value }
        return nil
      }
    case .branch(let children):
      return children.withUnsafeBufferPointer {
        find(key, hash: hash >> UInt(branchBits), in: $0[branch(hash)])
      }
    }
  }
}

// MARK: - Changing nodes

// These are methods of the node, not of the map. A method of the map would hold a second reference
// to the root, so that every node on the path would be copied.
extension SharedMap.Node {
  /// Takes the node's array out, which is then uniquely referenced if no copy of the map has it,
  /// and can be changed in place.
  fileprivate mutating func take() -> Self {
    var taken = Self.leaf([])
    swap(&self, &taken)
    return taken
  }

  /// - Parameter used: the number of bits of the hash that selected the node.
  /// - Returns: whether the key is new.
  fileprivate mutating func set(_ entry: SharedMap.Entry, hash: UInt, from used: Int) -> Bool {
    switch take() {
    case .branch(var children):
      let isNew = children[SharedMap.branch(hash)].set(
        entry, hash: hash >> UInt(SharedMap.branchBits), from: used + SharedMap.branchBits)
      self = .branch(children)
      return isNew
    case .leaf(var entries):
      if let place = entries.firstIndex(where: { $0.key == entry.key }) {
        entries[place] = entry
        self = .leaf(entries)
        return false
      }
      if entries.count >= SharedMap.leafLength && used + SharedMap.branchBits <= UInt.bitWidth {
        self = Self.split(entries, used)
        return set(entry, hash: hash, from: used)
      }
      // Avoids spare capacity in the leaves of songs.
      entries.reserveCapacity((entries.count + 4) & ~3)
      entries.append(entry)
      self = .leaf(entries)
      return true
    }
  }

  private static func split(_ entries: [SharedMap.Entry], _ used: Int) -> Self {
    var parts = [[SharedMap.Entry]](repeating: [], count: 1 << SharedMap.branchBits)
    for entry in entries {
      parts[SharedMap.branch(SharedMap.hash(of: entry.key) >> UInt(used))].append(entry)
    }
    return .branch(parts.map { .leaf($0) })
  }

  /// Removes an existing key.
  fileprivate mutating func remove(_ key: Key, hash: UInt) {
    switch take() {
    case .branch(var children):
      children[SharedMap.branch(hash)].remove(key, hash: hash >> UInt(SharedMap.branchBits))
      self = Self.joined(children) ?? .branch(children)
    case .leaf(var entries):
      if let place = entries.firstIndex(where: { $0.key == key }) {
        entries.swapAt(place, entries.count - 1)
        entries.removeLast()
      }
      self = .leaf(entries)
    }
  }

  /// Returns one leaf, if the contents of the branch fit into half of one.
  private static func joined(_ children: [Self]) -> Self? {
    var leaves: [[SharedMap.Entry]] = []
    var count = 0
    for child in children {
      guard case .leaf(let entries) = child else { return nil }
      leaves.append(entries)
      count += entries.count
    }
    return count > SharedMap.leafLength / 2 ? nil : .leaf(Array(leaves.joined()))
  }
}

// MARK: - All values

extension SharedMap {
  /// Calls the function with each entry, in no particular order.
  @inlinable package func forEach(_ body: (Key, Value) -> Void) { Self.forEach(in: root, body) }

  // Inlinable, so that other targets specialize it for their keys, as above. The buffer avoids a
  // retain and a release for each entry.
  @inlinable static func forEach(in node: Node, _ body: (Key, Value) -> Void) {
    switch node {
    case .leaf(let entries):
      entries.withUnsafeBufferPointer { entries in
        for place in entries.indices { body(entries[place].key, entries[place].value) }
      }
    case .branch(let children):
      children.withUnsafeBufferPointer { children in
        for place in children.indices { forEach(in: children[place], body) }
      }
    }
  }

  /// Calls the function with each entry that differs from the other map or is missing there, and
  /// with some equal ones, in no particular order. For two copies of one map, the time depends on
  /// the number of changes and not on the number of entries.
  package func forEach(changedSince other: Self, _ body: (Key, Value) -> Void) {
    Self.forEach(in: root, changedSince: other.root, body)
  }

  private static func forEach(
    in node: Node, changedSince other: Node, _ body: (Key, Value) -> Void
  ) {
    switch (node, other) {
    case (.leaf(let entries), .leaf(let others)) where isSame(entries, others): break
    case (.branch(let children), .branch(let others)):
      if isSame(children, others) { break }
      for (child, other) in zip(children, others) { forEach(in: child, changedSince: other, body) }
    default: forEach(in: node, body)
    }
  }

  /// Whether two arrays share storage.
  private static func isSame<Element>(_ list: [Element], _ other: [Element]) -> Bool {
    list.withUnsafeBufferPointer { list in
      other.withUnsafeBufferPointer { $0.baseAddress == list.baseAddress && $0.count == list.count }
    }
  }

  /// The values, in no particular order.
  package var values: [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    forEach { values.append($1) }
    return values
  }

  /// Replaces values one after the other. If no copy of the map exists, the memory of the old value
  /// is available for the next one.
  ///
  /// - Parameter transform: returns nil to keep a value.
  package mutating func replaceValues(_ transform: (Value) -> Value?) {
    root.replaceValues(transform)
  }

  /// A part of a map that was taken apart, so that several threads can replace its values.
  struct Part: Sendable {
    fileprivate var node: Node

    mutating func replaceValues(_ transform: (Value) -> Value?) { node.replaceValues(transform) }
  }

  /// Takes the map apart. The map can't be used until the parts are put back.
  mutating func takeParts() -> [Part] {
    switch root.take() {
    case .branch(let children): children.map(Part.init)
    case .leaf(let entries): [Part(node: .leaf(entries))]
    }
  }

  /// Puts the parts back, in their order.
  mutating func putBack(_ parts: consuming [Part]) {
    root = parts.count == 1 ? parts[0].node : .branch(parts.map(\.node))
  }
}

extension SharedMap.Node {
  fileprivate mutating func replaceValues(_ transform: (Value) -> Value?) {
    switch take() {
    case .branch(var children):
      for place in children.indices { children[place].replaceValues(transform) }
      self = .branch(children)
    case .leaf(var entries):
      for place in entries.indices {
        if let new = transform(entries[place].value) { entries[place].value = new }
      }
      self = .leaf(entries)
    }
  }
}

extension SharedMap {
  /// The number of nodes, for tests.
  var nodeCount: Int { Self.nodeCount(in: root) }

  private static func nodeCount(in node: Node) -> Int {
    switch node {
    case .leaf: 1
    case .branch(let children): 1 + children.map(nodeCount(in:)).reduce(0, +)
    }
  }
}

extension SharedMap.Node: Sendable {}
extension SharedMap.Entry: Sendable {}
