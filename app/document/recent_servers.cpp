#include "document/recent_servers.h"

#include "document/settings.h"

namespace weft::app {
namespace {
constexpr int kMostServers = 5;
const QString kServersKey = QStringLiteral("run/servers");
}  // namespace

QStringList recentServers(const Settings& settings) { return settings.value(kServersKey).toStringList(); }

void addRecentServer(Settings& settings, const QString& address) {
  QStringList servers = recentServers(settings);
  servers.removeAll(address);
  servers.prepend(address);
  settings.setValue(kServersKey, servers.mid(0, kMostServers));
}

}  // namespace weft::app
