export type Backoff = { readonly firstMs: number; readonly maxMs: number }

export const DEFAULT_BACKOFF: Backoff = { firstMs: 250, maxMs: 10_000 }

/** How long to wait after the n-th failure in a row (1 is the first): doubled each time, the upper half of it by chance. */
export const backoffMs = (
  { firstMs, maxMs }: Backoff,
  failures: number,
  random: () => number = Math.random,
): number => {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(30, failures - 1))
  return full / 2 + (full / 2) * random()
}
