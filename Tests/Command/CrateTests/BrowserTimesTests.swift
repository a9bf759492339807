import Browsing
import Glibc
import Terminal
import TestSupport
import Testing

@testable import crate

@Suite("When the browser goes on by itself", .limited)
struct BrowserTimesTests {
  /// A turn with something to be sent.
  private func turn(
    _ turns: inout SliceTurns, _ milliseconds: Int64, within: Bool = false, hasMore: Bool = true
  ) -> SliceTurns.Turn {
    turns.turn(at: milliseconds * 1_000_000, isWithinString: within, hasMore: hasMore)
  }

  private func asks(_ turns: inout SliceTurns, _ now: Int64, within: Bool) -> Bool {
    turns.send(at: now, isWithinString: within)
  }

  private func rested(_ times: inout BrowserTimes, _ now: Int64) -> Bool {
    times.hasRested(at: now)
  }

  private func silent(_ times: inout BrowserTimes, _ now: Int64) -> Bool {
    times.isSilent(at: now)
  }

  private let least = SliceTurns.Turn.send(bytes: 1_024, cells: 25)

  @Test("A terminal is asked twice how long its answers take, then it is sent covers")
  func asking() {
    var turns = SliceTurns()
    #expect(turns.nextAt == nil)
    #expect(turn(&turns, 0, hasMore: false) == least && turns.nextAt == nil)
    #expect(turn(&turns, 10) == .ask && turns.nextAt == 60_000_000)
    #expect(turn(&turns, 59) == .nothing && turns.nextAt == 60_000_000)
    turns.answer(at: 15_000_000)
    #expect(turns.nextAt == 0)
    #expect(turn(&turns, 20) == .ask && turns.nextAt == 1_020_000_000)
    turns.answer(at: 25_000_000)
    #expect(turn(&turns, 30) == least && turns.nextAt == nil)
    #expect(asks(&turns, 30_000_000, within: false) && turns.nextAt == 1_030_000_000)
    #expect(turn(&turns, 40) == .nothing)
    // It took them at once: the answer's own five milliseconds do not count.
    turns.answer(at: 35_000_000)
    #expect(turn(&turns, 40) == .send(bytes: 2_048, cells: 51))
    // After a key it may be farther away.
    turns.interrupt()
    #expect(turn(&turns, 41) == .ask)
  }

  @Test("One that doesn't answer in time is sent the least, and isn't asked how far away it is")
  func silent() {
    var turns = SliceTurns()
    #expect(turn(&turns, 0) == .ask)
    #expect(turn(&turns, 49) == .nothing)
    #expect(turn(&turns, 50) == least)
    #expect(asks(&turns, 50_000_000, within: false) && turns.nextAt == 100_000_000)
    #expect(turn(&turns, 99) == .nothing && turn(&turns, 100) == least)
  }

  @Test("Within a string it is asked nothing, and sent a slice every sixteen milliseconds")
  func strings() {
    var turns = SliceTurns()
    #expect(turn(&turns, 0, within: true) == least)
    #expect(!asks(&turns, 0, within: true) && turns.nextAt == 16_000_000)
    #expect(turn(&turns, 15, within: true) == .nothing)
    #expect(turn(&turns, 16, within: true) == least && turns.nextAt == nil)
    // What was asked before is not given up for it.
    #expect(turn(&turns, 20) == .ask)
    turns.answer(at: 21_000_000)
    #expect(turn(&turns, 30, within: true) == least)
  }

  @Test("What was painted is followed by covers at once, if they don't wait already")
  func following() {
    var turns = SliceTurns()
    turns.follow()
    #expect(turns.nextAt == 0)
    _ = asks(&turns, 5, within: true)
    turns.follow()
    #expect(turns.nextAt == 16_000_005)
  }

  @Test("Sixty milliseconds after a key it rests, and is told so once")
  func resting() {
    var times = BrowserTimes()
    #expect(times.isResting && !rested(&times, 1_000))
    times.notePress(at: 1_000)
    #expect(!times.isResting && !rested(&times, 60_000_999))
    // What comes meanwhile defers nothing, but another key does.
    times.noteNews(at: 2_000)
    #expect(!rested(&times, 60_000_999) && rested(&times, 60_001_000))
    #expect(times.isResting && !rested(&times, 70_000_000))
    times.noteNews(at: 80_000_000)
    #expect(!times.isResting)
    times.notePress(at: 90_000_000)
    #expect(!rested(&times, 149_999_999) && rested(&times, 150_000_000))
  }

  @Test("What was typed is whole when nothing more comes for as long as it may take")
  func silence() {
    var times = BrowserTimes()
    #expect(!silent(&times, 5))
    times.expectMore(within: 25, at: 1_000)
    #expect(!silent(&times, 25_000_999))
    #expect(silent(&times, 25_001_000) && !silent(&times, 25_001_000))
    times.expectMore(within: 25, at: 1_000)
    times.expectMore(within: nil, at: 2_000)
    #expect(!silent(&times, 90_000_000))
  }

  @Test("It waits for what comes first, and for ever where nothing is awaited")
  func patience() {
    var times = BrowserTimes()
    #expect(times.patience(at: 0, until: nil) == -1)
    #expect(times.patience(at: 1_000_000, until: 4_000_000) == 3)
    #expect(times.patience(at: 1_000_000, until: 0) == 0)
    times.notePress(at: 0)
    #expect(times.patience(at: 0, until: nil) == 60)
    #expect(times.patience(at: 0, until: 61_000_000) == 60)
    times.expectMore(within: 25, at: 0)
    #expect(times.patience(at: 0, until: 61_000_000) == 25)
    #expect(times.patience(at: 30_000_000, until: nil) == 0)
    #expect(silent(&times, 30_000_000) && times.patience(at: 30_000_000, until: nil) == 30)
  }

  @Test("A signal that says nothing but how the terminal is ends nothing")
  func signals() {
    for (signals, ending) in [
      ([], nil), ([SIGWINCH, SIGTSTP, SIGCONT], nil), ([SIGTERM], SIGTERM),
      ([SIGWINCH, SIGHUP, SIGTERM], SIGHUP), ([SIGCONT, SIGINT], SIGINT), ([SIGQUIT], SIGQUIT),
    ] as [([Int32], Int32?)] {
      #expect(BrowserLoop.ending(of: signals) == ending)
    }
  }

  @Test("Covers are shown as the terminal can, the better way first, unless the person says how")
  func ways() {
    let (kitty, sixels) = ("\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?62;4c")
    for (answers, chosen, way) in [
      ("", nil, .blocks), (kitty, nil, .kitty), (sixels, nil, .sixel),
      (kitty + sixels, nil, .kitty),
      (kitty + sixels, .blocks, .blocks), (sixels, CoverWay.none, .none), ("", .kitty, .kitty),
    ] as [(String, CoverWay?, CoverWay)] {
      var support = PictureSupport()
      support.take(answers.utf8)
      let options = BrowserOptions(depth: .palette, covers: chosen, asksForPictures: true)
      #expect(options.covers(on: support) == way, "\(answers)")
    }
  }
}
