import LibraryModel

extension FolderContents {
  /// The same in two parts, to be merged one after the other; nil where there is only one thing in
  /// it. What vanished is only absent in the first part: a file of the second may be where it went.
  var halves: (FolderContents, FolderContents)? {
    var (first, second) = (self, self)
    (first.turned, first.endsFirstScan) = ([], false)
    (second.absent, second.returned) = ([], [])
    if !found.isEmpty {
      let isAlone = vanished.isEmpty && turned.isEmpty && !endsFirstScan
      if found.count == 1 && isAlone { return nil }
      let middle = max(found.count / 2, 1)
      first.found = Array(found[..<middle])
      first.vanished = []
      first.absent += vanished
      second.found = Array(found[middle...])
    } else if vanished.count > 1 || (vanished.count == 1 && !(turned.isEmpty && !endsFirstScan)) {
      let middle = max(vanished.count / 2, 1)
      first.vanished = Array(vanished[..<middle])
      second.vanished = Array(vanished[middle...])
    } else if turned.count > 1 || (turned.count == 1 && endsFirstScan) {
      let middle = max(turned.count / 2, 1)
      first.turned = Array(turned[..<middle])
      second.turned = Array(turned[middle...])
    } else {
      return nil
    }
    return (first, second)
  }

  /// The file that is all there is in it, or the first of several; the folder where there is none.
  var only: BytePath { found.first?.path ?? vanished.first ?? turned.first ?? root }
}
