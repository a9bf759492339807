/// The Varlink interface org.crated.Crates as Swift values. Its text, with what each field means,
/// is `interfaceDescription`; the names here are the names there.
package enum Interface {
  package static let name = "org.crated.Crates"
  package static let serviceName = "org.varlink.service"
  /// Bytes of a message to the server, without its NUL: a text that came in a reply of 8 MiB can go
  /// back, with what a person added.
  package static let messageBytesMost = 9 << 20
}
