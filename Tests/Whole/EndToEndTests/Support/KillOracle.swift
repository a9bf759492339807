import CratesInterface
import ProgramSupport
import Testing

/// Says what has to be there after a kill, from what clients were told before it and nothing else.
final class KillOracle {
  /// With more of them it would not be known any more what undo leads to.
  private static let mostPossible = 256
  let things: KnownThings
  /// One of them is the case; mostly there is one.
  private var known: [KnownHistory]
  /// The highest number of a change that was seen.
  private(set) var newest: Int
  /// The changes that were seen in the history after the last start, the newest first.
  private var past: [Interface.Change] = []
  private(set) var answered = 0
  /// Changes that nobody was told of, and that are there.
  private(set) var unansweredFound = 0

  /// An oracle of a library that nothing happens to as yet.
  init(_ client: CratesClient) throws {
    newest = try client.sync()
    things = try KnownThings(client)
    known = [KnownHistory(things.order(of: try client.songs()))]
  }

  /// After a start.
  ///
  /// - Parameters:
  ///   - sent: all edits that were sent since the start before it.
  ///   - story: for the comment of a failure.
  func check(_ sent: [SentEdit], _ client: CratesClient, _ story: String) throws {
    let new = try newChanges(client, story)
    var edits: [Int: KnownEdit] = [:]
    for one in sent {
      if case .failure(let error) = one.answer, !Self.isExpected(error) {
        Issue.record("\(error), \(story)")
      }
      guard let change = one.change else { continue }
      #expect(change.sequence > one.newest, "it came after what was known, \(story)")
      #expect(edits[change.sequence] == nil, "a number was given twice, \(story)")
      // A change of a single line is summed up by that, so the words may differ.
      let kept = new.first { $0.sequence == change.sequence }
      #expect(kept?.time == change.time && kept?.author == .person, "\(change), \(story)")
      #expect(kept?.albums == change.albums && kept?.songs == change.songs, "\(change), \(story)")
      #expect(kept?.crates == change.crates, "\(change), \(story)")
      edits[change.sequence] = one.edit
    }
    let byPerson = new.filter { $0.author == .person }.map {
      (change: $0, edit: edits[$0.sequence])
    }
    answered += edits.count
    unansweredFound += byPerson.count { $0.edit == nil }
    let order = things.order(of: try client.songs(gone: true))
    let unanswered = sent.filter { $0.answer == nil }
    var after: [KnownHistory] = []
    for possible in known {
      let further = possible.following(
        byPerson[...], unanswered: unanswered, to: order, of: things)
      after += further.filter { !after.contains($0) }
    }
    guard (1...Self.mostPossible).contains(after.count) else {
      Issue.record(
        """
        What clients were told leads to the order that is there in \(after.count) ways, \(story)
        before: \(known.map(\.order.listing))
        found: \(order.listing)
        changes: \(new.map { "\($0.sequence) \($0.author) \($0.summary)" })
        answered: \(edits.sorted { $0.key < $1.key }.map { ($0.key, $0.value.call) })
        unanswered: \(unanswered.map { ($0.newest, $0.edit.call) })
        """)
      throw LostOrder()
    }
    known = after
  }

  /// The changes since the last life, the oldest first. Those before them are what they were.
  private func newChanges(
    _ client: CratesClient, _ story: String
  ) throws -> [Interface.Change] {
    var found: [Interface.Change] = []
    while found.last.map({ $0.sequence > newest }) ?? true {
      let call = Call.history(limit: 60, before: found.last?.sequence)
      guard case .changes(let page) = try client.ask(call) else { throw WrongReply() }
      if page.isEmpty { break }
      found += page
    }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.sequence > $1.sequence }, "\(story)")
    if let oldest = [past, found].compactMap(\.last?.sequence).max(), !past.isEmpty {
      let again = found.filter { (oldest...newest).contains($0.sequence) }
      #expect(again == past.filter { $0.sequence >= oldest }, "\(story)")
    }
    past = found
    let new = found.prefix { $0.sequence > newest }
    newest = found.first?.sequence ?? newest
    return new.reversed()
  }

  /// What edits may meet that were sent without a look.
  private static func isExpected(_ error: InterfaceError) -> Bool {
    switch error {
    case .noSuchCrate, .crateExists, .notOneAlbum, .invalidPlace, .nothingToUndo, .nothingToRedo:
      true
    case .changesRefused(let reason): reason == "crated is stopping"
    default: false
    }
  }
}

/// Nothing that clients sent explains what is there.
private struct LostOrder: Error {}
