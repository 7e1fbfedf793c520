"""The TensorFlow version that Weft provides, and information about its own build."""

VERSION = "1.15.5"
GIT_VERSION = "weft"
COMPILER_VERSION = ""
CXX11_ABI_FLAG = 1
MONOLITHIC_BUILD = 0
