"""Writes the files of this folder, and beside each NAME the arrays in it as NAME.npz.

Needs scipy, Pillow and scikit-learn: what they read is the truth. The samples are random numbers with a fixed seed.
"""

import os
import struct
import sys

import numpy as np
import PIL.Image
import scipy.io
import scipy.sparse
from scipy.io import wavfile
from sklearn.datasets import dump_svmlight_file


def picture(name, image, **how):
    image.save(name, **how)
    read = PIL.Image.open(name)
    if getattr(read, "n_frames", 1) > 1:
        frames = []
        for i in range(read.n_frames):
            read.seek(i)
            frames.append(np.array(read.convert(how["save_as"])))
        np.savez(name + ".npz", array=np.array(frames))
        return
    pixels = np.array(read.convert("RGB") if read.mode == "P" else read)
    np.savez(name + ".npz", array=pixels.reshape(pixels.shape[:2] + (-1,)))


def other_sounds(sound):
    """Sounds of rarer forms, which scipy reads but does not write: big-endian, with 64-bit sizes, of 12 bits and of 64-bit floats."""
    twelve = (np.round(sound * 2047).astype("i2") << 4).astype("<i2")
    for name, magic, order, code, bits, samples, scale in (
        ("rifx.wav", b"RIFX", ">", 1, 16, (sound * 32767).astype(">i2"), 2.0**15),
        ("rf64.wav", b"RF64", "<", 1, 16, (sound * 32767).astype("<i2"), 2.0**15),
        ("s12.wav", b"RIFF", "<", 1, 12, twelve, 2.0**15),
        ("f64.wav", b"RIFF", "<", 3, 64, sound.astype("<f8"), 1),
    ):
        width = samples.dtype.itemsize
        data = samples.tobytes()
        form = b"fmt " + struct.pack(order + "IHHIIHH", 16, code, 2, 8000, 16000 * width, 2 * width, bits)
        long = b""
        size = len(data)
        if magic == b"RF64":
            long = b"ds64" + struct.pack("<IQQQI", 28, 72 + len(data), len(data), len(sound), 0)
            size = 0xFFFFFFFF
        body = b"WAVE" + long + form + b"data" + struct.pack(order + "I", size) + data
        with open(name, "wb") as f:
            f.write(magic + struct.pack(order + "I", len(body) if size == len(data) else size) + body)
        read = wavfile.read(name)[1]
        np.savez(name + ".npz", array=(read / scale).astype("f4"))


def main(folder):
    os.chdir(folder)
    random = np.random.RandomState(1)

    def pixels(*shape):
        return PIL.Image.fromarray(random.randint(0, 256, shape).astype("u1"))

    rgb = pixels(5, 7, 3)
    picture("rgb.png", rgb)
    picture("rgb.bmp", rgb)
    picture("rgb.webp", rgb, quality=80)
    picture("alpha.webp", pixels(5, 7, 4), lossless=True, exact=True)
    picture("grey.bmp", pixels(3, 5))
    picture("palette.bmp", rgb.quantize(8))
    picture("deep.png", PIL.Image.fromarray(random.randint(0, 65536, (3, 4)).astype("u2")))
    frames = [pixels(6, 4, 3).quantize(16) for _ in range(3)]
    picture("moving.gif", frames[0], save_all=True, append_images=frames[1:], save_as="RGB")
    frames = [pixels(6, 4, 4) for _ in range(3)]
    picture("moving.webp", frames[0], save_all=True, append_images=frames[1:], lossless=True, exact=True, save_as="RGBA")

    sound = random.rand(20, 2) * 2 - 1
    for name, samples, scale in (
        ("s16.wav", (sound * 32767).astype("i2"), 2.0**15),
        ("s32.wav", (sound * 2e9).astype("i4"), 2.0**31),
        ("f32.wav", sound.astype("f4"), 1),
    ):
        wavfile.write(name, 8000, samples)
        np.savez(name + ".npz", array=(samples / scale).astype("f4"))
    other_sounds(sound)

    arrays = {
        "d": random.rand(3, 4),
        "f": random.rand(2, 3).astype("f4"),
        "i8": np.arange(-3, 3).reshape(2, 3).astype("i1"),
        "u16": np.arange(6).reshape(1, 6).astype("u2"),
        "i64": np.array([[2**60 + 1, -5]]),
        "b": np.array([[True, False], [False, True]]),
        "c": random.rand(2, 2) + 1j * random.rand(2, 2),
        "cube": np.arange(24.0).reshape(2, 3, 4),
        "empty": np.zeros((0, 3)),
    }
    others = {
        "t": "Grüße 𝄞",
        "rows": np.array(["abc", "xyz"]),
        "s": {"x": 1.5, "inner": {"y": np.arange(3.0)}},
        "cells": np.array([np.arange(2.0), "word"], dtype=object),
        "sp": scipy.sparse.csc_matrix(np.array([[0, 1.5, 0], [2, 0, 0]])),
    }
    truth = dict(arrays)
    truth.update(
        {
            "s.x": np.array([[1.5]]),
            "s.inner.y": np.arange(3.0).reshape(1, 3),
            "cells{1}": np.arange(2.0).reshape(1, 2),
            "sp/indices": np.array([[0, 1], [1, 0]]),
            "sp/values": np.array([1.5, 2.0]),
            "sp/dense_shape": np.array([2, 3]),
        }
    )
    for name, packed in (("plain.mat", False), ("packed.mat", True)):
        scipy.io.savemat(name, {**arrays, **others}, do_compression=packed)
        np.savez(name + ".npz", **truth)

    table = random.rand(5, 4) * (random.rand(5, 4) > 0.5)
    labels = np.array([1, -1, 1, -1, 1.0])
    rows, columns = np.nonzero(table)
    for name, from_zero in (("one.libsvm", False), ("zero.libsvm", True)):
        dump_svmlight_file(table, labels, name, zero_based=from_zero)
        np.savez(
            name + ".npz",
            labels=labels.astype("f4"),
            indices=np.stack([rows, columns], 1),
            values=table[rows, columns].astype("f4"),
            dense_shape=np.array(table.shape),
        )


if __name__ == "__main__":
    main(sys.argv[1])
