#include "outcome.h"

#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "weft/plan_report.h"

namespace weft::generated {
namespace {

namespace fs = std::filesystem;

void note(StepOutcome& out, const Error& error) {
  out.code = error.code;
  out.message = error.message;
  out.node = error.node;
}

bool sameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool hasRounding(DType t) { return isFloating(t) || isComplex(t); }

/// "" if the values agree; `rounding` says whether only numbers differ.
std::string valueDifference(const Tensor& got, const Tensor& want, const std::vector<double>& allowed, bool& rounding) {
  rounding = false;
  if (got.dtype() != want.dtype()) return concat("type ", dtypeName(got.dtype()), ", want ", dtypeName(want.dtype()));
  if (!(got.shape() == want.shape())) return concat("shape ", got.shape().toString(), ", want ", want.shape().toString());
  const int64_t n = want.elements();
  if (want.dtype() == DType::String) {
    for (int64_t i = 0; i < n; ++i)
      if (got.data<std::string>()[i] != want.data<std::string>()[i])
        return concat("text ", i, " is '", got.data<std::string>()[i], "', want '", want.data<std::string>()[i], "'");
    return {};
  }
  if (!hasRounding(want.dtype())) {
    for (int64_t i = 0; i < n; ++i)
      if (got.asInt(i) != want.asInt(i)) return concat("element ", i, " is ", got.asInt(i), ", want ", want.asInt(i));
    return {};
  }
  const bool complex = isComplex(want.dtype());
  for (int64_t i = 0; i < n; ++i) {
    for (int part = 0; part <= int(complex); ++part) {
      const double g = partOf(got, i, part), w = partOf(want, i, part);
      if (sameNumber(g, w)) continue;
      const double limit = size_t(i) < allowed.size() ? allowed[size_t(i)] : 0;
      if (std::isinf(limit) || std::fabs(g - w) <= limit) continue;
      rounding = true;
      char text[160];
      std::snprintf(text, sizeof text, "element %lld is %.17g, want %.17g, apart %.3g, allowed %.3g", static_cast<long long>(i), g, w, std::fabs(g - w), limit);
      return text;
    }
  }
  return {};
}

}  // namespace

double partOf(const Tensor& t, int64_t i, bool imaginary) {
  if (!imaginary) return t.asDouble(i);
  return t.dtype() == DType::Complex64 ? double(t.at<std::complex<float>>(i).imag()) : t.at<std::complex<double>>(i).imag();
}

WorkingDirectory::WorkingDirectory(const std::map<std::string, std::string>& files) {
  if (files.empty()) return;
  std::string pattern = (fs::temp_directory_path() / "weft-generated-XXXXXX").string();
  if (!mkdtemp(pattern.data())) return;
  std::error_code ignored;
  before_ = fs::current_path(ignored);
  here_ = pattern;
  for (const auto& [name, bytes] : files) {
    fs::create_directories((here_ / name).parent_path(), ignored);
    std::ofstream(here_ / name, std::ios::binary) << bytes;
  }
  fs::create_directory(here_ / "tmp", ignored);
  fs::current_path(here_, ignored);
}

WorkingDirectory::~WorkingDirectory() {
  if (here_.empty()) return;
  std::error_code ignored;
  fs::current_path(before_, ignored);
  fs::remove_all(here_, ignored);
}

Outcome runCase(const Case& one, const Way& way) {
  Outcome out;
  const WorkingDirectory files(one.files);
  SessionOptions options;
  options.threads = way.threads;
  options.disabledPasses = way.without;
  options.operationTimeoutMs = way.timeoutMs;
  auto session = Session::create(one.meta.graph, options);
  if (!session.ok()) {
    note(out.load, session.error());
    return out;
  }
  for (const Step& step : one.steps) {
    RunOptions run;
    run.controller = way.controller;
    auto values = (*session)->run(step.feeds, step.fetches, step.targets, run);
    StepOutcome& result = out.steps.emplace_back();
    if (!values.ok()) {
      note(result, values.error());
      return out;
    }
    result.values = std::move(*values);
    if (const auto report = planReport(**session, [&](const auto& fetches, const auto& targets) { return fetches == step.fetches && targets == step.targets; });
        report.ok())
      for (const std::string& p : report->passes) {
        ++out.passes[p.substr(0, p.find(':'))];
        // Changes to a loop are reported together with it.
        for (const auto& [words, name] :
             {std::pair("scalar loop,", "scalar_loops"), std::pair("over all rounds", "loop_products"), std::pair("loop_transposes:", "loop_transposes")})
          if (p.find(words) != std::string::npos) ++out.passes[name];
      }
  }
  StepOutcome& last = out.steps.emplace_back();
  for (auto& [name, value] : (*session)->variables()) last.values.push_back(std::move(value));
  return out;
}

Difference compare(const Outcome& got, const Outcome& want, const Allowance& allowance) {
  Difference d;
  if (got.load.code != want.load.code) {
    d.what = concat("load: ", codeName(got.load.code), " ", got.load.message, "; want ", codeName(want.load.code), " ", want.load.message);
    return d;
  }
  for (size_t s = 0; s < got.steps.size() && s < want.steps.size(); ++s) {
    const StepOutcome &g = got.steps[s], &w = want.steps[s];
    d.step = int(s);
    if (g.code != w.code) {
      d.what = concat("step ", s, ": ", codeName(g.code), " ", g.message.substr(0, 300), " at ", g.node, "; want ", codeName(w.code), " ",
                      w.message.substr(0, 300), " at ", w.node);
      return d;
    }
    if (g.values.size() != w.values.size()) {
      d.what = concat("step ", s, ": ", g.values.size(), " values or variables, want ", w.values.size());
      return d;
    }
    for (size_t k = 0; k < g.values.size(); ++k) {
      d.fetch = int(k);
      const std::string text = valueDifference(g.values[k], w.values[k], allowance ? allowance(int(s), int(k)) : std::vector<double>{}, d.isRounding);
      if (!text.empty()) {
        d.what = concat("step ", s, " fetch ", k, ": ", text);
        return d;
      }
    }
    d.fetch = -1;
  }
  d = {};
  if (got.steps.size() != want.steps.size()) d.what = concat(got.steps.size(), " steps, want ", want.steps.size());
  return d;
}

}  // namespace weft::generated
