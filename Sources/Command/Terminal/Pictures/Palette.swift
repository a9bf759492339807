/// A reduced palette of a picture, and the index of each pixel's colour. Computed by median cut:
/// the set of colours is halved along its widest channel until there are enough parts.
struct Palette {
  private(set) var colours: [RGB] = []
  /// The palette index of each pixel.
  private(set) var indices: [UInt8] = []

  /// The bits of red, green and blue that are compared.
  private static let bits = 5

  /// Colours that are equal in these bits, with their sums for the mean.
  private struct Bin {
    var key = 0
    var count = 0
    var sums = (red: 0, green: 0, blue: 0)

    var mean: RGB {
      func mean(_ sum: Int) -> UInt8 { UInt8((sum + count / 2) / count) }
      return RGB(mean(sums.red), mean(sums.green), mean(sums.blue))
    }

    mutating func add(_ colour: RGB) {
      count += 1
      sums.red += Int(colour.red)
      sums.green += Int(colour.green)
      sums.blue += Int(colour.blue)
    }

    mutating func add(_ other: Bin) {
      count += other.count
      sums.red += other.sums.red
      sums.green += other.sums.green
      sums.blue += other.sums.blue
    }

    func part(_ channel: Int) -> Int { key >> (Palette.bits * channel) & (1 << Palette.bits - 1) }
  }

  /// A range of bins, with its widest channel and the extent of that.
  private struct Box {
    let bins: Range<Int>
    let count: Int
    private(set) var channel = 0
    private(set) var extent = 0
    /// The priority for halving: many pixels with a large extent.
    var weight: Int { extent * count }

    init(_ range: Range<Int>, of all: [Bin]) {
      bins = range
      count = all[range].reduce(0) { $0 + $1.count }
      for channel in 0..<3 {
        let parts = all[range].lazy.map { $0.part(channel) }
        guard let least = parts.min(), let most = parts.max(), most - least > extent else {
          continue
        }
        (self.channel, extent) = (channel, most - least)
      }
    }
  }

  /// - Parameter most: The most colours, 2 to 256.
  init(of pixels: Pixels, most: Int) {
    var keys: [Int] = []
    keys.reserveCapacity(pixels.width * pixels.height)
    var table = [Bin](repeating: Bin(), count: 1 << (3 * Self.bits))
    for place in stride(from: 0, to: pixels.bytes.count, by: 3) {
      let colour = RGB(pixels.bytes[place], pixels.bytes[place + 1], pixels.bytes[place + 2])
      let key = Self.key(colour)
      keys.append(key)
      table[key].add(colour)
    }
    for key in table.indices { table[key].key = key }
    var bins = table.filter { $0.count > 0 }
    let boxes = Self.boxes(&bins, most: min(max(most, 2), 256))
    var indexOfKey = [UInt8](repeating: 0, count: table.count)
    for (index, box) in boxes.enumerated() {
      var whole = Bin()
      for bin in bins[box.bins] {
        whole.add(bin)
        indexOfKey[bin.key] = UInt8(index)
      }
      colours.append(whole.mean)
    }
    indices = keys.map { indexOfKey[$0] }
  }

  private static func boxes(_ bins: inout [Bin], most: Int) -> [Box] {
    var boxes = [Box(bins.indices, of: bins)]
    while boxes.count < most {
      guard let widest = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
        boxes[widest].extent > 0
      else { break }
      let box = boxes[widest]
      // The key makes the order of equal parts deterministic.
      bins[box.bins].sort {
        ($0.part(box.channel), $0.key) < ($1.part(box.channel), $1.key)
      }
      var end = box.bins.lowerBound
      var count = 0
      repeat {
        count += bins[end].count
        end += 1
      } while end < box.bins.upperBound - 1 && count * 2 < box.count
      boxes[widest] = Box(box.bins.lowerBound..<end, of: bins)
      boxes.append(Box(end..<box.bins.upperBound, of: bins))
    }
    return boxes
  }

  private static func key(_ colour: RGB) -> Int {
    func part(_ value: UInt8, _ channel: Int) -> Int {
      (Int(value) >> (8 - bits)) << (bits * channel)
    }
    return part(colour.red, 0) | part(colour.green, 1) | part(colour.blue, 2)
  }
}
