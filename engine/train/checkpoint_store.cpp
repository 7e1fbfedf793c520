#include "train/checkpoint_store.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "weft/train.h"

namespace weft {
namespace {

using Json = nlohmann::json;
constexpr int kVersion = 1;
constexpr double kKeepEveryHours = 10000;
constexpr std::string_view kName = "model.ckpt-";

std::string toHex(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const unsigned char c : bytes) {
    out += kDigits[c >> 4];
    out += kDigits[c & 15];
  }
  return out;
}

std::string fromHex(const std::string& hex) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; };
  std::string out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) out += char(value(hex[i]) * 16 + value(hex[i + 1]));
  return out;
}

std::string encode(const TrainingPosition& p) {
  Json streams = Json::object();
  for (const auto& [node, position] : p.streams) streams[node] = toHex(position);
  return Json{{"version", kVersion}, {"step", p.step}, {"epoch", p.epoch}, {"step_in_epoch", p.stepInEpoch}, {"streams", streams}}.dump(1) + "\n";
}

Result<TrainingPosition> decode(const std::string& text) {
  const Json j = Json::parse(text, nullptr, false);
  if (!j.is_object() || !j.contains("step") || !j["step"].is_number_integer()) return dataLoss("is no training state: expected a JSON object with step");
  if (j.value("version", kVersion) > kVersion) return unimplemented("was written by a newer version of Weft");
  TrainingPosition p;
  p.step = j["step"].get<int64_t>();
  p.epoch = j.value("epoch", int64_t(0));
  p.stepInEpoch = j.value("step_in_epoch", int64_t(0));
  if (const auto it = j.find("streams"); it != j.end() && it->is_object())
    for (const auto& [node, position] : it->items())
      if (position.is_string()) p.streams[node] = fromHex(position.get<std::string>());
  return p;
}

}  // namespace

CheckpointStore::CheckpointStore(std::string folder, int maxToKeep, FileSystem& files)
    : folder_(std::move(folder)), files_(files), keeper_(maxToKeep, kKeepEveryHours, now()) {}

double CheckpointStore::now() const { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

void CheckpointStore::removeLeftovers() {
  const auto names = files_.list(folder_);
  if (!names.ok()) return;
  for (const std::string& name : *names) {
    const bool ours = name.starts_with(kName) && name.find_first_not_of("0123456789", kName.size()) != std::string::npos;
    if (!ours && !name.starts_with("checkpoint.tmp")) continue;
    const std::string prefix = name.substr(0, name.find('.', kName.size()));
    if (name.find(".tmp") != std::string::npos || name.find(".tempstate") != std::string::npos || !files_.exists(joinPath(folder_, prefix + ".index")))
      (void)files_.remove(joinPath(folder_, name));
  }
}

Result<std::string> CheckpointStore::save(Session& session, const MetaGraph& meta, const TrainingPosition& position) {
  WEFT_TRY(files_.makeFolders(folder_));
  const std::string prefix = joinPath(folder_, std::string(kName) + std::to_string(position.step));
  WEFT_TRY(saveVariables(session, meta, prefix, files_));
  WEFT_LET(const std::string graph, serializeGraph(meta, GraphFormat::MetaBinary));
  WEFT_TRY(files_.writeAtomically(prefix + ".meta", graph));
  WEFT_TRY(files_.writeAtomically(prefix + ".weft-state", encode(position)));
  const auto tooOld = keeper_.record(prefix, now());
  CheckpointState state;
  state.latest = prefix;
  for (const auto& [path, time] : keeper_.checkpoints()) {
    state.all.push_back(path);
    state.timestamps.push_back(time);
  }
  WEFT_TRY(writeCheckpointState(folder_, state, true, "checkpoint", &files_));
  if (tooOld) WEFT_TRY(removeCheckpoint(*tooOld, &files_));
  return prefix;
}

Result<std::optional<CheckpointStore::Resumed>> CheckpointStore::resume(Session& session, const MetaGraph& meta) {
  const auto latest = latestCheckpoint(folder_, "checkpoint", &files_);
  if (!latest) return std::optional<Resumed>();
  removeLeftovers();
  if (const auto state = readCheckpointState(folder_, "checkpoint", &files_); state.ok()) {
    std::vector<std::pair<std::string, double>> known;
    for (size_t i = 0; i < state->all.size(); ++i)
      if (const auto prefix = resolveCheckpoint(folder_, state->all[i], &files_))
        known.emplace_back(*prefix, i < state->timestamps.size() ? state->timestamps[i] : now());
    keeper_.setCheckpoints(std::move(known));
  }
  WEFT_LET(Resumed resumed, resumeFrom(session, meta, *latest, files_));
  return std::optional<Resumed>(std::move(resumed));
}

Result<CheckpointStore::Resumed> CheckpointStore::resumeFrom(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files) {
  WEFT_TRY(restoreVariables(session, meta, prefix, files));
  Resumed resumed{prefix, std::nullopt};
  const std::string statePath = prefix + ".weft-state";
  if (files.exists(statePath)) {
    WEFT_LET(const std::string text, files.readAll(statePath));
    auto position = decode(text);
    if (!position.ok()) return Error(position.error()).inFile(statePath);
    session.restoreOpStates(position->streams);
    resumed.position = std::move(*position);
  }
  return resumed;
}

}  // namespace weft
