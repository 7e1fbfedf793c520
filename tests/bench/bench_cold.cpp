// Times the work before and between steps: reading a graph and planning its first step, saving and restoring variables. Uses the session as programs do;
// each call is a separate process, so that everything is as cold as for a user. Prints one line of JSON.
//
//     weft-bench-cold import GRAPH FETCH          read and import GRAPH, make a session, run FETCH twice
//     weft-bench-cold checkpoint META PREFIX N    initialise, then N times save to PREFIX-i and restore from it
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "weft/checkpoint.h"
#include "weft/graph.h"
#include "weft/session.h"

using namespace weft;

namespace {

class Watch {
 public:
  double seconds() {
    const auto now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

Status importOnce(const std::string& path, const std::string& fetch) {
  Watch watch;
  WEFT_LET(auto loaded, loadGraphFile(path));
  const double import = watch.seconds();
  const int nodes = loaded.meta.graph.nodeCount();
  WEFT_LET(const auto session, Session::create(loaded.meta.graph));
  WEFT_TRY(session->run({}, {fetch}).status());
  const double first = watch.seconds();
  WEFT_TRY(session->run({}, {fetch}).status());
  const double second = watch.seconds();
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("{\"nodes\": %d, \"import_s\": %.4f, \"first_run_s\": %.4f, \"second_run_s\": %.4f, \"page_faults\": %ld}\n", nodes, import, first, second,
              usage.ru_minflt);
  return {};
}

Status checkpoint(const std::string& path, const std::string& prefix, int rounds) {
  WEFT_LET(auto loaded, loadGraphFile(path));
  if (!loaded.meta.saver) return invalidArgument(path, " has no saver");
  const SaverInfo saver = *loaded.meta.saver;
  WEFT_LET(const auto session, Session::create(loaded.meta.graph));
  WEFT_TRY(session->run({}, {}, {"init"}).status());
  double bytes = 0;
  for (const auto& [name, value] : session->variables()) bytes += double(value.bytes());
  std::vector<double> saves, restores;
  for (int i = 0; i < rounds; ++i) {
    const std::string at = prefix + "-" + std::to_string(i);
    Watch watch;
    WEFT_TRY(session->run({{saver.filenameTensor, Tensor::scalar(at)}}, {saver.saveTensor}).status());
    saves.push_back(bytes * 1e-9 / watch.seconds());
    WEFT_TRY(session->run({{saver.filenameTensor, Tensor::scalar(at)}}, {}, {saver.restoreOp}).status());
    restores.push_back(bytes * 1e-9 / watch.seconds());
    WEFT_TRY(removeCheckpoint(at));
  }
  std::printf("{\"bytes\": %.0f, \"save_gbs\": [", bytes);
  for (size_t i = 0; i < saves.size(); ++i) std::printf("%s%.3f", i ? ", " : "", saves[i]);
  std::printf("], \"restore_gbs\": [");
  for (size_t i = 0; i < restores.size(); ++i) std::printf("%s%.3f", i ? ", " : "", restores[i]);
  std::printf("]}\n");
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  Status status = invalidArgument("usage: weft-bench-cold import GRAPH FETCH | checkpoint META PREFIX ROUNDS");
  if (args.size() == 3 && args[0] == "import") status = importOnce(args[1], args[2]);
  if (args.size() == 4 && args[0] == "checkpoint") status = checkpoint(args[1], args[2], std::atoi(args[3].c_str()));
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return 1;
}
