// Edits of nodes, layers and wires.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "adapters/group_edits.h"
#include "adapters/snippets.h"

namespace weft::app {

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
    const auto place = [&](const std::string& made, bool scope, double below = 0) {
      double x = 0, y = 0;
      if (w.point(QStringLiteral("at"), &x, &y)) placeOnCanvas(editor.meta(), {made, scope, x, y + below, false});
    };
    if (type == QLatin1String("data")) {
      DatasetBinding binding;
      WEFT_TRY(bindingFromWords(w, &binding));
      WEFT_LET(const auto names, layers.addData(binding, w.folder.toStdString()));
      // In a column from the drop position.
      double below = 0;
      for (const std::string& n : names) {
        place(n, editor.graph().find(n) == nullptr, below);
        below += 64;  // row height on the canvas
      }
      // Select the first input that is not labels, to which the network will be connected.
      for (const std::string& n : names)
        if (out.select.isEmpty() && !lastPart(text(n)).startsWith(QLatin1String("label"))) out.select << text(n);
      return {};
    }
    NodeToAdd node{
        type.toStdString(), name.toStdString(), textAttrs(w), {}, w.option(QStringLiteral("into")).toStdString(), w.option(QStringLiteral("to")).toStdString()};
    for (const QString& from : w.all(QStringLiteral("from"))) {
      const qsizetype equal = from.indexOf(u'=');
      node.inputs.emplace_back(equal < 0 ? std::string() : from.left(equal).toStdString(), tensorNamed(layers, from.mid(equal + 1)));
    }
    WEFT_LET(const AddedNode added, addNode(layers, node));
    if (added.name.empty()) return {};  // a training
    out.select = {text(added.name)};
    place(added.name, added.isLayer);
    return {};
  });
}

GraphEdit connectEdit(const EditWords& w) {
  const QString from = w.positional.value(0), to = w.positional.value(1);
  return makeEdit(GraphEdits::tr("Connect %1").arg(lastPart(to)),
                  [from, to](LayerEditor& layers, EditOutcome&) { return connectNamed(layers, from.toStdString(), to.toStdString()); });
}

GraphEdit disconnectEdit(const EditWords& w) {
  const QString from = w.positional.size() > 1 ? w.positional[0] : QString(), to = w.positional.value(w.positional.size() > 1 ? 1 : 0);
  return makeEdit(GraphEdits::tr("Disconnect %1").arg(lastPart(to)),
                  [from, to](LayerEditor& layers, EditOutcome&) { return disconnectNamed(layers, from.toStdString(), to.toStdString()); });
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

GraphEdit removeEdit(const EditWords& w) {
  const QStringList names = w.names();
  const QString what = names.size() == 1 ? lastPart(names[0]) : GraphEdits::tr("%n node(s)", nullptr, int(names.size()));
  return makeEdit(GraphEdits::tr("Delete %1").arg(what), [names](LayerEditor& layers, EditOutcome&) { return removeNamed(layers, strings(names)); });
}

GraphEdit renameEdit(const EditWords& w) {
  const QString from = w.positional.size() > 1 ? w.positional[0] : w.selection.value(0), to = w.positional.value(w.positional.size() > 1 ? 1 : 0);
  return makeEdit(GraphEdits::tr("Rename %1").arg(lastPart(from)), [from, to](LayerEditor& layers, EditOutcome& out) {
    out.select = {to};
    return renameNamed(layers, from.toStdString(), to.toStdString());
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
