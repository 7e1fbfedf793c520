#!/usr/bin/env bash
# The direction of #include lines: engine knows neither Qt nor widgets nor app; widgets know Qt and never the engine or app; widgets/layout
# not even Qt; app/cli and app/support know no Qt. Run in the source tree. Prints each line that breaks a rule.
set -u
bad=0
# forbid FOLDER PATTERN WHY: no #include in FOLDER may match PATTERN.
forbid() {
  [ -d "$1" ] || return 0
  local found
  found=$(grep -rnP "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$2" --include=*.h --include=*.cpp --include=*.cu --include=*.inc "$1") || return 0
  echo "$found" | sed "s|\$|   <- $3|"
  bad=1
}
qt='(Q[A-Z][A-Za-z0-9]*[>"]|Qt[A-Za-z0-9]*/)'
forbid engine "$qt" 'engine must not know Qt'
forbid engine '(widgets|app|cli|support|views|document|adapters|main_window|commands)/' 'engine must not know widgets or app'
# The headers of mutexes stand alone.
forbid widgets '(weft/(?!(mutex|shared_mutex|cond_var)\.h)|(engine|ops|runtime|tensor|graph|autodiff|io|proto)/)' 'widgets must not know the engine'
forbid widgets '(app|cli|support|adapters|document|views|main_window|commands)/' 'widgets must not know app'
forbid widgets/layout "$qt" 'layout must not know Qt'
forbid app/cli "$qt" 'weft must not know Qt'
forbid app/support "$qt" 'app/support must not know Qt'
for folder in app/*/; do
  # The Python module builds graphs as the engine's own functions do, and gives the op that calls Python its interpreter.
  [ "$folder" = app/python/ ] && hidden='(runtime|proto|device|base|ops/(?!py_functions\.h)|autodiff/(?!slices\.h))' || hidden='(ops|runtime|autodiff|proto|device|base)/'
  forbid "$folder" "$hidden" "app sees the engine's public headers only"
done
forbid engine/include '(ops|runtime|autodiff|proto|device|base|io|Eigen|google|nlohmann|dnnl)' 'public headers stand alone'
exit $bad
