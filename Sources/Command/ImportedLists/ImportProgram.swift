/// A program whose lists Crated finds by the program's name alone.
package enum ImportProgram: String, Sendable, CaseIterable {
  case mpd, strawberry, clementine, mixxx, rhythmbox

  /// - Parameter word: The name as typed, in any case.
  package init?(word: String) { self.init(rawValue: word.lowercased()) }

  /// Returns the possible paths of the lists, the likeliest first and Flatpak's last. Each is a
  /// file, or MPD's folder of lists.
  ///
  /// - Parameters:
  ///   - home: The user's home directory.
  ///   - config: XDG's directory for settings; nil: the default.
  ///   - data: XDG's directory for data; nil: the default.
  package func places(home: String, config: String?, data: String?) -> [String] {
    let config = config ?? "\(home)/.config"
    let data = data ?? "\(home)/.local/share"
    let flatpak = "\(home)/.var/app"
    return switch self {
    case .mpd:
      ["\(config)/mpd/playlists", "\(home)/.mpd/playlists", "/var/lib/mpd/playlists"]
    case .strawberry:
      [
        "\(data)/strawberry/strawberry/strawberry.db",
        "\(flatpak)/org.strawberrymusicplayer.strawberry/data/strawberry/strawberry/strawberry.db",
      ]
    case .clementine:
      [
        "\(config)/Clementine/clementine.db",
        "\(flatpak)/org.clementine_player.Clementine/config/Clementine/clementine.db",
      ]
    case .mixxx:
      ["\(home)/.mixxx/mixxxdb.sqlite", "\(flatpak)/org.mixxx.Mixxx/.mixxx/mixxxdb.sqlite"]
    case .rhythmbox:
      [
        "\(data)/rhythmbox/playlists.xml",
        "\(flatpak)/org.gnome.Rhythmbox3/data/rhythmbox/playlists.xml",
      ]
    }
  }

  /// The name of a file beside the lists that describes their songs.
  package var beside: String? { self == .rhythmbox ? "rhythmdb.xml" : nil }
}
