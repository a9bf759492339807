/// When something is due, for many things at once: the next one is at hand, and a change costs the
/// logarithm of how many there are. Times in nanoseconds, monotonic. Pure.
struct Timers<Key: Hashable> {
  private struct Entry {
    var time: Int64
    var key: Key
  }

  /// What is due when; only what agrees with it counts in the heap.
  private var times: [Key: Int64] = [:]
  /// The least first: no entry is before the one at half its index.
  private var heap: [Entry] = []

  var isEmpty: Bool { times.isEmpty }
  var count: Int { times.count }
  var keys: Dictionary<Key, Int64>.Keys { times.keys }
  /// How many times are kept, those too that count no more; for tests.
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

  /// When the first is due; nil: there is none.
  var next: Int64? { heap.first?.time }

  /// Takes out whatever is due, the earliest first.
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

  /// What was moved or taken away is left in the heap until it is the first, or is most of it.
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
