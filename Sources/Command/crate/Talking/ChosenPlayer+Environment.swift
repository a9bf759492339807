import CratesInterface
import Players

extension ChosenPlayer {
  /// Uses this process's environment.
  init(_ status: Interface.LibraryStatus) throws(PlayerFault) {
    try self.init(status) { Environment[$0] }
  }
}
