import type { FileResult } from './Tally.ts'

/** How many tests may be skipped for each reason, by a part of its text. */
type Allowance = Readonly<Record<string, number>>

/** For a clone alone, and for one with the recordings of `../shared` beside it. */
export type SkipAllowances = { readonly alone: Allowance; readonly withShared: Allowance }

/** A sentence for each reason for which more tests were skipped than may be. Without allowances anything goes. */
export const checkSkips = (
  results: readonly FileResult[],
  allowances: SkipAllowances | undefined,
  hasShared: boolean,
): string[] => {
  if (allowances === undefined) return []
  const clone = hasShared ? 'withShared' : 'alone'
  const allowed = Object.entries(allowances[clone])
  const skips = results.flatMap((result) => result.skips)
  const counts = new Map<string, number>()
  for (const { reason } of skips) {
    const known = allowed.find(([text]) => reason.includes(text))?.[0] ?? reason
    counts.set(known, (counts.get(known) ?? 0) + 1)
  }
  return [...counts]
    .map(([reason, count]) => ({ reason, count, most: allowances[clone][reason] ?? 0 }))
    .filter(({ count, most }) => count > most)
    .map(
      ({ reason, count, most }) =>
        `${count} tests were skipped because of "${reason}", ${most} may be (test/skips.json, ${clone}).`,
    )
}
