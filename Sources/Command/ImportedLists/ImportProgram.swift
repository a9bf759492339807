/// A program whose lists can be taken over by its name alone, and where it keeps them.
package enum ImportProgram: String, Sendable, CaseIterable {
  case mpd, strawberry, clementine, mixxx, rhythmbox

  /// - Parameter word: as typed, in any case.
  package init?(word: String) { self.init(rawValue: word.lowercased()) }

  /// What may be there, the likeliest first: a file, of MPD a folder of lists. Those of Flatpak
  /// come behind the person's own.
  ///
  /// - Parameters:
  ///   - home: the person's.
  ///   - config: XDG's directory for settings; nil: the usual one.
  ///   - data: XDG's directory for data; nil: the usual one.
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

  /// What of its lists' songs lies in a file beside, by that file's name.
  package var beside: String? { self == .rhythmbox ? "rhythmdb.xml" : nil }
}
