import Glibc
import Players

/// The person's browser.
enum WebBrowser {
  /// Opens a page in it.
  ///
  /// - Returns: whether there is a browser, and it did not fail at once.
  static func open(_ url: String) -> Bool {
    guard let line = line({ Environment[$0] }) else { return false }
    do throws(PlayerFault) {
      try PlayerProgram(line: line, list: url).start()
      return true
    } catch {
      return false
    }
  }

  /// A command for a shell, with `{}` in the place of the page: the first of `BROWSER`, else
  /// xdg-open where it has a display; without one it would look for a browser in the terminal.
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
