import CratesInterface
import Players

extension ChosenPlayer {
  /// By the environment of this program.
  init(_ status: Interface.LibraryStatus) throws(PlayerFault) {
    try self.init(status) { Environment[$0] }
  }
}
