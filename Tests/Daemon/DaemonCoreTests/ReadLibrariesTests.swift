import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Libraries whose text was read", .limited)
struct ReadLibrariesTests {
  private func library(_ sequence: Int) -> Library {
    var library = Library()
    library.advance(to: sequence)
    return library
  }

  private func known(_ read: ReadLibraries) -> [Int] {
    (0..<30).filter { read.library(at: $0)?.sequence == $0 }
  }

  @Test("the last eight are known, each once, and one that is read again is the newest of them")
  func lastOnes() {
    let read = ReadLibraries()
    for sequence in 1...8 { read.keep(library(sequence)) }
    #expect(known(read) == Array(1...8))
    read.keep(library(1))
    #expect(known(read) == Array(1...8))
    read.keep(library(9))
    #expect(known(read) == [1] + Array(3...9))
    read.keep(library(10))
    #expect(known(read) == [1] + Array(4...10))
  }
}
