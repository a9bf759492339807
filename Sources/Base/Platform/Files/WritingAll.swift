import Glibc

/// Writes all bytes to a file or a pipe, in as many pieces as necessary.
///
/// - Parameter subject: the subject of the error.
/// - Throws: the call that failed. What was written by then stays.
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
