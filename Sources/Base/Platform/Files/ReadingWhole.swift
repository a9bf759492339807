import Glibc

/// Reads an open file from its current position to its end.
///
/// - Parameter most: the maximum number of bytes to read, such as the file's size.
/// - Throws: the call that failed, without a path.
package func readWhole(_ descriptor: Int32, bytes most: Int) throws(SystemCallError) -> [UInt8] {
  var failure: SystemCallError?
  let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
    while count < buffer.count {
      let got = retrying {
        read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if got < 0 { failure = SystemCallError("read", "") }
      if got <= 0 { return }
      count += got
    }
  }
  if let failure { throw failure }
  return bytes
}
