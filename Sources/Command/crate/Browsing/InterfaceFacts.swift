import Browsing
import CratesInterface
import Ordering
import Players

// What comes over the wire, as the browser takes it.

extension AlbumFacts {
  init(_ album: Interface.Album) {
    self.init(
      id: album.id, crate: album.crate, title: album.title, artist: album.artist,
      year: album.year, songs: album.songs, seconds: album.seconds,
      presence: Browsing.Presence(album.presence), isMoved: album.moved, came: album.came,
      cover: album.cover)
  }
}

extension SongFacts {
  init(_ song: Interface.Song) {
    self.init(
      id: song.id, title: song.title, artist: song.artist, seconds: song.seconds,
      presence: Browsing.Presence(song.presence))
  }
}

extension Browsing.Presence {
  init(_ presence: Interface.Presence) {
    switch presence {
    case .present, .unknown: self = .present
    case .offline: self = .offline
    case .gone: self = .gone
    }
  }
}

extension ChangeFacts {
  init(_ change: Interface.Change) {
    self.init(
      isChange: change.changed, sequence: change.sequence, isPersons: change.author == .person,
      summary: change.summary,
      moves: change.moves.map {
        MoveFacts(crate: $0.crate, album: $0.album, song: $0.song, after: $0.after, was: $0.was)
      }, albums: change.albums, isComplete: change.complete)
  }
}

extension PlayingFacts {
  init(_ playing: Playing) {
    self.init(
      player: playing.player, title: playing.title, artist: playing.artist,
      isPaused: playing.isPaused)
  }
}

extension StatusFacts {
  init(_ status: Interface.LibraryStatus) {
    var troubles: [String] = []
    switch status.store {
    case .ready, .unknown: break
    case .full: troubles.append("The disk is full: nothing can be moved until there is room")
    case .readOnly:
      troubles.append("Nothing can be moved: \(status.storeReason ?? "the store is read only")")
    }
    for folder in status.folders where folder.state == .offline {
      troubles.append("\(folder.path) is offline\(folder.reason.map { ": \($0)" } ?? "")")
    }
    var work: String?
    for folder in status.folders {
      if let scanned = folder.scanned, let toScan = folder.toScan, toScan > scanned {
        work = "reading songs: \(Shown.count(scanned)) of \(Shown.count(toScan))"
      }
    }
    self.init(gone: status.gone, troubles: troubles, work: work)
  }
}

extension Call {
  init(_ request: Request) {
    switch request {
    case .moveAlbums(let ids, let place, let crate):
      self = .moveAlbums(
        albums: ids, place: place.map { Interface.Place($0) }, crate: crate, sequence: nil)
    case .moveSongs(let ids, let place):
      self = .moveSongs(songs: ids, place: Interface.Place(place), sequence: nil)
    case .moveCrate(let crate, let place):
      self = .moveCrate(crate: crate, place: Interface.Place(place), sequence: nil)
    case .renameCrate(let crate, let name):
      self = .renameCrate(crate: crate, name: name, sequence: nil)
    case .sortAlbums(let ids, let sorting, let ascending):
      self = .sortAlbums(
        albums: ids, order: Interface.AlbumOrder(rawValue: sorting.rawValue) ?? .title,
        ascending: ascending, sequence: nil)
    case .sortSongs(let ids, let sorting, let ascending):
      self = .sortSongs(
        songs: ids, order: Interface.SongOrder(rawValue: sorting.rawValue) ?? .title,
        ascending: ascending, sequence: nil)
    case .undo(let change): self = .undo(change: change, sequence: nil)
    case .redo: self = .redo(sequence: nil)
    case .forgetGone: self = .forget(songs: nil, albums: nil, all: true, sequence: nil)
    }
  }
}

extension Interface.Place {
  init(_ place: Ordering.Place<String>) {
    switch place {
    case .top: self.init(Interface.Where.top)
    case .bottom: self.init(Interface.Where.bottom)
    case .up: self.init(Interface.Where.up)
    case .down: self.init(Interface.Where.down)
    case .before(let anchor): self.init(.before, anchor: anchor)
    case .after(let anchor): self.init(.after, anchor: anchor)
    }
  }
}

extension PlayerControl {
  init(_ action: PlayerAction) {
    switch action {
    case .pause: self = .pause
    case .next: self = .next
    case .stop: self = .stop
    }
  }
}
