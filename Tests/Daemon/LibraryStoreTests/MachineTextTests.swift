import LibraryModel
import SharedOrder
import TestSupport
import Testing

@testable import LibraryStore

@Suite("The order of several machines as text", .limited)
struct MachineTextTests {
  /// 2027, in milliseconds since 1970.
  private static let now: Int64 = 1_800_000_000_000

  private static let lines = [
    "crated-order 1 share kq3m machine 7k2m version 412 clock 2rk3x9w0 name Ada's laptop",
    "crate bkqv7m2a3x4e at=>7k2m2rk3x9a1 by=1.2rk3x9a1.7k2m named=1.2rk3x9a1.7k2m Jazz",
    "\talbum* bkqv7m2a3x4e in=2.2rk3x9b7.7k2m at=>7k2m2rk3x9b7.2 by=1.2rk3x9b7.7k2m"
      + " arranged=1.2rk3x9c4.7k2m group=by%09miles%20davis%09kind%20of%20blue"
      + " sounds=1f0c9a77,2be10000 songs=5 seconds=2744 Miles Davis - Kind of Blue",
    "\t\tsong kx2mf7qd4t3a sound=1f0c9a77 disc=1 track=1 seconds=544 So What",
    "\t\tsong kx2mf7qd4t3b seconds=0 100%25",
    "\telsewhere hb3c4d5e6f7g in=0.2rk3x9b7.x2q9 at=<x2q92rk3x9b7=7k2m2rk3x9b7.-3"
      + " by=0.2rk3x9b7.x2q9 group=by%09bill%20evans%09portrait%20in%20jazz songs=9"
      + " seconds=2102 Bill Evans - Portrait in Jazz",
  ]

  private static func sealed(_ lines: [String]) -> [UInt8] {
    var text = Array((lines.joined(separator: "\n") + "\n").utf8)
    SealedText.seal(&text)
    return text
  }

  private static func replacing(_ old: String, _ new: String) -> [UInt8] {
    let text = lines.joined(separator: "\n").replacing(old, with: new)
    return sealed(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  private func fault(_ bytes: [UInt8]) -> MachineReader.Fault? {
    do throws(MachineReader.Fault) {
      _ = try MachineReader.order(bytes, now: Self.now)
      return nil
    } catch {
      return error
    }
  }

  @Test("is written as it was read, and says what it says")
  func golden() throws {
    let text = Self.sealed(Self.lines)
    let order = try MachineReader.order(text, now: Self.now)
    #expect(order.name == "Ada's laptop" && order.version == 412)
    #expect(order.crates.map(\.value.name.value) == ["Jazz"])
    #expect(order.albums.map(\.isOwn) == [true, false])
    #expect(order.albums[0].value.songs?.value.songs.map(\.title) == ["So What", "100%"])
    #expect(MachineText.text(order) == text)
    let windows = Array(String(decoding: text, as: UTF8.self).replacing("\n", with: "\r\n").utf8)
    #expect(MachineText.text(try MachineReader.order(windows, now: Self.now)) == text)
  }

  @Test("counts whole or not at all: cut off anywhere, and with any bit turned over")
  func damage() {
    let text = Self.sealed(Self.lines)
    for count in text.indices { #expect(fault(Array(text[..<count])) != nil, "\(count)") }
    for place in text.indices {
      for bit in 0..<8 {
        var damaged = text
        damaged[place] ^= 1 << UInt8(bit)
        #expect(fault(damaged) != nil, "bit \(bit) of byte \(place)")
      }
    }
  }

  @Test(
    "is refused where its seal fits and what it says is bad",
    arguments: [
      ("clock 2rk3x9w0", "clock zzzzzzzzz"), ("clock 2rk3x9w0", "clock 2rk3x9b0"),
      ("at=>7k2m2rk3x9b7.2", "at=>7k2mzzzzzzzz"), ("at=>7k2m2rk3x9b7.2", "at="),
      ("at=>7k2m2rk3x9b7.2", "at=" + String(repeating: ">7k2m2rk3x9b7", count: 300)),
      ("by=1.2rk3x9b7.7k2m", "by=3.2rk3x9b7.7k2m"), ("by=1.2rk3x9b7.7k2m", ""),
      ("album* bkqv7m2a3x4e", "album* hb3c4d5e6f7g"), ("song kx2mf7qd4t3b", "song kx2mf7qd4t3a"),
      ("Jazz", "Ja%07zz"), ("Jazz", ""), ("Ada's laptop", String(repeating: "x", count: 41)),
      ("\talbum*", "\talbum"), ("crate bkq", "crate xbkq"), ("songs=5", "songs=-5"),
      ("sounds=1f0c9a77,2be10000", "sounds=1f0c9a77,2be1000"),
      ("So What", String(repeating: "x", count: 70_000)), ("\telsewhere", "\t\telsewhere"),
    ])
  func hostile(old: String, new: String) {
    guard case .damaged(let line, let reason)? = fault(Self.replacing(old, new)) else {
      Issue.record("it was read")
      return
    }
    #expect(line >= 1 && !reason.isEmpty)
  }

  @Test("of a later version is not judged")
  func later() {
    #expect(fault(Self.replacing("crated-order 1", "crated-order 2 x")) == .newerVersion(2))
  }

  @Test("What a machine remembers of the others is read again")
  func state() throws {
    let order = try MachineReader.order(Self.sealed(Self.lines), now: Self.now)
    var state = MachineState(order: order, sequence: 48_213)
    state.written = "8d05afd2b7564f32f9dd4a9f293e918e"
    state.intended = "0d05afd2b7564f32f9dd4a9f293e918e"
    let other = try #require(MachineID("x2q9".utf8))
    state.others[other] = MachineState.Other(name: "NAS", version: 7, heard: Self.now)
    // More than there are on a line.
    let many = (1...2_500).map { AlbumID(number: UInt64($0)) }
    state.held[other] = Set([order.albums[1].id] + many)
    let text = MachineText.text(state)
    let read = try MachineReader.state(text)
    #expect(MachineText.text(read) == text)
    #expect(read.others == state.others && read.held == state.held && read.sequence == 48_213)
    #expect(fault(text) != nil, "it is no other machine's file")
  }
}
