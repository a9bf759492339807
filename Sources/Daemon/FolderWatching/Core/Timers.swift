/// The due times of many keys. The next one is available at once, and a change takes time
/// logarithmic in their number. Times in nanoseconds, monotonic. Pure.
struct Timers<Key: Hashable> {
  private struct Entry {
    var time: Int64
    var key: Key
  }

  /// The due time of each key. A heap entry counts only if it agrees.
  private var times: [Key: Int64] = [:]
  /// A binary heap, earliest first.
  private var heap: [Entry] = []

  var isEmpty: Bool { times.isEmpty }
  var count: Int { times.count }
  var keys: Dictionary<Key, Int64>.Keys { times.keys }
  /// The number of stored times, including outdated ones; for tests.
  var keptCount: Int { heap.count }

  subscript(key: Key) -> Int64? {
    get { times[key] }
    set {
      guard times[key] != newValue else { return }
      times[key] = newValue
      if let newValue { push(Entry(time: newValue, key: key)) }
      dropOutdated()
    }
  }

  /// The earliest due time; nil if there is none.
  var next: Int64? { heap.first?.time }

  /// Removes and returns the keys that are due, earliest first.
  mutating func takeDue(at now: Int64) -> [Key] {
    var due: [Key] = []
    while let first = heap.first, first.time <= now {
      due.append(first.key)
      times[first.key] = nil
      pop()
      dropOutdated()
    }
    return due
  }

  mutating func removeAll() { self = Timers() }

  /// Drops outdated entries at the front. The others stay until they are the first, or are most of
  /// the heap.
  private mutating func dropOutdated() {
    while let first = heap.first, times[first.key] != first.time { pop() }
    if heap.count > 64, heap.count > 2 * times.count { rebuild() }
  }

  private mutating func rebuild() {
    // A sorted array is a heap.
    heap = times.map { Entry(time: $0.value, key: $0.key) }.sorted { $0.time < $1.time }
  }

  private mutating func push(_ entry: Entry) {
    var index = heap.count
    heap.append(entry)
    while index > 0, heap[(index - 1) / 2].time > heap[index].time {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[child].time < heap[least].time { least = child }
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
