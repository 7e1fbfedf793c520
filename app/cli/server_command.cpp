#include <cstdlib>
#include <iostream>
#include <thread>

#include "cli/arguments.h"
#include "cli/command.h"
#include "support/cluster_spec.h"
#include "weft/file_system.h"
#include "weft/server.h"

namespace weft::cli {
namespace {

constexpr uint64_t kMostClusterFile = 16 << 20;

constexpr const char* kServerUsage =
    "usage: weft server --cluster JOB=HOST:PORT[,HOST:PORT…] [--cluster …] --job JOB --task N [OPTIONS]\n"
    "       weft server --cluster FILE.json --job JOB --task N [OPTIONS]\n"
    "       TF_CONFIG=… weft server [OPTIONS]\n"
    "       weft server [OPTIONS]\n\n"
    "Runs one task of a TensorFlow cluster until Ctrl-C. It speaks the protocol of tf.train.Server: TensorFlow 1.x and 2.x clients, masters\n"
    "and workers connect to it as to one of their own, and their sessions share its variables. Without a cluster it is one of its own, with a\n"
    "single task, and a free port.\n\n"
    "The protocol has no passwords and no encryption: whoever reaches the port runs any graph, with this user's rights. So the server listens\n"
    "on 127.0.0.1 only, unless --listen says otherwise. Weft's tasks can encrypt: with --tls, or WEFT_TLS=FOLDER in the environment of every\n"
    "program that takes part, each shows a certificate, and only those of the same authority are let in. TensorFlow's tasks cannot.\n\n"
    "  --cluster …        the jobs and the addresses of their tasks; or a JSON file, {\"ps\": [\"host:port\"], \"worker\": […]}\n"
    "  --job J --task N   which of them this is (0)\n"
    "  TF_CONFIG          is read where --cluster is not given: {\"cluster\": {…}, \"task\": {\"type\": J, \"index\": N}}\n"
    "  --listen ADDRESS   e.g. 0.0.0.0, for tasks on other machines\n"
    "  --tls FOLDER       with cert.pem (this task's certificate, for its host's name), key.pem and ca.pem (the authority of all tasks)\n"
    "  --threads N        threads per op; 0: all processors\n"
    "  --cpus N           number of CPU devices (1)\n";

Status readClusterWord(const std::string& word, ServerOptions& options) {
  if (word.find('=') != std::string::npos) return addJob(word, options.cluster);
  WEFT_LET(const std::string text, posixFileSystem().readAll(word, kMostClusterFile));
  auto jobs = readClusterJson(text);
  if (!jobs.ok()) return Status(std::move(jobs.error()).inFile(word));
  for (auto& [job, tasks] : *jobs) options.cluster[job] = std::move(tasks);
  return {};
}

/// What the command line does not say is taken from TF_CONFIG.
Status readEnvironment(const Arguments& args, ServerOptions& options) {
  const char* text = std::getenv("TF_CONFIG");
  if (!text || !*text) return {};
  auto config = readTfConfig(text);
  if (!config.ok()) {
    config.error().message.insert(0, "TF_CONFIG: ");
    return std::move(config.error());
  }
  options.cluster = std::move(config->cluster);
  if (!args.value("--job")) options.job = config->job;
  if (!args.value("--task")) options.task = config->task.value_or(0);
  return {};
}

int runServer(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(
      raw, {{"--cluster", true}, {"--job", true}, {"--task", true}, {"--listen", true}, {"--threads", true}, {"--cpus", true}, {"--tls", true}});
  if (!parsed.ok()) return usageError("server", parsed.error().message);
  const Arguments& args = *parsed;
  useTlsFolder(args);
  if (!args.positional().empty()) return usageError("server", "unexpected " + args.positional()[0]);
  const auto task = args.integer("--task", 0, 0), threads = args.integer("--threads", 0, 0), cpus = args.integer("--cpus", 1, 1, 64);
  for (const auto* r : {&task, &threads, &cpus})
    if (!r->ok()) return usageError("server", r->error().message);
  ServerOptions options;
  options.job = args.value("--job").value_or("");
  options.task = int(*task);
  options.listen = args.value("--listen").value_or(options.listen);
  options.session.threads = int(*threads);
  options.session.deviceCount["CPU"] = int(*cpus);
  const auto words = args.values("--cluster");
  Status status = words.empty() ? readEnvironment(args, options) : Status();
  for (const std::string& word : words)
    if (status.ok()) status = readClusterWord(word, options);
  if (!status.ok()) return complain(status.error());
  if (options.cluster.empty()) {
    options.job = options.job.empty() ? "local" : options.job;
    options.cluster[options.job][options.task] = "localhost:0";
  }
  if (options.job.empty() && options.cluster.size() == 1) options.job = options.cluster.begin()->first;
  if (options.job.empty()) return usageError("server", "--job says which of the cluster's jobs this is");
  catchInterrupts();
  const std::string name = "/job:" + options.job + "/task:" + std::to_string(options.task);
  const bool everywhere = options.listen != "127.0.0.1" && options.listen != "localhost";
  const char* tls = std::getenv("WEFT_TLS");
  const bool open = everywhere && (!tls || !*tls);
  auto server = ClusterServer::start(std::move(options));
  if (!server.ok()) return complain(server.error());
  std::cout << name << " " << (*server)->target() << std::endl;
  if (open) std::cerr << "weft: the port is open to other machines; whoever reaches it runs any graph with your rights" << std::endl;
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return kDone;
}

}  // namespace

extern const Command kServerCommand;
const Command kServerCommand = {"server", "run a task of a TensorFlow cluster", kServerUsage, runServer};

}  // namespace weft::cli
