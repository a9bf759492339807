import CratesInterface
import VarlinkServer

/// The rest of a listing, and the answer that it is sent to.
protocol ListingRest: Sendable {
  var answer: Answer { get }
  /// The number of its library, as published.
  var library: Int { get }
  /// Whether everything must be in one reply, so that items are kept until the end.
  var isGathered: Bool { get }
  /// The approximate size of the kept items in bytes.
  var bytes: Int { get }
  /// Sends or gathers the next batch. Returns false if nothing is left to do.
  mutating func goOn() -> Bool
}

/// With "more" each batch is a reply; otherwise the batches are gathered into the only reply.
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

  /// The factor of the longest reply from which an answer is refused. `bytes` overestimates by less
  /// than this factor.
  private static var certainlyTooLong: Int { 2 }
}
