import LibraryModel
import LibraryStore
import ModelSupport
import TestSupport

extension LibraryMaker {
  /// One change of the person's or the folder's, already applied here; its numbers are still to
  /// come.
  mutating func committed(steps: Int? = nil) throws -> Transaction {
    let (author, changes) = try changes(steps)
    return Transaction(
      by: author, time: time(),
      sentence: changes.count == 1 ? "" : "\(pick(Self.texts))x", changes: changes)
  }
}
