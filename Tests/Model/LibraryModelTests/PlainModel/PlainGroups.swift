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
  /// The group that the song at a path, or of this sound in the folder, had without an album tag.
  private let untagged: (_ path: String, _ file: PlainFile, _ folder: String) -> PlainGroup?
  /// The groups that are albums already.
  private let albums: Set<String>

  init(
    _ files: [String: PlainFile], roots: [String],
    untagged: @escaping (String, PlainFile, String) -> PlainGroup? = { _, _, _ in nil },
    albums: Set<String> = []
  ) {
    (self.files, self.roots, self.untagged, self.albums) = (files, roots, untagged, albums)
    judgeFolders()
    setReleasesApart()
  }

  func folder(_ path: String) -> String { plainAlbumFolder(path, roots: roots) }

  private mutating func judgeFolders() {
    for (_, paths) in Dictionary(grouping: files.keys, by: folder) { judge(paths) }
  }

  /// What the folder is among those beside it, unless songs of it say otherwise.
  func disc(
    _ folder: String, _ isAsked: (SongTags) -> Bool = { _ in true }
  ) -> (name: String, number: Int)? {
    guard !roots.contains(folder), let sibling = plainSibling(folder) else { return nil }
    let discs = files.filter { self.folder($0.key) == folder && isAsked($0.value.tags) }
      .compactMap(\.value.tags.disc)
    return discs.allSatisfy { $0 == sibling.number } ? sibling : nil
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
      let sibling = disc(folder)
      groups[path] = mostNamed(owners) ?? .inFolder(sibling?.name ?? folder, tags.album)
    }
    let own = PlainGroup.folder(folder)
    let there = tagged.filter { !$0.tags.album.isEmpty }
    let titled = Set(there.compactMap { groups[$0.path] })
    let isTheirs =
      titled.count == 1 && there.count > tagged.count - there.count && !albums.contains(own.base)
    for (path, tags) in tagged where tags.album.isEmpty {
      let file = files[path] ?? PlainFile(sound: 0, inode: 0)
      let former = untagged(path, file, folder).map { PlainGroup(base: $0.base) }
      groups[path] = isTheirs ? titled.first : own
      if let former, former == own || titled.contains(former) { groups[path] = former }
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
