extension HeldFileSystem {
  /// Speaks the kernel's protocol of FUSE (linux/fuse.h) by hand, so that nothing has to be
  /// installed and nothing stands between the kernel and what it waits for.
  ///
  /// What lies in the directory SOURCE is shown at PLACE, and cannot be written. Lines on standard
  /// input: `hold KIND` has calls of that kind unanswered from now on (`read`; `look`: whatever a
  /// stat or a listing asks; `open`; `flush`, which the kernel asks at each close); `answer`
  /// answers them, and all to come; `only NAME/NAME` has calls for files of other names answered
  /// all the same; `fail list` has listings fail, and `failures` tells how many did. Each is
  /// confirmed by a line. The first call that is held after a `hold` says so in a line, `held
  /// KIND`. It ends with its standard input.
  static let server = #"""
    import ctypes, errno, os, select, stat, struct, sys
    source, place, numbers = sys.argv[1:4]
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open('/dev/fuse', os.O_RDWR | os.O_CLOEXEC)
    os.set_blocking(device, False)
    options = b'fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other' % device
    if libc.mount(b'held', os.fsencode(place), b'fuse.held', 0, options) != 0:
        sys.exit('mount: ' + os.strerror(ctypes.get_errno()))
    paths, nodes = {1: os.fsencode(source)}, {os.fsencode(source): 1}
    kinds = {15: 'read', 14: 'open', 25: 'flush'}
    for call in (1, 3, 17, 27, 28, 44, 52): kinds[call] = 'look'
    holding, held, told = set(), [], set()
    only = None
    isFailing, failures = False, 0

    def node(path):
        if path not in nodes:
            nodes[path] = len(nodes) + 1
            paths[nodes[path]] = path
        return nodes[path]

    def number(path, found):
        isFolder = stat.S_ISDIR(found.st_mode)
        return 7 if numbers == 'one' and isFolder and path != paths[1] else node(path) + 1000

    def attributes(path):
        s = os.lstat(path)
        times = [(t // 10**9, t % 10**9) for t in (s.st_atime_ns, s.st_mtime_ns, s.st_ctime_ns)]
        return struct.pack('<6Q10I', number(path, s), s.st_size, s.st_blocks,
            *[t[0] for t in times], *[t[1] for t in times],
            s.st_mode, s.st_nlink, s.st_uid, s.st_gid, 0, 4096, 0)

    def listing(path, offset, size):
        names = [b'.', b'..'] + sorted(os.listdir(path))
        out = b''
        for index, name in enumerate(names[offset:], offset + 1):
            try: found = os.lstat(os.path.join(path, name))
            except OSError: continue
            kind = stat.S_IFMT(found.st_mode) >> 12
            own = number(os.path.join(path, name), found) if index > 2 else 1
            entry = struct.pack('<QQII', own, index, len(name), kind) + name
            entry += b'\0' * (-len(entry) % 8)
            if len(out) + len(entry) > size: break
            out += entry
        return out

    def answer(call, own, body):
        global failures
        path = paths.get(own)
        if call == 26:
            major, minor, ahead, flags = struct.unpack_from('<4I', body)
            return struct.pack('<4I2H2I2H8I', 7, 31, ahead, 0, 12, 9, 65536, 1, 0, 0, *[0] * 8)
        if call == 1:
            path = os.path.join(path, body.rstrip(b'\0'))
            shown = attributes(path)
            return struct.pack('<4Q2I', node(path), 0, 0, 0, 0, 0) + shown
        if call == 3: return struct.pack('<QII', 0, 0, 0) + attributes(path)
        if call == 5: return os.readlink(path)
        if call in (14, 27): return struct.pack('<QII', 0, 0, 0)
        if call == 28 and isFailing:
            failures += 1
            raise OSError(errno.EIO, '')
        if call in (15, 28):
            handle, offset, size = struct.unpack_from('<QQI', body)
            if call == 28: return listing(path, offset, size)
            with open(path, 'rb') as file:
                file.seek(offset)
                return file.read(size)
        if call == 17:
            blocks = (1 << 20, 1 << 19, 1 << 19, 999, 99)
            return struct.pack('<5Q4I6I', *blocks, 4096, 255, 4096, *[0] * 7)
        if call in (18, 29, 25, 38): return b''
        raise OSError(errno.ENOSYS, '')

    def reply(call, unique, own, body):
        # Of a forgotten node, and of a call that a signal ended, nobody waits for an answer.
        if call in (2, 42, 36): return
        code, out = 0, b''
        try: out = answer(call, own, body)
        except OSError as error: code = error.errno
        try: os.write(device, struct.pack('<IiQ', 16 + len(out), -code, unique) + out)
        except OSError: pass

    def say(line): print(line, flush=True)
    say('mounted')
    lines = b''
    while True:
        ready, _, _ = select.select([device, 0], [], [])
        if device in ready:
            try: request = os.read(device, 1 << 18)
            except BlockingIOError: continue
            except OSError as error:
                if error.errno in (errno.ENOENT, errno.EINTR): continue
                break
            length, call, unique, own = struct.unpack_from('<IIQQ', request)
            one = (call, unique, own, request[40:length])
            kind = kinds.get(call)
            isMeant = only is None or os.path.basename(paths.get(own, b'')) in only
            if kind in holding and isMeant:
                held.append(one)
                if kind not in told: say('held ' + kind)
                told.add(kind)
            else: reply(*one)
        if 0 in ready:
            more = os.read(0, 4096)
            if not more: break
            lines += more
            while b'\n' in lines:
                line, lines = lines.split(b'\n', 1)
                words = line.decode().split()
                if words[0] == 'hold':
                    holding.update(words[1:])
                    told.clear()
                elif words[0] == 'only': only = line.rstrip(b'\n').split(b' ', 1)[1].split(b'/')
                elif words[0] == 'fail': isFailing = True
                elif words[0] == 'failures': say(str(failures))
                else:
                    holding.clear()
                    only = None
                    isFailing = False
                    for one in held: reply(*one)
                    held.clear()
                say('done')
    libc.umount2(os.fsencode(place), 2)
    """#
}
