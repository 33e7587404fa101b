/** The candidate a mistyped word most likely meant, or `undefined` where none is close. */
export const suggest = (word: string, candidates: readonly string[]): string | undefined => {
  // Nothing of ours is nearly as long, and comparing takes time in proportion to the length.
  if (word.length > MAX_LENGTH) return undefined
  const [nearest] = candidates
    .map((candidate) => ({ candidate, edits: countEdits(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.edits - b.edits)
  return nearest?.candidate
}

const MAX_LENGTH = 64

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
const countEdits = (from: string, to: string): number => {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const replaced = row[j]! + (from[i] === to[j] ? 0 : 1)
      const isSwap = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j]
      const swapped = isSwap ? before[j - 1]! + 1 : replaced
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, replaced, swapped))
    }
    before = row
    row = next
  }
  return row[to.length]!
}
