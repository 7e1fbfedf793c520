#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "doctor/network.h"
#include "train/training_data.h"
#include "weft/session.h"

namespace weft::doctor {

/// A copy of a training to try things on: its own session and its own data.
class Bench {
 public:
  /// REQUIRES: net.settings(). Errors are those of the data and the settings.
  static Result<std::unique_ptr<Bench>> make(const Network& net, const DoctorOptions& options);
  /// A program's session, with what one of its steps was fed: what has as many rows as the labels are the data. `session` must outlive it; null: nothing is run.
  static std::unique_ptr<Bench> ofProgram(const Network& net, Session* session, const std::vector<std::string>& names, std::span<const Tensor> values);

  /// Rows of the training data, one tensor per placeholder; at most DoctorOptions::rows.
  const std::vector<Tensor>& rows() const { return rows_; }
  /// Rows held back for tests, likewise; empty: there are none.
  const std::vector<Tensor>& testRows() const { return testRows_; }
  int64_t count() const { return rows_.empty() ? 0 : rows_[0].dim(0); }
  const std::vector<std::string>& placeholders() const { return placeholders_; }
  /// Position of a tensor among the placeholders; -1: the data do not feed it.
  int placeholder(const std::string& tensor) const;
  const TrainingSettings& settings() const { return settings_; }
  Session& session() { return *used_; }
  /// Number of rows that the graph takes at a time; 0: any.
  int64_t fixedRows() const { return fixedRows_; }
  int64_t batchSize() const { return batchSize_; }

  /// Sets the variables to their initial values.
  Status initialize();
  /// Fetches tensors for some rows, fed as in training or as in a test. With `train`, a training step.
  Result<std::vector<Tensor>> run(const std::vector<Tensor>& rows, const std::vector<std::string>& fetches, bool training, bool train = false);
  /// Rows [begin, begin + count) of rows().
  std::vector<Tensor> slice(int64_t begin, int64_t count) const;

 private:
  TrainingSettings settings_;
  std::vector<std::string> placeholders_, trainNames_, testNames_;
  std::vector<Tensor> rows_, testRows_, trainValues_, testValues_;
  int64_t fixedRows_ = 0, batchSize_ = 1;
  std::unique_ptr<Session> session_;
  Session* used_ = nullptr;  // that one, or a program's
};

void readData(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out);
/// The rules on targets.
void readTargets(const Network& net, const Bench& bench, std::vector<DoctorFinding>& out);
/// Data that make every run fail or every loss NaN: labels that are no class, values that are not finite.
bool isFatalToRuns(const DoctorFinding& f);
void readInitialWeights(const Network& net, Bench& bench, std::vector<DoctorFinding>& out);
/// What the loss and the network's outputs say, without a training step.
Status readForward(const Network& net, Bench& bench, std::vector<DoctorFinding>& out);
/// Whether running the nodes before some tensors changes nothing and is the same each time, but for what is fed.
bool isRepeatable(const Network& net, const std::vector<std::string>& tensors, const std::vector<std::string>& fed);
/// Initial values and first steps.
Status readFirstSteps(const Network& net, Bench& bench, const DoctorOptions& options, std::vector<DoctorFinding>& out);

/// Copies of rows.
Tensor taken(const Tensor& t, int64_t begin, int64_t count);

}  // namespace weft::doctor
