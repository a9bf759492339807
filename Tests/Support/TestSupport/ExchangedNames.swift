import Glibc

/// What two paths lead to, the other way round. False with errno set.
package func exchangeNames(_ one: String, _ other: String) -> Bool {
  typealias Rename =
    @convention(c) (
      Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
    ) -> Int32
  // The Glibc module hides it.
  guard let found = dlsym(nil, "renameat2") else { return false }
  let exchanging: UInt32 = 2
  let call = unsafeBitCast(found, to: Rename.self)
  return call(AT_FDCWD, one, AT_FDCWD, other, exchanging) == 0
}
