#!/usr/bin/env python3
"""make_meshes.py FOLDER: writes an event file with meshes for the help's pictures: a ring that closes over the steps, the same as a cloud of points, and a sphere."""
import colorsys
import math
import os
import struct
import sys


def crc32c_table():
    table = []
    for i in range(256):
        for _ in range(8):
            i = (i >> 1) ^ (0x82F63B78 if i & 1 else 0)
        table.append(i)
    return table


TABLE = crc32c_table()


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(data):
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc(length)) + data + struct.pack("<I", masked_crc(data))


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def tensor(kind, rows):
    dtype, form = {"VERTEX": (1, "f"), "FACE": (3, "i"), "COLOR": (4, "B")}[kind]
    shape = b"".join(message(2, number(1, size)) for size in (1, len(rows), 3))
    return number(1, dtype) + message(2, shape) + message(4, b"".join(struct.pack("<3" + form, *row) for row in rows))


def value(mesh, kind, rows):
    content = number(1, 1) + message(2, mesh) + number(3, {"VERTEX": 1, "FACE": 2, "COLOR": 3}[kind])
    content += message(5, "{}") + message(6, varint(1) + varint(len(rows)) + varint(3))
    return message(1, message(1, f"{mesh}_{kind}") + message(9, message(1, message(1, "mesh") + message(2, content))) + message(8, tensor(kind, rows)))


def surface(point, across, along, closed):
    """Vertices, faces and colours of a surface over a grid; closed: its last row meets the first."""
    vertices, colors, faces = [], [], []
    for i in range(across):
        for k in range(along):
            vertices.append(point(i / (across if closed else across - 1), k / along))
            colors.append([round(255 * c) for c in colorsys.hsv_to_rgb(i / across, 0.55, 0.95)])
    for i in range(across if closed else across - 1):
        for k in range(along):
            a, b = i * along + k, i * along + (k + 1) % along
            c, d = (i + 1) % across * along + k, (i + 1) % across * along + (k + 1) % along
            faces += [(a, c, b), (b, c, d)]
    return vertices, faces, colors


def ring(share):
    def point(u, v):
        turn, tube = 2 * math.pi * u * share, 2 * math.pi * v
        return [(1 + 0.35 * math.cos(tube)) * math.cos(turn), 0.35 * math.sin(tube), (1 + 0.35 * math.cos(tube)) * math.sin(turn)]

    return surface(point, 72, 28, share == 1)


def sphere(bumps):
    def point(u, v):
        polar, turn = math.pi * (0.001 + 0.998 * u), 2 * math.pi * v
        radius = 1 + 0.12 * bumps * math.sin(5 * turn) * math.sin(polar) ** 3
        return [radius * math.sin(polar) * math.cos(turn), radius * math.cos(polar), radius * math.sin(polar) * math.sin(turn)]

    return surface(point, 48, 60, False)


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    with open(os.path.join(sys.argv[1], "events.out.tfevents.1500000000.meshes"), "wb") as out:
        out.write(record(b"\x09" + struct.pack("<d", 1500000000) + message(3, "brain.Event:2")))
        for step in range(5):
            vertices, faces, colors = ring((step + 1) / 5)
            summary = value("ring", "VERTEX", vertices) + value("ring", "FACE", faces) + value("ring", "COLOR", colors)
            summary += value("points", "VERTEX", vertices) + value("points", "COLOR", colors)
            vertices, faces, colors = sphere(step / 4)
            summary += value("sphere", "VERTEX", vertices) + value("sphere", "FACE", faces)
            out.write(record(b"\x09" + struct.pack("<d", 1500000001 + step) + number(2, 100 * step) + message(5, summary)))


main()
