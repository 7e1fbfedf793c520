#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/tools/tool.h"

// `weft py`: this process becomes the interpreter, so that a script cannot harm or outlive anything else.
namespace weft::cli {
namespace {

namespace fs = std::filesystem;

// bootstrap.py and the package weft: beside the build's libraries, where they are installed, or around this program in a wheel.
struct Modules {
  fs::path bootstrap;
  fs::path package;
};

std::optional<Modules> findModules() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const auto& [folder, package] : {std::pair{"../lib/python", "weft"}, {"../" WEFT_LIBDIR "/python", "weft"}, {"..", "."}}) {
    const fs::path candidate = (here / folder).lexically_normal();
    if (fs::exists(candidate / "bootstrap.py", ignored)) return Modules{candidate / "bootstrap.py", (candidate / package).lexically_normal()};
  }
  return std::nullopt;
}

// The Python to become: WEFT_PYTHON, that of the active virtual environment, or the one that the module was built for.
std::string interpreter() {
  if (const char* chosen = std::getenv("WEFT_PYTHON"); chosen && *chosen) return chosen;
  if (const char* environment = std::getenv("VIRTUAL_ENV"); environment && *environment) {
    std::error_code ignored;
    if (const fs::path candidate = fs::path(environment) / "bin/python"; fs::exists(candidate, ignored)) return candidate.string();
  }
  return WEFT_PYTHON_INTERPRETER;
}

// The part of the module that is not built: its Python files exist before its library and its messages do.
std::string lackingPart(const fs::path& package) {
  std::error_code ignored;
  bool extension = false;
  for (const auto& entry : fs::directory_iterator(package, ignored)) {
    const std::string name = entry.path().filename().string();
    extension = extension || (name.starts_with("_weft.") && name.ends_with(".so"));
  }
  if (!extension) return (package / "_weft.*.so").string();
  const fs::path messages = package / "messages/proto/graph_pb2.py";
  return fs::exists(messages, ignored) ? std::string() : messages.string();
}

int runPython(std::span<const std::string> arguments) {
  size_t own = 0;  // options of Weft, before the program
  for (; own < arguments.size() && arguments[own].starts_with("--doctor"); ++own) {
    if (arguments[own] == "--doctor") continue;
    if (arguments[own] != "--doctor-json") return usageError("py", concat("unknown option ", arguments[own]));
    if (++own == arguments.size()) return usageError("py", "--doctor-json needs a file");
  }
  const std::span<const std::string> all = arguments;
  arguments = arguments.subspan(own);
  if (arguments.empty()) return usageError("py", "no script given");
  if (own > 0 && arguments[0] == "--migrate") return usageError("py", "--doctor looks at a program that runs; --migrate runs none");
  constexpr std::pair<const char*, const char*> kOptions[] = {{"-m", "the name of a module"}, {"-c", "a program text"}, {"--migrate", "a file"}};
  if (arguments[0].size() > 1 && arguments[0][0] == '-') {
    const auto* option = std::find_if(std::begin(kOptions), std::end(kOptions), [&](const auto& o) { return arguments[0] == o.first; });
    if (option == std::end(kOptions)) return usageError("py", concat("unknown option ", arguments[0]));
    if (arguments.size() == 1) return usageError("py", concat(option->first, " needs ", option->second));
  }
  const std::string missing = WEFT_PYTHON_MISSING;
  if (!missing.empty()) return complain(missing);
  const std::optional<Modules> modules = findModules();
  if (!modules) return complain("py: the Python module is not beside this program (lib/python/bootstrap.py)");
  if (const std::string lacking = lackingPart(modules->package); !lacking.empty())
    return complain(concat("py: the Python module is not whole: ", lacking, " is missing; `./run --build-only` builds all of it"));
  const std::string python = interpreter();
  std::vector<std::string> words = {python, modules->bootstrap.string()};
  words.insert(words.end(), all.begin(), all.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  ::execvp(python.c_str(), argv.data());
  return complain(concat("py: ", python, ": ", std::strerror(errno)));
}

}  // namespace

int runPythonModule(std::string_view module, std::span<const std::string> arguments) {
  std::vector<std::string> words = {"-m", std::string(module)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return runPython(words);
}

extern const Command kPyCommand;
const Command kPyCommand = {"py", "run a TensorFlow 1.x program in Python on Weft's engine",
                            "usage: weft py [--doctor] [--doctor-json FILE] SCRIPT [ARGUMENTS…]\n       weft py [--doctor…] -m MODULE [ARGUMENTS…]\n"
                            "       weft py [--doctor…] -c CODE [ARGUMENTS…]\n"
                            "       weft py --migrate FILE… [--output NEW|--in-place|--dry-run] [--force]\n\n"
                            "Runs the Python program SCRIPT (- reads it from standard input), a module, such as\n"
                            "tensorflow.python.tools.freeze_graph, or the text CODE. `import tensorflow` is Weft inside of it.\n"
                            "--doctor: says what is wrong with the trainings of the program, before the first step, while it trains and at the\n"
                            "end, with the program's line, on standard error; `weft check --rules` lists the rules. A training is a run that\n"
                            "applies gradients. It costs up to 3 % of the steps' time. Fixes are not tried.\n"
                            "--doctor-json FILE: the same, and at the end one JSON object with all findings in FILE.\n"
                            "--migrate: shows what has to change in programs for Python 2 or for TensorFlow before 1.0, and writes the\n"
                            "new program: by default FILE_migrated.py, with --dry-run nothing. It lists the lines to look at.\n"
                            "The interpreter is that of the active virtual environment (VIRTUAL_ENV), else the one that Weft's module was built\n"
                            "for; the environment variable WEFT_PYTHON names another. One of another version needs Weft's wheel for it.\n"
                            "The exit status is the program's.\n",
                            runPython, true};

}  // namespace weft::cli
