import TestSupport
import Testing

/// One after the other: the targets have one room for files and pictures each.
@Suite("Inputs that fuzzing begins with", .serialized, .limited)
struct CorpusTests {
  private static let corpus = Repository.path("Fuzz/Corpus")

  private func inputs(_ folder: String) throws -> [[UInt8]] {
    let folder = "\(Self.corpus)/\(folder)"
    let inputs = try names(in: folder).sorted().map { try readFile("\(folder)/\($0)") }
    try #require(!inputs.isEmpty)
    return inputs
  }

  // Lists have a folder for each format.
  @Test(
    "hold what must hold of whatever a parser reads",
    arguments: Target.allCases.filter { $0 != .lists })
  func parsers(target: Target) throws {
    for input in try inputs(target.rawValue) + [[]] { target.run(input) }
  }

  @Test("hold what must hold of lists of every format", arguments: ListReader.allCases)
  func lists(reader: ListReader) throws {
    for input in try inputs("lists/\(reader.rawValue)") + [[]] {
      reader.run(input)
      Target.lists.run(input)
    }
  }
}
