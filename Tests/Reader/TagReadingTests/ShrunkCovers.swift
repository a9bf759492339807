import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport

// The sample pictures are red and green above blue and white, 40 by 20 pixels.

/// The colour in the middle of each quarter, as a letter: of its corners' names the nearest.
func quarters(_ picture: Thumbnail) -> String {
  let names: [(Character, [Int])] = [
    ("R", [255, 0, 0]), ("G", [0, 255, 0]), ("B", [0, 0, 255]), ("W", [255, 255, 255]),
  ]
  let places = [(1, 1), (3, 1), (1, 3), (3, 3)]
  return String(
    places.map { column, row in
      let (x, y) = (picture.width * column / 4, picture.height * row / 4)
      let start = (y * picture.width + x) * 3
      let colour = picture.bytes[start..<(start + 3)].map(Int.init)
      func distance(_ other: [Int]) -> Int {
        zip(colour, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      }
      let best = names.min { distance($0.1) < distance($1.1) }
      // Far from all of them it is none.
      return best.map { distance($0.1) < 9_000 ? $0.0 : "?" } ?? "?"
    })
}

func thumbnail(
  of bytes: [UInt8], side: Int, form: Thumbnail.Form = .pixels
) throws -> ThumbnailOutcome {
  let folder = try TemporaryFolder()
  return try thumbnails(of: [try folder.write(bytes, to: "picture")], side: side, form: form)[0]
}

func thumbnails(
  of paths: [String], side: Int, form: Thumbnail.Form = .pixels
) throws -> [ThumbnailOutcome] {
  let pool = try ReaderPool(program: builtReader, count: 1)
  defer { pool.shutDown() }
  let found = Monitor<[Int: ThumbnailOutcome]>([:])
  for (index, path) in paths.enumerated() {
    pool.readThumbnail(
      OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC)), side: side, form: form,
      BytePath(path).pathExtension
    ) { outcome in found.withLock { $0[index] = outcome } }
  }
  let all = found.wait { $0.count == paths.count ? $0 : nil }
  return paths.indices.compactMap { all[$0] }
}

extension ReaderPool {
  func readThumbnail(
    _ file: consuming OpenFile, side: Int, form: Thumbnail.Form = .pixels,
    _ pathExtension: String, completion: @escaping @Sendable (ThumbnailOutcome) -> Void
  ) {
    let descriptor = file.release()
    share.readThumbnail(
      descriptor, stamp: stamp(0), side: side, form: form, pathExtension: pathExtension
    ) { outcome in
      close(descriptor)
      completion(outcome)
    }
  }
}

extension ThumbnailOutcome {
  var made: Thumbnail? { if case .made(let made, _) = self { made } else { nil } }

  var digest: CoverDigest? {
    switch self {
    case .made(_, let digest): digest
    case .noCover(let digest): digest
    case .unknown: nil
    }
  }
}

/// `colours`: PNG's type of colour, 0 for grey and 2 for three of them.
func png(width: Int, height: Int, colours: UInt8 = 0, rows: [UInt8]) -> [UInt8] {
  func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
  func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    big(body.count) + Array(name.utf8) + body + big(Int(crc(Array(name.utf8) + body)))
  }
  var stream: [UInt8] = [0x78, 0x01]
  for start in stride(from: 0, to: rows.count, by: 65_535) {
    let block = rows[start..<min(start + 65_535, rows.count)]
    let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
    stream += [start + block.count == rows.count ? 1 : 0, low, high, ~low, ~high] + block
  }
  var (first, second) = (1, 0)
  for byte in rows {
    first = (first + Int(byte)) % 65_521
    second = (second + first) % 65_521
  }
  stream += big(second << 16 | first)
  return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    + chunk("IHDR", big(width) + big(height) + [8, colours, 0, 0, 0]) + chunk("IDAT", stream)
    + chunk("IEND", [])
}

private func crc(_ bytes: [UInt8]) -> UInt32 {
  var crc: UInt32 = 0xFFFF_FFFF
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
  }
  return ~crc
}
