import Browsing
import CratesInterface
import Glibc
import Platform
import Players
import VarlinkClient

/// The connections to the daemon, each with a thread of its own, and what they have heard. Nobody
/// waits for it but they.
final class DaemonLink: Sendable {
  let path: String
  let wakeUp: WakeUp
  private let heard = Monitor(HeardMessages())
  private let wanted = Monitor(WantedEffects())
  /// How often the daemon went away: connections from before are not used again.
  let losses = Monitor(0)
  let status = Monitor<Interface.LibraryStatus?>(nil)
  private let covers = Monitor<Effect?>(nil)
  private let search = Monitor<String?>(nil)
  private let wantedOfPlayer = Monitor(WantedEffects())
  /// Says that a player may have started since it was looked for.
  private let mayPlay: WakeUp

  /// - Parameter path: of the daemon's socket.
  init(path: String) throws(SystemCallError) {
    self.path = path
    wakeUp = try WakeUp()
    mayPlay = try WakeUp()
    mayPlay.wake()
  }

  /// - Parameter crate: the one that is opened first, as far as that is known.
  func start(opening crate: String?, rows: Int) {
    _ = BlockingThread("calls") { [self] in makeCalls(opening: crate, rows: rows) }
    _ = BlockingThread("watch") { [self] in again(watch) }
    _ = BlockingThread("status") { [self] in again(hearStatus) }
    _ = BlockingThread("covers") { [self] in fetchCovers() }
    _ = BlockingThread("search") { [self] in answerSearches() }
    _ = BlockingThread("player") { [self] in askPlayer() }
    _ = BlockingThread("playing") { [self] in
      let starts = PlayerStarts()
      while true { hearPlayer(starts) }
    }
  }

  // MARK: The browser's side

  /// What has come since.
  func messages() -> [Message] { heard.withLock { $0.take() } }

  func ask(_ effect: Effect) {
    switch effect {
    case .covers: covers.withLock { $0 = effect }
    case .search(let query): search.withLock { $0 = query }
    case .play, .control: wantedOfPlayer.withLock { $0.add(effect) }
    default: wanted.withLock { $0.add(effect) }
    }
  }

  // MARK: The threads' side

  /// - Parameter losses: how often the daemon had gone away when that was asked for. If it has
  ///   again, nothing is told: it would seem to be back.
  func tell(_ message: Message, unlessLostSince losses: Int? = nil) {
    heard.wait { (heard: inout HeardMessages) -> Void? in
      if let losses, self.losses.withLock({ $0 }) != losses { return () }
      return heard.add(message) ? () : nil
    }
    wakeUp.wake()
  }

  /// Tries again and again, slower and slower; ends when the program does.
  private func again(_ hear: () -> Void) {
    var pauses = Pauses()
    while true {
      let began = Clock.system.monotonic()
      hear()
      let ended = Clock.system.monotonic()
      // Something that is asked for may go through again.
      let until = ended + pauses.next(after: ended - began)
      _ = heard.wait(until: until) { _ -> Void? in nil }
    }
  }

  /// Tells what changes, as long as the connection holds, and then that the daemon has gone away.
  func watch() {
    let reason = hearChanges()
    losses.withLock { $0 += 1 }
    tell(.lost(reason))
  }

  /// - Returns: why it ended.
  @inline(never)
  private func hearChanges() -> String {
    do throws(ClientError) {
      var client = try VarlinkClient(path: path)
      var isFirst = true
      try client.eachReply(to: .watch(since: nil)) { json throws(ClientError) in
        guard case .change(let change) = try VarlinkClient.read(json, to: .watch(since: nil))
        else { return true }
        if isFirst {
          // Nothing that happens from here on is missed by what is read now.
          isFirst = false
          ask(.list)
        } else {
          tell(.changed(change))
        }
        return true
      }
      return ClientError.closed.sentence
    } catch {
      return error.sentence
    }
  }

  /// Tells how the daemon is, as long as the connection holds.
  @inline(never)
  func hearStatus() {
    do throws(ClientError) {
      var client = try VarlinkClient(path: path)
      try client.eachReply(to: .watchStatus) { json throws(ClientError) in
        if case .statusNews(let news, _) = try VarlinkClient.read(json, to: .watchStatus) {
          status.withLock { $0 = news }
          tell(.status(StatusFacts(news)))
        }
        return true
      }
    } catch {
      // The watching thread tells.
    }
  }

  // MARK: Calls

  private func makeCalls(opening crate: String?, rows: Int) {
    let calls = DaemonCalls(self)
    calls.begin(opening: crate, rows: rows)
    while true { calls.perform(nextWanted()) }
  }

  /// Waits until the browser wants something.
  func nextWanted() -> Effect { wanted.wait { wanted in wanted.next() } }

  private func fetchCovers() {
    let calls = DaemonCalls(self)
    while true {
      let effect = covers.wait { covers in covers.take() }
      guard case .covers(let albums, let side) = effect else { continue }
      calls.fetchCovers(of: albums, side: side) { [self] in covers.withLock { $0 != nil } }
    }
  }
}

extension DaemonLink {
  /// The last one that was asked for: nobody waits for those before it.
  private func answerSearches() {
    let calls = DaemonCalls(self)
    while true { calls.perform(.search(search.wait { $0.take() })) }
  }
}

// MARK: - The player

extension DaemonLink {
  /// One after the other: a player may take its time, and nothing else waits for it.
  private func askPlayer() {
    let calls = DaemonCalls(self)
    while true {
      calls.perform(wantedOfPlayer.wait { $0.next() })
      mayPlay.wake()
      if wantedOfPlayer.withLock({ $0.isEmpty }) { tell(.playerAnswered) }
    }
  }

  /// Tells what plays, for as long as a player runs. Where none does, it waits until one may have
  /// been started, here or by another program.
  func hearPlayer(_ starts: PlayerStarts) {
    starts.wait(or: mayPlay)
    let status = status.wait { $0 }
    do throws(PlayerFault) {
      let player = try ChosenPlayer(status)
      starts.watch(player.sockets)
      try player.connection(isFollowed: true)?.follow { [self] playing in
        tell(.playing(playing.map(PlayingFacts.init)))
      }
    } catch {
      // One that can't be asked is told of when it is to do something.
    }
    tell(.playing(nil))
  }
}

/// What has been heard and the browser has not taken yet.
struct HeardMessages: Sendable {
  /// So many wait; whoever has more to tell waits.
  static let most = 1_000
  private var messages: [Message] = []

  /// - Returns: whether there was room for it.
  mutating func add(_ message: Message) -> Bool {
    if messages.count == Self.most { return false }
    messages.append(message)
    return true
  }

  mutating func take() -> [Message] {
    defer { messages = [] }
    return messages
  }
}

/// How long to wait between attempts to connect, in nanoseconds: longer and longer, until a
/// connection has held for a while.
struct Pauses {
  private static let first: Int64 = 100_000_000
  private static let longest: Int64 = 5_000_000_000
  private var pause = first

  /// - Parameter held: how long the last connection did.
  mutating func next(after held: Int64) -> Int64 {
    if held > Self.longest { pause = Self.first }
    defer { pause = min(2 * pause, Self.longest) }
    return pause
  }
}

extension ClientError {
  /// What is the matter with the daemon, for people, after its name.
  var sentence: String {
    switch self {
    case .notRunning: "is not running; start it: systemctl --user start crated"
    case .closed: "has stopped"
    default: "does not answer: \(description)"
    }
  }
}
