import { useRef, useState } from 'preact/hooks'
import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, usePolling } from './usePolling.ts'
import type { Stream } from './useStream.ts'

export type Block = V3Result<'blocks'>['blocks'][number]

/** A masterchain block with the shard blocks that it was the first to include. */
export type BlockGroup = {
  readonly seqno: number
  readonly utime: number
  readonly transactions: number
  readonly master: Block | undefined
  readonly shards: readonly Block[]
}

export type BlockFeed = {
  /** Until the first answer. */
  readonly isLoading: boolean
  /** The newest first. */
  readonly groups: readonly BlockGroup[]
  /** Index lag at each block, newest last. */
  readonly lags: readonly number[]
  readonly error: Error | undefined
}

const FIRST_BLOCKS = 160
const NEXT_BLOCKS = 100
const MAX_BLOCKS = 400
const MAX_LAGS = 60

/** Live feed of the newest blocks. After the first request, only new blocks are fetched, or taken from events. */
export const useBlockFeed = (stream: Stream): BlockFeed => {
  const [feed, setFeed] = useState<BlockFeed>({ isLoading: true, groups: [], lags: [], error: undefined })
  const blocks = useRef<readonly Block[]>([])
  const lags = useRef<readonly number[]>([])
  // Of the masterchain block whose head event is still to come.
  const coming = useRef<Block[]>([])
  // An embedded network may be reverted: then start again.
  const show = (fresh: readonly Block[], lagMs: number | undefined, isReverted: boolean): void => {
    blocks.current = isReverted ? [] : join(fresh, blocks.current)
    if (lagMs !== undefined) lags.current = [...lags.current, lagMs].slice(-MAX_LAGS)
    setFeed({ isLoading: false, groups: groupBlocks(blocks.current), lags: lags.current, error: undefined })
  }
  usePolling(
    async (signal) => {
      try {
        const newest = blocks.current[0]
        const head = blocks.current.find(({ workchain }) => workchain === -1)
        const args = newest === undefined ? { limit: FIRST_BLOCKS } : { limit: NEXT_BLOCKS, start_lt: newest.start_lt }
        const { result, seqno, lagMs } = await callV3('blocks', args, signal)
        // Compared with the head of when it was sent: events may have come before the answer.
        const isReverted = head !== undefined && seqno !== undefined && seqno < head.seqno
        if (!signal.aborted) show(result.blocks, lagMs, isReverted)
      } catch (error) {
        if (!signal.aborted) setFeed((before) => ({ ...before, isLoading: false, error: error as Error }))
        throw error
      }
    },
    {
      intervalMs: SECOND,
      key: 'blocks',
      stream,
      onEvent: (event) => {
        if (event.type === 'block') coming.current.push(event.block)
        if (event.type !== 'masterchain_head') return false
        // Events may be behind the answer to a request: only another block of the same seqno tells of a revert.
        const isReverted = hasOther(blocks.current, coming.current)
        // Before the first answer there would be a hole between these blocks and those of the answer.
        if (blocks.current.length > 0) show(coming.current, event.emitted_at - 1000 * event.gen_utime, isReverted)
        coming.current = []
        return blocks.current.length === 0
      },
    },
  )
  return feed
}

const idOf = ({ workchain, shard, seqno }: Block): string => `${workchain} ${shard} ${seqno}`

const hasOther = (known: readonly Block[], fresh: readonly Block[]): boolean => {
  const hashes = new Map(known.map((block) => [idOf(block), block.root_hash]))
  return fresh.some((block) => (hashes.get(idOf(block)) ?? block.root_hash) !== block.root_hash)
}

const join = (fresh: readonly Block[], known: readonly Block[]): Block[] => {
  const ids = new Set(fresh.map(idOf))
  return [...fresh, ...known.filter((block) => !ids.has(idOf(block)))]
    .sort((a, b) => Number(BigInt(b.start_lt) - BigInt(a.start_lt)))
    .slice(0, MAX_BLOCKS)
}

const groupBlocks = (blocks: readonly Block[]): BlockGroup[] => {
  const bySeqno = new Map<number, Block[]>()
  for (const block of blocks) {
    const { seqno } = block.masterchain_block_ref
    bySeqno.set(seqno, [...(bySeqno.get(seqno) ?? []), block])
  }
  const groups = [...bySeqno]
    .sort(([a], [b]) => b - a)
    .map(([seqno, members]) => ({
      seqno,
      utime: Math.max(...members.map(({ gen_utime }) => Number(gen_utime))),
      transactions: members.reduce((sum, { tx_count }) => sum + tx_count, 0),
      master: members.find(({ workchain }) => workchain === -1),
      shards: members.filter(({ workchain }) => workchain !== -1),
    }))
  // The oldest group may be incomplete, unless these are all blocks of a young network.
  return blocks.length < FIRST_BLOCKS ? groups : groups.slice(0, -1)
}
