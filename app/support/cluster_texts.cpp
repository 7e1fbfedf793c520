#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "support/cluster_spec.h"

// A cluster as text for those who start its tasks.
namespace weft {
namespace {

using TextJson = nlohmann::ordered_json;

bool hasGaps(const std::map<int, std::string>& tasks) { return tasks.rbegin()->first + 1 != int(tasks.size()); }

std::string hostPart(const std::string& address) { return address.substr(0, address.rfind(':')); }
std::string portPart(const std::string& address) { return address.substr(address.rfind(':') + 1); }
bool isLocal(const std::string& host) { return host == "localhost" || host == "127.0.0.1" || host == "[::1]"; }

TextJson jsonOf(const ClusterJobs& jobs) {
  TextJson out = TextJson::object();
  for (const auto& [job, tasks] : jobs) {
    if (hasGaps(tasks)) {
      for (const auto& [task, address] : tasks) out[job][std::to_string(task)] = address;
    } else {
      for (const auto& [task, address] : tasks) out[job].push_back(address);
    }
  }
  return out;
}

/// In single quotes where a shell would read more than a word.
std::string shellWord(const std::string& word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-_./:,=@%+").find(c) != std::string_view::npos;
  });
  if (plain && !word.empty()) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// "--cluster ps=a:1,b:1 --cluster worker=…"
std::string clusterWords(const ClusterJobs& jobs) {
  std::string out;
  for (const auto& [job, tasks] : jobs) {
    std::string word = job + "=";
    for (const auto& [task, address] : tasks) word += (task == tasks.begin()->first ? "" : ",") + address;
    out += (out.empty() ? "--cluster " : " --cluster ") + shellWord(word);
  }
  return out;
}

/// Kubernetes allows lower-case letters, digits and dashes in names.
std::string podName(const std::string& text) {
  std::string out;
  for (const char c : text) out += std::isalnum(static_cast<unsigned char>(c)) ? char(std::tolower(static_cast<unsigned char>(c))) : '-';
  return out;
}

}  // namespace

Status checkCluster(const ClusterJobs& jobs) {
  if (jobs.empty()) return invalidArgument("the cluster has no task");
  std::map<std::string, std::string> owners;
  for (const auto& [job, tasks] : jobs) {
    const bool named = !job.empty() && std::isalpha(static_cast<unsigned char>(job[0])) &&
                       std::all_of(job.begin(), job.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!named) return invalidArgument("\"", job, "\" is no job's name, expected letters, digits and _, such as worker");
    if (tasks.empty()) return invalidArgument("job ", job, " has no task");
    for (const auto& [task, address] : tasks) {
      WEFT_TRY(checkAddress(job, task, address));
      if (portPart(address).find_first_not_of('0') == std::string::npos)
        return invalidArgument("task ", task, " of job ", job, " has the address \"", address, "\", expected a port from 1 to 65535");
      if (address.find_first_of(" \t\"'\\,;/") != std::string::npos)
        return invalidArgument("task ", task, " of job ", job, " has the address \"", address, "\", expected \"host:port\"");
      const std::string name = concat(job, ":", task);
      const std::string key = (isLocal(hostPart(address)) ? "localhost" : hostPart(address)) + ":" + portPart(address);
      if (const auto [it, fresh] = owners.try_emplace(key, name); !fresh) return invalidArgument(it->second, " and ", name, " have the same address ", address);
    }
  }
  return {};
}

std::string clusterJson(const ClusterJobs& jobs) { return jsonOf(jobs).dump(); }

std::string tfConfig(const ClusterJobs& jobs, const std::string& job, int task) {
  TextJson config;
  config["cluster"] = jsonOf(jobs);
  config["task"] = {{"type", job}, {"index", task}};
  return config.dump();
}

std::string serverLine(const ClusterJobs& jobs, const std::string& job, int task, const std::string& listen) {
  const std::string open = listen.empty() ? std::string() : " --listen " + shellWord(listen);
  if (std::any_of(jobs.begin(), jobs.end(), [](const auto& entry) { return hasGaps(entry.second); }))  // which --cluster cannot say
    return "TF_CONFIG=" + shellWord(tfConfig(jobs, job, task)) + " weft server" + open;
  return concat("weft server ", clusterWords(jobs), " --job ", job, " --task ", task, open);
}

std::string sshLines(const ClusterJobs& jobs) {
  std::string out =
      "#!/bin/sh\n# Starts every task in the background. Tasks on other machines listen on all their addresses, without password or encryption.\n";
  for (const auto& [job, tasks] : jobs) {
    for (const auto& [task, address] : tasks) {
      const std::string host = hostPart(address);
      if (isLocal(host)) out += serverLine(jobs, job, task, {}) + " &\n";
      else out += "ssh " + shellWord(host) + " " + shellWord(serverLine(jobs, job, task, "0.0.0.0")) + " &\n";
    }
  }
  return out + "wait\n";
}

std::string kubernetesManifest(const ClusterJobs& jobs, const std::string& name, const std::string& image) {
  const std::string prefix = podName(name);
  ClusterJobs pods;
  for (const auto& [job, tasks] : jobs) {
    const std::string service = prefix + "-" + podName(job);
    for (int i = 0; i < int(tasks.size()); ++i) pods[job][i] = concat(service, "-", i, ".", service, ":", portPart(tasks.begin()->second));
  }
  std::string out;
  for (const auto& [job, tasks] : pods) {
    const std::string service = prefix + "-" + podName(job), port = portPart(tasks.at(0));
    if (!out.empty()) out += "---\n";
    out += concat("apiVersion: v1\nkind: Service\nmetadata:\n  name: ", service,
                  "\nspec:\n  clusterIP: None\n  publishNotReadyAddresses: true\n  selector:\n    app: ", service,
                  "\n  ports:\n  - name: grpc\n    port: ", port, "\n");
    out += concat("---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: ", service, "\nspec:\n  serviceName: ", service,
                  "\n  replicas: ", tasks.size(), "\n  podManagementPolicy: Parallel\n  selector:\n    matchLabels:\n      app: ", service,
                  "\n  template:\n    metadata:\n      labels:\n        app: ", service,
                  "\n    spec:\n      containers:\n      - name: server\n        image: ", TextJson(image).dump(),
                  "\n        command:\n        - /bin/sh\n        - -c\n        - exec weft server ", clusterWords(pods), " --job ", job,
                  " --task ${HOSTNAME##*-} --listen 0.0.0.0\n        ports:\n        - containerPort: ", port, "\n");
  }
  return out;
}

}  // namespace weft
