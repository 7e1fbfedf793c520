// Commands: their words, and what they run.
#include <algorithm>
#include <iterator>

#include "weft/defects.h"
#include "weft/expressions.h"
#include "weft/graph_commands.h"

namespace weft {
namespace {

/// The words of a command: plain ones, options (--name x) and settings (a=b, --set a=b).
struct CommandWords {
  std::vector<std::string> plain;
  TextAttrs options, settings;

  std::string option(std::string_view name) const {
    const auto it = std::find_if(options.begin(), options.end(), [&](const auto& o) { return o.first == name; });
    return it == options.end() ? std::string() : it->second;
  }
};

/// Where NAME=VALUE is split; npos: it is none. Only characters of names and ports stand before the first '='.
size_t settingAt(const std::string& word) {
  const size_t equal = word.find('=');
  if (equal == word.npos || equal == 0) return word.npos;
  const bool fits = std::all_of(word.begin(), word.begin() + std::ptrdiff_t(equal), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80 ||
           std::string_view("_/:.-").find(char(c)) != std::string_view::npos;
  });
  return fits ? equal : word.npos;
}

/// `plain`: how many words come before settings. Actions without settings take all words as they are, as names may hold '='.
Result<CommandWords> wordsOf(const GraphCommand& command, size_t plain) {
  CommandWords out;
  if (command.action != "graph.add" && command.action != "graph.set" && command.action != "graph.insert") {
    out.plain = command.words;
    return out;
  }
  for (size_t i = 0; i < command.words.size(); ++i) {
    const std::string& word = command.words[i];
    const auto set = [&](const std::string& text, size_t equal) { out.settings.emplace_back(text.substr(0, equal), text.substr(equal + 1)); };
    if (out.plain.size() < plain && i == out.plain.size()) {
      out.plain.push_back(word);
    } else if (word.size() > 2 && word.starts_with("--")) {
      if (i + 1 == command.words.size()) return invalidArgument(command.action, ": ", word, " needs a value");
      const std::string& value = command.words[++i];
      if (word != "--set") {
        out.options.emplace_back(word.substr(2), value);
      } else {
        const size_t equal = settingAt(value);
        if (equal == value.npos) return invalidArgument(command.action, ": --set takes NAME=VALUE, not ", value);
        set(value, equal);
      }
    } else if (const size_t equal = settingAt(word); equal != word.npos) {
      set(word, equal);
    } else {
      out.plain.push_back(word);
    }
  }
  return out;
}

using CommandNames = std::vector<std::string>;

Status runAdd(LayerEditor& layers, const CommandWords& w, CommandNames& made) {
  NodeToAdd node{w.plain[0], w.option("name"), w.settings, {}, w.option("into"), w.option("to")};
  for (const auto& [option, from] : w.options) {
    if (option != "from") continue;
    const size_t equal = from.find('=');
    node.inputs.emplace_back(equal == from.npos ? std::string() : from.substr(0, equal),
                             tensorNamed(layers, equal == from.npos ? from : from.substr(equal + 1)));
  }
  WEFT_LET(const AddedNode added, addNode(layers, node));
  if (!added.name.empty()) made.push_back(added.name);
  return {};
}

Status runConnect(LayerEditor& layers, const CommandWords& w, CommandNames&) { return connectNamed(layers, w.plain[0], w.plain[1]); }

Status runDisconnect(LayerEditor& layers, const CommandWords& w, CommandNames&) {
  const bool both = w.plain.size() > 1;
  return disconnectNamed(layers, both ? w.plain[0] : std::string(), w.plain[both ? 1 : 0]);
}

Status runSet(LayerEditor& layers, const CommandWords& w, CommandNames&) {
  std::string node = w.plain[0];
  for (const auto& [key, value] : w.settings) WEFT_TRY(setValue(layers, node, key, value));
  return {};
}

Status runInsert(LayerEditor& layers, const CommandWords& w, CommandNames& made) {
  WEFT_LET(const std::string name, insertNode(layers, {w.plain[0], w.plain[1], w.option("name"), w.settings}));
  made.push_back(name);
  return {};
}

Status runDelete(LayerEditor& layers, const CommandWords& w, CommandNames&) { return removeNamed(layers, w.plain); }

Status runRename(LayerEditor& layers, const CommandWords& w, CommandNames&) { return renameNamed(layers, w.plain[0], w.plain[1]); }

Status runRewrite(LayerEditor& layers, const CommandWords& w, CommandNames&) {
  for (const std::string& name : w.plain) WEFT_TRY(rewriteNode(layers.editor(), name));
  return {};
}

Status runInitialize(LayerEditor& layers, const CommandWords& w, CommandNames&) {
  for (const std::string& name : w.plain) WEFT_TRY(layers.initialize(name));
  return {};
}

Status runInferAttributes(LayerEditor& layers, const CommandWords& w, CommandNames&) {
  WEFT_LET(const std::vector<int> nodes, nodesNamed(layers.editor().graph(), w.plain));
  return inferMissingAttrs(layers.editor(), nodes);
}

Status runGlobalStep(LayerEditor& layers, const CommandWords& w, CommandNames&) { return addGlobalStep(layers, w.plain[0]); }

Status runSwitchTraining(LayerEditor& layers, const CommandWords& w, CommandNames&) { return switchByTraining(layers, w.plain); }

struct CommandAction {
  std::string_view name;
  Status (*run)(LayerEditor&, const CommandWords&, CommandNames&);
  size_t words;
  std::string_view usage;
};

constexpr CommandAction kActions[] = {
    {"graph.add", runAdd, 1, "TYPE [--name NAME] [--from TENSOR]… [--to INPUT] [--set NAME=VALUE]…"},
    {"graph.connect", runConnect, 2, "FROM:OUTPUT TO:INPUT"},
    {"graph.disconnect", runDisconnect, 1, "[FROM:OUTPUT] TO:INPUT"},
    {"graph.set", runSet, 1, "NODE NAME=VALUE…"},
    {"graph.insert", runInsert, 2, "TO:INPUT TYPE [--name NAME]"},
    {"graph.delete", runDelete, 1, "NAME…"},
    {"graph.rename", runRename, 2, "OLD NEW"},
    {"graph.rewrite", runRewrite, 1, "NODE…"},
    {"graph.initialize", runInitialize, 1, "VARIABLE…"},
    {"graph.infer-attributes", runInferAttributes, 0, "[NODE…]"},
    {"graph.add-global-step", runGlobalStep, 1, "TRAIN_OP"},
    {"graph.switch-training", runSwitchTraining, 1, "LAYER…"},
};

}  // namespace

std::string GraphCommand::toString() const {
  std::string out = action;
  for (const std::string& word : words) {
    if (!word.empty() && word[0] != '#' && word.find_first_of(" \t\n\"'\\") == word.npos) {
      out += " " + word;
      continue;
    }
    out += " \"";
    for (const char c : word) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  return out;
}

Result<EditedGraph> runGraphCommand(const LoadedGraph& before, const GraphCommand& command) {
  const auto* action = std::find_if(std::begin(kActions), std::end(kActions), [&](const CommandAction& a) { return a.name == command.action; });
  if (action == std::end(kActions)) return unimplemented("There is no command ", command.action, " outside of a window");
  WEFT_LET(const CommandWords words, wordsOf(command, action->words));
  if (words.plain.size() < action->words || (action->name == "graph.set" && words.settings.empty()))
    return invalidArgument(command.action, " takes ", action->usage);
  EditedGraph out{before, {}, {}};  // nodes are copied only when they change
  out.graph.original = nullptr;
  GraphEditor editor(out.graph.meta, out.graph.problems);
  LayerEditor layers(editor);
  WEFT_TRY(action->run(layers, words, out.made));
  WEFT_TRY(finishEdit(layers, &out.notes));
  return out;
}

}  // namespace weft
