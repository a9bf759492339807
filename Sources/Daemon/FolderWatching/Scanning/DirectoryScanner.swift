import Glibc
import LibraryModel
import Platform

/// A directory that is open to be listed.
final class OpenDirectory {
  private let file: OpenFile
  /// The absolute path.
  let path: BytePath
  let status: FolderStatus

  /// - Parameter isLink: whether a symbolic link may be followed.
  init(_ path: BytePath, isLink: Bool) throws(SystemCallError) {
    self.path = path
    var flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC
    if !isLink { flags |= O_NOFOLLOW }
    let descriptor = path.withCPath { path in retrying { open(path, flags) } }
    guard descriptor >= 0 else { throw SystemCallError("open", path.display) }
    file = OpenFile(owning: descriptor)
    guard let status = FileStatus(descriptor: descriptor),
      let system = FileSystemStatus(descriptor: descriptor)
    else { throw SystemCallError("statx", path.display) }
    self.status = FolderStatus(status, on: system)
  }

  var descriptor: Int32 { file.descriptor }
}

/// Lists one directory at a time. Nothing stays open between two scans.
final class DirectoryScanner {
  private let room = DirectoryNames()

  /// Lists the directory. After an error, the listing must not be used.
  func list(
    _ open: OpenDirectory, into listing: inout FolderListing, hasRules: Bool,
    isLeftOut: (FolderListing, FolderListing.Entry) -> Bool
  ) throws(SystemCallError) {
    listing.removeAll()
    let (directory, path) = (open.descriptor, open.path)
    listing.status = open.status
    var hasIgnoreFile = false
    try room.read(directory) { (name, kind) in
      if name.elementsEqual(crateIgnoreName) { hasIgnoreFile = true }
      Self.note(name, kind, &listing)
    }
    if hasIgnoreFile { listing.ignoreRules = Self.ignoreRules(directory) }
    if hasRules || listing.ignoreRules != nil || listing.hasTrash {
      let all = listing
      listing.entries.removeAll { isLeftOut(all, $0) }
    }
    listing.sort()
    stat(directory, path, &listing)
    statCover(directory, &listing)
  }

  private static func note(
    _ name: UnsafeBufferPointer<UInt8>, _ kind: DirectoryNames.Kind,
    _ listing: inout FolderListing
  ) {
    if kind == .other || ListedNames.isLeftOut(name) { return }
    if ListedNames.isTrash(name) { listing.hasTrash = true }
    let isAudio = ListedNames.isAudio(name)
    if !isAudio && kind != .directory { listing.noteImage(name) }
    if kind == .file && !isAudio { return }
    switch kind {
    case .directory: listing.append(name, .folder, isLink: false)
    case .file: listing.append(name, .file, isLink: false)
    default: listing.append(name, .unseen, isLink: kind == .link)
    }
  }

  /// Reads the directory's `.crateignore`. If it cannot be read, it ignores nothing.
  private static func ignoreRules(_ directory: Int32) -> IgnoreRules? {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
    let descriptor = BytePath(crateIgnoreName).withCPath { openat(directory, $0, flags) }
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(owning: descriptor)
    guard FileStatus(descriptor: file.descriptor)?.isFile == true else { return nil }
    var text = [UInt8](repeating: 0, count: IgnoreRules.mostBytes)
    let count = retrying { pread(file.descriptor, &text, text.count, 0) }
    return count > 0 ? IgnoreRules(text.prefix(count)) : nil
  }

  /// Fills in the stamps, and drops what is neither a directory nor a file that may be music.
  private func stat(_ directory: Int32, _ path: BytePath, _ listing: inout FolderListing) {
    var kept = 0
    for index in listing.entries.indices {
      var entry = listing.entries[index]
      if entry.kind != .folder || entry.isLink {
        guard stat(&entry, in: directory, path, &listing) else { continue }
      }
      listing.entries[kept] = entry
      kept += 1
    }
    listing.entries.removeLast(listing.entries.count - kept)
  }

  /// Computes the cover's digest from the stamp: another picture is another file, or a changed one.
  private func statCover(_ directory: Int32, _ listing: inout FolderListing) {
    guard let (name, _) = listing.image,
      let status = BytePath(name).withCPath({
        FileStatus(directory: directory, name: $0, followsLinks: true)
      }), status.isFile
    else { return }
    let own = listing.status
    let isOwn = status.device == own.device
    listing.cover = CoverDigest(
      of: FileStamp(
        status, fileSystem: isOwn ? own.fileSystem : 0,
        hasStableInodes: isOwn && own.hasStableInodes))
  }

  private func stat(
    _ entry: inout FolderListing.Entry, in directory: Int32, _ path: BytePath,
    _ listing: inout FolderListing
  ) -> Bool {
    let status = listing.names.withUnsafeBufferPointer { names in
      names.baseAddress?.withMemoryRebound(to: CChar.self, capacity: names.count) {
        FileStatus(
          directory: directory, name: $0 + entry.nameStart, followsLinks: entry.isLink)
      }
    }
    guard let status = status.flatMap({ $0 }) else {
      // A name that went after it was listed. If it is a link, only its target is missing.
      if errno == ENOENT && !entry.isLink { return false }
      let code = errno
      entry.kind = .unseen
      let isAway = entry.isLink && (code == ENOENT || code == ENOTDIR || code == ELOOP)
      if !isAway {
        listing.failures.append(
          (listing.name(entry), SystemCallError("statx", path.display, code: code)))
      }
      return true
    }
    entry.device = status.device
    entry.inode = status.inode
    if status.isDirectory {
      entry.kind = .folder
      return true
    }
    guard status.isFile, isAudio(entry, listing) else { return false }
    guard let stamp = stamp(status, entry, path, listing) else { return false }
    entry.kind = .file
    entry.stamp = stamp
    return true
  }

  private func isAudio(_ entry: FolderListing.Entry, _ listing: FolderListing) -> Bool {
    listing.names.withUnsafeBufferPointer {
      ListedNames.isAudio(
        UnsafeBufferPointer(
          rebasing: $0[entry.nameStart..<(entry.nameStart + entry.nameLength)]))
    }
  }

  /// Returns the file's stamp; nil for a file of the kernel's own.
  private func stamp(
    _ status: FileStatus, _ entry: FolderListing.Entry, _ path: BytePath, _ listing: FolderListing
  ) -> FileStamp? {
    let own = listing.status
    guard status.device != own.device else {
      return FileStamp(
        status, fileSystem: own.fileSystem, hasStableInodes: own.hasStableInodes)
    }
    let system = path.appending(listing.name(entry)).withCPath { FileSystemStatus(path: $0) }
    guard let system else {
      return FileStamp(status, fileSystem: 0, hasStableInodes: false)
    }
    if system.isOfKernel { return nil }
    return FileStamp(status, on: system)
  }
}

extension FolderStatus {
  init(_ status: FileStatus, on system: FileSystemStatus) {
    self.init(
      device: status.device, inode: status.inode, mount: status.mount,
      isMountRoot: status.isMountRoot,
      fileSystem: system.hasStableInodes ? system.identifier : 0, systemID: system.identifier,
      changed: status.changed,
      hasStableInodes: system.hasStableInodes, isRemote: system.isRemote,
      isOfKernel: system.isOfKernel)
  }
}

extension BytePath {
  /// Calls the body with the path as a C string.
  func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { room in
      for (index, byte) in bytes.enumerated() { room[index] = CChar(bitPattern: byte) }
      room[bytes.count] = 0
      guard let path = room.baseAddress else { preconditionFailure("there is room for the NUL") }
      return body(path)
    }
  }
}
