"""without_unwinding.py PROGRAM...

Removes the tables for unwinding from programs that unwind nothing, as
Documentation/developers/decisions/0030-no-tables-for-unwinding.md says.

strip(1) removes the sections, but leaves the program header PT_GNU_EH_FRAME, which then points at
unmapped memory, and drops PT_GNU_RELRO, by which the loader makes what it has relocated read-only.
So the first is overwritten with the second. Addresses in memory stay as they are.
"""

import struct
import subprocess
import sys

LOAD, EH_FRAME, RELRO = 1, 0x6474E550, 0x6474E552
# ELF64: type, flags, offset, virtual and physical address, sizes in file and memory, alignment.
HEADER = struct.Struct("<IIQQQQQQ")


def program_headers(program):
    """The offsets of all program headers in the file, with their fields."""
    with open(program, "rb") as file:
        elf = file.read()
    if elf[:6] != b"\x7fELF\x02\x01":
        sys.exit(f"{program} is no little-endian ELF file of 64 bits")
    (first,) = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    places = range(first, first + size * count, size)
    return {place: HEADER.unpack_from(elf, place) for place in places}


def only(kind, headers, program):
    found = [place for place, header in headers.items() if header[0] == kind]
    if len(found) != 1:
        sys.exit(f"{program} has {len(found)} program headers of type {kind:#x}, and not one")
    return found[0]


def strip(program):
    before = program_headers(program)
    _, flags, _, address, physical, in_file, in_memory, alignment = before[
        only(RELRO, before, program)
    ]
    subprocess.run(
        ["strip", "--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr", program],
        check=True,
    )
    after = program_headers(program)
    start = next(
        load[2] - load[3]
        for load in after.values()
        if load[0] == LOAD and load[3] <= address and address + in_memory <= load[3] + load[6]
    )
    relro = (RELRO, flags, start + address, address, physical, in_file, in_memory, alignment)
    with open(program, "r+b") as file:
        file.seek(only(EH_FRAME, after, program))
        file.write(HEADER.pack(*relro))
    only(RELRO, program_headers(program), program)


for argument in sys.argv[1:]:
    strip(argument)
