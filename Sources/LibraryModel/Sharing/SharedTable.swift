/// A dictionary of plain values whose copies share what they have in common: for what many edits
/// change and nothing goes through. All else is in a `SharedMap`, which knows more and needs no
/// code of ours. Since nothing in a leaf is counted here, leaves can be long, and a change comes to
/// few places of the memory; in a large library these lie in no cache, and are what it costs
/// ([decision 15](../../../Documentation/decisions/0015-tables-of-plain-values.md)).
///
/// Costs: a change of a copy copies one leaf, of up to 62 entries, and a branch for every three
/// bits of the number of leaves.
struct SharedTable<
  Key: Hashable & Sendable & BitwiseCopyable, Value: Sendable & BitwiseCopyable
>: Sendable {
  /// More makes their copies felt, less the lists that have to be kept. With 16 bytes each they are
  /// just small enough to be among what glibc keeps at hand for a thread.
  private static var leafEntries: Int { 62 }
  private static var branchBits: Int { 3 }

  fileprivate struct Entry: BitwiseCopyable {
    var key: Key
    var value: Value
  }

  fileprivate enum Node {
    case leaf([Entry])
    /// By the next bits of the hash.
    case branch([Node])
  }

  private(set) var count = 0
  private var root = Node.leaf([])

  init() {}

  subscript(key: Key) -> Value? {
    get { Self.find(key, hash: Self.hash(of: key), in: root) }
    set {
      let hash = Self.hash(of: key)
      if let newValue {
        if Self.set(Entry(key: key, value: newValue), hash: hash, from: 0, in: &root) { count += 1 }
      } else if Self.find(key, hash: hash, in: root) != nil {
        Self.remove(key, hash: hash, in: &root)
        count -= 1
      }
    }
  }

  private static func hash(of key: Key) -> UInt { UInt(bitPattern: key.hashValue) }

  private static func branch(_ hash: UInt) -> Int { Int(hash & (1 << UInt(branchBits) - 1)) }

  private static func find(_ key: Key, hash: UInt, in node: Node) -> Value? {
    switch node {
    case .leaf(let entries): entries.first { $0.key == key }?.value
    case .branch(let children):
      find(key, hash: hash >> UInt(branchBits), in: children[branch(hash)])
    }
  }

  /// - Parameter used: how many bits of the hash chose the node.
  /// - Returns: whether the key is new.
  private static func set(
    _ entry: Entry, hash: UInt, from used: Int, in node: inout Node
  ) -> Bool {
    switch node {
    case .branch(var children):
      // What has one owner is changed where it is.
      node = .leaf([])
      defer { node = .branch(children) }
      return set(
        entry, hash: hash >> UInt(branchBits), from: used + branchBits,
        in: &children[branch(hash)])
    case .leaf(var entries):
      node = .leaf([])
      // All of one length: what one of them was is good for the next.
      entries.reserveCapacity(leafEntries)
      if let place = entries.firstIndex(where: { $0.key == entry.key }) {
        entries[place] = entry
        node = .leaf(entries)
        return false
      }
      entries.append(entry)
      let isFull = entries.count > leafEntries && used + branchBits <= UInt.bitWidth
      node = isFull ? split(entries, used) : .leaf(entries)
      return true
    }
  }

  private static func split(_ entries: [Entry], _ used: Int) -> Node {
    var parts = [[Entry]](repeating: [], count: 1 << branchBits)
    for entry in entries { parts[branch(hash(of: entry.key) >> UInt(used))].append(entry) }
    return .branch(parts.map { .leaf($0) })
  }

  /// Removes a key that is there.
  private static func remove(_ key: Key, hash: UInt, in node: inout Node) {
    switch node {
    case .branch(var children):
      node = .leaf([])
      remove(key, hash: hash >> UInt(branchBits), in: &children[branch(hash)])
      node = joined(children) ?? .branch(children)
    case .leaf(var entries):
      node = .leaf([])
      if let place = entries.firstIndex(where: { $0.key == key }) {
        entries.swapAt(place, entries.count - 1)
        entries.removeLast()
      }
      node = .leaf(entries)
    }
  }

  /// One leaf, where what the branch holds fits into half of one.
  private static func joined(_ children: [Node]) -> Node? {
    var joined: [[Entry]] = []
    var count = 0
    for child in children {
      guard case .leaf(let entries) = child else { return nil }
      joined.append(entries)
      count += entries.count
    }
    return count > leafEntries / 2 ? nil : .leaf(Array(joined.joined()))
  }
}

extension SharedTable.Node: Sendable {}
extension SharedTable.Entry: Sendable {}
