// Files of any bytes: the first byte of an input says what the files are called, the rest what is in them.
#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/crc32c.h"
#include "memory_files.h"

/// What is opened, and the files that there are. Kinds are only ever added at the end: inputs name them by their number (split_records.py).
struct HostileKind {
  const char* path;
  std::vector<const char*> names;  ///< In the order of an input's parts; what an input lacks does not exist.
  enum Form { Plain, Records, Archive } form = Plain;
};
inline constexpr std::string_view kBetweenParts("\n=8<==\n");

inline const std::vector<HostileKind>& hostileKinds() {
  using K = HostileKind;
#define WEFT_ON_CPU "d/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/"
  static const std::vector<HostileKind> kinds{
      {"g.pb", {"g.pb"}},
      {"m.index", {"m.index", "m.data-00000-of-00001"}},
      {"events.out.tfevents.1", {"events.out.tfevents.1"}, K::Records},
      {"a.npz", {"a.npz"}},
      {"r.tfrecord", {"r.tfrecord"}, K::Records},
      {"t.json", {"t.json"}},
      {"b.bin", {"b.bin"}},
      {"m", {"m"}},
      {"saved_model.pb", {"saved_model.pb"}},
      {"x-idx1-ubyte", {"x-idx1-ubyte"}},
      {"t.csv", {"t.csv"}},
      {"keras_metadata.pb", {"keras_metadata.pb"}},
      {"t.xplane.pb", {"t.xplane.pb"}},
      {"p/projector_config.pbtxt",
       {"p/projector_config.pbtxt", "p/labels.tsv", "p/sprite.png", "p/tensor.tsv", "p/tensor.bytes", "p/model.ckpt.index",
        "p/model.ckpt.data-00000-of-00001"}},
      {"s", {"s/saved_model.pb", "s/variables/variables.index", "s/variables/variables.data-00000-of-00001", "s/assets/words.txt", "s/keras_metadata.pb"}},
      {"d",
       {"d/_tfdbg_core_metadata_sessionrun00000000000123_1", WEFT_ON_CPU "_tfdbg_graph_hash1_1", WEFT_ON_CPU "w_0_DebugIdentity_1",
        WEFT_ON_CPU "w_0_DebugNumericSummary_2", "d/_tfdbg_feed_keys_info_"}},
      {"v",
       {"v/tfdbg_events.1.h.metadata", "v/tfdbg_events.1.h.execution", "v/tfdbg_events.1.h.graph_execution_traces", "v/tfdbg_events.1.h.graphs",
        "v/tfdbg_events.1.h.source_files", "v/tfdbg_events.1.h.stack_frames"},
       K::Records},
      {"l", {"l/events.out.tfevents.1", "l/events.out.tfevents.2"}, K::Records},
      {"a.keras", {"metadata.json", "config.json", "model.weights.h5"}, K::Archive},
      {"a.npz", {"a.npy", "b.npy"}, K::Archive},
  };
#undef WEFT_ON_CPU
  return kinds;
}

/// Records whose bytes were changed get checksums that fit, as far as their lengths do.
inline void mendChecksums(std::string& records) {
  const auto put = [&](size_t at, uint32_t crc) {
    crc = weft::maskCrc(crc);
    std::memcpy(&records[at], &crc, 4);
  };
  for (size_t at = 0; at + 16 <= records.size();) {
    uint64_t size;
    std::memcpy(&size, &records[at], 8);
    put(at + 8, weft::crc32c(0, &records[at], 8));
    if (size > records.size() - at - 16) return;
    put(at + 12 + size_t(size), weft::crc32c(0, &records[at + 12], size_t(size)));
    at += 16 + size_t(size);
  }
}

/// The members as a ZIP archive, stored without compression.
inline std::string archiveOf(const std::vector<const char*>& names, const std::vector<std::string>& contents) {
  std::string out, list;
  const auto number = [](std::string& into, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) into += i < 8 ? char(value >> 8 * i) : char(0);
  };
  for (size_t i = 0; i < contents.size(); ++i) {
    const std::string_view name = names[i];
    const auto at = out.size();
    std::string entry;
    number(entry, 20, 2);
    number(entry, 0, 8);
    number(entry, crc32(0, reinterpret_cast<const Bytef*>(contents[i].data()), uInt(contents[i].size())), 4);
    number(entry, contents[i].size(), 4);
    number(entry, contents[i].size(), 4);
    number(entry, name.size(), 2);
    number(entry, 0, 2);
    out.append("PK\3\4").append(entry).append(name).append(contents[i]);
    list.append("PK\1\2").append("\x14\0", 2).append(entry);
    number(list, 0, 10);
    number(list, at, 4);
    list.append(name);
  }
  const auto at = out.size();
  out.append(list).append("PK\5\6");
  number(out, 0, 4);
  number(out, contents.size(), 2);
  number(out, contents.size(), 2);
  number(out, list.size(), 4);
  number(out, at, 4);
  number(out, 0, 2);
  return out;
}

struct HostileFiles {
  MemoryFiles files;
  std::string path;                ///< What is opened; empty: the input has no bytes.
  std::vector<std::string> parts;  ///< Contents by the order of names.
};

/// The files of an input. The highest bit of its first byte asks for checksums that fit.
inline std::unique_ptr<HostileFiles> hostileFiles(const uint8_t* data, size_t size) {
  auto out = std::make_unique<HostileFiles>();
  if (size < 1) return out;
  const HostileKind& kind = hostileKinds()[(data[0] & 127) % hostileKinds().size()];
  out->path = kind.path;
  std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);
  while (out->parts.size() < kind.names.size()) {
    const size_t end = out->parts.size() + 1 == kind.names.size() ? rest.npos : rest.find(kBetweenParts);
    out->parts.emplace_back(rest.substr(0, end));
    if (kind.form == HostileKind::Records && (data[0] & 128)) mendChecksums(out->parts.back());
    if (end == rest.npos) break;
    rest.remove_prefix(end + kBetweenParts.size());
  }
  // A checkpoint's index alone gets data too: the end of the input.
  if (out->path == "m.index" && out->parts.size() == 1) out->parts.emplace_back(reinterpret_cast<const char*>(data + size / 2), size - size / 2);
  if (kind.form == HostileKind::Archive) {
    out->files.files[out->path] = std::make_shared<std::string>(archiveOf(kind.names, out->parts));
    return out;
  }
  for (size_t i = 0; i < out->parts.size(); ++i) {
    const std::string name = kind.names[i];
    out->files.files[name] = std::make_shared<std::string>(out->parts[i]);
    for (size_t at = name.find('/'); at != name.npos; at = name.find('/', at + 1)) out->files.folders.insert(name.substr(0, at));
  }
  return out;
}
