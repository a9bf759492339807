import Glibc

/// Whether everything runs under a sanitizer, which has files to read and more memory in use than
/// the limits allow that some tests are about.
package let isSanitized = ["__tsan_init", "__asan_init"].contains { (name: String) in
  dlsym(nil, name) != nil
}
