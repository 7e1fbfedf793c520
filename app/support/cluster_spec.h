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
/// What TensorFlow would refuse, or would wait for without end: no task, a job's name that is none, a port 0, an address that two tasks have.
Status checkCluster(const ClusterJobs& jobs);

// The cluster as text. REQUIRES: checkCluster(jobs).ok().

/// {"ps": ["host:port"], …}; jobs whose task numbers have gaps as {"0": "host:port", …}.
std::string clusterJson(const ClusterJobs& jobs);
std::string tfConfig(const ClusterJobs& jobs, const std::string& job, int task);
/// The line that starts a task on its machine: "weft server --cluster … --job … --task …". It listens on `listen`; empty: on its machine only.
std::string serverLine(const ClusterJobs& jobs, const std::string& job, int task, const std::string& listen);
/// A shell script that starts every task, those of other machines through ssh. These listen on all addresses of their machine.
std::string sshLines(const ClusterJobs& jobs);
/// A manifest for Kubernetes: per job a headless Service and a StatefulSet with one pod per task, named NAME-JOB. The tasks' addresses become the pods' names,
/// their ports stay.
std::string kubernetesManifest(const ClusterJobs& jobs, const std::string& name, const std::string& image);

}  // namespace weft
