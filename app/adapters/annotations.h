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

/// The annotations as the canvas draws them, without reroutes of wires that no longer exist.
std::vector<widgets::Annotation> annotationsOf(const GraphContents& contents);

/// Each of these edits is one step of the history.
GraphEdit addFrame(const QString& title, const QString& scope, const QRectF& rect);
GraphEdit addComment(const QString& text, const QString& scope, QPointF at);
/// `input`: "node:1".
GraphEdit addReroute(const QString& input, const QString& scope, QPointF at);
GraphEdit moveAnnotation(const QString& id, QPointF to);
GraphEdit setAnnotationText(const QString& id, const QString& text);
GraphEdit removeAnnotation(const QString& id);
/// `rect`: in the coordinates of the annotation's scope.
GraphEdit resizeAnnotation(const QString& id, const QRectF& rect);

QMap<int, widgets::CanvasBookmark> bookmarksOf(const GraphContents& contents);
GraphEdit setBookmark(int number, const widgets::CanvasBookmark& bookmark);

}  // namespace weft::app
