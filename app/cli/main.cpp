#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"

namespace weft::cli {

#define WEFT_COMMAND(constant) extern const Command constant;
#include "cli/command_list.inc"
#undef WEFT_COMMAND

std::span<const Command* const> commands() {
  static const Command* const list[] = {
#define WEFT_COMMAND(constant) &constant,
#include "cli/command_list.inc"
#undef WEFT_COMMAND
      nullptr};
  return {list, std::size(list) - 1};
}

const Command* findCommand(std::string_view name) {
  for (const Command* c : commands())
    if (c->name == name) return c;
  return nullptr;
}

int complain(std::string_view message, int status) {
  std::string line(message);
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  while (!line.empty() && line.back() == ' ') line.pop_back();
  std::cout.flush();
  std::cerr << "weft: " << line << std::endl;
  return status;
}

int complain(const Error& error, int status) {
  std::string line;
  for (const std::string* part : {&error.file, &error.node})
    if (!part->empty()) line += *part + ": ";
  return complain(line + error.message, status);
}

int usageError(std::string_view command, std::string_view message) {
  return complain(concat(command, ": ", message, "; see weft ", command, " --help"), kWrongUsage);
}

namespace {

std::atomic<const CancellationToken*> caught{nullptr};  // for the signal handler, which may use only lock-free objects

void onSignal(int signal) {
  const CancellationToken* token = caught.load();
  if (token->cancelled()) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  token->cancel();
}

void printHelp(std::ostream& out) {
  out << "usage: weft COMMAND [ARGUMENTS…]\n       weft --version [--json]\n\n"
         "Runs, trains, inspects and converts TensorFlow 1.x dataflow graphs without TensorFlow.\n\ncommands:\n";
  size_t width = 0;
  for (const Command* c : commands()) width = std::max(width, c->name.size());
  for (const Command* c : commands()) out << "  " << c->name << std::string(width + 2 - c->name.size(), ' ') << c->summary << "\n";
  out << "\noptions:\n  --version  the version of Weft; with --json as one line of JSON, with the version of TensorFlow that it follows\n  --help     this text\n";
  out << "\n`weft COMMAND --help` says more about one.\n";
}

int printVersion(bool json) {
  if (json)
    std::cout << R"({"name":"weft","version":")" WEFT_VERSION R"(","tensorflow":"1.15.5"})"
              << "\n";
  else std::cout << "weft " WEFT_VERSION "\n";
  return kDone;
}

/// `--device gpu:host`: the code of GPUs, run and checked by the processor (engine/device/cuda/host).
void chooseHostBuild(std::vector<std::string>& words) {
  const Command* command = words.empty() ? nullptr : findCommand(words[0]);
  if (command && command->forwards) return;  // those are the arguments of a program
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] != "gpu:host" || words[i - 1] != "--device") continue;
    ::setenv("WEFT_GPU", "host", 1);
    words[i] = "/device:GPU:0";
  }
}

int dispatch(std::vector<std::string> words) {
  chooseHostBuild(words);
  if (words.empty()) {
    printHelp(std::cerr);
    return kWrongUsage;
  }
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  if (words[0] == "--version" || (words[0] == "--json" && words.size() == 2 && words[1] == "--version")) {
    const auto other = std::find_if(words.begin(), words.end(), [](const std::string& w) { return w != "--version" && w != "--json"; });
    if (other != words.end()) return complain(concat("--version takes --json alone, not '", *other, "'; see weft --help"), kWrongUsage);
    return printVersion(json);
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    const Command* about = words.size() > 1 ? findCommand(words[1]) : nullptr;
    if (about) std::cout << about->usage;
    else printHelp(std::cout);
    return kDone;
  }
  const Command* command = findCommand(words[0]);
  if (!command) return complain(concat("unknown command '", words[0], "'; see weft --help"), kWrongUsage);
  const std::span<const std::string> arguments(words.begin() + 1, words.end());
  for (const std::string& a : arguments) {
    if (a == "--" || (command->forwards && !a.starts_with('-'))) break;
    if (a == "--help") {
      std::cout << command->usage;
      return kDone;
    }
  }
  return command->run(arguments);
}

}  // namespace

const CancellationToken& interruption() {
  static const CancellationToken token;
  return token;
}

void useTlsFolder(const Arguments& args) {
  if (const auto folder = args.value("--tls")) ::setenv("WEFT_TLS", folder->c_str(), 1);
}

bool splitTargets(const std::vector<std::string>& values, std::vector<std::string>* ops, std::string* server) {
  for (const std::string& value : values) {
    if (value.find("://") == std::string::npos) {
      ops->push_back(value);
    } else if (server->empty()) {
      *server = value;
    } else {
      return false;
    }
  }
  return true;
}

Result<ProductPrecision> precisionOption(const Arguments& args) {
  const auto named = args.value("--precision");
  if (!named) return ProductPrecision::Float32;
  const auto found = precisionNamed(*named);
  if (!found.ok()) return invalidArgument("--precision ", *named, ": expected float32 or bf16");
  return found;
}

RunOptions interruptible() {
  RunOptions options;
  options.cancellation = interruption();
  return options;
}

void catchInterrupts() {
  caught = &interruption();
  struct sigaction action = {};
  action.sa_handler = onSignal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interruption().cancelled(); }

bool stderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace weft::cli

int main(int argc, char** argv) {
  // Report a closed output pipe as a write error instead of dying silently.
  std::signal(SIGPIPE, SIG_IGN);
  std::ios::sync_with_stdio(false);
  int status = 0;
  try {
    status = weft::cli::dispatch(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& e) {
    status = weft::cli::complain(weft::concat("internal error: ", e.what()));
  }
  std::cout.flush();
  if (!std::cout && status == 0) status = weft::cli::complain("standard output: cannot write");
  return status;
}
