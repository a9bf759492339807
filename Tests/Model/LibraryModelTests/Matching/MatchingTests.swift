import TestSupport
import Testing

@testable import LibraryModel

@Suite("Looking up what a list wants", .limited)
struct MatchingTests {
  private var music: MatchingLibrary
  private let train: [SongID]
  private let blue: [SongID]

  init() throws {
    music = try MatchingLibrary()
    train = try music.add([
      .init(
        "/home/ada/Music/John Coltrane/Blue Train/01 Blue Train.flac", "Blue Train",
        by: "John Coltrane", on: "Blue Train", albumArtist: "John Coltrane", track: 1,
        seconds: 643, recording: "r-1", release: "l-1"),
      .init(
        "/home/ada/Music/John Coltrane/Blue Train/02 100% Moment.flac", "100% Moment",
        by: "John Coltrane feat. Lee Morgan", on: "Blue Train", albumArtist: "John Coltrane",
        track: 2, seconds: 550),
    ])
    blue = try music.add([
      .init(
        "/home/ada/Music/Étude/Été/01 Intro.mp3", "Intro", by: "Ada", on: "Été", track: 1,
        seconds: 60),
      .init("/home/ada/Music/Étude/Été/02 Untagged.mp3"),
    ])
  }

  private func match(
    _ wanted: [Wanted], list: String? = nil, roots: [(String, String)] = []
  ) -> [Match] {
    let matching = ListMatching(
      SongLookup(music.library), list: list.map { BytePath($0) },
      roots: roots.map { (Array($0.utf8), BytePath($1)) })
    return matching.matches(of: wanted)
  }

  private func expect(
    _ wanted: Wanted, _ song: SongID, _ step: MatchStep, list: String? = nil,
    roots: [(String, String)] = [], _ location: SourceLocation = #_sourceLocation
  ) {
    let found = match([wanted], list: list, roots: roots)
    #expect(found == [.found(song, step)], sourceLocation: location)
  }

  @Test("An id of another Crated is that of the same song, where there is one")
  func ids() {
    var wanted = Wanted("/elsewhere/x.flac")
    (wanted.title, wanted.song) = ("Another title", train[1])
    expect(wanted, train[1], .id)
    var unknown = Wanted("/home/ada/Music/John Coltrane/Blue Train/01 Blue Train.flac")
    unknown.song = SongID(number: 1)
    expect(unknown, train[0], .path)
  }

  @Test("A path is read in every way that lists write it")
  func paths() {
    let path = "/home/ada/Music/John Coltrane/Blue Train/01 Blue Train.flac"
    expect(Wanted(path), train[0], .path)
    expect(
      Wanted("/home//ada/x/../Music/./John Coltrane/Blue Train/01 Blue Train.flac"), train[0], .path
    )
    expect(
      Wanted("../John Coltrane/Blue Train/01 Blue Train.flac"), train[0], .path,
      list: "/home/ada/Music/Lists")
    expect(
      Wanted("01 Blue Train.flac"), train[0], .path,
      list: "/home/ada/Music/John Coltrane/Blue Train")
    expect(Wanted("John Coltrane/Blue Train/01 Blue Train.flac"), train[0], .folder, list: "/tmp")
    expect(
      Wanted("../John Coltrane/Blue Train/01 Blue Train.flac"), train[0], .folder, list: "/tmp/x")
    expect(
      Wanted("file:///home/ada/Music/John%20Coltrane/Blue%20Train/01%20Blue%20Train.flac"),
      train[0], .path)
    expect(
      Wanted("FILE://localhost/home/ada/Music/John Coltrane/Blue%20Train/01 Blue Train.flac"),
      train[0], .path)
    expect(
      Wanted("file:/home/ada/Music/John%20Coltrane/Blue%20Train/01%20Blue%20Train.flac"), train[0],
      .path)
    expect(Wanted("John%20Coltrane/Blue%20Train/01%20Blue%20Train.flac"), train[0], .folder)
    expect(Wanted("John Coltrane\\Blue Train\\01 Blue Train.flac"), train[0], .folder)
    // A % that nothing follows, and one that is there.
    expect(Wanted("John Coltrane/Blue Train/02 100% Moment.flac"), train[1], .folder)
    expect(
      Wanted("file:///home/ada/Music/John%20Coltrane/Blue%20Train/02%20100%25%20Moment.flac"),
      train[1], .path)
  }

  @Test("Names in another normal form are the same, in bytes they differ")
  func spelling() {
    let decomposed = "/home/ada/Music/E\u{301}tude/E\u{301}te\u{301}/02 Untagged.mp3"
    expect(Wanted(decomposed), blue[1], .spelling)
    expect(
      Wanted("file:///home/ada/Music/E%CC%81tude/%C3%89t%C3%A9/02%20Untagged.mp3"), blue[1],
      .spelling)
  }

  @Test("The folders of another machine are ours where the person says so")
  func roots() {
    let roots = [("D:\\Musik", "/home/ada/Music"), ("/mnt/nas", "/home/ada/Music")]
    expect(Wanted("d:\\musik\\Étude\\Été\\02 Untagged.mp3", "Other"), blue[1], .path, roots: roots)
    expect(
      Wanted("file://localhost/D:/Musik/%C3%89tude/%C3%89t%C3%A9/02%20Untagged.mp3"), blue[1],
      .path, roots: roots)
    expect(
      Wanted("/mnt/nas/Étude/Été/01 Intro.mp3", "Retagged since"), blue[0], .path, roots: roots)
  }

  @Test("The end of a path is enough where nothing speaks against it")
  func endings() {
    expect(
      Wanted("/storage/emulated/0/Music/John Coltrane/Blue Train/01 Blue Train.flac"), train[0],
      .ending)
    expect(Wanted("C:\\Users\\Ada\\blue train\\01 BLUE TRAIN.mp3"), train[0], .ending)
    expect(Wanted("file:///C:/Musik/Blue%20Train/01%20Blue%20Train.m4a"), train[0], .ending)
    // A name alone is not.
    let alone = match([Wanted("/elsewhere/01 Blue Train.flac")])
    #expect(alone == [.missing("no song has this path, or one that ends so")])
  }

  @Test(
    "What the list says rules a song out, but at its exact path",
    arguments: [
      Wanted("/x/Blue Train/01 Blue Train.flac", "Another Title"),
      Wanted("/x/Blue Train/01 Blue Train.flac", "Blue Train", by: "Somebody Else"),
      Wanted("/x/Blue Train/01 Blue Train.flac", on: "Another Album"),
      Wanted("/x/Blue Train/01 Blue Train.flac", albumArtist: "Somebody Else"),
      Wanted("/x/Blue Train/01 Blue Train.flac", seconds: 639),
      Wanted("/x/Blue Train/01 Blue Train.flac", seconds: 647),
    ])
  func contradictions(wanted: Wanted) {
    let found = match([wanted])
    guard case .missing(let tried) = found[0] else {
      Issue.record("\(found)")
      return
    }
    #expect(tried.contains("another"), "\(tried)")
    var exact = wanted
    exact.path = Array("/home/ada/Music/John Coltrane/Blue Train/01 Blue Train.flac".utf8)
    expect(exact, train[0], .path)
  }

  @Test(
    "What only looks different does not",
    arguments: [
      Wanted("/x/Blue Train/02 100% Moment.flac", "100%  MOMENT", by: "john coltrane"),
      Wanted("/x/Blue Train/02 100% Moment.flac", "100% Moment", by: "John Coltrane & Lee Morgan"),
      // iTunes shows the title first.
      Wanted("/x/Blue Train/02 100% Moment.flac", "John Coltrane", by: "100% Moment"),
      Wanted("/x/Blue Train/02 100% Moment.flac", "02 100% Moment"),
      Wanted("/x/Blue Train/02 100% Moment.flac", "02. 100% Moment", seconds: 553),
      Wanted("/x/Blue Train/02 100% Moment.flac", albumArtist: "John Coltrane", seconds: 547),
    ])
  func agreements(wanted: Wanted) {
    expect(wanted, train[1], .ending)
  }

  @Test("Of two songs whose paths end alike none is meant, unless the list tells them apart")
  func ambiguous() throws {
    var test = self
    let other = try test.music.add([
      .init("/mnt/usb/Other/Blue Train/01 Blue Train.flac", "Blue Train (Live)", seconds: 700),
      .init("/mnt/usb/Other/Blue Train/01 Blue Train.mp3", "Blue Train (Demo)", seconds: 300),
    ])
    #expect(
      test.match([Wanted("/x/Blue Train/01 Blue Train.ogg")])
        == [.missing("3 songs have a path that ends so")])
    test.expect(Wanted("/x/Blue Train/01 Blue Train.mp3"), other[1], .ending)
    test.expect(Wanted("/x/Other/Blue Train/01 Blue Train.mp3"), other[1], .ending)
    test.expect(Wanted("/x/Blue Train/01 Blue Train.ogg", seconds: 701), other[0], .ending)
    test.expect(Wanted("/x/Blue Train/01 Blue Train.ogg", "Blue Train"), test.train[0], .ending)
    // The longest end that any has is meant, or nothing.
    #expect(
      test.match([Wanted("/x/Other/Blue Train/01 Blue Train.flac", "Blue Train")])
        == [.missing("the song with a path that ends so has another title")])
  }

  @Test("Lines that say nothing count only where half of the list is found so, or better")
  func silent() throws {
    var test = self
    let others = try test.music.add(
      (1...6).map {
        .init("/home/ada/Music/Folder \($0)/Deep \($0)/0\($0).flac", seconds: $0 == 3 ? 1 : 0)
      })
    // Each from another place: nothing says that these are the same.
    let strange = (1...6).map { Wanted("/a\($0)/b/Deep \($0)/0\($0).flac") }
    #expect(test.match(strange).allSatisfy { $0.song == nil })
    // From one place, and with one of a longer way.
    let same = (1...6).map { Wanted("/other/Folder \($0)/Deep \($0)/0\($0).flac") }
    #expect(test.match(same).map(\.song) == others)
    let mixed = Array(same.prefix(3)) + Array(strange.dropFirst(3))
    #expect(test.match(mixed).map(\.song) == others)
    // The way by which half of it is found leads to one whose own end is too short.
    let loose = try test.music.add([.init("/home/ada/Music/Loose.flac")])
    #expect(test.match(same + [Wanted("/other/Loose.flac")]).map(\.song) == others + loose)
    #expect(test.match(strange + [Wanted("/other/Loose.flac")]).allSatisfy { $0.song == nil })
    // A line that says something which the song says, too, needs no others.
    var told = strange
    (told[2].milliseconds, told[3].milliseconds) = (1_000, 1_000)
    #expect(test.match(told).map(\.song) == [nil, nil, others[2], nil, nil, nil])
  }

  @Test("Artist, album and song speak for each other, wherever each comes from")
  func machines() throws {
    var test = self
    let ours = try test.music.add(
      (1...6).map { .init("/home/ada/Music/Artist \($0)/Album \($0)/0\($0).flac") })
    let roots = ["/mnt/a", "D:\\Musik", "/Volumes/b", "/sdcard", "/c/d", "/e"]
    let theirs = zip(1..., roots).map { Wanted("\($1)/Artist \($0)/Album \($0)/0\($0).mp3") }
    #expect(test.match(theirs).map(\.song) == ours)
    // Half of the list has to be.
    let strange = (7...13).map { Wanted("/mnt/a/Artist \($0)/Album \($0)/0\($0).mp3") }
    let half = test.match(theirs + strange.dropLast()).map(\.song)
    #expect(half.prefix(6).compactMap { $0 } == ours && half.dropFirst(6).allSatisfy { $0 == nil })
    #expect(test.match(theirs + strange).allSatisfy { $0.song == nil })
  }

  @Test("A folder that many have, or one of discs, speaks for nothing")
  func telling() throws {
    var test = self
    _ = try test.music.add(
      (1...3).map { .init("/home/ada/Music/Album \($0)/CD1/0\($0).flac") }
        + (4...6).map { .init("/home/ada/Music/Album \($0)/0\($0).flac") })
    let theirs =
      (1...3).map { Wanted("/a\($0)/Album \($0)/CD1/0\($0).mp3") }
      + (4...6).map { Wanted("/a\($0)/Music/Album \($0)/0\($0).mp3") }
    #expect(test.match(theirs).allSatisfy { $0.song == nil })
  }

  @Test("An album of the same name by somebody else is another, whatever machine it comes from")
  func namesakes() throws {
    var test = self
    let ours = try test.music.add(
      (1...4).map { .init("/home/ada/Music/Artist \($0)/Album \($0)/0\($0).flac") }
        + [.init("/home/ada/Music/Ada/Live/01 Intro.flac")])
    let roots = ["/mnt/a", "D:\\Musik"]
    var theirs = (1...4).map {
      let path = "\(roots[$0 % 2])/Artist \($0)/Album \($0)/0\($0).mp3"
      return Wanted($0 % 2 == 0 ? path : path.replacing("/", with: "\\"))
    }
    theirs.append(Wanted("/mnt/a/Bea/Live/01 Intro.mp3"))
    let found = test.match(theirs).map(\.song)
    #expect(found.prefix(4).compactMap { $0 } == Array(ours.prefix(4)) && found[4] == nil)
    theirs[4] = Wanted("D:\\Musik\\Bea\\Live\\01 Intro.mp3")
    let other = test.match(theirs).map(\.song)
    #expect(other.prefix(4).compactMap { $0 } == Array(ours.prefix(4)) && other[4] == nil)
    // From elsewhere, nothing says so.
    theirs[4] = Wanted("/other/Live/01 Intro.mp3")
    #expect(test.match(theirs).map(\.song) == ours)
  }

  @Test("A folder that others led to is tried where the end of a path is too short")
  func learned() throws {
    var test = self
    let loose = try test.music.add([.init("/home/ada/Music/Loose.flac", "Loose")])
    let wanted = [
      Wanted("/media/John Coltrane/Blue Train/01 Blue Train.flac", "Blue Train"),
      Wanted("/media/Loose.flac", "Loose"), Wanted("/elsewhere/Loose.flac", "Loose"),
      Wanted("/media/Loose.flac", "Another"),
    ]
    let found = test.match(wanted)
    #expect(found[0] == .found(test.train[0], .ending))
    #expect(found[1] == .found(loose[0], .prefix))
    #expect(found[2].song == nil && found[3].song == nil)
  }

  @Test("A recording is one song, or the one of its release")
  func recordings() throws {
    var test = self
    test.expect(Wanted(recording: "R-1"), test.train[0], .recording)
    let other = try test.music.add([
      .init("/m/x.flac", "Blue Train", on: "Best Of", recording: "r-1", release: "l-2")
    ])
    #expect(test.match([Wanted(recording: "r-1")]) == [.missing("2 songs have this recording")])
    test.expect(Wanted(recording: "r-1", release: "l-2"), other[0], .recording)
    test.expect(Wanted(on: "best of", recording: "r-1"), other[0], .recording)
  }

  @Test("Names are enough where artist, album and title agree, and track or length")
  func tags() throws {
    var test = self
    let names = Wanted("", "100% moment", by: "John Coltrane", on: "blue train")
    #expect(test.match([names])[0].song == nil)
    for (track, seconds, isFound) in [
      (2, 0, true), (nil, 553, true), (nil, 554, false), (3, 550, false), (2, 540, false),
    ] {
      var wanted = names
      wanted.track = track
      wanted.milliseconds = seconds * 1_000
      #expect((test.match([wanted])[0] == .found(test.train[1], .tags)) == isFound)
    }
    // The same on another disc.
    _ = try test.music.add([
      .init(
        "/m/y.flac", "100% Moment", by: "John Coltrane", on: "Blue Train", track: 2, seconds: 551)
    ])
    var wanted = names
    wanted.track = 2
    #expect(test.match([wanted]) == [.missing("2 songs have this artist, album and title")])
  }

  @Test("Artist and title are enough with a length within two seconds, a title never is")
  func titles() {
    expect(Wanted("", "100% Moment", by: "John Coltrane", seconds: 552), train[1], .title)
    expect(Wanted("", "100% Moment", albumArtist: "John Coltrane", seconds: 548), train[1], .title)
    for wanted in [
      Wanted("", "100% Moment", by: "John Coltrane", seconds: 553),
      Wanted("", "100% Moment", by: "John Coltrane"),
      Wanted("", "100% Moment", by: "Lee Morgan", seconds: 550),
      Wanted("", "100% Moment", seconds: 550),
      Wanted("", "100% Moment", by: "John Coltrane", on: "Another", seconds: 550), Wanted(),
    ] {
      #expect(match([wanted])[0].song == nil, "\(wanted)")
    }
  }

  @Test("A song whose file would be here, as most of the list is, is not found on another album")
  func elsewhere() {
    let named = Wanted("", "100% Moment", by: "John Coltrane", seconds: 550)
    let ours = Wanted("/home/ada/Music/John Coltrane/Blue Train/01 Blue Train.flac")
    for (path, isFound) in [
      ("/home/ada/Music/Best Of/07.flac", false), ("/elsewhere/Best Of/07.flac", true),
      ("Best Of/07.flac", true),
    ] {
      var wanted = named
      wanted.path = Array(path.utf8)
      #expect((match([ours, wanted])[1] == .found(train[1], .title)) == isFound, "\(path)")
    }
    var wanted = named
    wanted.path = Array("Best Of/07.flac".utf8)
    let relative = Wanted("John Coltrane/Blue Train/01 Blue Train.flac")
    #expect(match([relative, wanted])[1].song == nil)
  }

  @Test("Other files of a song are the song, and a gone one gives way to what is there")
  func files() throws {
    var test = self
    test.music.addOther("/home/ada/Music/Copies/Blue/01.flac", of: test.train[0])
    test.expect(Wanted("/home/ada/Music/Copies/Blue/01.flac"), test.train[0], .path)
    test.expect(Wanted("/x/Copies/Blue/01.flac"), test.train[0], .ending)
    let gone = try test.music.add([
      .init("/home/ada/Music/Gone/Then/01.flac", isGone: true),
      .init("/home/ada/Music/Étude/Été/02 Untagged.mp3", isGone: true),
    ])
    test.expect(Wanted("/home/ada/Music/Gone/Then/01.flac"), gone[0], .path)
    test.expect(Wanted("/home/ada/Music/Étude/Été/02 Untagged.mp3"), test.blue[1], .path)
  }

  @Test(
    "What names no file is no file",
    arguments: [
      "http://radio.example/John Coltrane/Blue Train/01 Blue Train.flac", "spotify://x/y",
    ])
  func remote(address: String) {
    #expect(match([Wanted(address)]) == [.missing("it is an address, no file")])
  }

  @Test("What is said of what isn't found tells what was tried")
  func tried() {
    #expect(match([Wanted()]) == [.missing("the list says too little of it")])
    #expect(
      match([Wanted("/a/b/c.mp3", "T", by: "A", on: "B", recording: "r")])
        == [
          .missing(
            "no song has this path, or one that ends so, and none this recording, and none this"
              + " artist, album and title")
        ])
  }
}
