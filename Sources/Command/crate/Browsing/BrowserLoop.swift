import Browsing
import CLinuxShims
import Glibc
import Platform
import Terminal

/// The event loop that connects the terminal, the daemon and the browser, on one thread. A key is
/// painted at once. Covers are drawn after a moment without keys, in slices, which a key
/// interrupts.
final class BrowserLoop {
  private var browser: Browser
  private let device: TerminalDevice
  private let link: DaemonLink
  private let memory: StateFile
  private let options: BrowserOptions
  private var painter: Painter
  private var decoder = InputDecoder()
  private var support = PictureSupport()
  private var pictures = PictureScreen()
  private var isDirty = true
  private var isOver = false
  private var isSuspending = false
  /// The signal that ended the browser; nil if the user quit.
  private(set) var endingSignal: Int32?
  private var times = BrowserTimes()
  private var slices = SliceTurns()
  private var clicks = DoubleClicks()
  /// The number of `ready` queries that the terminal has not answered.
  private var answersDue = 0
  private var hasAnswered = false

  /// The time to wait for pending edits at the end, in nanoseconds.
  private static let endPatience: Int64 = 3_000_000_000
  /// The time to wait at the end for replies of the terminal, which would else be typed into the
  /// shell, in nanoseconds: for a terminal that has replied before, and for one that may never.
  private static let answerPatience: Int64 = 500_000_000
  private static let silentPatience: Int64 = 100_000_000

  init(
    _ browser: Browser, on device: TerminalDevice, _ link: DaemonLink, _ memory: StateFile,
    _ options: BrowserOptions
  ) {
    self.browser = browser
    self.device = device
    self.link = link
    self.memory = memory
    self.options = options
    painter = Painter(depth: options.depth)
    pictures.way = options.firstCovers
    pictures.cell = browser.look.cell
  }

  /// Returns the number of edits without an answer.
  func run() -> Int {
    device.hearSignals()
    if device.isBackground {
      stop()
      resize()
    }
    if !isOver {
      device.enter(
        showing: paintedBytes() + options.questions)
    }
    while !isOver {
      wait()
      takeTurn()
    }
    device.leave { [self] in awaitAnswers() }
    return finishEdits()
  }

  // MARK: Waiting

  private func wait() {
    let patience = times.patience(
      at: Clock.system.monotonic(), until: device.isWriting ? nil : slices.nextAt)
    var polled = [
      pollfd(fd: device.input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: device.signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: link.wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: device.output.descriptor, events: Int16(POLLOUT), revents: 0),
    ]
    let count = nfds_t(device.isWriting ? 4 : 3)
    _ = poll(&polled, count, patience)
    if polled[1].revents != 0 { takeSignals() }
    if polled[0].revents != 0 { takeKeys() }
    if polled[2].revents != 0 {
      link.wakeUp.clear()
      for message in link.messages() { take(message) }
    }
    if polled[3].revents != 0 { device.flush() }
  }

  private func takeKeys() {
    guard let bytes = device.read() else {
      // The terminal is closed.
      end(by: SIGHUP)
      return
    }
    take(decoder.feed(bytes))
    times.expectMore(within: decoder.patience, at: Clock.system.monotonic())
  }

  private func takeSignals() {
    let signals = device.nextSignals()
    // Ending comes first, since a stopped process would have to continue to end.
    if end(byOneOf: signals) { return }
    for signal in signals {
      switch signal {
      case SIGWINCH: resize()
      case SIGTSTP: isSuspending = true
      case SIGCONT where device.isBackground: isSuspending = true
      case SIGCONT: goOn()
      default: break
      }
    }
  }

  private func end(byOneOf signals: [Int32]) -> Bool {
    guard let signal = Self.ending(of: signals) else { return false }
    end(by: signal)
    return true
  }

  /// Returns the first signal that ends the program.
  static func ending(of signals: [Int32]) -> Int32? {
    signals.first { ![SIGWINCH, SIGTSTP, SIGCONT].contains($0) }
  }

  private func resize() {
    let size = device.size
    if let cell = size.cell { pictures.cell = cell }
    take(.resized(columns: size.columns, rows: size.rows))
  }

  private func end(by signal: Int32) {
    endingSignal = signal
    remember()
    isOver = true
  }

  // MARK: Iterations

  private func takeTurn() {
    let now = Clock.system.monotonic()
    if times.isSilent(at: now) { take(decoder.rest()) }
    if times.hasRested(at: now) { take(.rested) }
    if isSuspending { suspend() }
    if isOver || device.isWriting { return }
    if isDirty {
      let bytes = paintedBytes()
      if !bytes.isEmpty {
        device.write(bytes)
        if times.isResting { slices.follow() }
        return
      }
    }
    if times.isResting { sendSlice(now) }
  }

  private func take(_ events: [InputEvent]) {
    for event in events {
      if case .report(let report) = event {
        take(report)
        continue
      }
      let now = Clock.system.monotonic()
      times.notePress(at: now)
      interruptPictures()
      take(.input(clicks.marked(event, at: now)))
    }
  }

  private func take(_ report: Report) {
    if report == .ready { slices.answer(at: Clock.system.monotonic()) }
    note(report)
    notePictures()
  }

  private func note(_ report: Report) {
    if report == .ready {
      answersDue = max(answersDue - 1, 0)
      hasAnswered = true
    }
    support.take(report)
  }

  private func take(_ message: Message) {
    for effect in browser.update(message) { perform(effect) }
    isDirty = true
    // The new data may show other covers.
    if case .input = message { return }
    if case .rested = message { return }
    if case .roomForMore = message { return }
    times.noteNews(at: Clock.system.monotonic())
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .remember: remember()
    case .redraw:
      painter.forget()
      pictures.forget()
    case .suspend: isSuspending = true
    case .quit: isOver = true
    default: link.ask(effect)
    }
  }

  /// Saves the places. Other browsers may have saved theirs since.
  private func remember() {
    browser.join(memory.read(most: Browser.memoryMost))
    memory.write(browser.memory)
  }

  private func paintedBytes() -> [UInt8] {
    isDirty = false
    return pictures.paint(browser.grid(), by: &painter)
  }

  private func suspend() {
    isSuspending = false
    interruptPictures()
    device.leave { [self] in awaitAnswers() }
    stop()
    if !isOver { goOn() }
  }

  /// Stops the job until the user brings it to the foreground or ends it.
  private func stop() {
    repeat {
      crated_stop_job()
      let signals = device.nextSignals()
      // Without SIGCONT the process was never stopped: no shell controls it.
      if end(byOneOf: signals) || !signals.contains(SIGCONT) { return }
    } while device.isBackground
  }

  /// Redraws everything, since other programs used the terminal meanwhile.
  private func goOn() {
    painter.forget()
    pictures.forget()
    device.enter(showing: [])
    resize()
  }

  // MARK: Covers

  private func notePictures() {
    guard options.asksForPictures, support.isComplete else { return }
    if let cell = support.cell { pictures.cell = cell }
    pictures.colours = support.sixelColours
    let way = options.covers(on: support)
    pictures.way = way
    if browser.look.covers != way || browser.look.cell != pictures.cell {
      take(.pictures(way, cell: pictures.cell))
    }
  }

  private func interruptPictures() {
    slices.interrupt()
    let closing = pictures.interrupt()
    if closing.isEmpty { return }
    if device.isWriting { pictures.owe(closing) } else { device.write(closing) }
  }

  /// Sends the next slice of pictures, or draws the next half blocks.
  private func sendSlice(_ now: Int64) {
    let hasMore = pictures.hasMore || browser.hasMoreToDraw
    let turn = slices.turn(at: now, isWithinString: pictures.isWithinString, hasMore: hasMore)
    switch turn {
    case .nothing: return
    case .ask:
      answersDue += 1
      device.write(TerminalModes.askingReady)
    case .send(let most, let cells):
      var bytes = pictures.nextSlice(most: most) { browser.pixels(ofPicture: $0) }
      if bytes.isEmpty, browser.hasMoreToDraw {
        take(.roomForMore(cells: cells))
        bytes = paintedBytes()
      }
      if bytes.isEmpty { return }
      let asks = slices.send(at: now, isWithinString: pictures.isWithinString)
      if asks { answersDue += 1 }
      device.write(bytes + (asks ? TerminalModes.askingReady : []))
    }
  }

  // MARK: The end

  /// Reads the outstanding replies of the terminal, for a moment at most.
  private func awaitAnswers() {
    let patience = hasAnswered ? Self.answerPatience : Self.silentPatience
    let end = Clock.system.monotonic() + patience
    while answersDue > 0 || options.asksForPictures && !support.isComplete,
      isReady(device.input, for: POLLIN, until: end), let bytes = device.read()
    {
      for case .report(let report) in decoder.feed(bytes) { note(report) }
    }
    // A terminal that is silent won't reply in time later either.
    answersDue = 0
  }

  /// What goes on playing after the browser quits; nil if nothing does.
  var partingWords: String? { browser.partingWords }

  /// Waits for pending edits, up to `endPatience`. Returns the number of edits without an answer.
  private func finishEdits() -> Int {
    let end = Clock.system.monotonic() + Self.endPatience
    while browser.pendingCount > 0 || browser.awaitsPlayer,
      isReady(link.wakeUp.descriptor, for: POLLIN, until: end)
    {
      link.wakeUp.clear()
      for message in link.messages() {
        for effect in browser.update(message) { link.ask(effect) }
      }
    }
    return browser.pendingCount
  }
}

/// The options of the user and the capabilities of the terminal.
struct BrowserOptions {
  var depth: ColorDepth
  /// Nil: depends on what the terminal supports.
  var covers: CoverWay?
  /// Whether to query the terminal's graphics support.
  var asksForPictures: Bool
  var isInMultiplexer = false

  /// The queries for graphics support at the start.
  var questions: [UInt8] {
    asksForPictures ? PictureSupport.questions(inside: isInMultiplexer) : []
  }

  /// The way to show covers until the terminal has replied.
  var firstCovers: CoverWay {
    if let covers { return covers }
    return depth == .mixed || depth == .palette ? .blocks : .none
  }

  /// The way to show covers on a terminal that has replied.
  func covers(on support: PictureSupport) -> CoverWay {
    if let covers { return covers }
    return support.hasKitty ? .kitty : support.hasSixels ? .sixel : firstCovers
  }
}
