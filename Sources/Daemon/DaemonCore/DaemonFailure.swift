package import LibraryStore
package import Platform
package import Settings
package import VarlinkServer

/// The reason why the daemon can't start or must stop, with its exit status.
package struct DaemonFailure: Error, Sendable, CustomStringConvertible {
  package var status: Int32
  /// One line that names what failed, why, and what to do.
  package var description: String

  /// Another daemon owns the store.
  package static let owned: Int32 = 3
  /// EX_USAGE of sysexits(3): the command line names something that does not exist.
  package static let wrongUse: Int32 = 64
  /// EX_DATAERR of sysexits(3): the store can't be used.
  package static let unusableStore: Int32 = 65
  /// EX_OSERR: the system refused something the daemon needs.
  package static let system: Int32 = 71
  /// EX_CONFIG: the settings, the environment, or a store of a later version.
  package static let configuration: Int32 = 78

  package init(status: Int32, _ description: String) {
    self.status = status
    self.description = description
  }

  package init(_ error: SettingsError) {
    self.init(status: Self.configuration, error.description)
  }

  package init(_ failure: StoreFailure) {
    switch failure {
    case .unusable: self.init(status: Self.unusableStore, failure.description)
    case .newerVersion: self.init(status: Self.configuration, failure.description)
    }
  }

  package init(_ error: ServerError) {
    self.init(status: Self.system, "\(error)")
  }

  package init(_ error: SystemCallError, _ advice: String) {
    self.init(status: Self.system, "\(error): \(advice)")
  }
}
