#include "document/document.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace weft::app {
namespace {

/// The canvas's model of a document, with tooltips that say what the engine knows of a node.
class DocumentGraphModel : public widgets::MemoryGraphModel {
 public:
  explicit DocumentGraphModel(GraphContentsPtr contents) : contents_(std::move(contents)) {
    nodes = contents_->arrays.nodes;
    scopes = contents_->arrays.scopes;
    edges = contents_->arrays.edges;
  }

  QString toolTip(widgets::Item item) const override {
    return item.isNode() ? contents_->arrays.nodeTips.value(item.index) : QString();
  }

 private:
  GraphContentsPtr contents_;
};

}  // namespace

Document::Document(GraphContentsPtr contents, QString path, QString title, QObject* parent)
    : QObject(parent), contents_(std::move(contents)), path_(std::move(path)), title_(std::move(title)), modified_(path_.isEmpty()) {
  model_ = std::make_unique<DocumentGraphModel>(contents_);
  const GraphArrays& arrays = contents_->arrays;
  nodeIndex_.reserve(qsizetype(arrays.nodes.size()));
  for (size_t i = 0; i < arrays.nodes.size(); ++i) nodeIndex_.insert(arrays.nodes[i].name, int(i));
  for (size_t i = 0; i < arrays.scopes.size(); ++i) scopeIndex_.insert(arrays.scopes[i].name, int(i));
}

Document::~Document() = default;

QString Document::title() const { return path_.isEmpty() ? title_ : QFileInfo(path_).fileName(); }

void Document::setSelection(const QStringList& names) {
  if (names == selection_) return;
  selection_ = names;
  emit selectionChanged();
}

void Document::setSaved(const QString& path) {
  path_ = path;
  modified_ = false;
  emit titleChanged();
}

QString Document::runsFolder() const {
  if (!path_.isEmpty()) {
    const QFileInfo file(path_);
    if (QFileInfo(file.absolutePath()).isWritable()) return file.absoluteDir().filePath(file.completeBaseName() + QStringLiteral("-runs"));
  }
  const QString data = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
  return QDir(data).filePath(QStringLiteral("runs/") + QFileInfo(title()).completeBaseName());
}

}  // namespace weft::app
