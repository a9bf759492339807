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
    let artists = plainName(artist).replacing("; ", with: " & ").replacing(", ", with: " & ")
    let names = Set(artists.split(separator: " & ").map(String.init)).sorted()
    return PlainGroup(base: "by\t\(names.joined(separator: "&"))\t\(plainName(album))")
  }

  static func inFolder(_ folder: String, _ album: String) -> PlainGroup {
    PlainGroup(base: "in\t\(folder)\t\(plainName(album))")
  }

  static func folder(_ folder: String) -> PlainGroup { PlainGroup(base: "folder\t\(folder)") }

  var isTagged: Bool { base.hasPrefix("by\t") }

  /// The title where no song has one.
  var fallbackTitle: String {
    let parts = base.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return parts[0] == "folder" ? plainShown(plainText(fileName(parts[1]))) : parts[2]
  }

  var description: String { [base, release, edition].joined(separator: "\t\t") }
}

/// Specification 1.2, 1 to 4.
struct PlainGroups {
  /// By path.
  var groups: [String: PlainGroup] = [:]
  let files: [String: PlainFile]
  private let roots: [String]

  init(_ files: [String: PlainFile], roots: [String]) {
    (self.files, self.roots) = (files, roots)
    judgeFolders()
    setReleasesApart()
  }

  func folder(_ path: String) -> String { plainAlbumFolder(path, roots: roots) }

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

  /// The album artist, of several, that most of the songs beside it name; ties: the first.
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
}
