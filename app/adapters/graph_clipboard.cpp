// Nodes as text, for the clipboard between documents, windows and editors.
#include <algorithm>

#include "adapters/canvas_edits.h"
#include "adapters/canvas_room.h"
#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"

namespace weft::app {

namespace {

/// Whether a name is the original's with a number appended, as names of copies are.
bool isCopyOf(const QString& name, const QString& original) {
  if (!name.startsWith(original)) return false;
  const QStringView rest = QStringView(name).mid(original.size());
  return rest.size() > 1 && rest[0] == u'_' && std::all_of(rest.begin() + 1, rest.end(), [](QChar c) { return c.isDigit(); });
}

}  // namespace

GraphEdit pasteEdit(const QString& clip, const QString& into) { return pasteBesideEdit(clip, into, {}); }

GraphEdit pasteBesideEdit(const QString& clip, const QString& into, const QStringList& beside) {
  return makeEdit(GraphEdits::tr("Paste"), [clip, into, beside](LayerEditor& layers, EditOutcome& out) -> Status {
    WEFT_LET(const auto ids, layers.editor().paste(clip.toStdString(), into.toStdString()));
    // Select the outermost things that came in.
    LayerEditor now(layers.editor());  // pasting may have added layers
    const QString prefix = into.isEmpty() ? QString() : into + u'/';
    for (const int id : ids) {
      const QString name = text(layers.editor().graph().node(id)->name);
      QString top = name;
      const Recipe* layer = now.around(name.toStdString());
      if (layer) top = text(layer->scope);
      else if (name.startsWith(prefix) && name.indexOf(u'/', prefix.size()) > 0) top = name;
      if (!out.select.contains(top)) out.select << top;
    }
    std::vector<std::pair<std::string, std::string>> copies;
    for (const QString& copy : std::as_const(out.select))
      for (const QString& original : beside)
        if (isCopyOf(copy, original)) copies.emplace_back(copy.toStdString(), original.toStdString());
    placeBeside(layers.editor().meta(), copies);
    return {};
  });
}

QString copyText(const GraphContents& contents, const QStringList& names, QString* error) {
  const auto ids = nodesNamed(contents.engine->loaded.meta.graph, names);
  if (!ids.ok()) {
    *error = errorText(ids.error());
    return {};
  }
  // Leaves out the nodes that training added inside the named scopes.
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
