/// The version of the daemon and its command line, which are released together.
package let softwareVersion = "0.1.0"
