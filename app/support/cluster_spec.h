#pragma once

#include <map>
#include <optional>
#include <string>

#include "weft/error.h"

namespace weft {

/// The tasks of a cluster: job -> task -> "host:port".
using ClusterJobs = std::map<std::string, std::map<int, std::string>>;

/// A cluster, and which of its tasks this is: what TensorFlow's tools pass on in the environment variable TF_CONFIG.
struct TfConfig {
  ClusterJobs cluster;      ///< Empty: a process that is alone.
  std::string job;          ///< Empty where the text names no task.
  std::optional<int> task;  ///< Likewise.
};

/// {"cluster": {"ps": ["host:port"], …}, "task": {"type": "ps", "index": 0}}. INVALID_ARGUMENT says which part is wrong.
Result<TfConfig> readTfConfig(const std::string& text);

/// {"job": ["host:port", …]}, {"job": {"0": "host:port"}}, or a TF_CONFIG whose cluster is taken.
Result<ClusterJobs> readClusterJson(const std::string& text);

/// "job=host:port,host:port", as on a command line. Tasks are added after those that the job has.
Status addJob(const std::string& word, ClusterJobs& jobs);

/// INVALID_ARGUMENT unless it is "host:port" with a port number.
Status checkAddress(const std::string& job, int task, const std::string& address);

}  // namespace weft
