@testable import crate

/// What the command would say of why it fails; nil where it doesn't.
func message(_ body: () throws(Failure) -> Void) -> String? {
  do throws(Failure) {
    try body()
    return nil
  } catch {
    return error.message
  }
}
