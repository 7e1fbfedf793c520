#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/script.h"

namespace weft::cli {

/// A script of resources/against that runs in a Python process of its own. It gets orders on its standard input and answers each with a line of JSON; its
/// messages go to a file.
class Runner {
 public:
  /// Starts `python script job`. NOT_FOUND if there is no such Python.
  static Result<std::unique_ptr<Runner>> start(const std::string& python, const std::string& script, const std::string& job, const std::string& messages);
  ~Runner();  ///< Ends the process and those that it started.
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Waits for the next answer, as long as it takes. CANCELLED if the user interrupts; the script's own {"error"}; UNAVAILABLE with its last message if it ended.
  Result<Json> answer();
  Result<Json> ask(const std::string& order);

 private:
  Runner() = default;
  Error ended();
  int process_ = -1, in_ = -1, out_ = -1;
  std::string messages_, buffer_;
};

/// The folder of those scripts: in the build tree or where they are installed.
Result<std::string> runnerFolder();

}  // namespace weft::cli
