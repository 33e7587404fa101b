import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BlockStatus, findNewestHead, type HeadSearch, LOST_AFTER } from './findNewestHead.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

/** `c` complete, `i` incomplete, `u` unknown, `.` no block; the first letter is block 1. */
const searchIn = (letters: string): HeadSearch & { asked: number } => {
  const statuses: Record<string, BlockStatus> = { c: 'complete', i: 'incomplete', u: 'unknown' }
  const search = {
    asked: 0,
    findSeqnoUpTo: async (seqno: number) => {
      for (let n = Math.min(seqno, letters.length); n >= 1; n--) if (letters[n - 1] !== '.') return n
      return undefined
    },
    getStatus: async (seqno: number): Promise<BlockStatus> => {
      search.asked++
      return statuses[letters[seqno - 1] ?? '.'] ?? 'unknown'
    },
  }
  return search
}

const c = (count: number): string => 'c'.repeat(count)

const cases: readonly [string, string, number | undefined][] = [
  ['an empty archive', '', undefined],
  ['one block', 'c', 1],
  ['a history that begins later', `.....u${c(10)}`, 16],
  ['only the block where history begins', '...u', undefined],
  ['the newest not yet complete', `${c(30)}ii`, 30],
  ['a late one between complete ones', `${c(30)}icc`, 30],
  ['one late enough to be lost', `${c(30)}i${c(LOST_AFTER)}`, 31 + LOST_AFTER],
  ['one not quite late enough', `${c(30)}i${c(LOST_AFTER - 1)}`, 30],
  ['two late ones', `${c(30)}ic${c(3)}icc`, 30],
  ['nothing complete before the late one', `uicc`, undefined],
  ['a gap in the masterchain', `${c(30)}...u${c(3)}`, 37],
  ['nothing complete', 'iiii', undefined],
]

for (const [name, letters, expected] of cases) {
  test(`${name}: ${expected === undefined ? 'no head' : `head ${expected}`}`, async () => {
    assert.equal(await findNewestHead(searchIn(letters)), expected)
  })
}

test('masterchain blocks far ahead of their shard blocks take few looks', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30_000 }), fc.nat(30_000), async (complete, ahead) => {
      const search = searchIn(c(complete) + 'i'.repeat(ahead))
      assert.equal(await findNewestHead(search), complete)
      assert.ok(search.asked < 120, `${search.asked} looks`)
    }),
    { seed, numRuns: 60 },
  )
  t.diagnostic(`seed ${seed}`)
})

test('a head is complete, and so are those just before it', async (t) => {
  const letters = fc.string({ unit: fc.constantFrom(...'cccccccccccccccccciu.'), maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(letters, async (text) => {
      const head = await findNewestHead(searchIn(text))
      if (head === undefined) return
      const before = text.slice(Math.max(0, head - LOST_AFTER), head)
      assert.match(before, /(^|[.u])c+$/)
    }),
    { seed, numRuns: 500 },
  )
  t.diagnostic(`seed ${seed}`)
})
