@testable import LibraryModel

/// Which album each file belongs to, by rules 1 to 3 of specification 1.2.
struct PlainGroups {
  /// By path.
  var groups: [String: String] = [:]
  /// Groups of which there may be several editions: rules 1 and 4 tell folders apart.
  var editions: Set<String> = []
  /// Folders that the rules leave open.
  var open: Set<String> = []

  init(_ files: [String: PlainFile]) {
    var folders: [String: [String]] = [:]
    for path in files.keys { folders[plainAlbumFolder(path), default: []].append(path) }
    for (folder, paths) in folders { judge(folder, paths, files) }
    findEditions(files)
  }

  private mutating func judge(_ folder: String, _ paths: [String], _ files: [String: PlainFile]) {
    var unnamed: [String] = []
    var albums: Set<String> = []
    for path in paths {
      guard let tags = files[path]?.tags else { continue }
      let album = plainName(tags.album)
      if album.isEmpty {
        unnamed.append(path)
        continue
      }
      var group = "in\t\(folder)\t\(album)"
      if !tags.albumArtist.isEmpty {
        group = "by\t\(plainName(tags.albumArtist))\t\(album)"
      } else {
        var owners: Set<String> = []
        for other in paths {
          guard let tags = files[other]?.tags, plainName(tags.album) == album,
            !tags.albumArtist.isEmpty
          else { continue }
          owners.insert("by\t\(plainName(tags.albumArtist))\t\(album)")
        }
        if owners.count > 1 { open.insert(folder) }
        group = owners.min() ?? group
      }
      groups[path] = group
      albums.insert(group)
    }
    for path in unnamed {
      groups[path] = albums.count == 1 ? albums.first : "folder\t\(folder)"
    }
  }

  private mutating func findEditions(_ files: [String: PlainFile]) {
    var places: [String: [(folder: String, sound: Int)]] = [:]
    for (path, group) in groups where group.hasPrefix("by\t") {
      guard let file = files[path] else { continue }
      if !file.tags.release.isEmpty { editions.insert(group) }
      guard let track = file.tags.track, file.sound != 0 else { continue }
      let disc = file.tags.disc ?? plainDisc(ofFolder: parent(path)) ?? 1
      places["\(group)/\(disc)/\(track)", default: []].append((plainAlbumFolder(path), file.sound))
      for other in places["\(group)/\(disc)/\(track)"] ?? []
      where other.folder != plainAlbumFolder(path) && other.sound != file.sound {
        editions.insert(group)
      }
    }
  }
}

/// As names are compared: case folded, white space collapsed.
func plainName(_ name: String) -> String {
  name.lowercased().split(separator: " ").joined(separator: " ")
}
