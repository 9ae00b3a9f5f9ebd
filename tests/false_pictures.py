"""Files that look like pictures and are none that anybody should decode."""

__all__ = ["png_header"]

import struct
import zlib


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds one compressed zero byte."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    content = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + content
