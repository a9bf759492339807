import Ordering
import Terminal

extension Browser {
  /// Applies a message and returns its effects. Every message is valid in every state.
  package mutating func update(_ message: Message) -> [Effect] {
    switch message {
    case .input(let event): return take(event)
    case .resized(let columns, let rows):
      (self.columns, self.rows) = (columns, rows)
      settle()
      return [.redraw] + openCurrentAlbum()
    case .pictures(let way, let cell):
      // Cached covers have the size that the former mode needed.
      if look.covers != way { covers = CoverShelf() }
      look.covers = way
      look.cell = cell
      settle()
      return []
    case .rested: return wantedCovers()
    case .roomForMore(let cells): revealMore(cells)
    case .began(let crates, let sequence): begin(crates: crates, sequence: sequence)
    case .window(let crate, let albums): return takeWindow(crate, albums)
    case .listed(let crates, let albums, let sequence):
      return takeListing(crates: crates, albums, sequence) + pressTypedAhead()
    case .lookedUp(let albums): return takeFacts(albums)
    case .songs(let album, let songs): takeSongs(album, songs)
    case .found(let query, let albums, let songs, let fault):
      return takeFound(query, albums: albums, songs, fault)
    case .changed(let change): return take(change)
    case .answered(let number, let answer): return take(answer, to: number)
    case .status(let status): self.status = status
    case .told(let text, let isFault): notice = Notice(text: text, isFault: isFault)
    case .playerAnswered: awaitsPlayer = false
    case .playing(let playing): self.playing = playing
    case .cover(let album, let digest, let pixels, let side):
      if let number = tables.known(album: album) {
        covers.take(number, digest: digest, pixels, side: side)
        prepareBlocks()
      }
    case .lost(let reason):
      link = .away(reason)
      loseFinding()
      isReading = true
      early = []
      covers.asked = []
      if !typedAhead.isEmpty {
        typedAhead = []
        notice = Notice(text: "\(awaySentence); nothing is moved until it is back", isFault: true)
      }
      if !pending.isEmpty {
        dropPending()
        notice = Notice(
          text: "What was on its way when crated went away is shown as it was before",
          isFault: true)
      }
    }
    return []
  }

  /// Scrolls all lists to their cursors.
  mutating func settle() {
    let layout = layout
    crateList.show(in: shown.crates, height: layout.crateRows)
    if let crate = currentCrate {
      albumLists[crate]?.show(in: items, height: layout.listRows, across: layout.across)
    }
    if let album = currentAlbum {
      let songs = songs
      songLists[album]?.show(in: songs, height: layout.songRows)
    }
    prepareBlocks()
  }

  // MARK: Input

  private mutating func take(_ event: InputEvent) -> [Effect] {
    switch event {
    case .key(let key, let modifiers): return press(Stroke(key, modifiers))
    case .mouse(let mouse):
      if layout.size == .tooSmall { return [] }
      return take(mouse)
    case .pasted(let text):
      let line = text.split(separator: "\n").first.map(String.init) ?? ""
      return mode.takesText ? type(line) : []
    case .report: return []
    }
  }

  private mutating func press(_ stroke: Stroke) -> [Effect] {
    switch Bindings.commands[stroke] {
    case .quit where stroke.modifiers == .control:
      // Control-C closes what is in front: a prompt, a sheet, or else the browser.
      return mode == .lists || layout.size == .tooSmall ? quit() : press(Stroke(.escape))
    case .suspend: return [.suspend]
    case .redraw:
      coverCheck = CoverCheck()
      return [.redraw]
    default: break
    }
    if layout.size == .tooSmall { return stroke == Stroke("q") ? quit() : [] }
    if waits(stroke) { return [] }
    switch mode {
    case .lists:
      notice = nil
      wantedSong = nil
      guard let command = Bindings.commands[stroke] else {
        notice = Notice(text: "\(stroke.name) does nothing here; ? shows the keys")
        return []
      }
      return run(command)
    case .help(let top, let back): pressInHelp(stroke, top, back: back)
    case .picking(let picker): return press(stroke, in: picker)
    case .sorting(let things, let crate): return pressInSorting(stroke, things, in: crate)
    case .finding, .narrowing, .renaming: return pressInLine(stroke)
    case .forgetting(let count): return pressInForgetting(stroke, count)
    case .playing(let things, let back): return pressInPlaying(stroke, things, back: back)
    case .triage(let triage): return press(stroke, in: triage)
    }
    return []
  }

  // MARK: Keys that wait

  /// The most keys to queue. What further ones were meant for would be a guess.
  private static let typedAheadMost = 256

  /// Whether the key is queued until the lists are loaded or the search is answered. Some users
  /// type faster than that.
  private mutating func waits(_ stroke: Stroke) -> Bool {
    if case .away = link { return false }
    guard isComplete ? waitsForAnswer(stroke) : waitsForLists(stroke) else { return false }
    if typedAhead.count < Self.typedAheadMost { typedAhead.append(stroke) }
    return true
  }

  private mutating func waitsForAnswer(_ stroke: Stroke) -> Bool {
    if stroke.key == .escape { typedAhead = [] }
    return !typedAhead.isEmpty || needsAnswer(stroke)
  }

  private func waitsForLists(_ stroke: Stroke) -> Bool {
    guard mode == .lists || !typedAhead.isEmpty else { return false }
    let command = Bindings.commands[stroke]
    if command == .quit, typedAhead.isEmpty || typedAhead.contains(stroke) { return false }
    return !(typedAhead.isEmpty && link == .ready && command?.needsAllAlbums == false)
  }

  mutating func pressTypedAhead() -> [Effect] {
    let strokes = typedAhead
    typedAhead = []
    return strokes.flatMap { press($0) }
  }

  mutating func quit() -> [Effect] { [.remember, .quit] }

  // MARK: Commands

  mutating func run(_ command: Command) -> [Effect] {
    if let effects = runMoving(command) { return effects }
    switch command {
    case .select, .range, .deselectingRange, .rangeAbove, .rangeBelow, .selectDown, .selectUp,
      .all, .invert:
      return runSelecting(command)
    case .cancel: cancel()
    case .moveUp: return move(to: .up)
    case .moveDown: return move(to: .down)
    case .moveTop: return move(to: .top)
    case .moveBottom: return move(to: .bottom)
    case .pick: pick()
    case .putBelow: return put(above: false)
    case .putAbove: return put(above: true)
    case .send: beginPicking(sentAlbums)
    case .sendAgain: return sendAgain()
    case .sort: beginSorting()
    case .undo: return ask(.undo)
    case .redo: return ask(.redo)
    case .find: beginFinding()
    case .findNext: return goToFound(.below)
    case .findPrevious: return goToFound(.above)
    case .narrow: mode = .narrowing(former: narrowedText, LineInput(text: narrowedText))
    case .triage: return beginTriage()
    case .gallery: turnGallery()
    case .play: return beginPlaying(meantThings)
    case .pause: return ask(player: .control(.pause))
    case .nextSong: return ask(player: .control(.next))
    case .stop: return ask(player: .control(.stop))
    case .rename:
      if let crate = currentCrate {
        mode = .renaming(crate, LineInput(text: shown.name(of: crate)))
      }
    case .forget: beginForgetting()
    case .help: mode = .help(top: 0, back: nil)
    case .quit: return quit()
    default: break
    }
    return []
  }

  private mutating func turnGallery() {
    isGallery.toggle()
    let possible = Layout(
      columns: columns, rows: rows, pane: .albums, isPlain: look.isPlain, isGallery: true,
      hasCovers: look.covers != .none)
    if isGallery, !possible.hasTiles {
      isGallery = false
      notice = Notice(text: "There is no room for covers beside each other")
    }
    settle()
  }

  /// Undoes one layer: the picked-up items, a range, the narrowing, or the selection.
  private mutating func cancel() {
    if carried != nil {
      carried = nil
    } else if frontHasRange {
      changeFront {
        $0.dropRange()
      } songs: {
        $0.dropRange()
      }
    } else if !narrowedText.isEmpty, pane != .songs {
      narrow(to: "")
    } else {
      changeFront {
        $0.select([])
      } songs: {
        $0.select([])
      }
    }
  }

  var frontHasRange: Bool {
    switch pane {
    case .crates: false
    case .albums: albumList.range != nil
    case .songs: songList.range != nil
    }
  }

  /// Changes the list in front if items can be selected in it.
  mutating func changeFront(
    _ albums: (inout ListState<AlbumID>) -> Void, songs: (inout ListState<String>) -> Void
  ) {
    switch pane {
    case .crates: break
    case .albums: albums(&albumList)
    case .songs: songs(&songList)
    }
  }
}
