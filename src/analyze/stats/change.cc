// SPDX-License-Identifier: Apache-2.0
#include "analyze/stats/change.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "analyze/stats/distributions.h"

namespace pyrometer::analyze {
namespace {

constexpr double kIntervalP = 0.05;
// How many runs the common scatter counts for against those of the row itself, and
// the least degrees of freedom that the two together have.
constexpr double kCommonFreedom = 4, kLeastFreedom = 10;
// The same for the model against all rows together.
constexpr double kModelFreedom = 10;
// One row that is out of all proportion does not widen the others.
constexpr double kMostScatter = 25, kLeastScatter = 0.25;
// Of so many pairs, one that is far from the others counts less, as if errors had the tails of
// Student's t with so few degrees of freedom. The scatter that is found so is 0.63 of the
// variance of normal errors, and the difference has 1.18 of what a mean has: so much is added
// where the scatter of a row is known from itself alone.
constexpr size_t kLeastRobust = 4;
constexpr double kTailFreedom = 3;
constexpr double kTailLoss = 1.18 / 0.63 - 1;
constexpr int kRounds = 30;
// Ratio of the median of absolute normal values to their standard deviation.
constexpr double kMedianOfNormal = 0.6744897501960817;

// Weighted least squares for: level, difference and slope.
class LeastSquares {
 public:
  static constexpr size_t kTerms = 3;
  using Terms = std::array<double, kTerms>;

  void Add(const Terms& terms, double value, double variance) {
    for (size_t i = 0; i < kTerms; ++i) {
      for (size_t j = 0; j < kTerms; ++j) matrix_[i][j] += terms[i] * terms[j] / variance;
      right_[i] += terms[i] * value / variance;
    }
  }

  // Sets the inverse of the matrix, which is the covariance, and the solution.
  void Solve() {
    for (size_t i = 0; i < kTerms; ++i) covariance_[i][i] = 1;
    for (size_t i = 0; i < kTerms; ++i) {
      size_t best = i;
      for (size_t j = i + 1; j < kTerms; ++j)
        if (std::abs(matrix_[j][i]) > std::abs(matrix_[best][i])) best = j;
      std::swap(matrix_[i], matrix_[best]);
      std::swap(covariance_[i], covariance_[best]);
      const double pivot = matrix_[i][i];
      for (size_t k = 0; k < kTerms; ++k) {
        matrix_[i][k] /= pivot;
        covariance_[i][k] /= pivot;
      }
      for (size_t j = 0; j < kTerms; ++j) {
        const double factor = matrix_[j][i];
        if (j == i || factor == 0) continue;
        for (size_t k = 0; k < kTerms; ++k) {
          matrix_[j][k] -= factor * matrix_[i][k];
          covariance_[j][k] -= factor * covariance_[i][k];
        }
      }
    }
    for (size_t i = 0; i < kTerms; ++i) {
      solution_[i] = 0;
      for (size_t j = 0; j < kTerms; ++j) solution_[i] += covariance_[i][j] * right_[j];
    }
  }

  double solution(size_t i) const { return solution_[i]; }
  double variance(size_t i) const { return covariance_[i][i]; }
  double Expected(const Terms& terms) const {
    double sum = 0;
    for (size_t i = 0; i < kTerms; ++i) sum += terms[i] * solution_[i];
    return sum;
  }

 private:
  std::array<Terms, kTerms> matrix_{}, covariance_{};
  Terms right_{}, solution_{};
};

constexpr size_t kLevel = 0, kDifference = 1;

// The runs of one row, relative to their mean.
class RowFit {
 public:
  RowFit(std::span<const RunValue> runs, const NoiseModel& noise) : noise_(noise) {
    std::array<double, 2> sums{};
    for (const RunValue& run : runs) {
      sums[run.now] += run.value;
      ++counts_[run.now];
    }
    base_ = sums[0] / counts_[0];
    scale_ = (base_ + sums[1] / counts_[1]) / 2;
    if (!(scale_ > 0)) return;
    const auto is_large = [&](const RunValue& run) {
      // Logarithms of values that are not known to a third are skewed.
      return run.value > 0 && run.variance < run.value * run.value / 9;
    };
    paired_ = runs.front().pair.has_value();
    logarithmic_ = (paired_ || noise.slope_deviation) && std::ranges::all_of(runs, is_large);
    if (paired_) {
      AddPairs(runs);
      return;
    }
    double base_speed = 0;
    for (const RunValue& run : runs)
      if (!run.now) base_speed += run.log_speed / counts_[0];
    for (const RunValue& run : runs) AddRun(run, run.log_speed - base_speed);
  }

  bool empty() const { return points_.empty(); }
  double scale() const { return scale_; }

  // `weights` of the points; none: they count alike.
  LeastSquares Solve(double scatter, std::span<const double> weights = {}) const {
    LeastSquares squares;
    for (size_t i = 0; i < points_.size(); ++i)
      squares.Add(points_[i].terms, points_[i].value,
                  scatter * points_[i].variance / (weights.empty() ? 1 : weights[i]));
    // Without a slope or a level to be found, any prior will do: nothing else bears on it.
    const double deviation = has_slope() ? *noise_.slope_deviation : 1;
    squares.Add({0, 0, 1}, has_slope() ? 1 : 0, deviation * deviation);
    if (paired_) squares.Add({1, 0, 0}, 0, 1);
    squares.Solve();
    return squares;
  }

  double freedom() const {
    const double terms = paired_ ? 1 : has_slope() ? 3 : 2;
    return std::max(0.0, static_cast<double>(points_.size()) - terms);
  }

  // Whether one run among them may be told to be unlike the others.
  bool robust() const { return paired_ && points_.size() >= kLeastRobust; }

  // How far each point is from `squares`, squared, as a multiple of the model's variance.
  std::vector<double> Distances(const LeastSquares& squares) const {
    return DistancesFrom([&](const Point& point) { return squares.Expected(point.terms); });
  }
  // The same from the middle one of pairs, which stays where it is unless half of them move.
  std::vector<double> DistancesFromMedian() const {
    std::vector<double> values;
    for (const Point& point : points_) values.push_back(point.value);
    std::ranges::sort(values);
    const double median = (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
    return DistancesFrom([&](const Point&) { return median; });
  }

  // How much the points scatter, as a multiple of the model's variance.
  double Residue(std::span<const double> distances, std::span<const double> weights) const {
    if (freedom() == 0) return 0;
    return std::inner_product(distances.begin(), distances.end(), weights.begin(), 0.0) / freedom();
  }

  // A difference of the fit in the unit of the values.
  double InUnits(double difference) const {
    return logarithmic_ ? base_ * std::expm1(difference) : scale_ * difference;
  }
  double Base(const LeastSquares& squares) const {
    if (logarithmic_ || paired_) return base_;
    return std::max(0.0, scale_ * squares.solution(kLevel));
  }

 private:
  struct Point {
    LeastSquares::Terms terms;
    double value;
    double variance;
  };

  bool has_slope() const { return logarithmic_ && !paired_; }

  template <typename Expected>
  std::vector<double> DistancesFrom(const Expected& expected) const {
    std::vector<double> distances;
    for (const Point& point : points_) {
      const double off = point.value - expected(point);
      distances.push_back(off * off / point.variance);
    }
    return distances;
  }

  double RelativeVariance(const RunValue& run) const {
    return noise_.relative * noise_.relative + run.log_speed_variance +
           (run.variance + noise_.absolute * noise_.absolute) / (scale_ * scale_);
  }

  void AddRun(const RunValue& run, double log_speed) {
    const double side = run.now ? 1 : 0;
    if (logarithmic_)
      points_.push_back(
          {{1, side, log_speed}, std::log(run.value / scale_), RelativeVariance(run)});
    else
      points_.push_back(
          {{1, side, 0}, run.value / scale_ / std::exp(log_speed), RelativeVariance(run)});
  }

  // Each pair tells the difference by itself: what its level was does not matter.
  void AddPairs(std::span<const RunValue> runs) {
    std::vector<const RunValue*> partners(runs.size());
    for (const RunValue& run : runs)
      if (run.now) partners[*run.pair] = &run;
    for (const RunValue& run : runs) {
      if (run.now) continue;
      const RunValue& partner = *partners[*run.pair];
      points_.push_back({{0, 1, 0},
                         logarithmic_ ? std::log(partner.value / run.value)
                                      : (partner.value - run.value) / scale_,
                         RelativeVariance(run) + RelativeVariance(partner)});
    }
  }

  const NoiseModel& noise_;
  std::array<double, 2> counts_{};
  double base_ = 0;
  double scale_ = 0;
  bool paired_ = false;
  bool logarithmic_ = false;
  std::vector<Point> points_;
};

}  // namespace

Fit FitChange(std::span<const RunValue> runs, const NoiseModel& noise, double scatter) {
  const RowFit row(runs, noise);
  if (row.empty()) return {};
  const LeastSquares model = row.Solve(1);
  Fit fit;
  fit.residue_df = row.freedom();
  fit.pull = model.solution(kDifference) / std::sqrt(model.variance(kDifference));
  std::vector<double> distances = row.robust() ? row.DistancesFromMedian() : row.Distances(model);
  std::vector<double> weights(distances.size(), 1);
  // The scatter of this row, with what rows do in general.
  const double own_share = fit.residue_df / (kCommonFreedom + fit.residue_df);
  double together = scatter;
  LeastSquares squares;
  for (int round = 0; round < (row.robust() ? kRounds : 1); ++round) {
    if (row.robust())
      std::ranges::transform(distances, weights.begin(), [&](double distance) {
        return (kTailFreedom + 1) / (kTailFreedom + distance / together);
      });
    fit.residue = row.Residue(distances, weights);
    const double own = std::min(fit.residue, kMostScatter * std::max(1.0, scatter));
    together = std::max(kLeastScatter, scatter + own_share * (own - scatter));
    squares = row.Solve(together, weights);
    distances = row.Distances(squares);
  }
  const double difference = squares.solution(kDifference);
  const double loss = row.robust() ? kTailLoss * own_share : 0;
  const double deviation = std::sqrt((1 + loss) * row.Solve(together).variance(kDifference));
  fit.freedom = std::max(kLeastFreedom, kCommonFreedom + fit.residue_df);
  fit.p = StudentP(difference / deviation, fit.freedom);
  fit.base = row.Base(squares);
  fit.difference = row.InUnits(difference);
  fit.now = std::max(0.0, fit.base + fit.difference);
  const double half = StudentBound(kIntervalP, fit.freedom) * deviation;
  fit.low = row.InUnits(difference - half);
  fit.high = row.InUnits(difference + half);
  fit.deviation = deviation * row.scale();
  return fit;
}

double CommonScatter(std::span<const Fit> fits) {
  double sum = kModelFreedom, freedom = kModelFreedom;
  std::vector<double> pulls;
  for (const Fit& fit : fits) {
    sum += fit.residue_df * std::min(fit.residue, kMostScatter);
    freedom += fit.residue_df;
    pulls.push_back(std::abs(fit.pull));
  }
  if (freedom > kModelFreedom) return std::max(sum / freedom, kLeastScatter);
  if (pulls.size() < 3) return 1;
  // One run on each side. Rows that have changed must not count: the median.
  const auto middle = pulls.begin() + static_cast<ptrdiff_t>(pulls.size() / 2);
  std::nth_element(pulls.begin(), middle, pulls.end());
  const double median = std::min(*middle / kMedianOfNormal, std::sqrt(kMostScatter));
  const double rows = static_cast<double>(pulls.size() - 1);
  return std::max(1.0, (kModelFreedom + rows * median * median) / (kModelFreedom + rows));
}

}  // namespace pyrometer::analyze
