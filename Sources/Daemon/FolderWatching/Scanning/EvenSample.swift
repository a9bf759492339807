/// A sample of elements, evenly spread over all that were added, however many. Pure.
struct EvenSample<Element> {
  private let most: Int
  /// Up to twice as many elements as are wanted.
  private var taken: [Element] = []
  private var step = 1
  private var count = 0

  init(most: Int) { self.most = most }

  /// - Parameter element: evaluated only if it is taken.
  mutating func add(_ element: @autoclosure () -> Element) {
    defer { count += 1 }
    guard count % step == 0 else { return }
    taken.append(element())
    guard taken.count == 2 * most else { return }
    // Keeps every other element, and from now on skips every other new one.
    taken = (0..<most).map { taken[2 * $0] }
    step *= 2
  }

  var elements: [Element] {
    let count = min(taken.count, most)
    return (0..<count).map { taken[$0 * taken.count / count] }
  }
}
