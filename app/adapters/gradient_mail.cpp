#include "adapters/gradient_mail.h"

#include <map>

#include "adapters/engine_graph.h"
#include "weft/train.h"

namespace weft::app {
namespace {
constexpr auto kLeastInterval = std::chrono::milliseconds(100);
}

std::shared_ptr<GradientMail> GradientMail::of(const GraphContents* trained) {
  static std::map<const GraphContents*, std::weak_ptr<GradientMail>> all;
  std::erase_if(all, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<GradientMail>& known = all[trained];
  std::shared_ptr<GradientMail> mail = known.lock();
  if (!mail) known = mail = std::make_shared<GradientMail>();
  return mail;
}

void GradientMail::put(const std::vector<GradientNorm>& norms) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kLeastInterval) return;
  last_ = now;
  const std::lock_guard lock(mutex_);
  norms_ = norms;
  fresh_ = true;
}

bool GradientMail::take(QHash<QString, double>& norms) {
  std::vector<GradientNorm> taken;
  {
    const std::lock_guard lock(mutex_);
    if (!fresh_) return false;
    fresh_ = false;
    taken.swap(norms_);
  }
  for (const GradientNorm& g : taken) norms.insert(text(g.variable), g.norm);
  return true;
}

}  // namespace weft::app
