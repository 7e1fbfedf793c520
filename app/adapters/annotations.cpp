#include "adapters/annotations.h"

#include <QCoreApplication>
#include <algorithm>

#include "adapters/edit_words.h"
#include "adapters/engine_graph.h"
#include "weft/canvas_bookmarks.h"
#include "weft/edit.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

struct AnnotationWords {
  Q_DECLARE_TR_FUNCTIONS(Annotations)
};

GraphEdit changeNotes(const QString& text, std::function<Status(std::vector<CanvasNote>&)> change) {
  return makeEdit(text, [change = std::move(change)](LayerEditor& layers, EditOutcome&) -> Status {
    MetaGraph& meta = layers.editor().meta();
    std::vector<CanvasNote> notes = canvasNotesOf(meta);
    WEFT_TRY(change(notes));
    setCanvasNotes(meta, notes);
    return {};
  });
}

std::string freshId(const std::vector<CanvasNote>& notes) {
  int number = 1;
  const auto used = [&](const std::string& id) { return std::any_of(notes.begin(), notes.end(), [&](const CanvasNote& n) { return n.id == id; }); };
  while (used("note" + std::to_string(number))) ++number;
  return "note" + std::to_string(number);
}

Result<CanvasNote*> noteOf(std::vector<CanvasNote>& notes, const QString& id) {
  for (CanvasNote& note : notes)
    if (text(note.id) == id) return &note;
  return notFound("There is no annotation ", id.toStdString());
}

}  // namespace

std::vector<widgets::Annotation> annotationsOf(const GraphContents& contents) {
  std::vector<widgets::Annotation> out;
  const GraphArrays& arrays = contents.arrays;
  for (const CanvasNote& note : canvasNotesOf(contents.engine->loaded.meta)) {
    widgets::Annotation a;
    a.id = text(note.id);
    a.text = text(note.text);
    a.rect = QRectF(note.x, note.y, note.width, note.height);
    a.color = note.color;
    a.scope = note.scope.empty() ? -1 : arrays.scopeIndex.value(text(note.scope), -1);
    if (a.scope < 0 && !note.scope.empty()) continue;
    switch (note.kind) {
      case CanvasNote::Kind::Frame: a.kind = widgets::Annotation::Kind::Frame; break;
      case CanvasNote::Kind::Comment: a.kind = widgets::Annotation::Kind::Comment; break;
      case CanvasNote::Kind::Reroute: {
        a.kind = widgets::Annotation::Kind::Reroute;
        const QString input = text(note.input);
        const int node = arrays.nodeIndex.value(input.section(u':', 0, 0), -1), index = input.section(u':', 1).toInt();
        for (size_t e = 0; e < arrays.edges.size() && a.edge < 0; ++e)
          if (const widgets::EdgeEnds& ends = arrays.edges[e].ends; ends.to == node && ends.toInput == index && ends.kind != widgets::EdgeKind::Control)
            a.edge = int(e);
        if (a.edge < 0) continue;
        break;
      }
    }
    out.push_back(std::move(a));
  }
  return out;
}

GraphEdit addFrame(const QString& title, const QString& scope, const QRectF& rect) {
  return changeNotes(AnnotationWords::tr("Add a frame"), [title, scope, rect](std::vector<CanvasNote>& notes) -> Status {
    CanvasNote note;
    note.id = freshId(notes);
    note.kind = CanvasNote::Kind::Frame;
    note.text = title.toStdString();
    note.scope = scope.toStdString();
    note.x = rect.x(), note.y = rect.y(), note.width = rect.width(), note.height = rect.height();
    note.color = int(notes.size() % 8);
    notes.push_back(std::move(note));
    return {};
  });
}

GraphEdit addComment(const QString& words, const QString& scope, QPointF at) {
  return changeNotes(AnnotationWords::tr("Add a comment"), [words, scope, at](std::vector<CanvasNote>& notes) -> Status {
    CanvasNote note;
    note.id = freshId(notes);
    note.text = words.toStdString();
    note.scope = scope.toStdString();
    note.x = at.x(), note.y = at.y();
    notes.push_back(std::move(note));
    return {};
  });
}

GraphEdit addReroute(const QString& input, const QString& scope, QPointF at) {
  return changeNotes(AnnotationWords::tr("Reroute a wire"), [input, scope, at](std::vector<CanvasNote>& notes) -> Status {
    CanvasNote note;
    note.id = freshId(notes);
    note.kind = CanvasNote::Kind::Reroute;
    note.scope = scope.toStdString();
    note.x = at.x(), note.y = at.y();
    note.input = input.toStdString();
    notes.push_back(std::move(note));
    return {};
  });
}

GraphEdit moveAnnotation(const QString& id, QPointF to) {
  return changeNotes(AnnotationWords::tr("Move an annotation"), [id, to](std::vector<CanvasNote>& notes) -> Status {
    WEFT_LET(CanvasNote* const note, noteOf(notes, id));
    note->x = to.x(), note->y = to.y();
    return {};
  });
}

GraphEdit setAnnotationText(const QString& id, const QString& words) {
  return changeNotes(AnnotationWords::tr("Change an annotation"), [id, words](std::vector<CanvasNote>& notes) -> Status {
    WEFT_LET(CanvasNote* const note, noteOf(notes, id));
    note->text = words.toStdString();
    return {};
  });
}

GraphEdit removeAnnotation(const QString& id) {
  return changeNotes(AnnotationWords::tr("Remove an annotation"), [id](std::vector<CanvasNote>& notes) -> Status {
    WEFT_TRY(noteOf(notes, id).status());
    std::erase_if(notes, [&](const CanvasNote& n) { return text(n.id) == id; });
    return {};
  });
}

GraphEdit resizeAnnotation(const QString& id, const QRectF& rect) {
  return changeNotes(AnnotationWords::tr("Resize an annotation"), [id, rect](std::vector<CanvasNote>& notes) -> Status {
    WEFT_LET(CanvasNote* const note, noteOf(notes, id));
    note->x = rect.x(), note->y = rect.y(), note->width = rect.width(), note->height = rect.height();
    return {};
  });
}

QMap<int, widgets::CanvasBookmark> bookmarksOf(const GraphContents& contents) {
  QMap<int, widgets::CanvasBookmark> out;
  for (const CanvasBookmark& b : canvasBookmarksOf(contents.engine->loaded.meta)) out[b.number] = {text(b.anchor), {b.x, b.y}, {b.width, b.height}};
  return out;
}

GraphEdit setBookmark(int number, const widgets::CanvasBookmark& bookmark) {
  return makeEdit(AnnotationWords::tr("Set bookmark %1").arg(number), [number, bookmark](LayerEditor& layers, EditOutcome&) -> Status {
    MetaGraph& meta = layers.editor().meta();
    std::vector<CanvasBookmark> all = canvasBookmarksOf(meta);
    std::erase_if(all, [&](const CanvasBookmark& b) { return b.number == number; });
    all.push_back({number, bookmark.anchor.toStdString(), bookmark.middle.x(), bookmark.middle.y(), bookmark.size.width(), bookmark.size.height()});
    setCanvasBookmarks(meta, all);
    return {};
  });
}

}  // namespace weft::app
