/// Faults that a misspelt name has at most, however long it is.
private let faultsMost = 3

/// The name that was probably meant: of those with at most a third of the typed letters wrong, and
/// three at most, the one with the fewest. Two neighbours that changed places are one fault.
package func nearestName(to typed: String, of names: [String]) -> String? {
  let typed = TypedName(typed)
  return names.compactMap { name in typed.faults(in: name).map { (name, $0) } }
    .min { $0.1 < $1.1 }?.0
}

/// A name as it was typed, to be compared with many others.
package struct TypedName: Sendable {
  private let letters: [Unicode.Scalar]
  private let marks: NameMarks
  /// More faults make it another name.
  private let most: Int

  package init(_ typed: String) {
    letters = Array(typed.lowercased().unicodeScalars)
    marks = NameMarks(typed)
    most = min(letters.count / 3, faultsMost)
  }

  /// How many letters of the name are wrong; nil where these are too many.
  package func faults(in name: String) -> Int? {
    let found = Text.faults(letters, Array(name.lowercased().unicodeScalars), most: most)
    return found <= most ? found : nil
  }

  /// Whether the name may be this one misspelt; most that aren't are left out by this, without
  /// comparing their letters one by one.
  package func mayBe(_ other: NameMarks) -> Bool {
    most > 0 && abs(marks.length - other.length) <= most
      // A letter that is wrong changes two marks at most.
      && (marks.letters ^ other.letters).nonzeroBitCount <= 2 * most
  }
}

/// What tells most names apart at a glance.
package struct NameMarks: BitwiseCopyable, Sendable {
  /// In characters of Unicode.
  fileprivate let length: Int
  /// Which letters it has, of 64 classes.
  fileprivate let letters: UInt64

  package init(_ name: String) {
    var (count, marks) = (0, UInt64(0))
    for scalar in name.lowercased().unicodeScalars {
      count += 1
      marks |= 1 << UInt64(scalar.value & 63)
    }
    (length, letters) = (count, marks)
  }
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
    if next.min() ?? 0 > most { return most + 1 }
    (before, last) = (last, next)
  }
  return last[right.count]
}
