import Glibc

/// Writes all of it to a file or a pipe, in as many pieces as that takes.
///
/// - Parameter subject: what the error names.
/// - Throws: what the call that failed says; what was written by then stays.
package func writeAll(
  _ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ subject: String = ""
) throws(SystemCallError) {
  var left = bytes
  while !left.isEmpty {
    let count = left.withUnsafeBytes { rest in
      retrying { write(descriptor, rest.baseAddress, rest.count) }
    }
    guard count > 0 else { throw SystemCallError("write", subject) }
    left = left.dropFirst(count)
  }
}

package func writeAll(
  _ bytes: [UInt8], to descriptor: Int32, _ subject: String = ""
) throws(SystemCallError) {
  try writeAll(bytes[...], to: descriptor, subject)
}
