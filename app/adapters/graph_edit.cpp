// The words of editing actions as changes of the engine's graph.
#include "adapters/graph_edit.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <map>

#include "adapters/edit_words.h"
#include "adapters/engine_graph.h"
#include "weft/api.h"
#include "weft/op.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

struct GraphEdits {
  Q_DECLARE_TR_FUNCTIONS(GraphEdits)
};

QString lastPart(const QString& name) { return name.mid(name.lastIndexOf(u'/') + 1); }

/// Nodes of these names, and all that lies in scopes of these names.
Result<std::vector<int>> nodesNamed(const Graph& graph, const QStringList& names) {
  std::vector<int> out;
  for (const QString& text : names) {
    const std::string name = text.toStdString(), prefix = name + "/";
    bool any = false;
    for (int id = 0; id < graph.size(); ++id) {
      const Node* n = graph.node(id);
      if (!n || (n->name != name && !n->name.starts_with(prefix))) continue;
      any = true;
      if (std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
    }
    if (!any) return notFound("There is no node or scope ", name, " in this graph");
  }
  return out;
}

/// "conv1" or "conv1:0" of a layer as the tensor that the layer gives.
std::string tensorNamed(LayerEditor& layers, const QString& text) {
  std::string name = text.toStdString();
  const size_t colon = name.rfind(':');
  const std::string scope = name.substr(0, colon);
  const size_t index = colon == name.npos ? 0 : size_t(std::max(0, std::atoi(name.c_str() + colon + 1)));
  if (const Recipe* r = layers.find(scope); r && index < r->outputs.size() && !layers.editor().graph().find(scope)) return r->outputs[index];
  return name;
}

/// The layer whose input that place is: its scope's name, or an inner node that reads one of its inputs. `port` gets the number.
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

/// An op of a layer that is changed by hand is no longer made by its recipe.
void byHand(LayerEditor& layers, const std::string& node) {
  if (const Recipe* r = layers.around(node)) layers.explode(r->scope);
}

GraphEdit add(const EditWords& w) {
  const QString type = w.positional.value(0), name = w.option(QStringLiteral("name"));
  return makeEdit(GraphEdits::tr("Add %1").arg(name.isEmpty() ? type : name), [w, type, name](LayerEditor& layers, EditOutcome& out) -> Status {
    GraphEditor& editor = layers.editor();
    TextAttrs attrs;
    for (const auto& [key, value] : w.settings()) attrs.emplace_back(key.toStdString(), value.toStdString());
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
    if (type == QLatin1String("data")) {
      DatasetBinding binding;
      WEFT_TRY(bindingFromWords(w, &binding));
      WEFT_LET(const auto names, layers.addData(binding, w.folder.toStdString()));
      for (const std::string& n : names) out.select << text(n);
      return {};
    }
    const bool known = OpRegistry::instance().find(op) != nullptr;
    const ApiRecord* record = known ? nullptr : ApiRegistry::instance().find(op);
    if (!known && !record) record = ApiRegistry::instance().find("layers." + op);
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
      return {};
    }
    if (!known) return notFound("There is no op or layer ", op);
    WEFT_LET(const int id, editor.add(op, full, attrs));
    const std::string made = editor.graph().node(id)->name;
    for (const auto& [port, tensor] : inputs) {
      WEFT_LET(const Output from, editor.output(tensor));
      WEFT_LET(const auto to, editor.input(port.empty() ? made : made + ":" + port));
      WEFT_TRY(editor.connect(from, to));
    }
    if (const QString to = w.option(QStringLiteral("to")); !to.isEmpty()) {
      WEFT_LET(const auto place, editor.input(to.toStdString()));
      WEFT_TRY(editor.connect({id, 0}, place));
    }
    placed(made, false);
    return {};
  });
}

GraphEdit connectWires(const EditWords& w) {
  const QString from = w.positional.value(0), to = w.positional.value(1);
  return makeEdit(GraphEdits::tr("Connect %1").arg(lastPart(to)), [from, to](LayerEditor& layers, EditOutcome&) -> Status {
    GraphEditor& editor = layers.editor();
    if (from.startsWith(u'^') || to.startsWith(u'^')) {
      WEFT_LET(const int a, editor.find((from.startsWith(u'^') ? from.mid(1) : from).toStdString()));
      WEFT_LET(const int b, editor.find((to.startsWith(u'^') ? to.mid(1) : to).toStdString()));
      return editor.connectControl(a, b);
    }
    const std::string tensor = tensorNamed(layers, from);
    std::string port;
    if (Recipe* layer = layerAt(layers, to, &port)) return layers.connect(tensor, *layer, port);
    WEFT_LET(const Output source, editor.output(tensor));
    WEFT_LET(const auto place, editor.input(to.toStdString()));
    byHand(layers, editor.graph().node(place.node)->name);
    return editor.connect(source, place);
  });
}

GraphEdit disconnectWires(const EditWords& w) {
  const QString from = w.positional.size() > 1 ? w.positional[0] : QString(), to = w.positional.value(w.positional.size() > 1 ? 1 : 0);
  return makeEdit(GraphEdits::tr("Disconnect %1").arg(lastPart(to)), [from, to](LayerEditor& layers, EditOutcome&) -> Status {
    GraphEditor& editor = layers.editor();
    if (from.startsWith(u'^')) {
      WEFT_LET(const int a, editor.find(from.mid(1).toStdString()));
      WEFT_LET(const int b, editor.find((to.startsWith(u'^') ? to.mid(1) : to).toStdString()));
      return editor.disconnectControl(a, b);
    }
    std::string port;
    if (Recipe* layer = layerAt(layers, to, &port)) {
      if (port.empty() && !from.isEmpty()) {
        const auto at = std::find(layer->inputs.begin(), layer->inputs.end(), layers.editor().graph().tensorName(editor.output(tensorNamed(layers, from)).ok() ? *editor.output(tensorNamed(layers, from)) : Output{}));
        if (at == layer->inputs.end()) return notFound("There is no wire from ", from.toStdString(), " to ", to.toStdString());
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

GraphEdit setAttrs(const EditWords& w) {
  const QString name = w.positional.value(0);
  const auto settings = w.settings();
  return makeEdit(GraphEdits::tr("Change %1").arg(lastPart(name)), [name, settings](LayerEditor& layers, EditOutcome& out) -> Status {
    std::string node = name.toStdString();
    for (const auto& [key, value] : settings) {
      const bool renames = key == QLatin1String("name");
      if (Recipe* layer = layers.find(node); layer && !layers.editor().graph().find(node)) {
        WEFT_TRY(layers.setParameter(*layer, key.toStdString(), value.toStdString()));
      } else {
        WEFT_LET(const int id, layers.editor().find(node));
        if (!renames) byHand(layers, node);
        WEFT_TRY(layers.editor().setAttr(id, key.toStdString(), value.toStdString()));
      }
      if (renames) node = value.toStdString();
    }
    out.select = {text(node)};
    return {};
  });
}

GraphEdit removeNodes(const EditWords& w) {
  const QStringList names = w.names();
  const QString what = names.size() == 1 ? lastPart(names[0]) : GraphEdits::tr("%n node(s)", nullptr, int(names.size()));
  return makeEdit(GraphEdits::tr("Delete %1").arg(what), [names](LayerEditor& layers, EditOutcome&) -> Status {
    WEFT_LET(const auto ids, nodesNamed(layers.editor().graph(), names));
    for (const QString& n : names) {
      if (layers.find(n.toStdString())) layers.explode(n.toStdString());
      else byHand(layers, n.toStdString());
    }
    return layers.editor().remove(ids);
  });
}

GraphEdit rename(const EditWords& w) {
  const QString from = w.positional.size() > 1 ? w.positional[0] : w.selection.value(0), to = w.positional.value(w.positional.size() > 1 ? 1 : 0);
  return makeEdit(GraphEdits::tr("Rename %1").arg(lastPart(from)), [from, to](LayerEditor& layers, EditOutcome& out) -> Status {
    out.select = {to};
    const std::string old = from.toStdString(), now = to.toStdString();
    if (layers.find(old)) return layers.rename(old, now);
    if (const Node* n = layers.editor().graph().find(old)) return layers.editor().rename(n->id, now);
    return layers.rename(old, now);
  });
}

GraphEdit structure(const QString& action, const EditWords& w) {
  const QStringList names = w.names();
  const QString first = names.value(0), shown = lastPart(first);
  if (action == QLatin1String("graph.group")) {
    const QString scope = w.option(QStringLiteral("name"));
    return makeEdit(GraphEdits::tr("Group as %1").arg(scope.isEmpty() ? QStringLiteral("scope") : scope), [names, scope](LayerEditor& layers, EditOutcome& out) -> Status {
      WEFT_LET(const auto ids, nodesNamed(layers.editor().graph(), names));
      // Layers that go as a whole go on as layers.
      std::vector<std::string> whole;
      for (const QString& n : names)
        for (const Recipe& r : layers.recipes())
          if (!r.trains() && (r.scope == n.toStdString() || r.scope.starts_with(n.toStdString() + "/"))) whole.push_back(r.scope);
      const auto before = layers.recipes();
      std::map<int, std::string> old;
      for (const int id : ids) old[id] = layers.editor().graph().node(id)->name;
      WEFT_LET(const std::string made, layers.editor().group(ids, scope.toStdString()));
      auto recipes = recipesOf(layers.editor().meta());
      for (Recipe& r : recipes) {
        if (std::find(whole.begin(), whole.end(), r.scope) == whole.end()) continue;
        for (const auto& [id, name] : old) {
          if (!name.starts_with(r.scope + "/")) continue;
          const std::string& now = layers.editor().graph().node(id)->name;
          r.scope = now.substr(0, now.size() - (name.size() - r.scope.size()));
          break;
        }
      }
      setRecipes(layers.editor().meta(), recipes);
      out.select = {text(made)};
      return {};
    });
  }
  if (action == QLatin1String("graph.ungroup")) {
    return makeEdit(GraphEdits::tr("Ungroup %1").arg(shown), [first](LayerEditor& layers, EditOutcome&) -> Status {
      layers.explode(first.toStdString());
      return layers.editor().ungroup(first.toStdString());
    });
  }
  if (action == QLatin1String("graph.explode")) {
    return makeEdit(GraphEdits::tr("Open %1 to its ops").arg(shown), [first](LayerEditor& layers, EditOutcome&) -> Status {
      if (!layers.find(first.toStdString())) return notFound(first.toStdString(), " is no layer");
      layers.explode(first.toStdString());
      return {};
    });
  }
  if (action == QLatin1String("graph.extract")) {
    return makeEdit(GraphEdits::tr("Extract what %1 needs").arg(shown), [names](LayerEditor& layers, EditOutcome&) -> Status {
      WEFT_LET(const auto ids, nodesNamed(layers.editor().graph(), names));
      return layers.editor().extract(ids);
    });
  }
  if (action == QLatin1String("graph.mute")) {
    return makeEdit(GraphEdits::tr("Mute %1").arg(shown), [names](LayerEditor& layers, EditOutcome&) -> Status {
      for (const QString& n : names) {
        const std::string name = n.toStdString();
        // A layer is muted at its output, which hands the layer's input on.
        const Recipe* layer = layers.editor().graph().find(name) ? nullptr : layers.find(name);
        Output source;
        std::string node = name;
        if (layer && !layer->outputs.empty()) {
          WEFT_LET(const Output result, layers.editor().output(layer->outputs[0]));
          node = layers.editor().graph().node(result.node)->name;
          if (!layer->inputs.empty() && !layer->inputs[0].empty()) {
            WEFT_LET(source, layers.editor().output(layer->inputs[0]));
          }
        }
        WEFT_LET(const int id, layers.editor().find(node));
        if (isMuted(*layers.editor().graph().node(id))) {
          WEFT_TRY(layers.editor().unmute(id));
        } else {
          WEFT_TRY(layers.editor().mute(id, source));
        }
      }
      return {};
    });
  }
  if (action == QLatin1String("graph.insert")) {
    const QString wire = w.positional.value(0), type = w.positional.value(1), name = w.option(QStringLiteral("name"));
    return makeEdit(GraphEdits::tr("Insert %1").arg(type), [w, wire, type, name](LayerEditor& layers, EditOutcome& out) -> Status {
      GraphEditor& editor = layers.editor();
      TextAttrs attrs;
      for (const auto& [key, value] : w.settings()) attrs.emplace_back(key.toStdString(), value.toStdString());
      const std::string op = type.toStdString();
      std::string port;
      Recipe* reader = layerAt(layers, wire, &port);
      const ApiRecord* record = OpRegistry::instance().find(op) ? nullptr : ApiRegistry::instance().find(op);
      std::string source, readerScope = reader ? reader->scope : std::string();
      size_t k = 0;
      if (reader) {
        if (port.empty()) port = "0";
        k = size_t(std::max(0, std::atoi(port.c_str())));
        if (k >= reader->inputs.size() || reader->inputs[k].empty()) return failedPrecondition("There is no wire at ", wire.toStdString());
        source = reader->inputs[k];
      }
      if (!reader && !record) {
        WEFT_LET(const auto place, editor.input(wire.toStdString()));
        byHand(layers, editor.graph().node(place.node)->name);
        WEFT_LET(const int id, editor.insert(place, op, name.toStdString(), attrs));
        out.select = {text(editor.graph().node(id)->name)};
        return {};
      }
      if (!reader) {
        WEFT_LET(const auto place, editor.input(wire.toStdString()));
        source = editor.graph().tensorName(editor.graph().node(place.node)->inputs[size_t(place.index)]);
      }
      std::string made, result;
      const std::string given = name.isEmpty() ? op.substr(op.rfind('.') + 1) : name.toStdString();
      if (record) {
        WEFT_LET(made, layers.add(*record, given, attrs, {{"", source}}));
        const Recipe* own = layers.find(made);
        result = own && !own->outputs.empty() ? own->outputs[0] : made + ":0";
      } else {
        WEFT_LET(const int id, editor.add(op, given, attrs));
        made = editor.graph().node(id)->name;
        WEFT_LET(const Output from, editor.output(source));
        WEFT_LET(const auto first, editor.input(made));
        WEFT_TRY(editor.connect(from, first));
        result = made + ":0";
      }
      out.select = {text(made)};
      if (reader) return layers.connect(result, *layers.find(readerScope), std::to_string(k));
      WEFT_LET(const Output from, editor.output(result));
      WEFT_LET(const auto place, editor.input(wire.toStdString()));
      return editor.connect(from, place);
    });
  }
  // graph.replace NODE TYPE
  const QString node = w.positional.size() > 1 ? w.positional[0] : w.selection.value(0), type = w.positional.value(w.positional.size() > 1 ? 1 : 0);
  return makeEdit(GraphEdits::tr("Replace %1 by %2").arg(lastPart(node), type), [w, node, type](LayerEditor& layers, EditOutcome& out) -> Status {
    TextAttrs attrs;
    for (const auto& [key, value] : w.settings()) attrs.emplace_back(key.toStdString(), value.toStdString());
    WEFT_LET(const int id, layers.editor().find(node.toStdString()));
    byHand(layers, node.toStdString());
    WEFT_LET(const int now, layers.editor().replace(id, type.toStdString(), attrs));
    out.select = {text(layers.editor().graph().node(now)->name)};
    return {};
  });
}

GraphEdit training(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Add training"), [w](LayerEditor& layers, EditOutcome&) -> Status {
    LayerEditor::Training t;
    if (!w.names().isEmpty()) t.loss = tensorNamed(layers, w.names()[0]);
    if (const QString o = w.option(QStringLiteral("optimizer")); !o.isEmpty()) t.optimizer = o.toStdString();
    if (const QString v = w.option(QStringLiteral("lr")); !v.isEmpty()) t.parameters.emplace_back("learning_rate", v.toStdString());
    if (const QString v = w.option(QStringLiteral("clip")); !v.isEmpty()) t.parameters.emplace_back("clip_global_norm", v.toStdString());
    if (const QString v = w.option(QStringLiteral("accuracy")); !v.isEmpty()) t.accuracy = tensorNamed(layers, v);
    t.decay = w.option(QStringLiteral("decay")).toStdString();
    if (w.has(QStringLiteral("decay-steps"))) t.decaySteps = w.option(QStringLiteral("decay-steps")).toDouble();
    if (w.has(QStringLiteral("decay-rate"))) t.decayRate = w.option(QStringLiteral("decay-rate")).toDouble();
    t.epochs = w.option(QStringLiteral("epochs")).toLongLong();
    t.steps = w.option(QStringLiteral("steps")).toLongLong();
    for (const auto& [key, value] : w.settings()) t.parameters.emplace_back(key.toStdString(), value.toStdString());
    return layers.addTraining(t);
  });
}

}  // namespace

GraphEdit makeEdit(const QString& name, EditChange change) {
  return {name, [change = std::move(change)](const EngineGraph& before) {
            LoadedGraph after = before.loaded;  // nodes are shared until they are changed
            after.original = nullptr;
            EditOutcome out;
            GraphEditor editor(after.meta, after.problems);
            LayerEditor layers(editor);
            Status status = change(layers, out);
            std::vector<std::string> notes;
            if (status.ok()) status = layers.finish(&notes);
            if (!status.ok()) return EditOutcome{nullptr, errorText(status.error()), {}, {}};
            for (const std::string& note : notes) out.note += (out.note.isEmpty() ? QString() : QStringLiteral(" ")) + text(note);
            // A GraphDef that got what only a MetaGraphDef holds becomes one when it is saved as .weft or .meta.
            out.graph = std::make_shared<const EngineGraph>(std::move(after));
            return out;
          }};
}

Status bindingFromWords(const EditWords& w, DatasetBinding* binding) {
  for (const auto& [key, value] : w.settings()) {
    const std::string text = value.toStdString();
    if (key == QLatin1String("builtin")) binding->builtin = text, binding->kind = "builtin";
    else if (key == QLatin1String("kind")) binding->kind = text;
    else if (key == QLatin1String("path")) binding->path = text;
    else if (key == QLatin1String("batch")) binding->batchSize = value.toInt();
    else if (key == QLatin1String("validation")) binding->validationFraction = value.toDouble();
    else if (key == QLatin1String("seed")) binding->seed = value.toLongLong();
    else if (key == QLatin1String("shuffle")) binding->shuffle = value != QLatin1String("false");
    else if (key == QLatin1String("placeholders")) continue;
    else if (key.contains(u'/') || key.contains(u':') || w.columns) binding->placeholders[key.toStdString()] = text;
    else binding->options[key.toStdString()] = text;
  }
  if (const QString v = w.option(QStringLiteral("batch")); !v.isEmpty()) binding->batchSize = v.toInt();
  if (const QString v = w.option(QStringLiteral("validation")); !v.isEmpty()) binding->validationFraction = v.toDouble();
  if (const QString v = w.option(QStringLiteral("seed")); !v.isEmpty()) binding->seed = v.toLongLong();
  if (const QString v = w.option(QStringLiteral("kind")); !v.isEmpty()) binding->kind = v.toStdString();
  if (const QString v = w.option(QStringLiteral("path")); !v.isEmpty()) binding->path = v.toStdString();
  if (w.has(QStringLiteral("no-shuffle"))) binding->shuffle = false;
  if (binding->batchSize <= 0) return invalidArgument("The batch size must be at least 1");
  return {};
}

ParsedEdit editFromWords(const QString& action, const QStringList& arguments, const QStringList& selection, const QString& folder) {
  EditWords w;
  QString error = w.read(arguments);
  w.selection = selection;
  w.folder = folder;
  const auto needs = [&](int least, const char* usage) {
    if (error.isEmpty() && w.positional.size() < least) error = GraphEdits::tr("%1 takes %2.").arg(action, QLatin1String(usage));
  };
  const auto needsNames = [&] {
    if (error.isEmpty() && w.names().isEmpty()) error = GraphEdits::tr("Nothing is selected.");
  };
  ParsedEdit out;
  const auto parsed = [&](GraphEdit (*make)(const EditWords&)) {
    if (error.isEmpty()) out.edit = make(w);
  };
  if (action == QLatin1String("graph.add")) {
    needs(1, "TYPE [--name NAME] [--at X,Y] [--from TENSOR]… [--set NAME=VALUE]…");
    parsed(add);
  } else if (action == QLatin1String("graph.connect")) {
    needs(2, "FROM:OUTPUT TO:INPUT");
    parsed(connectWires);
  } else if (action == QLatin1String("graph.disconnect")) {
    needs(1, "[FROM:OUTPUT] TO:INPUT");
    parsed(disconnectWires);
  } else if (action == QLatin1String("graph.set")) {
    needs(1, "NODE NAME=VALUE…");
    if (error.isEmpty() && w.settings().isEmpty()) error = GraphEdits::tr("%1 takes %2.").arg(action, QStringLiteral("NODE NAME=VALUE…"));
    parsed(setAttrs);
  } else if (action == QLatin1String("graph.delete")) {
    needsNames();
    parsed(removeNodes);
  } else if (action == QLatin1String("graph.rename")) {
    needs(selection.isEmpty() ? 2 : 1, "OLD NEW");
    parsed(rename);
  } else if (action == QLatin1String("graph.move")) {
    needs(2, "NAME X,Y [NAME X,Y]…");
    struct Move {
      QString name;
      double x = 0, y = 0;
    };
    QVector<Move> moves;
    if (error.isEmpty() && w.positional.size() % 2 != 0) error = GraphEdits::tr("%1 takes %2.").arg(action, QStringLiteral("NAME X,Y [NAME X,Y]…"));
    for (qsizetype i = 0; error.isEmpty() && i + 1 < w.positional.size(); i += 2) {
      Move move{w.positional[i]};
      if (!EditWords::pointFrom(w.positional[i + 1], &move.x, &move.y)) error = GraphEdits::tr("%1 is no place; expected X,Y.").arg(w.positional[i + 1]);
      moves << move;
    }
    if (error.isEmpty()) {
      const QString what = moves.size() == 1 ? GraphEdits::tr("Move %1").arg(lastPart(moves[0].name)) : GraphEdits::tr("Move %1 nodes").arg(moves.size());
      out.edit = makeEdit(what, [moves](LayerEditor& layers, EditOutcome&) -> Status {
        for (const Move& move : moves) {
          const bool isNode = layers.editor().graph().find(move.name.toStdString()) != nullptr;
          if (!isNode) WEFT_TRY(nodesNamed(layers.editor().graph(), {move.name}).status());
          placeOnCanvas(layers.editor().meta(), {move.name.toStdString(), !isNode, move.x, move.y, false});
        }
        return {};
      });
    }
  } else if (action == QLatin1String("graph.add-training")) {
    parsed(training);
  } else if (action == QLatin1String("graph.strip-training")) {
    if (error.isEmpty()) {
      out.edit = makeEdit(GraphEdits::tr("Take training out"), [](LayerEditor& layers, EditOutcome&) -> Status {
        WEFT_LET(const bool any, layers.removeTraining());
        return any ? Status() : Status(failedPrecondition("There is no training in this graph"));
      });
    }
  } else if (action == QLatin1String("graph.initialize")) {
    needsNames();
    if (error.isEmpty()) {
      out.edit = makeEdit(GraphEdits::tr("Initialise %1").arg(lastPart(w.names()[0])), [names = w.names()](LayerEditor& layers, EditOutcome&) -> Status {
        for (const QString& n : names) WEFT_TRY(layers.initialize(n.toStdString()));
        return {};
      });
    }
  } else if (action == QLatin1String("graph.bind-data")) {
    needs(1, "DATASET|FILE [PLACEHOLDER=COLUMN]… [--batch N] [--validation PART] [--seed N] [--kind KIND]");
    w.columns = true;
    if (error.isEmpty()) {
      out.edit = makeEdit(GraphEdits::tr("Bind data %1").arg(QFileInfo(w.positional[0]).fileName()), [w](LayerEditor& layers, EditOutcome&) -> Status {
        DatasetBinding binding;
        WEFT_TRY(bindingFromWords(w, &binding));
        const QString source = w.positional[0], ending = QFileInfo(source).suffix().toLower();
        if (!source.contains(u'.') && !source.contains(u'/')) {
          binding.builtin = source.toStdString();
        } else {
          binding.path = source.toStdString();
          if (!w.has(QStringLiteral("kind"))) binding.kind = ending == QLatin1String("npz") ? "npz" : ending == QLatin1String("npy") ? "npy" : ending == QLatin1String("csv") ? "csv" : ending == QLatin1String("bin") ? "cifar10" : source.contains(QLatin1String("ubyte")) ? "idx" : "images";
        }
        return layers.bindData(binding, w.folder.toStdString());
      });
    }
  } else if (QStringList{QStringLiteral("graph.insert")}.contains(action)) {
    needs(2, "TO:INPUT TYPE [--name NAME]");
    if (error.isEmpty()) out.edit = structure(action, w);
  } else if (action == QLatin1String("graph.replace")) {
    needs(selection.isEmpty() ? 2 : 1, "NODE TYPE");
    if (error.isEmpty()) out.edit = structure(action, w);
  } else if (editActions().contains(action)) {
    needsNames();
    if (error.isEmpty()) out.edit = structure(action, w);
  } else {
    error = GraphEdits::tr("There is no command %1.").arg(action);
  }
  out.error = error;
  return out;
}

QStringList editActions() {
  static const QStringList kActions = QStringLiteral(
      "graph.add graph.connect graph.disconnect graph.set graph.delete graph.rename graph.move graph.group graph.ungroup graph.explode graph.mute "
      "graph.insert graph.replace graph.extract graph.add-training graph.strip-training graph.bind-data graph.initialize").split(u' ');
  return kActions;
}

GraphEdit pasteEdit(const QString& clip, const QString& into) {
  return makeEdit(GraphEdits::tr("Paste"), [clip, into](LayerEditor& layers, EditOutcome& out) -> Status {
    WEFT_LET(const auto ids, layers.editor().paste(clip.toStdString(), into.toStdString()));
    // Select the outermost things that came in.
    LayerEditor now(layers.editor());  // layers may have come with them
    const QString prefix = into.isEmpty() ? QString() : into + u'/';
    for (const int id : ids) {
      const QString name = text(layers.editor().graph().node(id)->name);
      QString top = name;
      const Recipe* layer = now.around(name.toStdString());
      if (layer) top = text(layer->scope);
      else if (name.startsWith(prefix) && name.indexOf(u'/', prefix.size()) > 0) top = name;
      if (!out.select.contains(top)) out.select << top;
    }
    return {};
  });
}

QString copyText(const GraphContents& contents, const QStringList& names, QString* error) {
  const auto ids = nodesNamed(contents.engine->loaded.meta.graph, names);
  if (!ids.ok()) {
    *error = errorText(ids.error());
    return {};
  }
  // What training added below the names is no part of them.
  std::vector<int> chosen = *ids;
  const Graph& graph = contents.engine->loaded.meta.graph;
  for (const Recipe& r : recipesOf(contents.engine->loaded.meta)) {
    if (!r.trains()) continue;
    std::erase_if(chosen, [&](int id) {
      const bool asked = names.contains(text(graph.node(id)->name));
      return !asked && std::find(r.nodes.begin(), r.nodes.end(), graph.node(id)->name) != r.nodes.end();
    });
  }
  QString base = names.isEmpty() ? QString() : names.first().left(std::max<qsizetype>(0, names.first().lastIndexOf(u'/')));
  for (const QString& name : names)
    while (!base.isEmpty() && !name.startsWith(base + u'/')) base = base.left(std::max<qsizetype>(0, base.lastIndexOf(u'/')));
  const auto copied = copyNodes(contents.engine->loaded.meta, chosen, base.toStdString());
  if (!copied.ok()) *error = errorText(copied.error());
  return copied.ok() ? text(*copied) : QString();
}

}  // namespace weft::app
