import TestSupport
import Testing
import Text

@testable import ImportedLists

@Suite("Damaged lists", .limited)
struct MutationTests {
  /// Files of every format, by their names.
  private static func samples() throws -> [(name: String, bytes: [UInt8])] {
    var samples = try Golden.names.map { ($0, try Golden.bytes($0)) }
    samples.append(("rhythmdb.xml", try Golden.bytes("rhythmdb.xml")))
    samples.append(("a%%b.crate", SeratoMaker.crate(["a/b.mp3", "c/ü.mp3"])))
    let folder = try TemporaryFolder()
    for (number, (sql, _)) in ProgramTests.programs.enumerated() {
      let path = folder.path("\(number).db")
      try ProgramMaker.make(sql, at: path, settings: "PRAGMA page_size = 512")
      samples.append(("\(number).db", try readFile(path)))
    }
    return samples
  }

  @Test("Nothing that a damaged file can be ends the program")
  func mutations() throws {
    var random = SeededGenerator(usually: 8_002)
    var (read, refused) = (0, 0)
    for (name, bytes) in try Self.samples() {
      let count = name.hasSuffix(".db") ? 1_000 : 2_000
      for _ in 0..<count {
        let damaged = Self.damaged(bytes, &random)
        do throws(ListFault) {
          check(try ListFile(of: damaged, named: name))
          read += 1
        } catch {
          refused += 1
          check(error, damaged, "\(random) \(name)")
        }
        _ = try? Rhythmbox.songs(in: damaged, CodePages())
      }
    }
    #expect(read > 1_000 && refused > 1_000, "\(random) reads \(read), refuses \(refused)")
  }

  private func check(_ file: ListFile) {
    for list in file.lists {
      let name = Importing.crateName(of: list)
      #expect(!name.isEmpty && name.utf8.count <= 255)
      for song in list.songs { #expect(song.milliseconds >= 0) }
    }
  }

  private func check(_ fault: ListFault, _ bytes: [UInt8], _ comment: String) {
    switch fault.place {
    case .line(let line): #expect((1...bytes.count + 2).contains(line), "\(comment) \(fault)")
    case .offset(let offset): #expect((0...bytes.count).contains(offset), "\(comment) \(fault)")
    case .file: break
    }
    #expect(!fault.reason.isEmpty)
  }

  /// A few bytes changed, taken out, doubled or cut off.
  private static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard !bytes.isEmpty else { break }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(bytes[place], at: place)
      case 4:
        let end = min(bytes.count, place + Int.random(in: 0..<64, using: &random))
        let target = Int.random(in: 0...bytes.count, using: &random)
        bytes.insert(contentsOf: bytes[place..<end], at: target)
      default:
        if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeLast(bytes.count - place) }
      }
    }
    return bytes
  }
}
