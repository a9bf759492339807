import Glibc
import Players

/// The user's web browser.
enum WebBrowser {
  /// Opens a page.
  ///
  /// - Returns: Whether there is a browser and it didn't fail at once.
  static func open(_ url: String) -> Bool {
    guard let line = line({ Environment[$0] }) else { return false }
    do throws(PlayerFault) {
      try PlayerProgram(line: line, list: url).start()
      return true
    } catch {
      return false
    }
  }

  /// Returns a shell command, with `{}` for the address: the first of `BROWSER`, else xdg-open if
  /// there is a display. Without a display it would look for a browser in the terminal.
  static func line(_ variable: (String) -> String?) -> String? {
    if let first = variable("BROWSER")?.split(separator: ":").first.map(String.init) {
      return first.contains("%s") ? first.replacing("%s", with: "{}") : "\(first) {}"
    }
    guard (variable("WAYLAND_DISPLAY") ?? variable("DISPLAY")) != nil else { return nil }
    let folders = (variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    let isThere = folders.contains { access("\($0)/xdg-open", X_OK) == 0 }
    return isThere ? "xdg-open {}" : nil
  }
}
