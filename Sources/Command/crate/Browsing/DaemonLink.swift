import Browsing
import CratesInterface
import Glibc
import Platform
import Players
import VarlinkClient

/// The connections to the daemon, each with its own thread, and their received messages. The
/// browser never waits for them.
final class DaemonLink: Sendable {
  let path: String
  let wakeUp: WakeUp
  private let heard = Monitor(HeardMessages())
  private let wanted = Monitor(WantedEffects())
  /// The number of times that the connection was lost. Connections from before are not used again.
  let losses = Monitor(0)
  let status = Monitor<Interface.LibraryStatus?>(nil)
  private let covers = Monitor<Effect?>(nil)
  private let search = Monitor<String?>(nil)
  private let wantedOfPlayer = Monitor(WantedEffects())
  /// Wakes the player thread when a player may have started.
  private let mayPlay: WakeUp

  /// - Parameter path: The path of the daemon's socket.
  init(path: String) throws(SystemCallError) {
    self.path = path
    wakeUp = try WakeUp()
    mayPlay = try WakeUp()
    mayPlay.wake()
  }

  /// - Parameter crate: The crate to open first, if it is known.
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

  /// Returns the messages received since the last call.
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

  /// - Parameter losses: The number of losses at the time of the request. If the connection was
  ///   lost since, the message is dropped: the daemon would seem to be back.
  func tell(_ message: Message, unlessLostSince losses: Int? = nil) {
    heard.wait { (heard: inout HeardMessages) -> Void? in
      if let losses, self.losses.withLock({ $0 }) != losses { return () }
      return heard.add(message) ? () : nil
    }
    wakeUp.wake()
  }

  /// Runs `hear` again whenever it ends, with increasing pauses. Never returns.
  private func again(_ hear: () -> Void) {
    var pauses = Pauses()
    while true {
      let began = Clock.system.monotonic()
      hear()
      let ended = Clock.system.monotonic()
      // Sleeps for the whole pause, since the body never returns a value.
      let until = ended + pauses.next(after: ended - began)
      _ = heard.wait(until: until) { _ -> Void? in nil }
    }
  }

  /// Reports changes while the connection holds, and then its loss.
  func watch() {
    let reason = hearChanges()
    losses.withLock { $0 += 1 }
    tell(.lost(reason))
  }

  /// - Returns: The reason why it ended.
  @inline(never)
  private func hearChanges() -> String {
    do throws(ClientError) {
      var client = try VarlinkClient(path: path)
      var isFirst = true
      try client.eachReply(to: .watch(since: nil)) { json throws(ClientError) in
        guard case .change(let change) = try VarlinkClient.read(json, to: .watch(since: nil))
        else { return true }
        if isFirst {
          // The subscription comes first, so that no change after the reading is missed.
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

  /// Reports the daemon's status while the connection holds.
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
      // The watch thread reports this.
    }
  }

  // MARK: Calls

  private func makeCalls(opening crate: String?, rows: Int) {
    let calls = DaemonCalls(self)
    calls.begin(opening: crate, rows: rows)
    while true { calls.perform(nextWanted()) }
  }

  /// Waits for the next request of the browser.
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
  /// Answers the latest search only; earlier ones are obsolete.
  private func answerSearches() {
    let calls = DaemonCalls(self)
    while true { calls.perform(.search(search.wait { $0.take() })) }
  }
}

// MARK: - The player

extension DaemonLink {
  /// Carries out requests for the player one by one. A slow player delays nothing else.
  private func askPlayer() {
    let calls = DaemonCalls(self)
    while true {
      calls.perform(wantedOfPlayer.wait { $0.next() })
      mayPlay.wake()
      if wantedOfPlayer.withLock({ $0.isEmpty }) { tell(.playerAnswered) }
    }
  }

  /// Reports what plays while a player runs. If none runs, waits until one may have been started by
  /// this or another program.
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
      // A player without controls is reported when the user controls it.
    }
    tell(.playing(nil))
  }
}

/// The received messages that the browser has not read yet.
struct HeardMessages: Sendable {
  /// The most queued messages. Further senders wait.
  static let most = 1_000
  private var messages: [Message] = []

  /// - Returns: Whether there was room for the message.
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

/// The pause between attempts to connect, in nanoseconds. It doubles until a connection has held
/// for a while.
struct Pauses {
  private static let first: Int64 = 100_000_000
  private static let longest: Int64 = 5_000_000_000
  private var pause = first

  /// - Parameter held: How long the last connection held.
  mutating func next(after held: Int64) -> Int64 {
    if held > Self.longest { pause = Self.first }
    defer { pause = min(2 * pause, Self.longest) }
    return pause
  }
}

extension ClientError {
  /// The state of the daemon, as a sentence for the user that follows its name.
  var sentence: String {
    switch self {
    case .notRunning: "is not running; start it: systemctl --user start crated"
    case .closed: "has stopped"
    default: "does not answer: \(description)"
    }
  }
}
