#pragma once

#include <QTest>
#include <set>

#include "memory_files.h"
#include "weft/checkpoint_edit.h"

// A small checkpoint and its edits, for the tests of weft/checkpoint_edit.h.

using namespace weft;

using Inputs = std::vector<std::unique_ptr<CheckpointReader>>;

inline Tensor counting(const Shape& shape, float first = 0) {
  Tensor t = Tensor::zeros(DType::Float, shape);
  for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<float>()[i] = first + float(i);
  return t;
}

/// net/w [6,4], net/b [4], net/emb [10,3] in three parts, global_step.
inline Status writeSample(FileSystem& files, const std::string& prefix, float first = 0) {
  WEFT_LET(auto writer, CheckpointWriter::create(prefix, &files));
  WEFT_TRY(writer->add("net/w", counting({6, 4}, first)));
  WEFT_TRY(writer->add("net/b", counting({4}, first)));
  const Tensor emb = counting({10, 3}, first);
  for (const auto& [start, rows] : {std::pair<int64_t, int64_t>{0, 4}, {4, 3}, {7, 3}})
    WEFT_TRY(writer->addSlice("net/emb", {10, 3}, {{start, rows}, {}}, emb.rows(start, start + rows)));
  WEFT_TRY(writer->add("global_step", Tensor::scalar<int64_t>(int64_t(first))));
  return writer->finish();
}

inline Inputs opened(FileSystem& files, const std::vector<std::string>& prefixes) {
  Inputs out;
  for (const std::string& prefix : prefixes)
    if (auto reader = CheckpointReader::open(prefix, &files); reader.ok()) out.push_back(std::move(*reader));
  return out;
}

/// Edits and returns the error, "" if there is none.
inline std::string edited(FileSystem& files, const std::vector<std::string>& from, const std::string& to, const CheckpointEdit& edit,
                          std::vector<std::string>* warnings = nullptr, const Progress& progress = {}) {
  const Inputs inputs = opened(files, from);
  if (inputs.size() != from.size()) return "an input cannot be opened";
  const auto plan = planCheckpointEdit(inputs, edit);
  if (!plan.ok()) return plan.error().message;
  const auto written = writeCheckpointEdit(inputs, edit, *plan, to, progress, &files);
  if (!written.ok()) return written.error().message;
  if (warnings) {
    *warnings = plan->warnings;
    warnings->insert(warnings->end(), written->begin(), written->end());
  }
  return {};
}

inline std::string names(FileSystem& files, const std::string& prefix) {
  std::string out;
  const auto reader = CheckpointReader::open(prefix, &files);
  if (!reader.ok()) return reader.error().message;
  for (const CheckpointEntry& e : (*reader)->tensors()) out += (out.empty() ? "" : " ") + e.name;
  return out;
}

inline Tensor valueIn(FileSystem& files, const std::string& prefix, const std::string& name) {
  const auto reader = CheckpointReader::open(prefix, &files);
  if (!reader.ok()) return {};
  const auto value = (*reader)->read(name);
  return value.ok() ? *value : Tensor();
}

inline std::set<std::string> paths(const MemoryFiles& files) {
  std::set<std::string> out;
  for (const auto& [path, content] : files.files) out.insert(path);
  return out;
}

#define VERIFY_EDITED(...)                         \
  do {                                             \
    const std::string error = edited(__VA_ARGS__); \
    QVERIFY2(error.empty(), error.c_str());        \
  } while (false)
#define ERROR_IS(expression, text) QCOMPARE(expression, std::string(text))
