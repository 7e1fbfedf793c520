// Partitions of a step as text, in a form that does not depend on how the added nodes were numbered.
#pragma once

#include <QString>
#include <QStringList>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "runtime/partition.h"

namespace weft::tests {

/// A node of a task's graph: `name = op@device(inputs, ^controls) {attributes}`. Attributes are listed for the nodes that cutting adds.
struct PartNode {
  std::string name, op, device;
  std::vector<std::string> inputs;
  std::map<std::string, std::string> attrs;

  std::string attr(const std::string& key) const {
    const auto it = attrs.find(key);
    return it == attrs.end() ? std::string() : it->second;
  }
  bool is(const char* kind) const { return op == std::string("_") + kind || op == std::string("_Host") + kind; }
  bool isTransfer() const { return is("Send") || is("Recv"); }
  bool isClientTerminated() const { return attr("client_terminated") == "true"; }
};
using Parts = std::map<std::string, std::vector<PartNode>>;  // by task

/// Whether cutting added the node.
inline bool isAdded(const std::string& name) {
  static const std::regex numbered(".*_S[0-9]+");
  return name.starts_with("_recv_") || name.starts_with("_send_") || std::regex_match(name, numbered);
}

inline std::string attrText(const Attr& a) {
  if (const auto* v = a.get<std::string>()) return '"' + *v + '"';
  if (const auto* v = a.get<bool>()) return *v ? "true" : "false";
  if (const auto* v = a.get<int64_t>()) return std::to_string(*v);
  if (const auto* v = a.get<DType>()) return dtypeName(*v);
  if (const auto* v = a.get<Tensor>()) return "tensor " + dtypeName(v->dtype()) + " " + v->shape().toString();
  return "?";
}

inline std::vector<PartNode> partNodes(const Graph& graph) {
  std::vector<PartNode> out;
  for (int id = 0; id < graph.size(); ++id) {
    const Node& n = *graph.node(id);
    PartNode& p = out.emplace_back(PartNode{n.name, n.op, n.device, {}, {}});
    for (const Output& in : n.inputs) p.inputs.push_back(graph.node(in.node)->name + (in.index ? ":" + std::to_string(in.index) : ""));
    for (const int c : n.controls) p.inputs.push_back("^" + graph.node(c)->name);
    if (!isAdded(n.name)) continue;
    for (const auto& [key, value] : n.attrs) p.attrs[key] = attrText(value);
  }
  return out;
}

/// One node from the text that partitions/make_partitions.py writes.
inline PartNode partNode(const QString& line) {
  PartNode out;
  const qsizetype is = line.indexOf(QStringLiteral(" = ")), at = line.indexOf(u'@', is), open = line.indexOf(u'(', at), close = line.indexOf(u')', open);
  out.name = line.left(is).toStdString();
  out.op = line.mid(is + 3, at - is - 3).toStdString();
  out.device = line.mid(at + 1, open - at - 1).toStdString();
  for (const QString& input : line.mid(open + 1, close - open - 1).split(QStringLiteral(", "), Qt::SkipEmptyParts)) out.inputs.push_back(input.toStdString());
  const qsizetype brace = line.indexOf(u'{', close);
  if (brace < 0) return out;
  for (const QString& item : line.mid(brace + 1, line.size() - brace - 2).split(QStringLiteral("; "))) {
    const qsizetype eq = item.indexOf(u'=');
    out.attrs[item.left(eq).toStdString()] = item.mid(eq + 1).toStdString();
  }
  return out;
}

/// Gives added nodes names that say what they are: "send(w -> /job:ps…)", "recv(^init)", "loop(while/context)/Merge".
class Canonical {
 public:
  explicit Canonical(const Parts& parts) : parts_(parts) {
    for (const auto& [task, nodes] : parts_) {
      for (const PartNode& n : nodes) byName_[n.name] = &n;
    }
    for (const auto& [task, nodes] : parts_) {
      for (const PartNode& n : nodes) {
        for (size_t k = 0; k < n.inputs.size(); ++k) readers_[producer(n.inputs[k])].push_back(n.name + ":" + std::to_string(k));
      }
    }
    nameTransfers();
    nameLoops();
  }

  /// The nodes of a task, one a line, sorted.
  QString text(const std::string& task) const {
    QStringList lines;
    const auto part = parts_.find(task);
    if (part == parts_.end()) return {};
    for (const PartNode& n : part->second) lines << lineOf(n);
    lines.sort();
    return lines.join(u'\n') + u'\n';
  }

 private:
  static std::string producer(const std::string& input) {
    const std::string name = input.starts_with('^') ? input.substr(1) : input;
    return name.substr(0, name.rfind(':'));
  }

  void nameTransfers() {
    std::map<std::string, int> uses;
    std::map<std::string, std::string> label;  // by tensor_name
    std::map<std::string, const PartNode*> receives;
    for (const auto& [name, n] : byName_) {
      if (n->is("Recv") && !n->isClientTerminated()) receives[n->attr("tensor_name")] = n;
    }
    for (const auto& [name, n] : byName_) {
      if (!n->is("Send") || n->isClientTerminated()) continue;
      const PartNode& source = *byName_.at(producer(n->inputs[0]));
      const bool signal = source.op == "Const" && isAdded(source.name) && !source.inputs.empty();
      const std::string to = n->attr("recv_device"), text = (signal ? source.inputs[0] : n->inputs[0]) + " -> " + to.substr(1, to.rfind("/device:") - 1);
      label[n->attr("tensor_name")] = text;
      ++uses[text];
      if (signal) named_[source.name] = "signal(" + text + ")";
    }
    for (auto& [tensor, text] : label) {
      const PartNode* receive = receives.count(tensor) ? receives[tensor] : nullptr;
      if (uses[text] > 1 && receive) text += " for " + readers_[receive->name][0];  // references are not shared
      labels_[tensor] = text;
      if (!receive) continue;
      named_[receive->name] = "recv(" + text + ")";
      for (const std::string& reader : readers_[receive->name]) {
        const PartNode& r = *byName_.at(producer(reader));
        if (r.op == "Identity" && isAdded(r.name)) named_[r.name] = "ran(" + text + ")";
      }
    }
    for (const auto& [name, n] : byName_) {
      if (n->is("Send") && !n->isClientTerminated()) named_[name] = "send(" + labels_[n->attr("tensor_name")] + ")";
    }
  }

  void nameLoops() {
    for (const auto& [name, n] : byName_) {
      if (n->op != "Enter" || !name.starts_with("_cloop")) continue;
      const std::string base = "loop(" + n->attr("frame_name") + " on " + n->device + ")/";
      named_[name] = base + "Enter";
      const std::string start = producer(n->inputs[0]);
      if (isAdded(start) && byName_.at(start)->op == "Const") named_[start] = base + "Const";
      for (const std::string& m : readers_[name]) {
        const std::string merge = producer(m);
        named_[merge] = base + "Merge";
        named_[producer(byName_.at(merge)->inputs[1])] = base + "NextIteration";
        named_[producer(byName_.at(producer(byName_.at(merge)->inputs[1]))->inputs[0])] = base + "Switch";
      }
    }
  }

  std::string renamed(const std::string& name) const {
    const auto it = named_.find(name);
    return it == named_.end() ? name : it->second;
  }

  QString lineOf(const PartNode& n) const {
    std::vector<std::string> data, controls;
    for (const std::string& input : n.inputs) {
      const std::string from = producer(input);
      const size_t colon = input.rfind(':');
      if (input.starts_with('^')) {
        controls.push_back("^" + renamed(from));
      } else {
        data.push_back(renamed(from) + (colon == input.npos ? "" : input.substr(colon)));
      }
    }
    std::sort(controls.begin(), controls.end());
    controls.erase(std::unique(controls.begin(), controls.end()), controls.end());
    data.insert(data.end(), controls.begin(), controls.end());
    std::string op = n.op;
    // On a CPU, _Send and _HostSend are the same; TensorFlow chooses by details of its kernels, except for strings.
    if (n.isTransfer() && n.attr("T") != "string" && n.attr("tensor_type") != "string") op = n.is("Send") ? "_Send" : "_Recv";
    std::string line = renamed(n.name) + " = " + op + "@" + n.device + "(";
    for (size_t k = 0; k < data.size(); ++k) line += (k ? ", " : "") + data[k];
    line += ")";
    for (const auto& [key, value] : n.attrs) {
      const auto known = key == "tensor_name" ? labels_.find(value) : labels_.end();
      line += " " + key + "=" + (known == labels_.end() ? value : known->second);
    }
    return QString::fromStdString(line);
  }

  const Parts& parts_;
  std::map<std::string, const PartNode*> byName_;
  std::map<std::string, std::vector<std::string>> readers_;  // "reader:slot" by name
  std::map<std::string, std::string> labels_;                // what is transferred, by tensor_name
  std::map<std::string, std::string> named_;
};

}  // namespace weft::tests
