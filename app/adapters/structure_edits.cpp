// Edits to scope membership and wiring.
#include <algorithm>
#include <set>

#include "adapters/canvas_room.h"
#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "adapters/group_edits.h"
#include "weft/api.h"
#include "weft/groups.h"
#include "weft/op.h"

namespace weft::app {
namespace {

constexpr double kOpWidth = 110, kLayerWidth = 150;  // typical widths on the canvas

}  // namespace

GraphEdit groupEdit(const EditWords& w) {
  const QStringList names = w.names();
  const QString scope = w.option(QStringLiteral("name"));
  return makeEdit(GraphEdits::tr("Group as %1").arg(scope.isEmpty() ? QStringLiteral("scope") : scope),
                  [names, scope](LayerEditor& layers, EditOutcome& out) -> Status {
                    WEFT_LET(const auto ids, nodesNamed(layers.editor().graph(), names));
                    // A layer that is grouped as a whole stays a layer; one that is split becomes plain ops.
                    std::vector<std::string> parted;
                    for (const Recipe& r : layers.recipes()) {
                      if (r.trains()) continue;
                      const auto inside = [&](int id) { return layers.editor().graph().node(id)->name.starts_with(r.scope + "/"); };
                      const auto chosen = std::count_if(ids.begin(), ids.end(), inside);
                      if (chosen == 0) continue;
                      WEFT_LET(const auto all, nodesNamed(layers.editor().graph(), {text(r.scope)}));
                      if (chosen < std::count_if(all.begin(), all.end(), inside)) parted.push_back(r.scope);
                    }
                    for (const std::string& layer : parted) layers.explode(layer);
                    WEFT_LET(const std::string made, layers.editor().group(ids, scope.toStdString()));
                    out.select = {text(made)};
                    return {};
                  });
}

GraphEdit ungroupEdit(const EditWords& w) {
  const QString first = w.names().value(0), shown = lastPart(first);
  return makeEdit(GraphEdits::tr("Ungroup %1").arg(shown), [first](LayerEditor& layers, EditOutcome&) -> Status {
    layers.explode(first.toStdString());
    if (GroupEditor groups(layers); groups.instance(first.toStdString())) WEFT_TRY(groups.detach(first.toStdString()));
    return layers.editor().ungroup(first.toStdString());
  });
}

GraphEdit explodeEdit(const EditWords& w) {
  const QString first = w.names().value(0), shown = lastPart(first);
  return makeEdit(GraphEdits::tr("Convert %1 to ops").arg(shown), [first](LayerEditor& layers, EditOutcome&) -> Status {
    if (!layers.find(first.toStdString())) return notFound(first.toStdString(), " is no layer");
    layers.explode(first.toStdString());
    return {};
  });
}

GraphEdit extractEdit(const EditWords& w) {
  const QStringList names = w.names();
  const QString shown = lastPart(w.names().value(0));
  return makeEdit(GraphEdits::tr("Extract inputs of %1").arg(shown), [names](LayerEditor& layers, EditOutcome&) -> Status {
    WEFT_LET(const auto ids, nodesNamed(layers.editor().graph(), names));
    // Training is removed as a whole, unless its own nodes were selected.
    const auto trains = std::find_if(layers.recipes().begin(), layers.recipes().end(), [](const Recipe& r) { return r.trains(); });
    if (trains != layers.recipes().end()) {
      const std::set<std::string> own(trains->nodes.begin(), trains->nodes.end());
      if (std::none_of(ids.begin(), ids.end(), [&](int id) { return own.count(layers.editor().graph().node(id)->name) > 0; }))
        WEFT_TRY(layers.removeTraining().status());
    }
    return layers.editor().extract(ids);
  });
}

GraphEdit muteEdit(const EditWords& w) {
  const QStringList names = w.names();
  const QString shown = lastPart(w.names().value(0));
  return makeEdit(GraphEdits::tr("Mute %1").arg(shown), [names](LayerEditor& layers, EditOutcome&) -> Status {
    for (const QString& n : names) {
      const std::string name = n.toStdString();
      // A layer is muted at its output, which then passes the layer's input on.
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

GraphEdit insertEdit(const EditWords& w) {
  const QString wire = w.positional.value(0), type = w.positional.value(1), name = w.option(QStringLiteral("name"));
  if (isGroupType(type)) return insertGroupEdit(w);
  return makeEdit(GraphEdits::tr("Insert %1").arg(type), [w, wire, type, name](LayerEditor& layers, EditOutcome& out) -> Status {
    std::string from, to;
    WEFT_LET(const std::string made, insertNode(layers, {wire.toStdString(), type.toStdString(), name.toStdString(), textAttrs(w)}, &from, &to));
    // A node inserted between two others pushes the rest of the drawing aside.
    if (!from.empty()) makeRoomBetween(layers.editor().meta(), from, to, layers.find(made) ? kLayerWidth : kOpWidth);
    out.select = {text(made)};
    return {};
  });
}

GraphEdit replaceEdit(const EditWords& w) {
  const QString node = w.positional.size() > 1 ? w.positional[0] : w.selection.value(0), type = w.positional.value(w.positional.size() > 1 ? 1 : 0);
  return makeEdit(GraphEdits::tr("Replace %1 with %2").arg(lastPart(node), type), [w, node, type](LayerEditor& layers, EditOutcome& out) -> Status {
    WEFT_LET(const int id, layers.editor().find(node.toStdString()));
    byHand(layers, node.toStdString());
    WEFT_LET(const int now, layers.editor().replace(id, type.toStdString(), textAttrs(w)));
    out.select = {text(layers.editor().graph().node(now)->name)};
    return {};
  });
}

}  // namespace weft::app
