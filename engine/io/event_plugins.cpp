#include "weft/event_plugins.h"

#include <bit>
#include <functional>

#include "graph/wire.h"

// The messages of TensorBoard's plugins hparams, custom_scalars and mesh are read field by field. Fields that nothing here shows are skipped.

namespace weft {
namespace {

using Visit = std::function<void(const WireField&)>;

/// Passes the fields of a message to `visit`. Returns false if it is malformed.
bool eachField(std::string_view message, const Visit& visit) {
  WireReader in(message);
  while (const auto field = in.next()) visit(*field);
  return in.ok();
}

std::string textOf(const WireField& f) { return std::string(f.bytes); }

/// A field of eight bytes as a double; 0 for other types.
double doubleOf(const WireField& f) {
  if (f.type != 1 || f.whole.size() < 8) return 0;
  uint64_t bits = 0;
  for (size_t i = 0; i < 8; ++i) bits |= uint64_t(uint8_t(f.whole[f.whole.size() - 8 + i])) << (8 * i);
  return std::bit_cast<double>(bits);
}

/// Reads messages within messages, and remembers whether one of them was malformed.
class PluginReader {
 public:
  bool ok() const { return ok_; }
  void read(std::string_view message, const Visit& visit) { ok_ = eachField(message, visit) && ok_; }

  HParamsData hparams(std::string_view content) {
    HParamsData out;
    read(content, [&](const WireField& f) {
      if (f.number == 2) experiment(f.bytes, out);
      if (f.number == 3) sessionStart(f.bytes, out);
      if (f.number == 4) sessionEnd(f.bytes, out);
    });
    return out;
  }

  MeshPart meshPart(std::string_view content) {
    MeshPart out;
    uint64_t kind = 0;
    read(content, [&](const WireField& f) {
      if (f.number == 2) out.name = textOf(f);
      if (f.number == 3) kind = f.value;
      if (f.number == 5) out.config = textOf(f);
    });
    if (kind <= uint64_t(MeshPart::Kind::Colors)) out.kind = MeshPart::Kind(int(kind));
    return out;
  }

  ChartLayout layout(std::string_view bytes) {
    ChartLayout out;
    read(bytes, [&](const WireField& f) {
      if (f.number != 2) return;
      ChartLayout::Category& category = out.categories.emplace_back();
      read(f.bytes, [&](const WireField& g) {
        if (g.number == 1) category.title = textOf(g);
        if (g.number == 2) category.charts.push_back(chart(g.bytes));
        if (g.number == 3) category.closed = g.value != 0;
      });
    });
    return out;
  }

 private:
  void experiment(std::string_view bytes, HParamsData& out) {
    out.kind = HParamsData::Kind::Experiment;
    read(bytes, [&](const WireField& f) {
      if (f.number == 1) out.description = textOf(f);
      if (f.number == 3) out.time = doubleOf(f);
      if (f.number == 4) {
        HParamsData::Hyperparameter& h = out.hyperparameters.emplace_back();
        read(f.bytes, [&](const WireField& g) {
          if (g.number == 1) h.name = textOf(g);
          if (g.number == 2) h.displayName = textOf(g);
          if (g.number == 4) h.type = int(g.value);
          if (g.number == 5)
            read(g.bytes, [&](const WireField& choice) {
              if (choice.number == 1) h.choices.push_back(valueOf(choice.bytes));
            });
          if (g.number == 6) {
            h.range.emplace();
            read(g.bytes, [&](const WireField& end) {
              if (end.number == 1) h.range->first = doubleOf(end);
              if (end.number == 2) h.range->second = doubleOf(end);
            });
          }
        });
      }
      if (f.number == 5) {
        HParamsData::Metric& m = out.metrics.emplace_back();
        read(f.bytes, [&](const WireField& g) {
          if (g.number == 1)
            read(g.bytes, [&](const WireField& h) {
              if (h.number == 1) m.group = textOf(h);
              if (h.number == 2) m.tag = textOf(h);
            });
          if (g.number == 3) m.displayName = textOf(g);
        });
      }
    });
  }

  void sessionStart(std::string_view bytes, HParamsData& out) {
    out.kind = HParamsData::Kind::SessionStart;
    read(bytes, [&](const WireField& f) {
      if (f.number == 1) {
        auto& entry = out.values.emplace_back();
        read(f.bytes, [&](const WireField& g) {
          if (g.number == 1) entry.first = textOf(g);
          if (g.number == 2) entry.second = valueOf(g.bytes);
        });
      }
      if (f.number == 4) out.group = textOf(f);
      if (f.number == 5) out.time = doubleOf(f);
    });
  }

  void sessionEnd(std::string_view bytes, HParamsData& out) {
    out.kind = HParamsData::Kind::SessionEnd;
    read(bytes, [&](const WireField& f) {
      if (f.number == 1) out.status = int(f.value);
      if (f.number == 2) out.time = doubleOf(f);
    });
  }

  HParamValue valueOf(std::string_view bytes) {
    HParamValue out;
    read(bytes, [&](const WireField& f) {
      if (f.number == 2) out = doubleOf(f);
      if (f.number == 3) out = textOf(f);
      if (f.number == 4) out = f.value != 0;
    });
    return out;
  }

  ChartLayout::Chart chart(std::string_view bytes) {
    ChartLayout::Chart out;
    read(bytes, [&](const WireField& f) {
      if (f.number == 1) out.title = textOf(f);
      if (f.number == 2)
        read(f.bytes, [&](const WireField& g) {
          if (g.number == 1) out.tags.push_back(textOf(g));
        });
      if (f.number == 3)
        read(f.bytes, [&](const WireField& g) {
          if (g.number != 1) return;
          ChartLayout::Margin& m = out.margins.emplace_back();
          read(g.bytes, [&](const WireField& h) {
            if (h.number == 1) m.value = textOf(h);
            if (h.number == 2) m.lower = textOf(h);
            if (h.number == 3) m.upper = textOf(h);
          });
        });
    });
    return out;
  }

  bool ok_ = true;
};

}  // namespace

Result<HParamsData> decodeHParams(std::string_view content) {
  PluginReader reader;
  HParamsData out = reader.hparams(content);
  if (!reader.ok()) return dataLoss("the content of the plugin hparams is malformed").ofKind("malformed");
  if (out.kind == HParamsData::Kind::None) return dataLoss("the content of the plugin hparams is neither an experiment nor a session").ofKind("malformed");
  return out;
}

Result<ChartLayout> decodeChartLayout(std::string_view bytes) {
  PluginReader reader;
  ChartLayout out = reader.layout(bytes);
  if (!reader.ok()) return dataLoss("the layout of the plugin custom_scalars is malformed").ofKind("malformed");
  return out;
}

Result<MeshPart> decodeMeshPart(std::string_view content) {
  PluginReader reader;
  MeshPart out = reader.meshPart(content);
  if (!reader.ok() || out.kind == MeshPart::Kind::Undefined)
    return dataLoss("the content of the plugin mesh is malformed: neither vertices, faces nor colors").ofKind("malformed");
  return out;
}

}  // namespace weft
