import { useState } from 'preact/hooks'
import { callV3 } from '../fetch/requests.ts'
import type { Block } from '../live/useBlockFeed.ts'
import { SECOND, usePages, useRequest } from '../live/usePolling.ts'
import { blockEvents, type Stream, useStream } from '../live/useStream.ts'
import { groupDigits } from '../model/format.ts'
import { Badge, Card, Empty, Failure, Loading, LoadMore, Tabs } from '../parts/basics.tsx'
import { BlockLink, Hash, TimeAgo } from '../parts/links.tsx'
import { Link } from '../route/Link.tsx'

export const BlockRows = ({ blocks }: { readonly blocks: readonly Block[] }) => (
  <div class="table-frame">
    <table class="table">
      <thead>
        <tr>
          <th>Block</th>
          <th class="number">Transactions</th>
          <th>Root hash</th>
          <th class="number">Time</th>
        </tr>
      </thead>
      <tbody>
        {blocks.map((block) => (
          <tr key={`${block.workchain} ${block.shard} ${block.seqno}`}>
            <td data-label="Block">
              <BlockLink id={block} /> {block.key_block && <Badge tone="accent">key</Badge>}
            </td>
            <td data-label="Transactions" class="number">
              {block.tx_count}
            </td>
            <td data-label="Root hash">
              <Hash hash={block.root_hash} what="root hash" />
            </td>
            <td data-label="Time" class="number">
              <TimeAgo utime={Number(block.gen_utime)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** Current shards of the basechain; width is the share of the address space. */
const ShardMap = ({ stream }: { readonly stream: Stream }) => {
  const { value } = useRequest(
    'shards',
    async (signal) => newestOfShards((await callV3('blocks', { workchain: 0, limit: 64 }, signal)).result.blocks),
    {
      pollMs: 2 * SECOND,
      stream,
      onEvent: (event, known) =>
        event.type === 'block' && event.block.workchain === 0 ? newestOfShards([event.block, ...known]) : undefined,
    },
  )
  if (value === undefined || value.length === 0) return null
  return (
    <Card title="Shards of the basechain" aside={<span class="muted">{value.length}</span>}>
      <div class="shards">
        {value.map(({ workchain, shard, seqno, tx_count: count }) => (
          <Link
            key={shard}
            to={{ page: 'block', workchain, shard, seqno }}
            class={`shard is-${depthOf(shard)}`}
            title={`Shard ${shard}, block ${seqno}, ${count} transactions`}
          >
            <span class="mono">{prefixOf(shard)}</span>
            <span class="muted">{groupDigits(seqno)}</span>
          </Link>
        ))}
      </div>
    </Card>
  )
}

const bitsOf = (shard: string): string => BigInt(`0x${shard}`).toString(2).padStart(64, '0')

/** Prefix length of a shard id: all bits above the lowest set one. */
const depthOf = (shard: string): number => bitsOf(shard).lastIndexOf('1')

const prefixOf = (shard: string): string =>
  depthOf(shard) === 0 ? 'all' : `${bitsOf(shard).slice(0, depthOf(shard))}…`

/** The newest block of each current shard. */
const newestOfShards = (blocks: readonly Block[]): Block[] => {
  const found: Block[] = []
  for (const block of blocks) {
    const prefix = bitsOf(block.shard).slice(0, depthOf(block.shard))
    const overlaps = found.some(({ shard }) => {
      const other = bitsOf(shard).slice(0, depthOf(shard))
      return other.startsWith(prefix) || prefix.startsWith(other)
    })
    if (!overlaps) found.push(block)
  }
  return found.sort((a, b) => bitsOf(a.shard).localeCompare(bitsOf(b.shard)))
}

const PAGE = 30

type Chain = 'all' | 'master' | 'base'

const workchains = { all: {}, master: { workchain: -1 }, base: { workchain: 0 } } as const

export const BlocksPage = () => {
  const [chain, setChain] = useState<Chain>('all')
  const stream = useStream(blockEvents)
  const pages = usePages(
    `blocks of ${chain}`,
    async (cursor, signal) => {
      const args = { ...workchains[chain], limit: PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('blocks', args, signal)
      return { rows: result.blocks, cursor: next }
    },
    {
      idOf: ({ workchain, shard, seqno }) => `${workchain} ${shard} ${seqno}`,
      pollMs: SECOND,
      stream,
      rowsOf: (event) => {
        if (event.type !== 'block') return []
        const { workchain = event.block.workchain } = workchains[chain] as { readonly workchain?: number }
        return workchain === event.block.workchain ? [event.block] : []
      },
    },
  )
  return (
    <>
      <header class="page-head">
        <h1>Blocks</h1>
      </header>
      <ShardMap stream={stream} />
      <Tabs
        label="Chain"
        current={chain}
        onChange={(key) => setChain(key)}
        tabs={[
          { key: 'all', title: 'All' },
          { key: 'master', title: 'Masterchain' },
          { key: 'base', title: 'Basechain' },
        ]}
      />
      <Card>
        {pages.error !== undefined && <Failure error={pages.error} />}
        {pages.rows === undefined && pages.error === undefined && <Loading lines={10} />}
        {pages.rows?.length === 0 && <Empty icon="block">No blocks yet.</Empty>}
        {pages.rows !== undefined && pages.rows.length > 0 && <BlockRows blocks={pages.rows} />}
        <LoadMore pages={pages} />
      </Card>
    </>
  )
}
