/** Of numbers in rising order. */
export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return percentile(sorted, 0.5);
}
