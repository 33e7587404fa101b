import type { Figures } from './measureV3.ts'

/**
 * CPU time in ms that the original of v3 (a Go server over PostgreSQL) took for a request, server and database together, over a million
 * transactions in November 2026, on another machine; and how many times ours that is meant to be.
 */
const original: Readonly<Record<string, { readonly ms: number; readonly wanted: number }>> = {
  'transactions of an account': { ms: 5.81, wanted: 5 },
  'messages of an account': { ms: 4.69, wanted: 5 },
  'items of an owner': { ms: 4.7, wanted: 5 },
  'jetton wallets of an owner': { ms: 4.7, wanted: 5 },
  'transactions of a masterchain block': { ms: 7.28, wanted: 5 },
  'the trace of a transaction': { ms: 8.87, wanted: 6 },
  'ten whole traces of an account': { ms: 22.9, wanted: 4 },
  'transactions of a busy account at offset 1,000': { ms: 8.43, wanted: 4 },
  'newest transactions': { ms: 3.62, wanted: 5 },
  'blocks of a time': { ms: 0.78, wanted: 3 },
  mixed: { ms: 5.46, wanted: 4 },
}

/** How many times the CPU time of ours the original is meant to take, by the name of the request. */
export const wantedRatios: ReadonlyMap<string, number> = new Map(
  Object.entries(original).map(([question, { wanted }]) => [question, wanted]),
)

/** A row for each request of which there is a figure of the original. */
export const besideOriginal = (figures: ReadonlyMap<string, Figures>) =>
  Object.entries(original).map(([question, { ms, wanted }]) => {
    const { serverMs, databaseMs, perSecond, p99Ms } = figures.get(question)!
    const ours = serverMs + databaseMs
    return {
      question,
      'original cpu ms': ms,
      'ours cpu ms': ours,
      'of it database': databaseMs,
      ratio: ms / ours,
      wanted,
      'per second': Math.round(perSecond),
      'p99 ms': p99Ms,
    }
  })
