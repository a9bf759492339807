import CratesInterface
import VarlinkServer

/// What a listing still has to send, and to whom.
protocol ListingRest: Sendable {
  var answer: Answer { get }
  /// The number of the library that it shows, as published.
  var library: Int { get }
  /// Whether all has to be in one reply, so that what was worked out is kept for the end.
  var isGathered: Bool { get }
  /// Bytes, roughly, of what is kept for the end.
  var bytes: Int { get }
  /// Sends the next batch. False where nothing is left to do.
  mutating func goOn() -> Bool
}

/// With "more" a batch is a reply; without, they are gathered to the one reply there may be.
struct RestOfListing<Items: ListedItems>: ListingRest {
  let answer: Answer
  let library: Int
  let isGathered: Bool
  private let batchBytes: Int
  private var items: Items
  private var gathered: [Items.Element] = []
  private(set) var bytes = 0

  init(_ items: Items, _ request: Request, _ library: Int, _ limits: ListingLimits) {
    answer = request.answer
    isGathered = !request.more
    self.library = library
    self.items = items
    batchBytes = limits.batchBytes
  }

  mutating func goOn() -> Bool {
    if answer.isAbandoned { return false }
    let end = bytes + batchBytes
    while bytes <= end {
      guard let item = items.next() else {
        answer.reply(items.reply(with: gathered))
        return false
      }
      gathered.append(item)
      bytes += Items.bytes(of: item)
    }
    if !isGathered {
      answer.reply(items.reply(with: gathered), continues: true)
      (gathered, bytes) = ([], 0)
    } else if bytes > answer.singleReplyBytes * Self.certainlyTooLong {
      answer.fail(.expectedMore)
      return false
    }
    return true
  }

  /// Times the longest reply: how long it is `bytes` tells only roughly, and at most so many times
  /// too much.
  private static var certainlyTooLong: Int { 2 }
}
