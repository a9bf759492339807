/// The maximum number of faults in a misspelt name, however long it is.
private let faultsMost = 3

/// Returns the name that was probably meant: the one with the fewest wrong letters, if these are at
/// most a third of the typed ones and at most three. Two neighbors that changed places are one
/// fault.
package func nearestName(to typed: String, of names: [String]) -> String? {
  let typed = TypedName(typed)
  return names.compactMap { name in typed.faults(in: name).map { (name, $0) } }
    .min { $0.1 < $1.1 }?.0
}

/// A name as it was typed, to be compared with many others.
package struct TypedName: Sendable {
  private let letters: [Unicode.Scalar]
  private let marks: NameMarks
  /// The maximum number of faults. With more, it is another name.
  private let most: Int

  package init(_ typed: String) {
    letters = Array(typed.lowercased().unicodeScalars)
    marks = NameMarks(typed)
    most = min(letters.count / 3, faultsMost)
  }

  /// Returns the number of wrong letters; nil if there are too many.
  package func faults(in name: String) -> Int? {
    let found = Text.faults(letters, Array(name.lowercased().unicodeScalars), most: most)
    return found <= most ? found : nil
  }

  /// Whether the name may be this one misspelt. This rules out most other names without comparing
  /// their letters one by one.
  package func mayBe(_ other: NameMarks) -> Bool {
    most > 0 && abs(marks.length - other.length) <= most
      // A wrong letter changes at most two marks.
      && (marks.letters ^ other.letters).nonzeroBitCount <= 2 * most
  }
}

/// A summary of a name that tells most names apart cheaply.
package struct NameMarks: BitwiseCopyable, Sendable {
  /// The length in Unicode scalars.
  fileprivate let length: Int
  /// The set of its letters, in 64 classes.
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

/// Returns the optimal string alignment distance, or any number above `most` if it is greater.
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
