import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../../observe/Logger.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { BlockSetSource } from '../ports.ts'
import { HeadTracker } from './HeadTracker.ts'

const idOf = (seqno: number): BlockIdExt => ({
  workchain: -1,
  shard: wholeShard,
  seqno,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
})

/** A source whose watches give these heads, one list for each watch, and then nothing; `fail` ends a watch with an error. */
const sourceOf = (watches: readonly (readonly (number | 'fail')[])[], newest = 0): BlockSetSource => {
  let watch = 0
  return {
    getHead: async () => idOf(newest),
    getBlockId: async (seqno) => idOf(seqno),
    fetchBlockSet: () => Promise.reject(new Error('not asked for')),
    async *watchHeads() {
      for (const head of watches[watch++] ?? []) {
        if (head === 'fail') throw new Error('The chain went back.')
        yield idOf(head)
        await delay(1)
      }
      await new Promise(() => undefined)
    },
  }
}

const follow = async (source: BlockSetSource, untilHead: number, silentMs?: number) => {
  const ending = new AbortController()
  const logged: string[] = []
  const write = (line: string): void =>
    void logged.push((JSON.parse(line) as { error: { message: string } }).error.message)
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write })
  const tracker = new HeadTracker(source, logger, silentMs)
  const heads: number[] = []
  const running = tracker.run((seqno) => heads.push(seqno), ending.signal)
  while (heads.at(-1) !== untilHead) await delay(5)
  ending.abort()
  await running
  return { heads, logged, seqno: tracker.seqno }
}

test('heads go up; those that are repeated are left out', async () => {
  const { heads, logged } = await follow(sourceOf([[3, 4, 4, 6, 5, 9]]), 9)
  assert.deepEqual([heads, logged], [[3, 4, 6, 9], []])
})

test('what a watch that failed had said last may have been a lie', async () => {
  const { heads, logged, seqno } = await follow(sourceOf([[5, 1_000_000, 'fail'], [6]]), 6)
  assert.deepEqual([heads, logged, seqno], [[5, 1_000_000, 6], ['The chain went back.'], 6])
})

test('a watch that tells nothing while there is something is begun anew, and one that has nothing to tell is not', async () => {
  const { heads, logged } = await follow(sourceOf([[5], [8]], 7), 8, 40)
  assert.deepEqual(heads, [5, 8])
  assert.deepEqual(logged, ['No head for 40 ms, although the source has block 7.'])
  const ending = new AbortController()
  const write = (): void => assert.fail('there was nothing to say')
  const quiet = new HeadTracker(
    sourceOf([[5]], 5),
    createLogger({ level: 'warn', format: 'json', colours: false, write }),
    20,
  )
  const running = quiet.run(() => undefined, ending.signal)
  await delay(200)
  ending.abort()
  await running
  assert.equal(quiet.seqno, 5)
})
