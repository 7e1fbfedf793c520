#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"
#include "weft/session.h"

namespace weft::cli {

class Arguments;

/// Exit statuses of every command.
enum ExitStatus : int { kDone = 0, kFailed = 1, kWrongUsage = 2, kInterrupted = 130 };

/// A subcommand of `weft`. Define each as a constant in its own file and list it in command_list.inc.
struct Command {
  std::string_view name;
  std::string_view summary;                            ///< One line for the list of commands.
  std::string_view usage;                              ///< What `weft NAME --help` prints; begins with "usage: weft NAME …".
  int (*run)(std::span<const std::string> arguments);  ///< Arguments after the command's name; returns an ExitStatus.
  bool forwards = false;                               ///< The words after its first argument belong to another program, even --help.
};

/// All commands, in the order of command_list.inc.
std::span<const Command* const> commands();
const Command* findCommand(std::string_view name);

/// Prints one line `weft: …` on stderr; newlines inside become spaces. Returns `status` for `return complain(…)`.
int complain(std::string_view message, int status = kFailed);
/// Prints an engine error in the same way: "weft: FILE or NODE: what is wrong".
int complain(const Error& error, int status = kFailed);
/// Reports wrong usage and where to find the help. Returns kWrongUsage.
int usageError(std::string_view command, std::string_view message);

/// From now on Ctrl-C and SIGTERM cancel interruption() instead of ending the process (a second one ends it).
void catchInterrupts();
bool interrupted();
/// The token to pass to every step of a command, so that steps that wait for a queue or loop forever also end.
const CancellationToken& interruption();
/// Run options with interruption().
RunOptions interruptible();

/// Separates values of --target: ops, and a server ("grpc://host:port"), which no op can be called. False if there are two servers.
bool splitTargets(const std::vector<std::string>& values, std::vector<std::string>* ops, std::string* server);

/// --tls FOLDER, for this process: connections between tasks are encrypted by its files. libweft-cluster reads the variable when it is opened.
void useTlsFolder(const Arguments& args);

/// The value of --precision; INVALID_ARGUMENT names the allowed ones.
Result<ProductPrecision> precisionOption(const Arguments& args);

/// Whether stderr is a terminal; progress bars are shown only there.
bool stderrIsTerminal();

}  // namespace weft::cli
