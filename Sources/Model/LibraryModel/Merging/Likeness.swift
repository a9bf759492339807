/// The properties by which two recordings are compared: of an existing file, or of a song as it was
/// known.
struct Likeness: Sendable {
  let group: GroupKey
  let path: BytePath
  let digest: AudioDigest?
  let disc: Int?
  let track: Int?
  /// The tagged title. Empty if the title is only the file's name.
  let title: String
  let milliseconds: Int
  let recording: String
  let release: String
  private let texts: [String]

  /// The most milliseconds by which two files of one recording may differ in length.
  static let sameLength = 2000

  init(_ path: BytePath, _ facts: FileFacts?, group: GroupKey, digest: AudioDigest?) {
    self.init(facts.map { Traits($0, path: path) } ?? Traits(), path, group, digest)
  }

  init(_ song: Song, group: GroupKey) {
    self.init(song.lasting, song.path, group, song.digest)
  }

  private init(_ traits: Traits, _ path: BytePath, _ group: GroupKey, _ digest: AudioDigest?) {
    self.group = group
    self.path = path
    self.digest = digest
    disc = traits.disc
    track = traits.track
    title = folded(traits.title)
    milliseconds = traits.milliseconds
    recording = traits.recording
    release = traits.release
    texts = [traits.album, traits.albumArtist, traits.artist]
  }

  var orderDisc: Int { LibraryModel.orderDisc(disc, path) }

  /// Whether the file of this likeness is the other one's song by the step's evidence. For tags,
  /// the group `heir` counts besides the song's own.
  ///
  /// - Parameter hasSoundToItself: whether no other song has the file's sound, except younger,
  ///   untouched ones.
  func fits(
    _ step: Step, _ song: Likeness, isSameFile: Bool, heir: GroupKey?,
    hasSoundToItself: @autoclosure () -> Bool
  ) -> Bool {
    switch step {
    case .remade:
      !hasSound(of: song) && isAtPlace(of: song) && hasTitleOrTrack(of: song)
        && hasSoundToItself()
    case .sound: hasSound(of: song)
    case .sameFile: isSameFile
    case .musicbrainz:
      !recording.isEmpty && !release.isEmpty && recording == song.recording
        && release == song.release
    case .tags: hasTags(of: song, heir: heir)
    case .path: isAtPlace(of: song) && !contradicts(song)
    }
  }

  private func hasSound(of song: Likeness) -> Bool { digest != nil && digest == song.digest }

  /// Whether it is at the song's path, or at one with another extension and within two seconds of
  /// its length.
  private func isAtPlace(of song: Likeness) -> Bool {
    if path == song.path { return true }
    return path.pathExtension != song.path.pathExtension && isAsLong(as: song)
      && path.withoutExtension == song.path.withoutExtension
  }

  private func isAsLong(as song: Likeness) -> Bool {
    abs(milliseconds - song.milliseconds) <= Likeness.sameLength
  }

  private func isSameTrack(as song: Likeness) -> Bool {
    track == song.track && orderDisc == song.orderDisc
  }

  private func hasTitleOrTrack(of song: Likeness) -> Bool {
    (!title.isEmpty && title == song.title)
      || (track != nil && group == song.group && isSameTrack(as: song))
  }

  private func hasTags(of song: Likeness, heir: GroupKey?) -> Bool {
    guard group.family == song.group.family || group.family == heir?.family else { return false }
    let isTold = track != nil || path.pathExtension != song.path.pathExtension
    return isTold && isSameTrack(as: song) && shown == song.shown && isAsLong(as: song)
  }

  /// The title as it is shown.
  private var shown: String { title.isEmpty ? folded(shownTitle("", path: path)) : title }

  private func contradicts(_ song: Likeness) -> Bool {
    func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
      if let left, let right { left != right } else { false }
    }
    func differ(_ left: String, _ right: String) -> Bool {
      !left.isEmpty && !right.isEmpty && folded(left) != folded(right)
    }
    return differ(disc, song.disc) || differ(track, song.track) || differ(title, song.title)
      || differ(recording, song.recording) || differ(release, song.release)
      || zip(texts, song.texts).contains { differ($0, $1) }
  }
}

/// The steps of recognition (merge-rules.md, section 3), in their order. Before the first one, each
/// song is matched with its own path if that has its sound.
enum Step: Sendable {
  /// The file at its path was recreated: re-ripped, repaired, converted.
  case remade
  case sound, sameFile, musicbrainz, tags, path
}

extension BytePath {
  /// The path up to the dot of its extension, or all of it if there is none.
  var withoutExtension: BytePath {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return self
    }
    let stem = BytePath(Array(name[..<dot]))
    let parent = parent
    return parent.isEmpty ? stem : parent.appending(stem)
  }
}
