package import LibraryModel
package import Platform

/// The result of scanning a directory: directories, and files that may be music, in byte order of
/// their names. Reused for the next scan, because an allocation for each file would cost more than
/// the scan.
struct FolderListing {
  enum Kind: UInt8 {
    case file, folder
    /// Present, but of unknown kind: a link to something that is missing, or an error.
    case unseen
  }

  struct Entry {
    var nameStart: Int
    var nameLength: Int
    var kind: Kind
    var isLink: Bool
    /// The stamp of the file, or of the link's target. Empty for directories.
    var stamp: FileStamp
    var device: UInt64
    /// The inode number, which the stamp leaves out if it is not stable.
    var inode: UInt64
  }

  /// The names, each terminated by NUL, so that they can be passed to the kernel in place.
  var names: [UInt8] = []
  var entries: [Entry] = []
  /// The status of the directory itself.
  var status: FolderStatus = FolderStatus()
  /// The names for which the kernel gave no status, with the errors.
  var failures: [(name: [UInt8], error: SystemCallError)] = []

  /// Whether there are names that are left out unless a rule includes them.
  var hasTrash = false

  /// The rules of the directory's `.crateignore`; nil if there is none.
  var ignoreRules: IgnoreRules?

  /// The digest of the best image file in the directory; nil if there is none, or it can't be
  /// examined.
  var cover: CoverDigest?
  /// The name and the rank of that image.
  private(set) var image: (name: [UInt8], rank: Int)?

  mutating func noteImage(_ name: UnsafeBufferPointer<UInt8>) {
    guard let rank = CoverNames.rank(name, isShown: true), rank < image?.rank ?? .max else {
      return
    }
    image = (Array(name), rank)
  }

  mutating func removeAll() {
    (cover, image) = (nil, nil)
    ignoreRules = nil
    hasTrash = false
    names.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    failures = []
  }

  func name(_ entry: Entry) -> [UInt8] {
    Array(names[entry.nameStart..<(entry.nameStart + entry.nameLength)])
  }

  /// - Parameter index: the index of an entry.
  func name(_ index: Int) -> [UInt8] { name(entries[index]) }

  /// Whether the listing, which is sorted, has the name.
  func hasEntry(_ name: [UInt8]) -> Bool {
    names.withUnsafeBufferPointer { names in
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        let entry = entries[middle]
        let order = compareNames(names, entry.nameStart, entry.nameLength, name, 0, name.count)
        if order == 0 { return true }
        if order < 0 { low = middle + 1 } else { high = middle }
      }
      return false
    }
  }

  mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ kind: Kind, isLink: Bool) {
    entries.append(
      Entry(
        nameStart: names.count, nameLength: name.count, kind: kind, isLink: isLink,
        stamp: .none, device: 0, inode: 0))
    names.append(contentsOf: name)
    names.append(0)
  }

  mutating func sort() {
    names.withUnsafeBufferPointer { names in
      entries.sort {
        compareNames(
          names, $0.nameStart, $0.nameLength, names, $1.nameStart, $1.nameLength) < 0
      }
    }
  }
}

/// The status of a directory that is kept between two scans.
struct FolderStatus: Equatable {
  /// The device which, with the inode, identifies the directory within one run.
  var device: UInt64 = 0
  var inode: UInt64 = 0
  /// The kernel's number of the mount that it lies on.
  var mount: UInt64 = 0
  /// Whether that mount begins here; nil if the kernel doesn't say.
  var isMountRoot: Bool?
  /// The file system, as in the stamps of its files.
  var fileSystem: UInt64 = 0
  /// The `f_fsid`, even if stamps leave it out.
  var systemID: UInt64 = 0
  /// The change time, which is set when a name is added or removed.
  var changed: Int64 = 0
  var hasStableInodes = true
  var isRemote = false
  var isOfKernel = false
}

extension FileIdentity {
  /// The identity of all files on file systems without stable inode numbers.
  static let none = FileIdentity(fileSystem: 0, inode: 0, birth: 0)
}

extension FileStamp {
  static let none = FileStamp(identity: .none, size: 0, modified: 0, changed: 0)

  /// Leaves out the inode and the file system if they may mean another file tomorrow.
  init(_ status: FileStatus, fileSystem: UInt64, hasStableInodes: Bool) {
    let identity =
      hasStableInodes
      ? FileIdentity(fileSystem: fileSystem, inode: status.inode, birth: status.birth)
      : .none
    self.init(
      identity: identity, size: status.size, modified: status.modified, changed: status.changed)
  }

  package init(_ status: FileStatus, on system: FileSystemStatus) {
    self.init(
      status, fileSystem: system.identifier, hasStableInodes: system.hasStableInodes)
  }
}

/// Compares bytes first, then lengths: the order of `BytePath`.
func compareNames(
  _ left: UnsafeBufferPointer<UInt8>, _ leftStart: Int, _ leftLength: Int,
  _ right: UnsafeBufferPointer<UInt8>, _ rightStart: Int, _ rightLength: Int
) -> Int {
  let common = min(leftLength, rightLength)
  for index in 0..<common {
    let one = left[leftStart &+ index]
    let other = right[rightStart &+ index]
    if one != other { return one < other ? -1 : 1 }
  }
  return leftLength - rightLength
}

func compareNames(
  _ left: UnsafeBufferPointer<UInt8>, _ leftStart: Int, _ leftLength: Int, _ right: [UInt8],
  _ rightStart: Int, _ rightLength: Int
) -> Int {
  right.withUnsafeBufferPointer {
    compareNames(left, leftStart, leftLength, $0, rightStart, rightLength)
  }
}
