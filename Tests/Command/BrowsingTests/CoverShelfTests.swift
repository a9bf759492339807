import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Covers at hand", .limited) struct CoverShelfTests {
  private func album(_ number: Int) -> AlbumID { AlbumID(number: Int32(number)) }

  private func pixels(_ width: Int, _ height: Int) throws -> Pixels {
    try #require(
      Pixels(width: width, height: height, bytes: [UInt8](repeating: 9, count: width * height * 3)))
  }

  @Test("It has a cover as large as was asked for, and knows of those that have none")
  func kept() throws {
    var shelf = CoverShelf()
    #expect(!shelf.has(album(1), side: 1) && shelf[album(1)] == nil)
    shelf.take(album(1), digest: "d", try pixels(8, 6), side: 64)
    #expect(shelf.has(album(1), side: 64) && shelf.has(album(1), side: 16))
    #expect(!shelf.has(album(1), side: 65) && !shelf.has(album(2), side: 1))
    #expect(shelf[album(1)]?.digest == "d" && shelf[album(1)]?.pixels?.width == 8)
    shelf.take(album(2), digest: nil, nil, side: 16)
    #expect(shelf.has(album(2), side: 512) && shelf[album(2)]?.pixels == nil)
    shelf.forget(album(1))
    shelf.forget(album(3))
    #expect(!shelf.has(album(1), side: 16) && shelf.has(album(2), side: 16))
  }

  /// Numbers of those that are there, of so many.
  private func there(_ shelf: CoverShelf, of count: Int) -> [Int] {
    (0..<count).filter { shelf[album($0)] != nil }
  }

  @Test("Six MiB are kept, of which those go that were needed longest ago")
  func bounded() throws {
    // Each is an eighth of all.
    let eighth = try pixels(512, 512)
    #expect(eighth.bytes.count * 8 == CoverShelf.bytesMost)
    var shelf = CoverShelf()
    for number in 0..<8 { shelf.take(album(number), digest: nil, eighth, side: 512) }
    #expect(there(shelf, of: 9) == Array(0..<8))
    shelf.touch(album(0))
    shelf.touch(album(99))
    // One that comes anew takes no more room.
    shelf.take(album(7), digest: nil, eighth, side: 512)
    shelf.take(album(8), digest: nil, nil, side: 512)
    #expect(there(shelf, of: 9) == Array(0..<9))
    shelf.take(album(9), digest: nil, try pixels(1, 1), side: 16)
    #expect(there(shelf, of: 10) == [0, 2, 3, 4, 5, 6, 7, 8, 9])
    shelf.take(album(10), digest: nil, eighth, side: 512)
    #expect(there(shelf, of: 11) == [0, 3, 4, 5, 6, 7, 8, 9, 10])
    // What is forgotten makes room.
    shelf.forget(album(3))
    shelf.take(album(11), digest: nil, try pixels(512, 511), side: 512)
    #expect(there(shelf, of: 12) == [0, 4, 5, 6, 7, 8, 9, 10, 11])
  }

  @Test("One alone stays, however large")
  func alone() throws {
    var shelf = CoverShelf()
    shelf.take(album(0), digest: nil, try pixels(16, 16), side: 16)
    shelf.take(album(1), digest: nil, try pixels(4096, 513), side: 512)
    #expect(there(shelf, of: 2) == [1])
  }

  @Test("A cover is made smaller in its proportions, if it is larger, and takes less room then")
  func shrunk() throws {
    for (width, height, side, small) in [
      (512, 256, 64, (64, 32)), (256, 512, 64, (32, 64)), (64, 64, 64, (64, 64)),
      (65, 65, 64, (64, 64)), (63, 10, 64, (63, 10)), (65, 13, 64, (64, 12)),
      (13, 65, 64, (12, 64)),
    ] {
      var shelf = CoverShelf()
      shelf.take(album(0), digest: "d", try pixels(width, height), side: 512)
      shelf.shrink(album(0), to: side)
      let found = try #require(shelf[album(0)]?.pixels)
      #expect((found.width, found.height) == small, "\(width) \(height)")
      let isLarger = max(width, height) > side
      #expect(shelf[album(0)]?.side == (isLarger ? 64 : 512) && shelf[album(0)]?.digest == "d")
    }
    var shelf = CoverShelf()
    shelf.take(album(0), digest: nil, nil, side: 512)
    shelf.shrink(album(0), to: 16)
    shelf.shrink(album(1), to: 16)
    #expect(shelf[album(0)]?.side == 512 && shelf[album(1)] == nil)
  }

  @Test("Small ones have room beside large ones, as many as were made small")
  func roomOfShrunk() throws {
    let eighth = try pixels(512, 512)
    var shelf = CoverShelf()
    for number in 0..<8 { shelf.take(album(number), digest: nil, eighth, side: 512) }
    shelf.shrink(album(0), to: 256)
    // Three quarters of one are free, and no more.
    shelf.take(album(8), digest: nil, try pixels(512, 384), side: 512)
    #expect(there(shelf, of: 9) == Array(0..<9))
    shelf.take(album(9), digest: nil, try pixels(1, 1), side: 16)
    #expect(there(shelf, of: 10) == Array(1..<10))
  }

  @Test("Half blocks are made in the size of the place, anew only for another")
  func blocks() throws {
    var shelf = CoverShelf()
    shelf.makeBlocks(of: album(0), columns: 8, rows: 4)
    shelf.take(album(0), digest: nil, try pixels(64, 32), side: 64)
    for (columns, rows, width, height) in [
      (8, 4, 8, 2), (8, 2, 8, 2), (16, 4, 16, 4), (40, 4, 16, 4), (8, 8, 8, 2),
      (9, 8, 9, 3), (10, 8, 10, 3),
    ] {
      shelf.makeBlocks(of: album(0), columns: columns, rows: rows)
      let blocks = try #require(shelf[album(0)]?.blocks)
      #expect(blocks.columns == width && blocks.rows == height, "\(columns) \(rows)")
    }
    shelf.take(album(0), digest: nil, try pixels(64, 64), side: 64)
    #expect(shelf[album(0)]?.blocks == nil)
    // Another height alone is another size.
    for (columns, rows, width, height) in [(8, 4, 8, 4), (8, 3, 6, 3)] {
      shelf.makeBlocks(of: album(0), columns: columns, rows: rows)
      let blocks = try #require(shelf[album(0)]?.blocks)
      #expect(blocks.columns == width && blocks.rows == height, "\(columns) \(rows)")
    }
    shelf.take(album(1), digest: nil, nil, side: 64)
    shelf.makeBlocks(of: album(1), columns: 8, rows: 4)
    #expect(shelf[album(1)]?.blocks == nil)
  }
}
