/// The name that was probably meant: of those with at most a third of the typed letters wrong, the
/// one with the fewest. Two neighbours that changed places are one fault.
package func nearestName(to typed: String, of names: [String]) -> String? {
  let letters = Array(typed.lowercased().unicodeScalars)
  let most = letters.count / 3
  return names.map { ($0, faults(letters, Array($0.lowercased().unicodeScalars), most: most)) }
    .filter { $0.1 <= most }.min { $0.1 < $1.1 }?.0
}

/// The optimal string alignment distance; more than `most` where it is clear that it is more.
private func faults(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], most: Int) -> Int {
  if abs(left.count - right.count) > most { return most + 1 }
  var before: [Int] = []
  var last = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var next = [row + 1]
    for (column, other) in right.enumerated() {
      var fewest = min(
        last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
      if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
        fewest = min(fewest, before[column - 1] + 1)
      }
      next.append(fewest)
    }
    (before, last) = (last, next)
  }
  return last[right.count]
}
