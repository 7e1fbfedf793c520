#include "io/keras/archive.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "io/inspect/report.h"
#include "io/keras/importer.h"
#include "weft/arrays.h"

// The weights lie in groups `layers/KEY/vars/N`. KEY is the layer's class in snake case, counted where several layers are of one class; newer versions write
// the layer's name as the group's attribute `name`. A layer within a layer, such as the cell of an LSTM, has a group of its own within the group.

namespace weft::keras_io {
namespace {

using inspect::bad;
using inspect::Hdf5File;
using inspect::Hdf5Object;

constexpr int kDeepestArchive = 16;

bool isNestedModel(const std::string& className) { return className == "Sequential" || className == "Model" || className == "Functional"; }

/// "Conv2D" as "conv2d", "BatchNormalization" as "batch_normalization": Keras's own rule.
std::string snakeCase(const std::string& className) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  for (size_t i = 0; i < className.size(); ++i) {
    const char c = className[i];
    if (c == '_' || upper(c) || lower(c) || digit(c)) {
      const bool beforeWord = i > 0 && i + 1 < className.size() && upper(c) && lower(className[i + 1]);
      const bool afterWord = i > 0 && upper(c) && lower(className[i - 1]);
      if ((beforeWord || afterWord) && !out.empty() && out.back() != '_') out += '_';
      out += upper(c) ? char(c - 'A' + 'a') : c;
    }
  }
  return out;
}

/// Reads the groups of an archive's weights in the order of its layers.
class Groups {
 public:
  explicit Groups(const Hdf5File& file) : file_(file) {}

  /// The layers of a model's configuration, each with its weights.
  Result<std::vector<StoredLayer>> layersOf(const Json& config, const std::string& className, uint64_t address, int depth = 0) {
    std::vector<StoredLayer> out;
    if (depth > kDeepestArchive) return invalidArgument("models are nested more than ", kDeepestArchive, " deep").ofKind("invalid_model");
    const Json* list = field(config, "layers");
    if (!list || !list->is_array()) return out;
    WEFT_LET(const Hdf5Object model, file_.read(address));
    // TensorFlow 2.12 to 2.15 had another name for the group.
    auto at = model.children.find("layers");
    if (at == model.children.end()) at = model.children.find("_layer_checkpoint_dependencies");
    Hdf5Object groups;
    if (at != model.children.end()) {
      WEFT_LET(groups, file_.read(at->second));
    }
    std::map<std::string, uint64_t> byName;
    for (const auto& [key, child] : groups.children) {
      WEFT_LET(const Hdf5Object group, file_.read(child));
      if (const auto name = group.attributes.find("name"); name != group.attributes.end() && !name->second.empty()) byName[name->second[0]] = child;
    }
    std::map<std::string, int> used;
    bool first = true;
    for (const Json& entry : *list) {
      const Json* own = field(entry, "config");
      const std::string kind = textIn(entry, "class_name"), name = textIn(entry, "name", own ? textIn(*own, "name") : "");
      const bool skipped = first && className == "Sequential" && kind == "InputLayer";  // Keras does not count it as a layer
      first = false;
      if (skipped || !own) continue;
      const std::string snake = snakeCase(kind);
      const int count = used[snake]++;
      const std::string key = count == 0 ? snake : concat(snake, "_", count);
      StoredLayer layer{name, {}};
      const auto named = byName.find(name), counted = groups.children.find(key);
      const uint64_t group = named != byName.end() ? named->second : byName.empty() && counted != groups.children.end() ? counted->second : inspect::kNowhere;
      if (group != inspect::kNowhere && isNestedModel(kind)) {
        WEFT_LET(const auto inner, layersOf(*own, kind, group, depth + 1));
        for (const StoredLayer& l : inner)
          for (const StoredWeight& w : l.weights) layer.weights.push_back({name + "/" + w.name, w.dataset});
      } else if (group != inspect::kNowhere) {
        const Status status = addWeights(group, name, 0, &layer.weights);
        if (!status.ok()) {
          Error e = status.error();
          e.message = concat("layer '", name, "' (", kind, "): ", e.message);
          return e;
        }
      }
      out.push_back(std::move(layer));
    }
    return out;
  }

 private:
  Status addWeights(uint64_t address, const std::string& path, int depth, std::vector<StoredWeight>* out) {
    if (depth > kDeepestArchive) return bad("malformed", "its groups are nested more than ", kDeepestArchive, " deep");
    WEFT_LET(const Hdf5Object group, file_.read(address));
    const size_t before = out->size();
    if (const auto vars = group.children.find("vars"); vars != group.children.end()) {
      WEFT_LET(const Hdf5Object all, file_.read(vars->second));
      std::map<int, uint64_t> numbered;
      for (const auto& [key, child] : all.children) {
        int number = -1;
        const auto [end, failed] = std::from_chars(key.data(), key.data() + key.size(), number);
        if (failed != std::errc() || end != key.data() + key.size()) return unimplemented("its weight '", key, "' has no number");
        numbered[number] = child;
      }
      for (const auto& [number, child] : numbered) {
        WEFT_LET(Hdf5Object dataset, file_.read(child));
        out->push_back({concat(path, "/vars/", number), std::move(dataset)});
      }
    }
    const bool own = out->size() > before;
    // The groups of the two directions are those of the layer's parts; of others, whose order the file does not keep, there may be one.
    std::vector<std::string> parts;
    for (const char* part : {"forward_layer", "backward_layer"})
      if (group.children.count(part)) parts.push_back(part);
    for (const auto& [key, child] : group.children)
      if (key != "vars" && key != "seed_generator" && std::find(parts.begin(), parts.end(), key) == parts.end()) parts.push_back(key);
    int withWeights = own ? 1 : 0;
    for (const std::string& part : parts) {
      const size_t count = out->size();
      WEFT_TRY(addWeights(group.children.at(part), path + "/" + part, depth + 1, out));
      if (out->size() > count && part != "backward_layer" && ++withWeights > 1)
        return unimplemented("its weights lie in several groups, whose order has no counterpart here");
    }
    return {};
  }

  const Hdf5File& file_;
};

}  // namespace

bool KerasArchive::looksLike(std::string_view head) {
  if (!head.starts_with("PK\x03\x04")) return false;
  constexpr size_t kNameAt = 30, kNameLengthAt = 26;
  const size_t length = inspect::numberAt(head, kNameLengthAt, 2);
  const std::string_view name = head.size() > kNameAt ? head.substr(kNameAt, length) : std::string_view();
  return name == "metadata.json" || name == "config.json" || name == "model.weights.h5" || name == "model.weights.json";
}

Result<KerasArchive> KerasArchive::open(std::string_view bytes) {
  WEFT_LET(auto members, readZip(bytes, inspect::kMaxInflated));
  KerasArchive out;
  std::string metadata;
  bool configured = false, sharded = false;
  for (auto& [name, content] : members) {
    if (name == "config.json") {
      out.file.modelConfig = std::move(content);
      configured = true;
    } else if (name == "metadata.json") {
      metadata = std::move(content);
    } else if (name == "model.weights.h5") {
      out.weights = std::make_shared<const std::string>(std::move(content));
    } else if (name == "model.weights.json") {
      sharded = true;
    }
  }
  if (!configured) return bad("unrecognized", "a ZIP archive without config.json, which a Keras model has");
  if (sharded) return unimplemented("the weights lie in several files; expected model.weights.h5").ofKind("unsupported");
  if (const auto parsed = metadata.empty() ? Result<Json>(Json()) : parseConfig(metadata, "metadata.json"); parsed.ok())
    out.file.version = textIn(*parsed, "keras_version");
  WEFT_LET(const Json config, parseConfig(out.file.modelConfig, "config.json"));
  if (const Json* compiled = field(config, "compile_config"); compiled && !compiled->is_null()) out.compileConfig = compiled->dump();
  const Json* inner = field(config, "config");
  if (!inner) return bad("malformed", "config.json is not an object with class_name and config");
  if (!out.weights) return out;
  WEFT_LET(out.file.file, Hdf5File::open(*out.weights));
  WEFT_LET(out.file.layers, Groups(out.file.file).layersOf(*inner, textIn(config, "class_name"), out.file.file.root()));
  WEFT_LET(const Hdf5Object root, out.file.file.read(out.file.file.root()));
  out.file.hasOptimizer = root.children.count("optimizer") > 0;
  return out;
}

}  // namespace weft::keras_io
