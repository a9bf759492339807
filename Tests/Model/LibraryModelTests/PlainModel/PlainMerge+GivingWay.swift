@testable import LibraryModel

/// Specification 1.4, step 2 and what follows the steps.
extension PlainMerge {
  /// How near a file is to a song of its sound: the smaller, the nearer.
  private struct Nearness: Comparable {
    var ranks: [Int]
    var path: [UInt8]

    static func < (left: Nearness, right: Nearness) -> Bool {
      if left.ranks != right.ranks { return left.ranks.lexicographicallyPrecedes(right.ranks) }
      return left.path.lexicographicallyPrecedes(right.path)
    }
  }

  /// The very same file, then same group, then disc and track, then file name, then a free file
  /// before a held one, then the touched song, then the older, then the order they stand in.
  private func nearness(_ song: Song, _ piece: Int) -> Nearness {
    let ranks = pieces[piece].there.map { path -> [Int] in
      guard let file = look.files[path] else { return [] }
      let isSameTrack =
        plainDisc(file, path) == song.disc && file.tags.track == song.file.tags.track
      return [
        pieces[piece].group == old.group(of: song), isSameTrack,
        fileName(path) == fileName(song.path),
      ].map { $0 ? 0 : 1 }
    }
    let isSame = pieces[piece].there.contains { isSameFile(song, $0) }
    let best = [isSame ? 0 : 1] + (ranks.min { $0.lexicographicallyPrecedes($1) } ?? [])
    let place = old.place(of: song)
    return Nearness(
      ranks: best + [
        holder[piece] == nil ? 0 : 1, song.isTouched ? 0 : 1, Int(song.seen), place.0, place.1,
      ], path: plainBytes(pieces[piece].there[0]))
  }

  /// 2: same sound, the nearest pair first.
  mutating func matchSounds(_ may: (PlainMerge, Song, Int) -> Bool) {
    while true {
      var best: (nearness: Nearness, song: Song, piece: Int)?
      for song in songsWithout where song.file.sound != 0 {
        for piece in pieces.indices
        where pieces[piece].sound == song.file.sound && may(self, song, piece) {
          let nearness = nearness(song, piece)
          if best.map({ nearness < $0.nearness }) ?? true { best = (nearness, song, piece) }
        }
      }
      guard let best else { return }
      give(best.piece, to: best.song)
    }
  }

  /// An album more than half of whose younger, untouched songs have the sound of a song without a
  /// file is what was moved.
  mutating func moveSamplers() {
    let lost = songsWithout.filter { $0.file.sound != 0 && !isBoundToFile($0) && !isWaiting($0) }
    func isCopy(_ young: Song) -> Bool {
      lost.contains { song in
        has[young.id].map { pieces[$0].sound } == song.file.sound
          && isYounger(young, than: song) && song.album != young.album
      }
    }
    /// By the songs without a file, which decide what is younger.
    var moved: [SongID: Set<AlbumID>] = [:]
    for id in old.albums.keys {
      let own = old.members(id).compactMap { old.songs[$0] }.filter { song in
        has[song.id] != nil && !song.isTouched
          && !old.albums.values.contains { $0.id != id && $0.entries.contains(song.id) }
      }
      for song in lost {
        let younger = own.filter { isYounger($0, than: song) }
        let copies = younger.count(where: isCopy)
        if copies * 2 > younger.count { moved[song.id, default: []].insert(id) }
      }
    }
    matchSounds { merge, song, piece in
      guard let young = merge.holder[piece].flatMap({ merge.old.songs[$0] }),
        !song.isGone || merge.isNews(piece) || merge.isStirred(young.album, lost)
      else { return false }
      return moved[song.id]?.contains(young.album) == true && merge.isWeak(young, against: song)
        && song.album != young.album
    }
  }

  /// Whether the look brought anything that has to do with the album: something became of one of
  /// its songs, or of one of their sounds, or it has a copy of a song that is looked for now.
  private func isStirred(_ album: AlbumID, _ lost: [Song]) -> Bool {
    let members = old.members(album).compactMap { old.songs[$0] }.filter { !$0.isGone }
    return members.contains { song in
      if isConcerned(song) || song.paths.contains(where: { pieceAt[$0].map(isNews) ?? false }) {
        return true
      }
      return lost.contains { lost in
        !lost.isGone && lost.album != album && lost.file.sound == song.file.sound
          && isWeak(song, against: lost)
      }
    }
  }

  /// An untouched song whose file vanishes and whose sound an older song has never was; nor was a
  /// younger one that gave way.
  mutating func forgetWhatNeverWas() {
    forgotten = gaveWay
    for song in songsWithout where !song.isTouched && song.file.sound != 0 {
      if isOffline(song) || isWaiting(song) { continue }
      // To one that was gone before, nothing happens but that an older one gets a file.
      let isOlder = old.songs.values.contains { other in
        let former = song.isGone ? 0 : other.file.sound
        let sounds = [former, has[other.id].map { pieces[$0].sound } ?? 0]
        return sounds.contains(song.file.sound) && isYounger(song, than: other)
      }
      // Seen at once with one of its album over whose file its own was put, or which was put over
      // its own, it was to be that one.
      let isOver =
        !song.isGone
        && pieces.indices.contains { piece in
          guard let other = holder[piece].flatMap({ old.songs[$0] }) else { return false }
          return other.id != song.id && other.seen == song.seen && other.album == song.album
            && pieces[piece].sound == song.file.sound
            && pieces[piece].there.contains { path in
              isSameFile(song, path)
                || (isSameFile(other, path) && fileName(path) == fileName(song.path)
                  && fileName(other.path) != fileName(path))
            }
        }
      if isOlder || isOver { forgotten.insert(song.id) }
    }
  }

  /// A new file with the sound and the group of a slot that an album kept before this merge is that
  /// slot's song, even if that has a file elsewhere: there a new song takes its file and place.
  mutating func goBackToSlots() {
    for index in pieces.indices where holder[index] == nil && pieces[index].sound != 0 {
      let isNew = pieces[index].there.contains { !look.known.contains($0) }
      let keepers = old.albums.values.filter { $0.group == pieces[index].group }
      guard isNew, let keeper = keepers.first else { continue }
      let fit = keeper.entries.compactMap { old.songs[$0] }.filter { song in
        song.file.sound == pieces[index].sound && song.album != keeper.id
          && has[song.id].map { pieces[$0].group != keeper.group } ?? false
          && !old.members(keeper.id).compactMap { old.songs[$0] }.contains {
            $0.file.sound == song.file.sound && isYounger($0, than: song)
          }
      }
      guard fit.count == 1, let left = has[fit[0].id] else { continue }
      has[fit[0].id] = index
      holder[index] = fit[0].id
      holder[left] = nil
      let away = songsWithout.filter { isOffline($0) && pieces[left].paths.contains($0.path) }
      let seniority = { (song: Song) in (song.isTouched ? 0 : 1, song.seen) }
      if let owner = away.min(by: { seniority($0) < seniority($1) }) {
        give(left, to: owner)
      } else {
        goneBack[left] = (fit[0].id, fit[0].album)
      }
    }
  }
}
