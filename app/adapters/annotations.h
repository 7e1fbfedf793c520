// Frames, comments and reroutes of a document's canvas.
#pragma once

#include <QMap>
#include <QPointF>
#include <QRectF>
#include <QStringList>
#include <vector>

#include "adapters/graph_edit.h"
#include "graph_view/graph_view.h"

namespace weft::app {

/// As the canvas draws them; reroutes of wires that are gone are left out.
std::vector<widgets::Annotation> annotationsOf(const GraphContents& contents);

/// One step of the history each.
GraphEdit addFrame(const QString& title, const QString& scope, const QRectF& rect);
GraphEdit addComment(const QString& text, const QString& scope, QPointF at);
/// `input`: "node:1".
GraphEdit addReroute(const QString& input, const QString& scope, QPointF at);
GraphEdit moveAnnotation(const QString& id, QPointF to);
GraphEdit setAnnotationText(const QString& id, const QString& text);
GraphEdit removeAnnotation(const QString& id);
/// In the coordinates of its scope.
GraphEdit resizeAnnotation(const QString& id, const QRectF& rect);

QMap<int, widgets::CanvasBookmark> bookmarksOf(const GraphContents& contents);
GraphEdit setBookmark(int number, const widgets::CanvasBookmark& bookmark);

}  // namespace weft::app
