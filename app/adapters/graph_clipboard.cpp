// Nodes as text, as the clipboard carries them between documents, windows and editors.
#include <algorithm>

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"

namespace weft::app {

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
