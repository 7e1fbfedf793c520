// Edits of nodes, layers and wires.
#include <QRegularExpression>
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "adapters/group_edits.h"
#include "adapters/snippets.h"
#include "weft/api.h"
#include "weft/op.h"

namespace weft::app {

/// Ids of the named nodes and of all nodes in the named scopes.
Result<std::vector<int>> nodesNamed(const Graph& graph, const QStringList& names) {
  std::vector<int> out;
  std::vector<bool> taken(size_t(graph.size()), false);
  for (const QString& text : names) {
    const std::string name = text.toStdString(), prefix = name + "/";
    bool any = false;
    for (int id = 0; id < graph.size(); ++id) {
      const Node* n = graph.node(id);
      if (!n || (n->name != name && !n->name.starts_with(prefix))) continue;
      any = true;
      if (!taken[size_t(id)]) out.push_back(id);
      taken[size_t(id)] = true;
    }
    if (!any) return notFound("There is no node or scope ", name, " in this graph");
  }
  return out;
}

std::string tensorNamed(LayerEditor& layers, const QString& text) {
  std::string name = text.toStdString();
  const size_t colon = name.rfind(':');
  const std::string scope = name.substr(0, colon);
  const size_t index = colon == name.npos ? 0 : size_t(std::max(0, std::atoi(name.c_str() + colon + 1)));
  if (const Recipe* r = layers.find(scope); r && index < r->outputs.size() && !layers.editor().graph().find(scope)) return r->outputs[index];
  if (const std::string inner = groupOutput(layers, scope, colon == name.npos ? std::string() : name.substr(colon + 1)); !inner.empty()) return inner;
  return name;
}

Recipe* layerAt(LayerEditor& layers, const QString& place, std::string* port) {
  const std::string text = place.toStdString();
  const size_t colon = text.rfind(':');
  const std::string name = text.substr(0, colon);
  if (Recipe* r = layers.find(name); r && !layers.editor().graph().find(name)) {
    *port = colon == text.npos ? std::string() : text.substr(colon + 1);
    return r;
  }
  Recipe* r = layers.around(name);
  const auto in = r ? layers.editor().input(text) : Result<GraphEditor::InputPlace>(notFound(""));
  if (!r || !in.ok() || in->append) return nullptr;
  const std::string source = layers.editor().graph().tensorName(layers.editor().graph().node(in->node)->inputs[size_t(in->index)]);
  for (size_t k = 0; k < r->inputs.size(); ++k) {
    if (r->inputs[k] != source) continue;
    *port = std::to_string(k);
    return r;
  }
  return nullptr;
}

void byHand(LayerEditor& layers, const std::string& node) {
  if (const Recipe* r = layers.around(node)) layers.explode(r->scope);
}

TextAttrs textAttrs(const EditWords& words) {
  TextAttrs out;
  for (const auto& [key, value] : words.settings()) out.emplace_back(key.toStdString(), value.toStdString());
  return out;
}

GraphEdit addEdit(const EditWords& w) {
  const QString type = w.positional.value(0), name = w.option(QStringLiteral("name"));
  if (isSnippet(type)) {
    QString error;
    const QString clip = snippetText(type, &error);
    const QString shown = GraphEdits::tr("Add %1").arg(type.mid(type.indexOf(u':') + 1));
    if (!error.isEmpty()) return makeEdit(shown, [error](LayerEditor&, EditOutcome&) -> Status { return notFound(error.toStdString()); });
    GraphEdit edit = pasteEdit(clip, w.option(QStringLiteral("into")));
    edit.text = shown;
    return edit;
  }
  if (isGroupType(type)) return addGroupEdit(w);
  return makeEdit(GraphEdits::tr("Add %1").arg(name.isEmpty() ? type : name), [w, type, name](LayerEditor& layers, EditOutcome& out) -> Status {
    GraphEditor& editor = layers.editor();
    const TextAttrs attrs = textAttrs(w);
    TextAttrs inputs;
    for (const QString& from : w.all(QStringLiteral("from"))) {
      const qsizetype equal = from.indexOf(u'=');
      inputs.emplace_back(equal < 0 ? std::string() : from.left(equal).toStdString(), tensorNamed(layers, from.mid(equal + 1)));
    }
    const std::string op = type.toStdString();
    const QString into = w.option(QStringLiteral("into"));
    const auto placed = [&](const std::string& made, bool scope) {
      out.select = {text(made)};
      double x = 0, y = 0;
      if (w.point(QStringLiteral("at"), &x, &y)) placeOnCanvas(editor.meta(), {made, scope, x, y, false});
    };
    const auto connectOn = [&](const std::string& result) -> Status {
      const QString to = w.option(QStringLiteral("to"));
      if (to.isEmpty()) return {};
      std::string port;
      if (Recipe* reader = layerAt(layers, to, &port)) return layers.connect(result, *reader, port);
      WEFT_LET(const Output from, editor.output(result));
      WEFT_LET(const auto place, editor.input(to.toStdString()));
      byHand(layers, editor.graph().node(place.node)->name);
      return editor.connect(from, place);
    };
    if (type == QLatin1String("data")) {
      DatasetBinding binding;
      WEFT_TRY(bindingFromWords(w, &binding));
      WEFT_LET(const auto names, layers.addData(binding, w.folder.toStdString()));
      // In a column from the drop position.
      double x = 0, y = 0;
      if (w.point(QStringLiteral("at"), &x, &y)) {
        for (const std::string& n : names) {
          placeOnCanvas(editor.meta(), {n, editor.graph().find(n) == nullptr, x, y, false});
          y += 64;  // row height on the canvas
        }
      }
      // Select the first input that is not labels, to which the network will be connected.
      for (const std::string& n : names)
        if (out.select.isEmpty() && !lastPart(text(n)).startsWith(QLatin1String("label"))) out.select << text(n);
      return {};
    }
    const bool known = OpRegistry::instance().find(op) != nullptr;
    const ApiRecord* record = known ? nullptr : ApiRegistry::instance().findLayer(op);
    if (!known && !record) record = ApiRegistry::instance().findLayer("layers." + op);
    if (record && record->name.starts_with("train.") && record->name.ends_with("Optimizer")) {
      LayerEditor::Training t;
      t.optimizer = record->name;
      t.parameters = attrs;
      if (!inputs.empty()) t.loss = inputs[0].second;
      return layers.addTraining(t);
    }
    std::string full = name.isEmpty() ? (record ? record->name.substr(record->name.rfind('.') + 1) : op) : name.toStdString();
    if (!into.isEmpty()) full = into.toStdString() + "/" + full;
    if (record) {
      WEFT_LET(const std::string made, layers.add(*record, full, attrs, inputs));
      placed(made, layers.find(made) != nullptr);
      const Recipe* own = layers.find(made);
      return connectOn(own && !own->outputs.empty() ? own->outputs[0] : made + ":0");
    }
    if (!known) return notFound("There is no op or layer ", op);
    WEFT_LET(const int id, editor.add(op, full, attrs));
    const std::string made = editor.graph().node(id)->name;
    for (const auto& [port, tensor] : inputs) {
      WEFT_LET(const Output from, editor.output(tensor));
      WEFT_LET(const auto to, editor.input(port.empty() ? made : made + ":" + port));
      WEFT_TRY(editor.connect(from, to));
    }
    placed(made, false);
    return connectOn(made + ":0");
  });
}

namespace {

/// Whether `source` depends on the layer, so that a wire from it to the layer would close a cycle.
bool feeds(const Graph& graph, const Recipe& layer, int source) {
  const auto consumers = graph.consumers();
  std::vector<int> open;
  std::vector<char> seen(size_t(graph.size()), 0);
  const auto visit = [&](int id) {
    if (!std::exchange(seen[size_t(id)], 1)) open.push_back(id);
  };
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    // Inner constants and variables do not depend on the layer's inputs, but belong to the layer.
    if (node && node->name.starts_with(layer.scope + "/")) visit(id);
  }
  for (const std::string& name : layer.nodes)
    if (const Node* node = graph.find(name)) visit(node->id);
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (id == source) return true;
    if (roleOf(*graph.node(id)) == OpRole::NextIteration) continue;  // a loop may be a cycle
    for (const int reader : consumers[size_t(id)]) visit(reader);
  }
  return false;
}

}  // namespace

GraphEdit connectEdit(const EditWords& w) {
  const QString from = w.positional.value(0), to = w.positional.value(1);
  return makeEdit(GraphEdits::tr("Connect %1").arg(lastPart(to)), [from, to](LayerEditor& layers, EditOutcome&) -> Status {
    GraphEditor& editor = layers.editor();
    if (from.startsWith(u'^') || to.startsWith(u'^')) {
      WEFT_LET(const int a, editor.find((from.startsWith(u'^') ? from.mid(1) : from).toStdString()));
      WEFT_LET(const int b, editor.find((to.startsWith(u'^') ? to.mid(1) : to).toStdString()));
      return editor.connectControl(a, b);
    }
    const std::string tensor = tensorNamed(layers, from);
    if (Status status; connectGroup(layers, to, tensor, &status)) return status;
    std::string port;
    if (Recipe* layer = layerAt(layers, to, &port)) {
      const auto source = editor.output(tensor);
      if (source.ok() && feeds(editor.graph(), *layer, source->node))
        return invalidArgument("A wire from ", from.toStdString(), " to ", layer->scope, " would close a cycle: ", from.toStdString(), " hangs on ",
                               layer->scope)
            .atNode(layer->scope);
      return layers.connect(tensor, *layer, port);
    }
    WEFT_LET(const Output source, editor.output(tensor));
    WEFT_LET(const auto place, editor.input(to.toStdString()));
    byHand(layers, editor.graph().node(place.node)->name);
    return editor.connect(source, place);
  });
}

GraphEdit disconnectEdit(const EditWords& w) {
  const QString from = w.positional.size() > 1 ? w.positional[0] : QString(), to = w.positional.value(w.positional.size() > 1 ? 1 : 0);
  return makeEdit(GraphEdits::tr("Disconnect %1").arg(lastPart(to)), [from, to](LayerEditor& layers, EditOutcome&) -> Status {
    GraphEditor& editor = layers.editor();
    if (from.startsWith(u'^')) {
      WEFT_LET(const int a, editor.find(from.mid(1).toStdString()));
      WEFT_LET(const int b, editor.find((to.startsWith(u'^') ? to.mid(1) : to).toStdString()));
      return editor.disconnectControl(a, b);
    }
    if (Status status; connectGroup(layers, to, {}, &status)) return status;
    std::string port;
    if (Recipe* layer = layerAt(layers, to, &port)) {
      if (!from.isEmpty()) {
        WEFT_LET(const Output source, editor.output(tensorNamed(layers, from)));
        const std::string tensor = editor.graph().tensorName(source);
        const size_t given = port.empty() ? 0 : size_t(std::max(0, std::atoi(port.c_str())));
        const auto at = std::find(layer->inputs.begin() + std::ptrdiff_t(std::min(given, layer->inputs.size())), layer->inputs.end(), tensor);
        const bool there = at != layer->inputs.end() && (port.empty() || size_t(at - layer->inputs.begin()) == given);
        if (!there) return notFound("There is no wire from ", from.toStdString(), " to ", to.toStdString());
        port = std::to_string(at - layer->inputs.begin());
      }
      return layers.disconnect(*layer, port);
    }
    if (from.isEmpty() || editor.graph().find(to.toStdString()) == nullptr) {
      WEFT_LET(const auto place, editor.input(to.toStdString()));
      byHand(layers, editor.graph().node(place.node)->name);
      return editor.disconnect(place.node, place.index);
    }
    WEFT_LET(const Output source, editor.output(tensorNamed(layers, from)));
    WEFT_LET(const int id, editor.find(to.toStdString()));
    byHand(layers, to.toStdString());
    bool any = false;
    for (size_t i = editor.graph().node(id)->inputs.size(); i-- > 0;) {
      if (i >= editor.graph().node(id)->inputs.size() || !(editor.graph().node(id)->inputs[i] == source)) continue;
      any = true;
      WEFT_TRY(editor.disconnect(id, int(i)));
    }
    if (!any) return notFound("There is no wire from ", from.toStdString(), " to ", to.toStdString());
    return {};
  });
}

Status setValue(LayerEditor& layers, std::string& node, const QString& key, const QString& value) {
  const bool renames = key == QLatin1String("name");
  if (const std::string field = key.toStdString(); value.trimmed().startsWith(u'=') && takesExpression(layers, node, field)) {
    if (layers.editor().graph().find(node)) byHand(layers, node);
    return followExpression(layers, node, field, value);
  } else if (!renames) {
    release(layers, node, field);
  }
  if (Recipe* layer = layers.find(node); layer && !layers.editor().graph().find(node)) {
    WEFT_TRY(layers.setParameter(*layer, key.toStdString(), value.toStdString()));
  } else if (Status status; setInGroup(layers, text(node), key, value, &status)) {
    WEFT_TRY(status);
  } else {
    WEFT_LET(const int id, layers.editor().find(node));
    if (!renames) byHand(layers, node);
    WEFT_TRY(layers.editor().setAttr(id, key.toStdString(), value.toStdString()));
  }
  if (renames) node = value.toStdString();
  return {};
}

GraphEdit setEdit(const EditWords& w) {
  const QString name = w.positional.value(0);
  const auto settings = w.settings();
  return makeEdit(GraphEdits::tr("Change %1").arg(lastPart(name)), [name, settings](LayerEditor& layers, EditOutcome& out) -> Status {
    std::string node = name.toStdString();
    for (const auto& [key, value] : settings) WEFT_TRY(setValue(layers, node, key, value));
    out.select = {text(node)};
    return {};
  });
}

namespace {

/// Disconnects layers from the nodes to be removed. Each then waits with one missing wire, instead of one for each of its ops.
Status disconnectReaders(LayerEditor& layers, const QStringList& names) {
  const auto goes = [&](const std::string& name) {
    return std::any_of(names.begin(), names.end(), [&](const QString& n) { return text(name) == n || text(name).startsWith(n + u'/'); });
  };
  std::vector<std::pair<std::string, size_t>> cut;
  for (const Recipe& r : layers.recipes()) {
    const ApiRecord* record = r.trains() || goes(r.scope) ? nullptr : ApiRegistry::instance().findLayer(r.kind);
    if (!record) continue;
    const auto inputs = layerInputs(*record);
    for (size_t i = 0; i < inputs.size() && i < r.inputs.size(); ++i)
      if (inputs[i].required && !inputs[i].list && !r.inputs[i].empty() && goes(r.inputs[i].substr(0, r.inputs[i].rfind(':')))) cut.emplace_back(r.scope, i);
  }
  for (const auto& [scope, input] : cut)
    if (Recipe* r = layers.find(scope); r && input < r->inputs.size() && !r->inputs[input].empty()) WEFT_TRY(layers.disconnect(*r, std::to_string(input)));
  return {};
}

}  // namespace

GraphEdit removeEdit(const EditWords& w) {
  const QStringList names = w.names();
  const QString what = names.size() == 1 ? lastPart(names[0]) : GraphEdits::tr("%n node(s)", nullptr, int(names.size()));
  return makeEdit(GraphEdits::tr("Delete %1").arg(what), [names](LayerEditor& layers, EditOutcome&) -> Status {
    WEFT_TRY(disconnectReaders(layers, names));
    WEFT_LET(const auto ids, nodesNamed(layers.editor().graph(), names));
    for (const QString& n : names) {
      if (layers.find(n.toStdString())) layers.explode(n.toStdString());
      else byHand(layers, n.toStdString());
    }
    return layers.editor().remove(ids);
  });
}

Status checkNodeName(const QString& name, const std::string& old) {
  static const QRegularExpression form(QStringLiteral("^[A-Za-z0-9.][A-Za-z0-9_.\\-]*(/[A-Za-z0-9_.\\-]+)*$"));
  if (form.match(name).hasMatch()) return {};
  return invalidArgument("'", name.toStdString(),
                         "' is not a valid node name: it may have letters, digits and . _ - /, and begins with a letter, a digit or a dot")
      .atNode(old);
}

GraphEdit renameEdit(const EditWords& w) {
  const QString from = w.positional.size() > 1 ? w.positional[0] : w.selection.value(0), to = w.positional.value(w.positional.size() > 1 ? 1 : 0);
  return makeEdit(GraphEdits::tr("Rename %1").arg(lastPart(from)), [from, to](LayerEditor& layers, EditOutcome& out) -> Status {
    out.select = {to};
    const std::string old = from.toStdString(), now = to.toStdString();
    WEFT_TRY(checkNodeName(to, old));
    if (layers.find(old)) return layers.rename(old, now);
    if (const Node* n = layers.editor().graph().find(old)) return layers.editor().rename(n->id, now);
    return layers.rename(old, now);
  });
}

/// Replaces a text in the last part of every name, deepest names first, so that the parents still have their old names.
GraphEdit renameAllEdit(const EditWords& w) {
  const QString find = w.positional.value(0), with = w.positional.value(1);
  return makeEdit(GraphEdits::tr("Replace %1 in names").arg(find), [find, with](LayerEditor& layers, EditOutcome& out) -> Status {
    const std::string wanted = find.toStdString();
    if (wanted.empty()) return invalidArgument("Say what to look for in the names");
    std::map<size_t, std::set<std::string>, std::greater<>> byDepth;
    const Graph& graph = layers.editor().graph();
    for (int id = 0; id < graph.size(); ++id) {
      const Node* node = graph.node(id);
      if (!node) continue;
      // Names of a layer's inner ops are fixed by its kind.
      const Recipe* layer = layers.around(node->name);
      const std::string name = layer && !layer->trains() ? layer->scope : layer ? std::string() : node->name;
      size_t depth = 0;
      for (size_t from = 0, to = 0; !name.empty() && to != std::string::npos; from = to + 1, ++depth) {
        to = name.find('/', from);
        if (name.substr(from, to - from).find(wanted) != std::string::npos) byDepth[depth].insert(name.substr(0, to));
      }
    }
    if (byDepth.empty()) return notFound("No name holds '", wanted, "'");
    for (const auto& [depth, names] : byDepth) {
      for (const std::string& old : names) {
        const size_t slash = old.rfind('/');
        const QString above = text(slash == std::string::npos ? std::string() : old.substr(0, slash + 1));
        const QString now = above + text(old.substr(size_t(above.toUtf8().size()))).replace(find, with);
        WEFT_TRY(checkNodeName(now, old));
        WEFT_TRY(layers.rename(old, now.toStdString()));
        if (depth == 0) out.select << now;
      }
    }
    return {};
  });
}

GraphEdit moveEdit(const EditWords& w) {
  struct Move {
    QString name;
    double x = 0, y = 0;
  };
  QVector<Move> moves;
  for (qsizetype i = 0; i + 1 < w.positional.size(); i += 2) {
    moves << Move{w.positional[i]};
    EditWords::pointFrom(w.positional[i + 1], &moves.last().x, &moves.last().y);
  }
  const QString what = moves.size() == 1 ? GraphEdits::tr("Move %1").arg(lastPart(moves[0].name)) : GraphEdits::tr("Move %1 nodes").arg(moves.size());
  return makeEdit(what, [moves](LayerEditor& layers, EditOutcome&) -> Status {
    for (const Move& move : moves) {
      const bool isNode = layers.editor().graph().find(move.name.toStdString()) != nullptr;
      if (!isNode) WEFT_TRY(nodesNamed(layers.editor().graph(), {move.name}).status());
      placeOnCanvas(layers.editor().meta(), {move.name.toStdString(), !isNode, move.x, move.y, false});
    }
    return {};
  });
}

}  // namespace weft::app
