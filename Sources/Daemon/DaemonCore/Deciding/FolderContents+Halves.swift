import LibraryModel

extension FolderContents {
  /// The contents in two parts, to be merged one after the other; nil if they hold a single item.
  /// Absent files come first, and vanished ones with them as absent, since a found file may be one
  /// of those after a move.
  var halves: (FolderContents, FolderContents)? {
    let isEnding = !vanished.isEmpty || !turned.isEmpty || endsFirstScan
    let isMissing = !absent.isEmpty || !returned.isEmpty
    var (first, second) = (self, self)
    (first.vanished, first.turned, first.endsFirstScan) = ([], [], false)
    (second.absent, second.returned) = ([], [])
    switch (isMissing, !found.isEmpty, isEnding) {
    case (_, true, true):
      first.absent += vanished
      second.found = []
    case (true, true, false), (true, false, true):
      first.found = []
    case (true, false, false):
      guard let (one, two) = absent.halves else { return nil }
      (first.absent, second.absent) = (one, two)
    case (false, true, false):
      guard let (one, two) = found.halves else { return nil }
      (first.found, second.found) = (one, two)
    case (false, false, true):
      if let (one, two) = vanished.halves {
        (first.vanished, second.vanished) = (one, two)
      } else if !vanished.isEmpty && (!turned.isEmpty || endsFirstScan) {
        (first.vanished, second.vanished) = (vanished, [])
      } else if let (one, two) = turned.halves {
        (first.turned, second.turned) = (one, two)
      } else if !turned.isEmpty && endsFirstScan {
        (first.turned, second.turned) = (turned, [])
      } else {
        return nil
      }
    case (false, false, false): return nil
    }
    return (first, second)
  }

  /// The only file in it, or the first of several; the folder if there is none.
  var only: BytePath { found.first?.path ?? vanished.first ?? turned.first ?? root }
}

extension Array {
  /// Nil if there are fewer than two elements.
  fileprivate var halves: ([Element], [Element])? {
    count < 2 ? nil : (Array(self[..<(count / 2)]), Array(self[(count / 2)...]))
  }
}
