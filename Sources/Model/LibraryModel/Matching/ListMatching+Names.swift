extension ListMatching {
  func byRecording(_ attempt: inout MatchAttempt) -> Match? {
    let wanted = attempt.wanted
    if wanted.recording.isEmpty { return nil }
    var found = lookup.songs(withRecording: wanted.recording)
    if !wanted.release.isEmpty, found.count <= Self.mostLookedAt {
      let release = folded(wanted.release)
      let same = found.filter {
        folded(lookup.files[$0].song.release) == release
      }
      if !same.isEmpty { found = same }
    }
    return one(found, &attempt, isExact: false, "this recording").map { .found($0, .recording) }
  }

  /// Matches artist, album and title. Of track and length, those that both sides have must match,
  /// and at least one must.
  func byTags(_ attempt: inout MatchAttempt) -> Match? {
    let wanted = attempt.wanted
    if wanted.title.isEmpty || wanted.album.isEmpty { return nil }
    if wanted.artist.isEmpty && wanted.albumArtist.isEmpty { return nil }
    let found = lookup.songs(inAlbum: wanted.album, titled: wanted.title)
    // More matches than this are not conclusive.
    if found.count > Self.mostLookedAt { return nil }
    let fitting = found.filter { file in
      let song = lookup.files[file].song
      if song.artist.isEmpty && song.albumArtist.isEmpty { return false }
      let hasTrack = wanted.track != nil && song.track != nil
      if hasTrack, wanted.track != song.track { return false }
      return hasTrack || attempt.names.hasLength(of: song, within: WantedNames.lengthSlack)
    }
    let isCalledSo =
      fitting.isEmpty
      && found.contains { file in
        let song = lookup.files[file].song
        return !song.artist.isEmpty && attempt.names.contradiction(song) == nil
      }
    if isCalledSo {
      attempt.note(
        "a song has this artist, album and title, but the list has no track or length that agrees")
    }
    return one(fitting, &attempt, isExact: false, "this artist, album and title").map {
      .found($0, .tags)
    }
  }

  /// Matches artist, title and length. The list's artist is used if it has no album artist.
  func byTitle(_ attempt: inout MatchAttempt) -> Match? {
    let wanted = attempt.wanted
    let artist = wanted.albumArtist.isEmpty ? wanted.artist : wanted.albumArtist
    if wanted.title.isEmpty || artist.isEmpty { return nil }
    let found = lookup.songs(by: artist, titled: wanted.title)
    if found.count > Self.mostLookedAt { return nil }
    let fitting = found.filter {
      attempt.names.hasLength(of: lookup.files[$0].song, within: Self.shortSlack)
    }
    return one(fitting, &attempt, isExact: false, "this artist, title and length").map {
      .found($0, .title)
    }
  }

  // MARK: Exactly one

  func one(
    _ files: some Collection<Int>, _ attempt: inout MatchAttempt, isExact: Bool, _ words: String
  ) -> SongID? {
    oneFile(files, &attempt, isExact: isExact, words).map { lookup.files[$0].song.id }
  }

  /// Returns the file if all candidates are of one song, without those that contradict the list. A
  /// gone song counts only if no other song matches.
  func oneFile(
    _ files: some Collection<Int>, _ attempt: inout MatchAttempt, isExact: Bool = false,
    _ words: String
  ) -> Int? {
    if files.isEmpty { return nil }
    guard files.count <= Self.mostLookedAt else {
      attempt.note("more than \(Self.mostLookedAt) songs have \(words)")
      return nil
    }
    var fitting: [Int] = []
    // Files are numbered in no order; the first reasons are told.
    for file in files.sorted(by: { lookup.files[$0].song.id < lookup.files[$1].song.id }) {
      if !isExact, let other = attempt.names.contradiction(lookup.files[file].song) {
        attempt.note("the song with \(words) has another \(other)")
      } else {
        fitting.append(file)
      }
    }
    let there = fitting.filter { !lookup.files[$0].song.isGone }
    let meant = there.isEmpty ? fitting : there
    guard let first = meant.first else { return nil }
    let songs = Set(meant.map { lookup.files[$0].song.id })
    if songs.count == 1 { return first }
    attempt.note("\(songs.count) songs have \(words)")
    return nil
  }
}
