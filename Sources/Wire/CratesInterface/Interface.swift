/// The Varlink interface org.crated.Crates as Swift values. `Interface.description` documents each
/// field under the same name.
package enum Interface {
  package static let name = "org.crated.Crates"
  package static let serviceName = "org.varlink.service"
  /// The most bytes in a message to the server, without its NUL. The client can send back a text
  /// from a reply of 8 MiB with what the user added to it.
  package static let messageBytesMost = 9 << 20
}
