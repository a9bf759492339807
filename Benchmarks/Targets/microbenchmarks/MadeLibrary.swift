import LibraryModel

/// A music folder that is on no disk, merged as a first scan brings it: pieces of a thousand files,
/// albums of ten songs.
struct MadeLibrary {
  static let root = BytePath("/music")
  static let songsOfAlbum = 10
  /// As many files as the watcher puts into a merge of a long look.
  static let pieceFiles = 1_000

  private(set) var library = Library()
  private(set) var lookups: Lookups
  /// What each merge changed; nil where that was not asked for. No daemon keeps it in memory.
  private(set) var batches: [Transaction]?
  private var random = Dice(seed: 1)

  init(songs: Int, keepingBatches: Bool = false) {
    if keepingBatches { batches = [] }
    library.away.folders = [Self.root]
    lookups = Lookups(library, roots: [Self.root])
    var found: [FolderContents.Found] = []
    for number in 0..<songs {
      found.append(file(number))
      guard found.count == Self.pieceFiles || number == songs - 1 else { continue }
      var contents = FolderContents(root: Self.root, seen: 1_700_000_000_000)
      contents.isFirstScan = true
      contents.endsFirstScan = number == songs - 1
      contents.found = found
      found = []
      merge(contents)
    }
  }

  private mutating func merge(_ contents: FolderContents) {
    let outcome = Merge.merge(contents, into: library, lookups: lookups, newAlbums: nil)
    let before = library
    library = outcome.decision.library
    library.advance(to: library.sequence + outcome.decision.changes.count)
    lookups.follow(
      from: before, to: library, songs: outcome.songs, albums: outcome.albums)
    batches?.append(outcome.decision.transaction)
  }

  /// The library, which is not here any more: a daemon has one at a time.
  mutating func takeLibrary() -> Library {
    defer { library = Library() }
    return library
  }

  /// What a look finds of a file that nobody has seen yet, in an album of its own.
  mutating func arrival(_ number: Int) -> FolderContents {
    var contents = FolderContents(root: Self.root, seen: 1_700_000_000_000)
    contents.found = [file(number * Self.songsOfAlbum)]
    return contents
  }

  private mutating func file(_ number: Int) -> FolderContents.Found {
    let album = number / Self.songsOfAlbum
    let track = number % Self.songsOfAlbum + 1
    var names = Dice(seed: UInt64(album))
    let artist = "\(names.word()) \(names.word())"
    var tags = SongTags()
    tags.artist = artist
    tags.albumArtist = artist
    tags.album = "\(names.word()) \(names.word()) \(album)"
    tags.title = "\(random.word()) \(random.word())"
    tags.track = track
    tags.date = "\(1_960 + album % 65)"
    tags.genre = "Jazz"
    var audio = AudioProperties()
    audio.milliseconds = 180_000 + track * 1_000
    audio.codec = "flac"
    let stamp = FileStamp(
      identity: FileIdentity(
        fileSystem: 1, inode: UInt64(number) + 1, birth: Int64(number) + 1),
      size: 20_000_000, modified: 1_600_000_000_000_000_000 + Int64(number), changed: 0)
    let facts = FileFacts(
      stamp: stamp, tags: tags, audio: audio,
      digest: AudioDigest(high: random.next(), low: random.next()), format: "flac")
    let path = "\(artist)/\(tags.album)/\(track) \(tags.title).flac"
    return FolderContents.Found(path: Self.root.appending(path.utf8), facts: facts)
  }
}

/// Random numbers that are the same in every run: SplitMix64.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// One of some thousand words that nobody knows.
  mutating func word() -> String {
    let syllables = [
      "ba", "do", "fe", "gi", "hu", "ka", "lo", "me", "ni", "ru", "sa", "te", "vi", "wo", "xa",
      "ze",
    ]
    let count = Int.random(in: 2...3, using: &self)
    return (0..<count).map { _ in syllables[Int.random(in: 0..<16, using: &self)] }.joined()
  }
}
