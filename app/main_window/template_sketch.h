#pragma once

#include <QString>
#include <QWidget>

namespace weft::app {

constexpr int kSketchWidth = 220, kSketchHeight = 132;

/// A small drawing of a template's network: boxes in the colours of their kinds, wires, the frame of a loop. Drawn by hand, because at this size the canvas's
/// layout would be illegible.
class TemplateSketch : public QWidget {
 public:
  explicit TemplateSketch(const QString& name, QWidget* parent = nullptr);
  /// Whether there is a drawing of that template.
  static bool has(const QString& name);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString name_;
};

}  // namespace weft::app
