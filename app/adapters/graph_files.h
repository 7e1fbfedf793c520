#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

struct TaskState;

/// A graph, or one sentence on why there is none.
struct OpenOutcome {
  std::shared_ptr<GraphContents> contents;
  QString error;
};

/// Reads a .weft, .meta, .pb or .pbtxt file (its form is found from its content). Any thread; blocks. The error names the file.
OpenOutcome openGraphFile(const QString& path, TaskState& task);
/// Makes the document of a template, "empty" one without nodes. Any thread; blocks.
OpenOutcome openTemplate(const QString& name);

/// One of the templates.
struct TemplateInfo {
  QString name;         ///< "lenet-digits": what `file.new` takes
  QString title;        ///< translated
  QString description;  ///< translated, one line
  bool shown = false;   ///< On the start page; the others are small ones.
  int seconds = 0;      ///< About how long it trains on two processors.
};
QVector<TemplateInfo> templates();

/// Writes the graph in the form that the extension of `path` asks for; atomically, and as its original bytes if it was read in that form.
/// `readFrom`: the file that it is from; under a name with the same ending it keeps its form, whatever that is (some .pb files hold text, or MetaGraphDefs).
/// Any thread. Returns an error, empty if all went well.
QString saveGraph(const GraphContents& contents, const QString& path, const QString& readFrom = {});

/// The graph as a TensorFlow 1.x program, and in the language of Graphviz.
QString pythonText(const GraphContents& contents);
QString dotText(const GraphContents& contents, const QString& title);

/// Arrays, totals and problems of a graph. Any thread.
GraphContentsPtr contentsOf(std::shared_ptr<const EngineGraph> graph);

/// The engine's version, and one line on each device ("/device:CPU:0").
QString engineVersionText();

}  // namespace weft::app
