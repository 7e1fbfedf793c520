#include <bit>

#include "base/table.h"
#include "weft/event_plugins.h"
#include "weft/events.h"

// TensorBoard's messages of the plugin hparams (api.proto, hparams_service), field by field, as event_plugins.cpp reads them.
namespace weft {
namespace {

void putTag(std::string* out, int number, int type) { putVarint(out, uint64_t(number) << 3 | uint64_t(type)); }

void putBytes(std::string* out, int number, std::string_view bytes) {
  putTag(out, number, 2);
  putVarint(out, bytes.size());
  out->append(bytes);
}

void putText(std::string* out, int number, std::string_view text) {
  if (!text.empty()) putBytes(out, number, text);
}

void putNumber(std::string* out, int number, uint64_t value) {
  putTag(out, number, 0);
  putVarint(out, value);
}

void putDouble(std::string* out, int number, double value) {
  putTag(out, number, 1);
  const auto bits = std::bit_cast<uint64_t>(value);
  for (int i = 0; i < 8; ++i) out->push_back(char(bits >> (8 * i) & 0xff));
}

/// google.protobuf.Value.
std::string valueOf(const HParamValue& value) {
  std::string out;
  if (const double* number = std::get_if<double>(&value)) putDouble(&out, 2, *number);
  else if (const std::string* text = std::get_if<std::string>(&value)) putBytes(&out, 3, *text);
  else if (const bool* flag = std::get_if<bool>(&value)) putNumber(&out, 4, *flag ? 1 : 0);
  else putNumber(&out, 1, 0);
  return out;
}

std::string experimentOf(const HParamsData& data) {
  std::string out;
  putText(&out, 1, data.description);
  putDouble(&out, 3, data.time);
  for (const auto& h : data.hyperparameters) {
    std::string info;
    putText(&info, 1, h.name);
    putText(&info, 2, h.displayName);
    if (h.type != HParamsData::Hyperparameter::Unset) putNumber(&info, 4, uint64_t(h.type));
    if (!h.choices.empty()) {
      std::string list;
      for (const HParamValue& choice : h.choices) putBytes(&list, 1, valueOf(choice));
      putBytes(&info, 5, list);
    } else if (h.range) {
      std::string interval;
      putDouble(&interval, 1, h.range->first);
      putDouble(&interval, 2, h.range->second);
      putBytes(&info, 6, interval);
    }
    putBytes(&out, 4, info);
  }
  for (const auto& m : data.metrics) {
    std::string name, info;
    putText(&name, 1, m.group);
    putText(&name, 2, m.tag);
    putBytes(&info, 1, name);
    putText(&info, 3, m.displayName);
    putBytes(&out, 5, info);
  }
  return out;
}

std::string startOf(const HParamsData& data) {
  std::string out;
  for (const auto& [name, value] : data.values) {
    std::string entry;
    putText(&entry, 1, name);
    putBytes(&entry, 2, valueOf(value));
    putBytes(&out, 1, entry);
  }
  putText(&out, 4, data.group);
  putDouble(&out, 5, data.time);
  return out;
}

}  // namespace

std::string encodeHParams(const HParamsData& data) {
  std::string out;
  switch (data.kind) {
    case HParamsData::Kind::Experiment: putBytes(&out, 2, experimentOf(data)); break;
    case HParamsData::Kind::SessionStart: putBytes(&out, 3, startOf(data)); break;
    case HParamsData::Kind::SessionEnd: {
      std::string end;
      putNumber(&end, 1, uint64_t(data.status));
      putDouble(&end, 2, data.time);
      putBytes(&out, 4, end);
      break;
    }
    case HParamsData::Kind::None: break;
  }
  return out;
}

Status writeHParams(const std::string& folder, const HParamsData& data, double time) {
  SummaryValue value;
  value.plugin = "hparams";
  value.pluginContent = encodeHParams(data);
  value.tag = data.kind == HParamsData::Kind::Experiment     ? "_hparams_/experiment"
              : data.kind == HParamsData::Kind::SessionStart ? "_hparams_/session_start_info"
                                                             : "_hparams_/session_end_info";
  EventWriter::Options options;
  options.now = time;
  WEFT_LET(const auto writer, EventWriter::create(folder, options));
  WEFT_TRY(writer->addValues({value}, 0, time));
  return writer->close();
}

}  // namespace weft
