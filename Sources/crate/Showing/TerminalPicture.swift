/// Pictures in terminals that can show them.
enum TerminalPicture {
  /// Columns that a picture takes.
  private static let columns = 40
  /// Characters of base64 in one piece, which kitty's protocol bounds.
  private static let pieceLength = 4096

  /// What makes the terminal show the picture; nil where it is not known to be able to.
  static func sequence(_ base64: String, type: String) -> String? {
    switch Way(type) {
    case .kitty: kitty(base64)
    case .inlineFile: "\u{1B}]1337;File=inline=1;width=\(columns):\(base64)\u{07}"
    case nil: nil
    }
  }

  private enum Way {
    /// sw.kovidgoyal.net/kitty/graphics-protocol: PNG only.
    case kitty
    /// iterm2.com/documentation-images.html: any picture.
    case inlineFile

    init?(_ type: String) {
      // A multiplexer would show the sequence's text.
      if Environment["TMUX"] != nil || Environment["STY"] != nil { return nil }
      switch Environment["TERM_PROGRAM"] {
      case "WezTerm", "iTerm.app", "mintty": self = .inlineFile
      case "ghostty" where type == "image/png": self = .kitty
      default:
        if Environment["KONSOLE_VERSION"] != nil {
          self = .inlineFile
        } else if Environment["KITTY_WINDOW_ID"] != nil, type == "image/png" {
          self = .kitty
        } else {
          return nil
        }
      }
    }
  }

  private static func kitty(_ base64: String) -> String {
    var text = ""
    var rest = Substring(base64)
    var options = "a=T,f=100,q=2,c=\(columns),"
    repeat {
      let piece = rest.prefix(pieceLength)
      rest = rest[piece.endIndex...]
      text += "\u{1B}_G\(options)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
      options = ""
    } while !rest.isEmpty
    return text
  }
}
