@testable import LibraryModel

/// Which album a file belongs to, by its tags and its folder.
struct PlainGroup: Hashable {
  /// Without what tells editions apart.
  var base: String
  /// A MusicBrainz release id.
  var release = ""
  /// The folder of an edition; empty for the one seen first.
  var edition = ""

  static func tagged(_ artist: String, _ album: String) -> PlainGroup {
    PlainGroup(base: "by\t\(plainName(artist))\t\(plainName(album))")
  }

  static func inFolder(_ folder: String, _ album: String) -> PlainGroup {
    PlainGroup(base: "in\t\(folder)\t\(plainName(album))")
  }

  static func folder(_ folder: String) -> PlainGroup { PlainGroup(base: "folder\t\(folder)") }

  var isTagged: Bool { base.hasPrefix("by\t") }

  /// The title where no song has one.
  var fallbackTitle: String {
    let parts = base.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return parts[0] == "folder" ? plainText(fileName(parts[1])) : parts[2]
  }

  var description: String { [base, release, edition].joined(separator: "\t\t") }
}

/// Specification 1.2, 1 to 4.
struct PlainGroups {
  /// By path.
  private(set) var groups: [String: PlainGroup] = [:]
  private let files: [String: PlainFile]
  private let roots: [String]

  init(_ files: [String: PlainFile], roots: [String]) {
    (self.files, self.roots) = (files, roots)
    judgeFolders()
    setReleasesApart()
  }

  private func folder(_ path: String) -> String { plainAlbumFolder(path, roots: roots) }

  private mutating func judgeFolders() {
    for (_, paths) in Dictionary(grouping: files.keys, by: folder) { judge(paths) }
  }

  private mutating func judge(_ paths: [String]) {
    let folder = folder(paths[0])
    let tagged = paths.compactMap { path -> (path: String, tags: SongTags)? in
      files[path].map { (path, $0.tags) }
    }
    for (path, tags) in tagged where !tags.album.isEmpty && !tags.albumArtist.isEmpty {
      groups[path] = .tagged(tags.albumArtist, tags.album)
    }
    for (path, tags) in tagged where !tags.album.isEmpty && tags.albumArtist.isEmpty {
      let owners = tagged.filter { other in
        !other.tags.albumArtist.isEmpty && plainName(other.tags.album) == plainName(tags.album)
      }.compactMap { groups[$0.path] }
      groups[path] = mostNamed(owners) ?? .inFolder(folder, tags.album)
    }
    let albums = Set(tagged.filter { !$0.tags.album.isEmpty }.compactMap { groups[$0.path] })
    for (path, tags) in tagged where tags.album.isEmpty {
      groups[path] = albums.count == 1 ? albums.first : .folder(folder)
    }
  }

  /// Of several album artists that which most of the songs beside it name; ties: the first.
  private func mostNamed(_ groups: [PlainGroup]) -> PlainGroup? {
    Set(groups).min { left, right in
      let (one, other) = (groups.count { $0 == left }, groups.count { $0 == right })
      return one == other ? left.base < right.base : one > other
    }
  }

  /// A release id holds for all of the group's files in its folder, and for no other folder.
  private mutating func setReleasesApart() {
    let tagged = groups.filter(\.value.isTagged)
    for (group, paths) in Dictionary(grouping: tagged.keys, by: { tagged[$0] }) {
      for (_, paths) in Dictionary(grouping: paths, by: folder) {
        let releases = paths.compactMap { files[$0]?.tags.release }.filter { !$0.isEmpty }
        guard let release = releases.min(), let group else { continue }
        for path in paths {
          groups[path] = PlainGroup(base: group.base, release: release)
        }
      }
    }
  }

  // MARK: Editions

  /// What one album folder holds of a group.
  private struct Part {
    var folder: String
    var paths: [String]
    /// The edition of its songs, which began in this look; nil where it has none yet.
    var edition: String?
    var seen = Int64.max
    /// Songs of the group were there before.
    var isOwn = false
    var hasNews = false
  }

  /// Sets folders apart that hold the same disc and track with different sound. The one seen first
  /// keeps the plain key, and no group changes by what arrives in another folder.
  ///
  /// - Parameters:
  ///   - news: files that are new at their path, or other ones there.
  ///   - lost: files that were known, and are not there.
  ///   - songs: all there were, each with its group and its files.
  mutating func setEditionsApart(news: Set<String>, lost: [String], songs: [Former]) {
    let tagged = groups.filter(\.value.isTagged)
    for (group, paths) in Dictionary(grouping: tagged.keys, by: { tagged[$0] }) {
      guard let group else { continue }
      let songs = songs.filter { $0.group.base == group.base && $0.group.release == group.release }
      var parts: [Part] = []
      for (folder, paths) in Dictionary(grouping: paths, by: folder) {
        var part = Part(folder: folder, paths: paths.inByteOrder)
        // What was there before, else what was brought there.
        let own = songs.filter { $0.paths.contains { self.folder($0) == folder } }
        let sounds = Set(paths.compactMap { files[$0]?.sound }).subtracting([0])
        let brought = songs.filter { sounds.contains($0.sound) }
        let known = own.isEmpty ? brought : own
        if let first = known.min(by: { ($0.seen, $0.group.edition) < ($1.seen, $1.group.edition) })
        {
          (part.edition, part.seen) = (first.group.edition, first.seen)
        }
        part.isOwn = !own.isEmpty
        // Whatever came or went in the folder: it is judged over the whole of it.
        part.hasNews = news.union(lost).contains { self.folder($0) == folder }
        parts.append(part)
      }
      if parts.count > 1 || parts[0].edition != nil { judge(group, parts) }
    }
  }

  /// A song as it was before the look.
  struct Former {
    var group: PlainGroup
    /// None of a gone one.
    var paths: [String]
    var sound: Int
    var seen: Int64
  }

  private mutating func judge(_ group: PlainGroup, _ parts: [Part]) {
    let parts = parts.sorted(by: isFirst)
    // What nothing arrived in stays what it is.
    var judged = parts.filter { $0.isOwn && !$0.hasNews }
    for var part in parts where !part.isOwn || part.hasNews {
      let rivals = judged.filter { !part.isOwn || isFirst($0, part) }
      let taken = Set(rivals.filter { differ($0, part) }.map(\.edition))
      let others = judged.filter { !taken.contains($0.edition) }.compactMap(\.edition)
      // An edition stays one; the plain key of what is gone is not for others.
      if part.edition == nil, !taken.contains("") {
        part.edition = ""
      } else if part.edition == nil || taken.contains(part.edition) {
        part.edition = others.min() ?? part.folder
      }
      judged.append(part)
    }
    for part in judged {
      for path in part.paths { groups[path]?.edition = part.edition ?? "" }
    }
  }

  /// By the look of first sight; in one look, by the folder.
  private func isFirst(_ left: Part, _ right: Part) -> Bool {
    if left.isOwn != right.isOwn { return left.isOwn }
    // Who has the plain key was first.
    if (left.edition == "") != (right.edition == "") { return left.edition == "" }
    return left.seen == right.seen
      ? isEarlier(left.folder, right.folder) : left.seen < right.seen
  }

  /// Whether both hold a disc and track, and no sound of it is the other's.
  private func differ(_ left: Part, _ right: Part) -> Bool {
    let (one, other) = (sounds(left), sounds(right))
    return one.contains { place, sounds in
      other[place].map { sounds.isDisjoint(with: $0) } ?? false
    }
  }

  private func sounds(_ part: Part) -> [[Int]: Set<Int>] {
    var sounds: [[Int]: Set<Int>] = [:]
    for path in part.paths {
      guard let file = files[path], file.sound != 0, let track = file.tags.track else { continue }
      sounds[[plainDisc(file, path), track], default: []].insert(file.sound)
    }
    return sounds
  }
}
