#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/selftest/worker.h"
#include "weft/passes.h"
#include "weft/session.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsage =
    "usage: weft selftest [ops|programs] [PATH…] [--device D] [--threads N] [--only NAME,…] [--except NAME,…] [--shard I/N] [--strict]\n"
    "                     [--timeout S] [--without PASS[,PASS…]] [--notes] [--here] [--quiet]\n\n"
    "Judges this engine by what TensorFlow 1.15.5 gave. `ops PATH`: a folder of <Op>.tfrecord (golden cases) or of NAME/script.json;\n"
    "`programs PATH`: a folder of NAME/script.json, each run in a temporary copy. Without PATH: tests/golden of the source tree.\n"
    "Prints one line per failure and at the end `N passed, M failed, K skipped`; one golden record or one script counts as one.\n"
    "Skipped is what needs ops or kernels that this engine does not have.\n\n"
    "  --device D     run on this device where its kernels exist, e.g. gpu; gpu:host is the GPU's code on the processor\n"
    "  --only NAMES   only these ops or scripts\n"
    "  --except NAMES not these ops or scripts\n"
    "  --shard I/N    only every N-th file, from the I-th (0 … N-1) on\n"
    "  --strict       skipped counts as failed\n"
    "  --without P    leave out rewrite passes; `all` leaves out every one\n"
    "  --timeout S    seconds after which a case that says nothing is given up (default 60)\n"
    "  --notes        also print where inferred shapes are less exact than TensorFlow's\n"
    "  --here         judge in this process, not in a child that may crash\n"
    "  --quiet        only the last line and one line per failing file\n";

/// Adds the items of a file or folder of cases, sorted by name. Adds a complaint for anything else.
void collect(const fs::path& path, std::vector<JudgeItem>& items) {
  std::error_code error;
  if (path.extension() == ".tfrecord") return items.push_back({JudgeItem::Kind::Golden, path.stem().string(), path.string()});
  if (fs::exists(path / "script.json", error)) {
    fs::path clean = path.has_filename() ? path : path.parent_path();
    return items.push_back({JudgeItem::Kind::Script, clean.filename().string(), clean.string()});
  }
  std::vector<fs::path> inside;
  for (const auto& entry : fs::directory_iterator(path, error)) inside.push_back(entry.path());
  std::sort(inside.begin(), inside.end());
  for (const fs::path& p : inside) {
    if (p.extension() == ".tfrecord") items.push_back({JudgeItem::Kind::Golden, p.stem().string(), p.string()});
    else if (fs::exists(p / "script.json", error)) items.push_back({JudgeItem::Kind::Script, p.filename().string(), p.string()});
  }
}

std::vector<std::string> splitList(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) out.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

/// Default folders of the golden cases: in the source tree of this build, or beside an installed program.
std::vector<fs::path> defaultPaths(const std::string& what) {
  std::error_code error;
  fs::path root = WEFT_SOURCE_DIR "/tests/golden";
  if (!fs::exists(root, error)) root = fs::read_symlink("/proc/self/exe", error).parent_path() / "../share/weft/golden";
  std::vector<fs::path> out;
  if (what != "programs") out.insert(out.end(), {root / "ops", root / "stateful"});
  if (what != "ops") out.push_back(root / "programs");
  return out;
}

/// "gpu" -> "/device:GPU:0"; names with a slash stay. An error line if the machine has none.
Result<std::string> deviceFrom(const std::string& wanted) {
  if (wanted.empty()) return std::string();
  std::string type = wanted, name = wanted;
  if (!wanted.starts_with('/')) {
    for (char& c : type) c = char(std::toupper(c));
    name = "/device:" + type + (type.find(':') == std::string::npos ? ":0" : "");
  }
  std::string whyNoGpu, known;
  for (const DeviceInfo& d : availableDevices(&whyNoGpu)) {
    if (d.name.ends_with(name.substr(name.find("/device:") == std::string::npos ? 0 : name.find("/device:")))) return name;
    known += (known.empty() ? "" : ", ") + d.name;
  }
  if (name.find("GPU") != std::string::npos && !whyNoGpu.empty()) return notFound(whyNoGpu);
  return notFound("no device ", wanted, "; this machine has ", known);
}

class Tally {
 public:
  Tally(bool strict, bool notes, bool quiet) : strict_(strict), notes_(notes), quiet_(quiet) {}

  void take(const std::string& label, const Verdict& v) {
    for (const std::string& note : v.notes) {
      ++noteCount_;
      if (notes_) std::cout << label << ": note: " << note << "\n";
    }
    if (v.kind == Verdict::Kind::Passed) {
      ++passed_;
      return;
    }
    const bool skipped = v.kind == Verdict::Kind::Skipped && !strict_;
    ++(skipped ? skipped_ : failed_);
    const std::string file = label.substr(0, label.find('/'));
    const std::string text = v.complaints.empty() ? std::string("?") : v.complaints.front();
    const std::string more = v.complaints.size() > 1 ? concat(" (and ", v.complaints.size() - 1, " more)") : "";
    if (skipped || quiet_) {
      if (reported_[file]++ == 0) std::cout << (skipped ? file + ": skipped" : label) << ": " << oneLine(text) << more << std::endl;
    } else {
      std::cout << label << ": " << oneLine(text) << more << std::endl;
    }
  }

  int finish() const {
    if (noteCount_) std::cout << noteCount_ << " inferred shapes are compatible with TensorFlow's but less exact (--notes lists them)\n";
    std::cout << passed_ << " passed, " << failed_ << " failed, " << skipped_ << " skipped" << std::endl;
    return failed_ || passed_ + skipped_ == 0 ? kFailed : kDone;
  }

 private:
  static std::string oneLine(std::string text) {
    for (char& c : text)
      if (c == '\n' || c == '\t' || c == '\r') c = ' ';
    return text;
  }
  bool strict_, notes_, quiet_;
  int passed_ = 0, failed_ = 0, skipped_ = 0, noteCount_ = 0;
  std::map<std::string, int> reported_;
};

int runSelftest(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(raw, {{"--device", true},
                                             {"--threads", true},
                                             {"--only", true},
                                             {"--except", true},
                                             {"--shard", true},
                                             {"--timeout", true},
                                             {"--without", true},
                                             {"--strict"},
                                             {"--notes"},
                                             {"--here"},
                                             {"--quiet"}});
  if (!parsed.ok()) return usageError("selftest", parsed.error().message);
  const Arguments& args = *parsed;
  std::vector<std::string> words = args.positional();
  std::string what;
  if (!words.empty() && (words[0] == "ops" || words[0] == "programs")) {
    what = words[0];
    words.erase(words.begin());
  }
  JudgeOptions options;
  const auto threads = args.integer("--threads", 0, 0), timeout = args.integer("--timeout", 60, 1);
  for (const auto* r : {&threads, &timeout})
    if (!r->ok()) return usageError("selftest", r->error().message);
  options.threads = int(*threads);
  for (const std::string& list : args.values("--without")) {
    for (std::string& name : splitList(list)) options.without.push_back(std::move(name));
  }
  if (const Status known = checkPassNames(options.without); !known.ok()) return usageError("selftest", known.error().message);

  std::vector<JudgeItem> items;
  std::vector<fs::path> paths(words.begin(), words.end());
  if (paths.empty()) paths = defaultPaths(what);
  for (const fs::path& path : paths) {
    const size_t before = items.size();
    collect(path, items);
    if (items.size() == before) return complain(concat(path.string(), ": no golden cases here, expected <Op>.tfrecord or NAME/script.json"));
  }
  if (const auto only = args.value("--only")) {
    const auto names = splitList(*only);
    std::erase_if(items, [&](const JudgeItem& i) { return std::find(names.begin(), names.end(), i.name) == names.end(); });
  }
  if (const auto without = args.value("--except")) {
    const auto names = splitList(*without);
    std::erase_if(items, [&](const JudgeItem& i) { return std::find(names.begin(), names.end(), i.name) != names.end(); });
  }
  if (const auto shard = args.value("--shard")) {
    unsigned index = 0, count = 0;
    if (std::sscanf(shard->c_str(), "%u/%u", &index, &count) != 2 || index >= count) return usageError("selftest", "--shard needs I/N with 0 <= I < N");
    std::vector<JudgeItem> mine;
    for (size_t i = index; i < items.size(); i += count) mine.push_back(items[i]);
    items = std::move(mine);
  }
  if (const auto device = args.value("--device")) {
    auto name = deviceFrom(*device);
    if (!name.ok()) return complain(name.error());
    options.device = std::move(*name);
  }

  catchInterrupts();
  Tally tally(args.has("--strict"), args.has("--notes"), args.has("--quiet"));
  const VerdictSink sink = [&](const std::string& label, const Verdict& v) { tally.take(label, v); };
  // A process that has opened a GPU cannot be copied.
  const char* build = std::getenv("WEFT_GPU");
  const bool onGpu = !options.device.empty() && !(build && std::string_view(build) == "host");
  if (args.has("--here") || onGpu) judgeHere(items, options, sink);
  else judgeInChild(items, options, int(*timeout), sink);
  const int status = tally.finish();
  return interrupted() ? int(kInterrupted) : status;
}

}  // namespace

extern const Command kSelftestCommand;
const Command kSelftestCommand = {"selftest", "judge this engine by what TensorFlow gave", kUsage, runSelftest};

}  // namespace weft::cli
