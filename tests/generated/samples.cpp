#include "samples.h"

#include <algorithm>
#include <filesystem>

#include "cli/selftest/golden_case.h"
#include "cli/selftest/wire.h"

namespace weft::generated {
namespace {

namespace fs = std::filesystem;

/// The attributes of node `op` of a record; names starting with '_' are for the checker.
Result<AttrMap> attributesOf(const cli::GoldenCase& golden) {
  LoadOptions options;
  options.inferShapes = false;
  WEFT_LET(const auto loaded, loadGraphBytes(std::make_shared<const std::string>(golden.graph(cli::InputForm::Constants)), "record", options));
  const Node* op = loaded.meta.graph.find("op");
  if (!op) return notFound("a record without an op");
  AttrMap out;
  for (const auto& [name, value] : op->attrs)
    if (name[0] != '_') out.set(name, value);
  return out;
}

/// Ops whose outcome is not a function of their inputs, or that have effects outside the process.
bool unfit(const OpRecord& record) {
  const std::string& op = record.name;
  // Summaries and debugging ops that give a tensor are functions as others are; so are names of files, as long as none is opened.
  if (!record.isStateful && (op.find("Summary") != std::string::npos || op.starts_with("Debug") || op.starts_with("Sharded"))) return false;
  for (const char* part : {"File", "Save", "Restore", "Print", "Summary", "Debug", "Timestamp", "Abort", "MergeV2", "Reader", "Checkpoint"})
    if (op.find(part) != std::string::npos) return true;
  return false;
}

/// A random op without seeds draws other numbers in every run.
void seedIt(const OpRecord& record, AttrMap& attrs) {
  if (record.findAttr("uniform_noise")) {  // ExtractGlimpse: noise beyond the edge, without a seed
    attrs.set("uniform_noise", false);
    if (record.findAttr("noise")) attrs.set("noise", "zero");
  }
  if (record.findAttr("seed2") && attrs.integer("seed") == 0 && attrs.integer("seed2") == 0) attrs.set("seed2", int64_t(7));
}

bool broadcastsAlways(const OpSamples& op) {
  if (op.record->outputs.size() != 1 || !op.record->outputs[0].numberAttr.empty() || op.record->outputs[0].isTypeList) return false;
  std::vector<std::string> shapes;
  for (const Sample& s : op.samples) {
    if (s.refused) continue;
    if (s.inputs.empty() || s.inputs.size() > 3 || s.outputs.size() != 1) return false;
    Shape joined = s.inputs[0].shape();
    for (const Tensor& t : s.inputs) {
      auto next = broadcastShapes(joined, t.shape());
      if (!next.ok()) return false;
      joined = *next;
    }
    if (!(joined == s.outputs[0])) return false;
    // One input: its shape must be free; several: they must have been seen to differ.
    shapes.push_back(joined.toString() + (s.inputs.size() > 1 && !(s.inputs[0].shape() == s.inputs[1].shape()) ? "b" : ""));
  }
  std::sort(shapes.begin(), shapes.end());
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  if (shapes.size() < 2) return false;
  const bool several = !op.samples.empty() && op.samples[0].inputs.size() > 1;
  return !several || std::any_of(shapes.begin(), shapes.end(), [](const std::string& s) { return s.back() == 'b'; });
}

}  // namespace

Result<std::map<std::string, OpSamples>> readSamples(const std::string& folder) {
  std::map<std::string, OpSamples> out;
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".tfrecord") files.push_back(entry.path());
  if (files.empty()) return notFound("no <Op>.tfrecord here").inFile(folder);
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string name = file.stem().string();
    const OpRecord* record = OpRegistry::instance().find(name);
    if (!record || unfit(*record) || name == "PlaceholderV2") continue;
    WEFT_LET(const auto records, cli::readRecordFile(file.string()));
    OpSamples& op = out[name];
    op.record = record;
    for (const std::string& bytes : records) {
      auto golden = cli::parseGoldenCase(bytes);
      if (!golden.ok()) return golden.error().inFile(file.string());
      int64_t elements = 0;
      for (const Tensor& t : golden->inputs) elements += std::max<int64_t>(t.elements(), 0);
      if (elements > 4096) continue;  // big ones slow every graph down and find no more
      Sample sample;
      sample.record = record;
      auto attrs = attributesOf(*golden);
      if (!attrs.ok()) continue;
      sample.attrs = std::move(*attrs);
      seedIt(*record, sample.attrs);
      sample.inputs = golden->inputs;
      sample.refused = golden->errorCode != 0 || golden->runErrorCode != 0;
      for (const auto& [k, want] : golden->want) sample.outputs.push_back(want.shape());
      op.samples.push_back(std::move(sample));
    }
    if (op.samples.empty()) {
      out.erase(name);
      continue;
    }
    op.broadcasts = broadcastsAlways(op);
  }
  return out;
}

}  // namespace weft::generated
