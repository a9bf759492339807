/// The Varlink interface org.crated.Crates as Swift values. Its text, with what each field means,
/// is `interfaceDescription`; the names here are the names there.
package enum Interface {
  package static let name = "org.crated.Crates"
  package static let serviceName = "org.varlink.service"
}
