#include "main_window/start_recent.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>

#include "adapters/file_kinds.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "main_window/recent_pictures.h"
#include "main_window/start_cards.h"

namespace weft::app {
namespace {

struct StartRecent {
  Q_DECLARE_TR_FUNCTIONS(StartRecent)
};

/// `2 min ago`, `yesterday`, `12 Nov`.
QString whenChanged(const QDateTime& time) {
  const QDateTime now = QDateTime::currentDateTime();
  const qint64 seconds = time.secsTo(now), days = time.date().daysTo(now.date());
  if (!time.isValid()) return {};
  if (seconds < 60) return StartRecent::tr("just now");
  if (seconds < 3600) return StartRecent::tr("%n min ago", nullptr, int(seconds / 60));
  if (days == 0) return StartRecent::tr("%n h ago", nullptr, int(seconds / 3600));
  if (days == 1) return StartRecent::tr("yesterday");
  return QLocale().toString(time.date(), days < 300 ? QStringLiteral("d MMM") : QStringLiteral("MMM yyyy"));
}

QPixmap iconOf(const QString& name, double ratio) {
  const bool graph = opensAsGraph(name);
  const QString icon = graph                                      ? QStringLiteral("graph")
                       : name.contains(QLatin1String("tfevents")) ? QStringLiteral("chart")
                       : name.endsWith(QLatin1String(".index"))   ? QStringLiteral("histogram")
                                                                  : QStringLiteral("file");
  return widgets::iconPixmap(icon, 24, widgets::Theme::current().color(widgets::Role::Text3), ratio);
}

/// A name that is elided at its start.
class NameLabel : public QLabel {
 public:
  using QLabel::QLabel;
  void setFull(const QString& text) {
    full_ = text;
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextFormat(Qt::PlainText);
    setText(text);
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    setText(widgets::elideName(full_, QFontMetricsF(font()), contentsRect().width()));
  }

 private:
  QString full_;
};

/// The picture in a frame, or the kind of the file.
class PictureFrame : public QWidget {
 public:
  PictureFrame(QWidget* parent, QPixmap picture, const QString& name) : QWidget(parent), picture_(std::move(picture)), name_(name) {
    setFixedSize(RecentPictures::kWidth + 2, RecentPictures::kHeight + 2);
    setAttribute(Qt::WA_TransparentForMouseEvents);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const widgets::Theme& theme = widgets::Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(widgets::Role::Surface0));
    if (!picture_.isNull()) {
      painter.drawPixmap(1, 1, picture_);
    } else {
      const QPixmap icon = iconOf(name_, devicePixelRatioF());
      const QSizeF size = icon.deviceIndependentSize();
      painter.drawPixmap(QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), icon);
    }
    painter.setPen(theme.color(widgets::Role::Border));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }

 private:
  QPixmap picture_;
  QString name_;
};

}  // namespace

Card* makeRecentCard(QWidget* parent, const QString& path, const RecentPictures& pictures) {
  const QFileInfo info(path);
  auto* card = new Card(parent);
  auto* row = new QHBoxLayout(card);
  row->setContentsMargins(8, 6, 10, 6);
  row->setSpacing(12);
  row->addWidget(new PictureFrame(card, pictures.picture(path), info.fileName()));
  auto* words = new QVBoxLayout;
  words->setSpacing(1);
  const auto line = [&](const QString& text, const char* kind) {
    auto* label = new NameLabel(card);
    label->setProperty("kind", QLatin1String(kind));
    label->setFull(text);
    words->addWidget(label);
  };
  words->addStretch(1);
  line(info.fileName(), "strong");
  QString folder = info.absolutePath();
  if (folder == QDir::homePath() || folder.startsWith(QDir::homePath() + u'/')) folder.replace(0, QDir::homePath().size(), QStringLiteral("~"));
  line(folder, "muted");
  words->addStretch(1);
  row->addLayout(words, 1);
  row->addWidget(startLabel(card, info.exists() ? whenChanged(info.lastModified()) : StartRecent::tr("missing"), "muted"), 0, Qt::AlignVCenter);
  card->setToolTip(path);
  card->setAccessibleName(info.fileName());
  return card;
}

}  // namespace weft::app
