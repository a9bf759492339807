@testable import LibraryModel

/// Specification 1.4, steps 0 to 6.
extension PlainMerge {
  mutating func recognise() {
    keepOwnFiles()
    matchMadeAnew()
    matchSounds { merge, song, piece in merge.mayHave(song, piece, step: 2) }
    moveSamplers()
    matchOnlyOnes(3) { merge, song, piece in
      merge.pieces[piece].there.contains { merge.isSameFile(song, $0) }
    }
    matchOnlyOnes(4) { merge, song, piece in merge.isSameRecording(song, piece) }
    let heirs = heirs
    matchOnlyOnes(5) { merge, song, piece in
      merge.isSameTrack(song, piece, heir: heirs[song.album])
    } alsoGroup: {
      heirs[$0.album]
    }
    matchOnlyOnes(6) { merge, song, piece in merge.isUncontradicted(song, piece) }
    forgetWhatNeverWas()
    goBackToSlots()
  }

  // MARK: Who may have what

  func isYounger(_ song: Song, than other: Song) -> Bool { song.seen > other.seen }

  /// Whether a song's file counts as new for the other one.
  func isWeak(_ young: Song, against song: Song) -> Bool {
    !young.isTouched && isYounger(young, than: song)
  }

  /// The songs without a file, in the order in which they stand.
  var songsWithout: [Song] {
    inOrder(old.songs.values.filter { has[$0.id] == nil && !gaveWay.contains($0.id) })
  }

  func inOrder(_ songs: [Song]) -> [Song] {
    songs.sorted { old.place(of: $0) < old.place(of: $1) }
  }

  /// Whether a song may have a piece in a step, if it fits: a free one, or a younger song's.
  private func mayHave(_ song: Song, _ piece: Int, step: Int, also: PlainGroup? = nil) -> Bool {
    // What was gone before is looked for in what this look brought: what was recognised stays so.
    if song.isGone, !isNews(piece) { return false }
    return couldHave(song, piece, step: step, also: also)
  }

  /// The same, if the look had brought it.
  private func couldHave(_ song: Song, _ piece: Int, step: Int, also: PlainGroup?) -> Bool {
    if pieces[piece].there.isEmpty { return false }
    let isOwnGroup = pieces[piece].group == old.group(of: song)
    if isBoundToFile(song), step != 3, step != 2 || !isOwnGroup { return false }
    guard let young = holder[piece].flatMap({ old.songs[$0] }) else { return true }
    if isWaiting(song) || !isWeak(young, against: song) { return false }
    switch step {
    case 1: return true
    case 2, 4, 5, 6:
      return isOwnGroup || old.group(of: young) == old.group(of: song)
        || (also != nil && (pieces[piece].group == also || old.group(of: young) == also))
        || old.albums[song.album]?.entries.contains(young.id) == true
    default: return false
    }
  }

  /// Whether the look found a file of the piece, of that sound, or one whose song had that sound;
  /// or it belongs to another group now, or is nobody's any longer.
  func isNews(_ piece: Int) -> Bool {
    let piece = pieces[piece]
    if piece.paths.contains(where: look.found.contains) { return true }
    let isKept = old.songs.values.contains { song in
      !song.isGone && piece.there.contains(song.path) && song.file.sound == piece.sound
    }
    return !isKept
      || old.songs.values.contains { song in
        !song.isGone
          && (isConcerned(song)
            ? song.file.sound != 0 && song.file.sound == piece.sound
            : song.paths.contains(where: piece.paths.contains)
              && old.group(of: song) != piece.group)
      } || (piece.sound != 0 && look.found.contains { look.files[$0]?.sound == piece.sound })
  }

  /// Whether the look found a file of the song, or misses one.
  func isConcerned(_ song: Song) -> Bool {
    song.paths.contains {
      look.found.contains($0) || look.files[$0] == nil || look.absent.contains($0)
    }
  }

  mutating func give(_ piece: Int, to song: Song) {
    if let young = holder[piece] {
      has[young] = nil
      gaveWay.insert(young)
    }
    has[song.id] = piece
    holder[piece] = song.id
  }

  /// Settles the pairs of a step that are one file for one song, until there are none.
  private mutating func matchOnlyOnes(
    _ step: Int, _ fits: (PlainMerge, Song, Int) -> Bool,
    alsoGroup: (Song) -> PlainGroup? = { _ in nil }
  ) {
    while true {
      var pairs: [(song: Song, piece: Int)] = []
      func add(_ songs: [Song], _ may: (Song, Int) -> Bool) {
        for song in songs {
          for piece in pieces.indices where may(song, piece) && fits(self, song, piece) {
            pairs.append((song, piece))
          }
        }
      }
      add(songsWithout) { mayHave($0, $1, step: step, also: alsoGroup($0)) }
      // One that was gone before makes no clearer what becomes of a song that is looked for now.
      let asked = Set(pairs.filter { !$0.song.isGone }.map(\.piece))
      add(songsWithout.filter(\.isGone)) { song, piece in
        asked.contains(piece) && !isNews(piece)
          && couldHave(song, piece, step: step, also: alsoGroup(song))
      }
      let only = pairs.first { pair in
        pairs.count { $0.song.id == pair.song.id } == 1
          && rivals(pair.piece, pairs, step).map(\.id) == [pair.song.id]
      }
      guard let only else { return }
      give(only.piece, to: only.song)
    }
  }

  /// The songs that a piece fits. By tags and places, what nobody touched gives way to what is
  /// older, and by places what was gone before to what is replaced now; a very file is one song's.
  private func rivals(
    _ piece: Int, _ pairs: [(song: Song, piece: Int)], _ step: Int
  ) -> [Song] {
    var songs = pairs.filter { $0.piece == piece }.map(\.song)
    if step == 3 { return songs }
    songs = songs.filter { song in !songs.contains { isWeak(song, against: $0) } }
    if step == 6, songs.contains(where: { !$0.isGone && pieces[piece].there.contains($0.path) }) {
      songs.removeAll(where: \.isGone)
    }
    return songs
  }

  // MARK: Steps

  /// 0: its own path with its sound. Where two songs become one, it is the one that was in that
  /// group before, then the touched, then the older.
  private mutating func keepOwnFiles() {
    let songs = inOrder(Array(old.songs.values)).enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      let (isThere, isOtherThere) = (isInOwnGroup(one), isInOwnGroup(other))
      if isThere != isOtherThere { return isThere }
      if one.isTouched != other.isTouched { return one.isTouched }
      return (one.seen, left.offset) < (other.seen, right.offset)
    }
    for (_, song) in songs {
      guard let piece = pieceAt[song.path], holder[piece] == nil,
        pieces[piece].there.contains(song.path), pieces[piece].sound == song.file.sound
      else { continue }
      // What was recognised stays so, though a place that was forgotten came back.
      if song.isGone && !isNews(piece) { continue }
      // Too little sound to tell by: the file itself says so.
      if song.file.sound == 0, look.found.contains(song.path) || song.isGone { continue }
      give(piece, to: song)
    }
  }

  private func isInOwnGroup(_ song: Song) -> Bool {
    pieceAt[song.path].map { pieces[$0].group == old.group(of: song) } ?? false
  }

  /// 1: its path, or that but for the extension and within two seconds; same title tag, or same
  /// group, disc and track number; and a sound that no other song has but a younger, untouched one.
  /// Its own sound is a matter of step 2. The touched song is asked first, then the older; it
  /// rather has its own path than that but for the extension.
  private mutating func matchMadeAnew() {
    let songs = songsWithout.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.isTouched != other.isTouched { return one.isTouched }
      return (one.seen, left.offset) < (other.seen, right.offset)
    }
    for song in songs.map(\.element) where !gaveWay.contains(song.id) {
      let fitting = pieces.indices.filter { piece in
        mayHave(song, piece, step: 1) && isMadeAnew(song, piece)
      }
      let own = fitting.first { pieces[$0].there.contains(song.path) }
      let first = fitting.min { isEarlier(pieces[$0].there[0], pieces[$1].there[0]) }
      if let piece = own ?? first { give(piece, to: song) }
    }
  }

  private func isMadeAnew(_ song: Song, _ piece: Int) -> Bool {
    let sound = pieces[piece].sound
    if sound != 0 && sound == song.file.sound { return false }
    let isTaken = old.songs.values.contains { other in
      sound != 0 && other.file.sound == sound && !isWeak(other, against: song)
    }
    return !isTaken
      && pieces[piece].there.contains { path in
        guard let file = look.files[path], isAtPlace(song, path) else { return false }
        let isSameTitle =
          !file.tags.title.isEmpty && plainName(file.tags.title) == plainName(song.file.tags.title)
        let isSameTrack =
          pieces[piece].group == old.group(of: song) && plainDisc(file, path) == song.disc
          && file.tags.track != nil && file.tags.track == song.file.tags.track
        return isSameTitle || isSameTrack
      }
  }

  /// Whether a file is at the song's path, or there but for the extension and within two seconds.
  private func isAtPlace(_ song: Song, _ path: String) -> Bool {
    if path == song.path { return true }
    guard let file = look.files[path] else { return false }
    return stem(path) == stem(song.path) && isAsLong(song, file)
  }

  private func isAsLong(_ song: Song, _ file: PlainFile) -> Bool {
    abs(song.file.milliseconds - file.milliseconds) <= 2000
  }

  /// 3: a rename that the kernel reported, or the same file; which file a gone song had is not
  /// kept.
  func isSameFile(_ song: Song, _ path: String) -> Bool {
    guard let file = look.files[path], !song.isGone else { return false }
    return song.file.isSameFile(as: file) || look.renames[path] == song.path
  }

  /// 4: the same MusicBrainz recording and release.
  private func isSameRecording(_ song: Song, _ piece: Int) -> Bool {
    let tags = song.file.tags
    if tags.recording.isEmpty || tags.release.isEmpty { return false }
    return pieces[piece].there.contains { path in
      look.files[path]?.tags.recording == tags.recording
        && look.files[path]?.tags.release == tags.release
    }
  }

  /// 5: the same group, editions apart, disc, track and title, within two seconds, and with a track
  /// number or in another format.
  private func isSameTrack(_ song: Song, _ piece: Int, heir: PlainGroup?) -> Bool {
    let base = pieces[piece].group.base
    guard base == old.group(of: song)?.base || base == heir?.base else { return false }
    return pieces[piece].there.contains { path in
      guard let file = look.files[path] else { return false }
      return plainDisc(file, path) == song.disc && file.tags.track == song.file.tags.track
        && plainName(plainTitle(file, path)) == plainName(song.title) && isAsLong(song, file)
        && (file.tags.track != nil || format(path) != format(song.path))
    }
  }

  private func format(_ path: String) -> String {
    String(path.dropFirst(stem(path).count)).lowercased()
  }

  /// 6: its path, or that but for the extension and within two seconds, and no tag that
  /// contradicts.
  private func isUncontradicted(_ song: Song, _ piece: Int) -> Bool {
    pieces[piece].there.contains { path in
      guard let file = look.files[path], isAtPlace(song, path) else { return false }
      let (one, other) = (song.file.tags, file.tags)
      let texts = [
        (one.title, other.title), (one.artist, other.artist), (one.album, other.album),
        (one.albumArtist, other.albumArtist), (one.recording, other.recording),
        (one.release, other.release),
      ]
      let numbers = [(one.disc, other.disc), (one.track, other.track)]
      return texts.allSatisfy { $0.0.isEmpty || $0.1.isEmpty || plainName($0.0) == plainName($0.1) }
        && numbers.allSatisfy { $0.0 == nil || $0.1 == nil || $0.0 == $0.1 }
    }
  }

  /// The group that most of an album's songs have in this merge.
  private var heirs: [AlbumID: PlainGroup] {
    var heirs: [AlbumID: PlainGroup] = [:]
    for id in old.albums.keys {
      let groups = old.members(id).compactMap { has[$0].map { pieces[$0].group } }
      heirs[id] = Set(groups).min { left, right in
        let (one, other) = (groups.count { $0 == left }, groups.count { $0 == right })
        return one == other ? left.description < right.description : one > other
      }
    }
    return heirs
  }
}
