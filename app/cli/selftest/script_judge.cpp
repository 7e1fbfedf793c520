#include "cli/selftest/script_judge.h"

#include <unistd.h>
#include <filesystem>
#include <set>

#include "cli/script.h"
#include "cli/selftest/compare.h"
#include "support/tensor_json.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

/// A copy of a folder that is the working directory while this object lives.
class WorkingCopy {
 public:
  explicit WorkingCopy(const fs::path& folder) {
    std::string pattern = (fs::temp_directory_path() / "weft-selftest-XXXXXX").string();
    if (!mkdtemp(pattern.data())) {
      error_ = "no temporary folder can be made";
      return;
    }
    copy_ = pattern;
    before_ = fs::current_path(code_);
    fs::copy(folder, copy_, fs::copy_options::recursive | fs::copy_options::overwrite_existing, code_);
    if (code_) error_ = "cannot be copied: " + code_.message();
    // Reference folders may be read-only; a script writes beside itself and below tmp/.
    std::error_code ignored;
    fs::permissions(copy_, fs::perms::owner_all, fs::perm_options::add, ignored);
    for (const auto& entry : fs::recursive_directory_iterator(copy_, ignored))
      fs::permissions(entry.path(), fs::perms::owner_write | (entry.is_directory() ? fs::perms::owner_exec : fs::perms::none), fs::perm_options::add, ignored);
    fs::create_directory(copy_ / "tmp", ignored);
    fs::current_path(copy_, code_);
    if (code_) error_ = "cannot be entered: " + code_.message();
  }
  WorkingCopy(const WorkingCopy&) = delete;
  ~WorkingCopy() {
    std::error_code ignored;
    if (!before_.empty()) fs::current_path(before_, ignored);
    if (!copy_.empty()) fs::remove_all(copy_, ignored);
  }
  const std::string& error() const { return error_; }

 private:
  fs::path copy_, before_;
  std::error_code code_;
  std::string error_;
};

std::string errorDifference(const RunOutcome& got, const Json& want) {
  const std::string code = want.value("code", ""), phrase = want.value("phrase", "");
  if (got.ok()) return concat("succeeded, want error ", code);
  const std::string message = messageWithNode(got.error());
  if (codeName(got.error().code) != code) return concat("error ", codeName(got.error().code), " (", message.substr(0, 160), "), want ", code);
  if (message.find(phrase) == std::string::npos) return concat("message '", message.substr(0, 200), "' lacks '", phrase, "'");
  return {};
}

std::string valueDifference(const Tensor& got, const Json& want, const Json& run, size_t fetch, const std::string& folder) {
  if (want.is_null()) {
    const auto shapes = run.find("want_shape");
    if (shapes != run.end() && (*shapes)[fetch] != Json(got.shape().toVector()))
      return concat("shape ", got.shape().toString(), ", want ", (*shapes)[fetch].dump());
    return {};
  }
  const Tolerance tolerance{run.value("rtol", 1e-5), run.value("atol", 1e-6)};
  const auto wanted = app::tensorFromJson(want, folder);
  if (!wanted.ok()) return "the wanted value cannot be read: " + wanted.error().message;
  if (want.contains("summary_pbtxt") && got.dtype() == DType::String && got.elements() == 1)
    return summaryDifference(got.at<std::string>(0), wanted->at<std::string>(0), tolerance, 1);
  return differenceOf(got, *wanted, tolerance);
}

/// Complaints about one run.
void judgeRun(const std::string& where, const Json& run, const RunOutcome& got, const std::string& folder, Verdict& verdict) {
  auto complain = [&](const std::string& what, const std::string& text) {
    if (!text.empty()) verdict.complaints.push_back(concat(where, what.empty() ? "" : " ", what, ": ", text));
  };
  if (run.contains("error")) return complain("", errorDifference(got, run["error"]));
  if (!got.ok()) return complain("", concat("error ", codeName(got.error().code), ": ", messageWithNode(got.error()).substr(0, 300)));
  const auto fetches = run.find("fetches");
  if (fetches == run.end()) return;
  const auto want = run.find("want");
  for (size_t i = 0; i < fetches->size(); ++i) {
    const Json wanted = want != run.end() && i < want->size() ? (*want)[i] : Json();
    if (i >= got->size()) complain((*fetches)[i].get<std::string>(), "no value");
    else complain((*fetches)[i].get<std::string>(), valueDifference((*got)[i], wanted, run, i, folder));
  }
}

/// Ops in the script's graphs that the engine does not know.
std::set<std::string> unknownOps(const Script& script) {
  std::set<std::string> out;
  for (const Json& session : script.json()["sessions"]) {
    LoadOptions options;
    options.inferShapes = false;
    const auto loaded = loadGraphFile(session["graph"].get<std::string>(), options);
    if (!loaded.ok()) continue;
    for (int id = 0; id < loaded->meta.graph.size(); ++id)
      if (const Node* node = loaded->meta.graph.node(id); node && !node->record) out.insert(node->op);
  }
  return out;
}

}  // namespace

Verdict judgeScript(const std::string& folder, const JudgeOptions& options) {
  Verdict verdict;
  auto give = [&](std::string complaint) {
    verdict.kind = Verdict::Kind::Failed;
    verdict.complaints.push_back(std::move(complaint));
    return verdict;
  };
  const WorkingCopy copy(folder);
  if (!copy.error().empty()) return give(copy.error());
  const auto script = Script::read("script.json");
  if (!script.ok()) return give(script.error().toString());
  SessionOptions base;
  base.threads = options.threads;
  base.disabledPasses = options.without;
  base.defaultDevice = options.device;
  base.allowSoftPlacement = !options.device.empty();
  const auto outcomes = script->run(base);
  size_t s = 0;
  for (const Json& session : script->json()["sessions"]) {
    size_t r = 0;
    for (const Json& run : session["runs"]) {
      judgeRun(concat("session ", s, " run ", r), run, outcomes[s][r], script->folder(), verdict);
      ++r;
    }
    ++s;
  }
  if (verdict.complaints.empty()) return verdict;
  verdict.kind = Verdict::Kind::Failed;
  if (const auto unknown = unknownOps(*script); !unknown.empty()) {
    std::string names;
    for (const std::string& op : unknown) names += (names.empty() ? "" : ", ") + op;
    verdict.kind = Verdict::Kind::Skipped;
    verdict.complaints = {"this engine does not know " + names};
  }
  return verdict;
}

}  // namespace weft::cli
