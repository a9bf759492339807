/// The version of the daemon and of `crate`, which are released together.
package let softwareVersion = "0.1.0"
