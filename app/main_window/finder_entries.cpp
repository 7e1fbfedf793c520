#include "main_window/finder_entries.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <algorithm>
#include <memory>

#include "adapters/api_help.h"
#include "adapters/file_kinds.h"
#include "adapters/node_details.h"
#include "adapters/op_help.h"
#include "common/format.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/help_index.h"
#include "main_window/keys_overview.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

QString keyText(const ActionRegistry& actions, const QString& id) {
  const QList<QKeySequence> keys = actions.shortcuts(id);
  return keys.isEmpty() ? QString() : keys.first().toString(QKeySequence::NativeText);
}

FinderSource actionSource(ActionRegistry& actions) {
  const auto ids = std::make_shared<QStringList>(actions.ids());
  FinderSource source{u'>', QT_TRANSLATE_NOOP("Finder", "command"), 150, int(ids->size()), {}, {}};
  // In non-Latin languages the script name also matches: `train` finds the command without an input method.
  source.name = [&actions, ids](int i) {
    const QString text = ActionRegistry::plainText(actions.record((*ids)[i]));
    const bool latin = std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x250; });
    return latin ? text : text + u' ' + (*ids)[i];
  };
  source.entry = [&actions, ids](int i) {
    const QString id = (*ids)[i];
    const ActionRecord& record = actions.record(id);
    FinderEntry entry;
    entry.text = ActionRegistry::plainText(record);
    // Commands of different groups may have the same name, such as training and the layout for it.
    const QString key = keyText(actions, id);
    entry.detail = key.isEmpty() ? commandGroupTitle(id) : commandGroupTitle(id) + QStringLiteral(" · ") + key;
    entry.icon = record.icon;
    entry.command = id;
    entry.reason = actions.disabledReason(id);
    entry.toolTip = QCoreApplication::translate(record.context, record.toolTip) + QStringLiteral("\n") + id + u' ' + QString::fromUtf8(record.usage);
    // A command with arguments is put into the field for completion.
    if (!ActionRegistry::needsArguments(record)) entry.choose = [&actions, id] { actions.action(id)->trigger(); };
    return entry;
  };
  return source;
}

/// A function that selects a node or scope on the canvas.
std::function<void()> selecting(Workspace& workspace, Shell& shell, const QString& name) {
  return [&workspace, &shell, name, document = QPointer<Document>(workspace.current())] {
    if (!document) return;
    workspace.setCurrent(document);
    if (widgets::GraphView* canvas = shell.canvas()) {
      canvas->selectNames({name});
      canvas->centerSelection();
      canvas->setFocus();
    }
  };
}

void addGraphSources(std::vector<FinderSource>& sources, Workspace& workspace, Shell& shell) {
  const Document* document = workspace.current();
  if (!document || shell.isStartPageShown()) return;
  const GraphContentsPtr contents = document->contents();
  const GraphArrays& arrays = contents->arrays;
  const int scopes = int(arrays.scopes.size());
  FinderSource nodes{u'@', QT_TRANSLATE_NOOP("Finder", "node"), 60, scopes + int(arrays.nodes.size()), {}, {}};
  nodes.name = [contents, scopes](int i) { return i < scopes ? contents->arrays.scopes[size_t(i)].name : contents->arrays.nodes[size_t(i - scopes)].name; };
  nodes.exactFrom = scopes;
  nodes.entry = [contents, scopes, &workspace, &shell](int i) {
    const bool isScope = i < scopes;
    FinderEntry entry;
    entry.text = isScope ? contents->arrays.scopes[size_t(i)].name : contents->arrays.nodes[size_t(i - scopes)].name;
    entry.detail = isScope ? QCoreApplication::translate("Finder", "scope") : contents->arrays.nodes[size_t(i - scopes)].op;
    entry.icon = isScope ? QStringLiteral("layers") : QStringLiteral("node");
    entry.choose = selecting(workspace, shell, entry.text);
    return entry;
  };
  sources.push_back(nodes);

  FinderSource tensors{u':', QT_TRANSLATE_NOOP("Finder", "tensor"), 0, int(arrays.nodes.size()), {}, {}};
  tensors.name = [contents](int i) { return contents->arrays.nodes[size_t(i)].name + QStringLiteral(":0"); };
  tensors.entry = [contents, &workspace, &shell](int i) {
    const auto& node = contents->arrays.nodes[size_t(i)];
    return FinderEntry{node.name + QStringLiteral(":0"),      tensorText(*contents, node.name + QStringLiteral(":0")), QStringLiteral("mark"), {}, {}, {},
                       selecting(workspace, shell, node.name)};
  };
  sources.push_back(tensors);

  const auto variables = std::make_shared<std::vector<int>>();
  for (size_t i = 0; i < arrays.nodes.size(); ++i) {
    if (arrays.nodes[i].shape == widgets::NodeShape::Variable) variables->push_back(int(i));
  }
  FinderSource vars{u'$', QT_TRANSLATE_NOOP("Finder", "variable"), 40, int(variables->size()), {}, {}};
  vars.name = [contents, variables](int i) { return contents->arrays.nodes[size_t((*variables)[size_t(i)])].name; };
  vars.entry = [contents, variables, &workspace, &shell](int i) {
    const QString name = contents->arrays.nodes[size_t((*variables)[size_t(i)])].name;
    return FinderEntry{name, tensorText(*contents, name + QStringLiteral(":0")), QStringLiteral("record"), {}, {}, {}, selecting(workspace, shell, name)};
  };
  sources.push_back(vars);
}

/// The variables or arrays of the file in front.
void addFileTensors(std::vector<FinderSource>& sources, Workspace& workspace, Shell& shell) {
  FileTab* file = workspace.currentFile();
  if (!file || !file->tensors() || shell.isStartPageShown()) return;
  FinderSource source{u'$', QT_TRANSLATE_NOOP("Finder", "variable"), 70, int(file->tensors()->entries().size()), {}, {}};
  source.name = [tensors = file->tensors()](int i) { return tensors->entries()[i].name; };
  source.entry = [tensors = file->tensors(), title = file->title(), &workspace, guard = QPointer<FileTab>(file)](int i) {
    const TensorEntry& e = tensors->entries()[i];
    return FinderEntry{
        e.name, e.dtype + u' ' + widgets::formatShape(e.shape) + QStringLiteral(" · ") + title, QStringLiteral("record"), {}, {}, {}, [&workspace, guard, i] {
          if (!guard) return;
          workspace.setCurrentFile(guard);
          guard->select(i);
        }};
  };
  sources.push_back(source);
}

FinderSource tagSource(Workspace& workspace, Shell& shell) {
  const auto tags = std::make_shared<QStringList>();
  for (const auto& run : workspace.summaries().runs()) {
    for (const auto& [tag, series] : run->scalars) {
      if (!tags->contains(tag)) *tags << tag;
    }
  }
  FinderSource source{u'#', QT_TRANSLATE_NOOP("Finder", "tag"), 80, int(tags->size()), {}, {}};
  source.name = [tags](int i) { return (*tags)[i]; };
  source.entry = [tags, &shell](int i) {
    return FinderEntry{(*tags)[i], QCoreApplication::translate("Finder", "scalars"), QStringLiteral("chart"), {}, {}, {}, [&shell, tag = (*tags)[i]] {
                         shell.showView(QStringLiteral("scalars"));
                         // Views that can scroll to a tag have a slot for it.
                         QWidget* view = shell.viewWidget(QStringLiteral("scalars"));
                         if (view && view->metaObject()->indexOfMethod("showTag(QString)") >= 0)
                           QMetaObject::invokeMethod(view, "showTag", Q_ARG(QString, tag));
                       }};
  };
  return source;
}

FinderSource fileSource(Workspace& workspace) {
  const auto files = std::make_shared<QStringList>();
  for (const Document* document : workspace.documents()) {
    if (!document->path().isEmpty()) *files << document->path();
  }
  *files << workspace.settings().recentFiles();
  if (const Document* document = workspace.current(); document && !document->path().isEmpty()) {
    const QDir folder = QFileInfo(document->path()).absoluteDir();
    for (const QString& name : folder.entryList(graphPatterns() << QStringLiteral("*.index"), QDir::Files, QDir::Time)) {
      *files << folder.filePath(name);
      if (files->size() > 500) break;
    }
  }
  files->removeDuplicates();
  FinderSource source{u'/', QT_TRANSLATE_NOOP("Finder", "file"), 30, int(files->size()), {}, {}};
  source.name = [files](int i) { return (*files)[i]; };
  source.entry = [files, &workspace](int i) {
    const QString path = (*files)[i];
    return FinderEntry{path, {}, QStringLiteral("file"), {}, path, {}, [&workspace, path] { workspace.open(path); }};
  };
  return source;
}

}  // namespace

std::vector<FinderSource> finderSources(Workspace& workspace, ActionRegistry& actions, Shell& shell) {
  std::vector<FinderSource> sources;
  sources.push_back(actionSource(actions));
  addGraphSources(sources, workspace, shell);
  addFileTensors(sources, workspace, shell);
  sources.push_back(tagSource(workspace, shell));
  sources.push_back(fileSource(workspace));
  FinderSource ops{u'%', QT_TRANSLATE_NOOP("Finder", "op"), 20, int(opNames().size()), {}, {}};
  ops.name = [](int i) { return opNames()[i]; };
  ops.entry = [&shell](int i) {
    const QString op = opNames()[i];
    return FinderEntry{op, {}, QStringLiteral("chip"), {}, opSummary(op), {}, [&shell, op] { shell.showHelp(QStringLiteral("op/") + op); }};
  };
  sources.push_back(ops);
  FinderSource functions{u'&', QT_TRANSLATE_NOOP("Finder", "function"), 10, int(apiNames().size()), {}, {}};
  functions.name = [](int i) { return QStringLiteral("tf.") + apiNames()[i]; };
  functions.entry = [&shell](int i) {
    const QString name = apiNames()[i];
    return FinderEntry{
        QStringLiteral("tf.") + name, {}, QStringLiteral("help"), {}, apiSummary(name), {}, [&shell, name] { shell.showHelp(QStringLiteral("api/") + name); }};
  };
  sources.push_back(functions);
  const auto pages = std::make_shared<QVector<HelpPage>>(helpPages());
  FinderSource help{u'?', QT_TRANSLATE_NOOP("Finder", "help"), 50, int(pages->size()), {}, {}};
  help.name = [pages](int i) { return (*pages)[i].title; };
  help.entry = [pages, &shell](int i) {
    const HelpPage& page = (*pages)[i];
    return FinderEntry{page.title, page.id, QStringLiteral("help"), {}, {}, {}, [&shell, id = page.id] { shell.showHelp(id); }};
  };
  sources.push_back(help);
  return sources;
}

}  // namespace weft::app
