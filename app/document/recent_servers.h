#pragma once

#include <QStringList>

namespace weft::app {

class Settings;

/// "host:port" of the TensorFlow servers used last, newest first, at most five.
QStringList recentServers(const Settings& settings);
void addRecentServer(Settings& settings, const QString& address);

}  // namespace weft::app
