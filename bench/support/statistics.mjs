/** Of numbers in rising order. */
export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return percentile(sorted, 0.5);
}

/** Least squares through points `[x, y]`: how much y grows per x, and the standard error of that. */
export function slope(points) {
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [mx, my] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  const rise = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - my - rise * (x - mx)) ** 2, 0);
  return { rise, error: Math.sqrt(rest / (points.length - 2) / spread) };
}
