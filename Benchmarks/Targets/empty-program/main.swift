// The floor under every command of a Swift program whose standard library is linked into it.
