import LibraryModel

@testable import LibraryStore

/// A journal in which a person has made the changes, in as many batches.
func writtenJournal(
  _ generation: Int, base: Int, _ batches: [[Change]], isAfterEdit: Bool = false
) -> [UInt8] {
  let header = JournalText.header(generation: generation, base: base, isAfterEdit: isAfterEdit)
  var text = JournalText(header: header, base: base)
  var bytes = header + [0x0A]
  for changes in batches {
    var batch = [Transaction(by: .person, changes: changes)]
    bytes += text.records(of: &batch)
  }
  return bytes
}

/// One in which each change adds a crate of its number's name, on one line.
func writtenJournal(
  _ generation: Int, base: Int, count: Int, isAfterEdit: Bool = false
) -> [UInt8] {
  writtenJournal(
    generation, base: base,
    (base..<(base + count)).map { [.crateAdded("\($0)", after: nil)] }, isAfterEdit: isAfterEdit)
}
