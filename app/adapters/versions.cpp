#include "adapters/versions.h"

#include <QtGlobal>

// Versions that the program was built with; the headers belong to the engine's own dependencies.
#include <zlib.h>

#include <nlohmann/json.hpp>
#if __has_include(<oneapi/dnnl/dnnl_version.h>)
#include <oneapi/dnnl/dnnl_version.h>
#elif __has_include(<dnnl_version.h>)
#include <dnnl_version.h>
#endif
#if __has_include(<google/protobuf/stubs/common.h>)
#include <google/protobuf/stubs/common.h>
#endif
#if __has_include(<eigen3/Eigen/src/Core/util/Macros.h>)
#include <eigen3/Eigen/src/Core/util/Macros.h>
#endif
#if __has_include(<png.h>)
#include <png.h>
#endif
#if __has_include(<jpeglib.h>)
#include <cstdio>
// jpeglib.h needs <cstdio> before it.
#include <jpeglib.h>
#endif
#if __has_include(<gif_lib.h>)
#include <gif_lib.h>
#endif
#if __has_include(<webp/decode.h>)
#include <webp/decode.h>
#endif
#if __has_include(<snappy-stubs-public.h>)
#include <snappy-stubs-public.h>
#endif
#if __has_include(<unicode/uvernum.h>)
#include <unicode/uvernum.h>
#endif
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#endif

#include "adapters/engine_graph.h"
#include "weft/session.h"

namespace weft::app {

QVector<LibraryVersion> libraryVersions() {
  const auto dotted = [](int a, int b, int c) { return QStringLiteral("%1.%2.%3").arg(a).arg(b).arg(c); };
  QVector<LibraryVersion> list{{QStringLiteral("Weft"), text(engineVersion()), QStringLiteral("GPL-3.0-or-later")},
                               {QStringLiteral("Qt"), QLatin1String(qVersion()), QStringLiteral("LGPL-3.0; Qt Charts GPL-3.0")}};
#ifdef DNNL_VERSION_MAJOR
  list.push_back({QStringLiteral("oneDNN"), dotted(DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH), QStringLiteral("Apache-2.0")});
#endif
#ifdef GOOGLE_PROTOBUF_VERSION
  list.push_back({QStringLiteral("Protocol Buffers"),
                  dotted(GOOGLE_PROTOBUF_VERSION / 1000000, GOOGLE_PROTOBUF_VERSION / 1000 % 1000, GOOGLE_PROTOBUF_VERSION % 1000),
                  QStringLiteral("BSD-3-Clause")});
#endif
#ifdef EIGEN_WORLD_VERSION
  list.push_back({QStringLiteral("Eigen"), dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION), QStringLiteral("MPL-2.0")});
#endif
  list.push_back({QStringLiteral("zlib"), QLatin1String(zlibVersion()), QStringLiteral("Zlib")});
  list.push_back({QStringLiteral("JSON for Modern C++"), dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH),
                  QStringLiteral("MIT")});
#ifdef PNG_LIBPNG_VER_STRING
  list.push_back({QStringLiteral("libpng"), QStringLiteral(PNG_LIBPNG_VER_STRING), QStringLiteral("libpng-2.0")});
#endif
#ifdef JPEG_LIB_VERSION
  list.push_back({QStringLiteral("libjpeg"), QString::number(JPEG_LIB_VERSION / 10.0), QStringLiteral("IJG")});
#endif
#ifdef GIFLIB_MAJOR
  list.push_back({QStringLiteral("giflib"), dotted(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE), QStringLiteral("MIT")});
#endif
#ifdef WEBP_DECODER_ABI_VERSION
  list.push_back({QStringLiteral("libwebp"), QStringLiteral("ABI %1.%2").arg(WEBP_DECODER_ABI_VERSION >> 8).arg(WEBP_DECODER_ABI_VERSION & 255),
                  QStringLiteral("BSD-3-Clause")});
#endif
#ifdef SQLITE_VERSION
  list.push_back({QStringLiteral("SQLite"), QStringLiteral(SQLITE_VERSION), QStringLiteral("public domain")});
#endif
#ifdef SNAPPY_MAJOR
  list.push_back({QStringLiteral("Snappy"), dotted(SNAPPY_MAJOR, SNAPPY_MINOR, SNAPPY_PATCHLEVEL), QStringLiteral("BSD-3-Clause")});
#endif
#ifdef U_ICU_VERSION
  list.push_back({QStringLiteral("ICU"), QStringLiteral(U_ICU_VERSION), QStringLiteral("Unicode-3.0")});
#endif
  // Their headers contain no version.
  list.push_back({QStringLiteral("RE2"), QStringLiteral("–"), QStringLiteral("BSD-3-Clause")});
  list.push_back({QStringLiteral("FarmHash"), QStringLiteral("–"), QStringLiteral("MIT")});
  list.push_back({QStringLiteral("simdjson"), QStringLiteral("–"), QStringLiteral("Apache-2.0")});
  return list;
}

}  // namespace weft::app
