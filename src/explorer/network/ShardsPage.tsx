import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { groupDigits } from '../model/format.ts'
import { Badge, Card, Empty, Failure, Loading } from '../parts/basics.tsx'
import { BlockLink, TimeAgo } from '../parts/links.tsx'
import { Link } from '../route/Link.tsx'
import { formatRoute } from '../route/Route.ts'
import { currentShards, type MapRow, prefixOf, reshardsOf, rowsOf, spanOf } from './shardMap.ts'

type Block = V3Result<'blocks'>['blocks'][number]

const BLOCKS = 400
const MAX_ROWS = 40

/** The shards of the basechain over the last blocks: what each covers, and where they were split or merged. */
export const ShardsPage = () => {
  const { value, error } = useRequest(
    'shard map',
    async (signal) => (await callV3('blocks', { workchain: 0, limit: BLOCKS }, signal)).result.blocks,
    { pollMs: 2 * SECOND },
  )
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  if (value.length === 0) return <Empty icon="block">No blocks of the basechain yet.</Empty>
  const shards = currentShards(value)
  const rows = rowsOf(value, MAX_ROWS)
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      <Card
        title="Shards of the basechain"
        aside={<span class="muted">last {rows.length} masterchain blocks, newest on top</span>}
      >
        <ShardChart rows={rows} />
      </Card>
      <div class="columns is-even">
        <Card title={`${shards.length} ${shards.length === 1 ? 'shard' : 'shards'} now`}>
          <ul class="list is-roomy">
            {shards.map((block) => (
              <li key={block.shard}>
                <span class="shard-name">
                  <span class="mono">{block.shard}</span>
                  <span class="muted small">
                    {prefixOf(block.shard)} · {formatShare(spanOf(block.shard).width)}
                  </span>
                </span>
                <span class="shard-state">
                  {block.want_split && <Badge tone="warn">wants to split</Badge>}
                  {block.want_merge && shards.length > 1 && <Badge tone="pending">wants to merge</Badge>}
                  <Link to={{ page: 'block', workchain: 0, shard: block.shard, seqno: block.seqno }}>
                    block {groupDigits(block.seqno)}
                  </Link>
                </span>
              </li>
            ))}
          </ul>
        </Card>
        <Reshards blocks={value} />
      </div>
    </>
  )
}

const formatShare = (width: number): string => (width === 1 ? 'everything' : `1/${Math.round(1 / width)} of it`)

const WIDTH = 1000
const ROW = 12

/** Across: the address space. Down: masterchain blocks. A block is darker the more transactions it has. */
const ShardChart = ({ rows }: { readonly rows: readonly MapRow<Block>[] }) => {
  const busiest = Math.max(1, ...rows.flatMap(({ blocks }) => blocks.map(({ tx_count: count }) => count)))
  return (
    <figure class="shard-map">
      <svg
        viewBox={`0 0 ${WIDTH} ${ROW * rows.length}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Shards of the basechain over the last masterchain blocks"
      >
        {rows.flatMap(({ seqno, blocks }, row) =>
          blocks.map((block, index) => {
            const { start, width } = spanOf(block.shard)
            const height = (ROW - 2) / blocks.filter(({ shard }) => shard === block.shard).length
            const above = blocks.slice(0, index).filter(({ shard }) => shard === block.shard).length
            const state = block.after_split ? 'is-split' : block.after_merge ? 'is-merge' : ''
            return (
              <rect
                key={`${seqno} ${block.shard} ${block.seqno}`}
                class={`shard-block ${state}`}
                x={start * WIDTH + 1}
                y={row * ROW + 1 + above * height}
                width={Math.max(1, width * WIDTH - 2)}
                height={height}
                opacity={0.25 + 0.75 * (block.tx_count / busiest)}
              >
                <title>{describe(block)}</title>
              </rect>
            )
          }),
        )}
      </svg>
      <figcaption class="schedule-axis">
        <span class="mono">00…</span>
        <span class="schedule-legend">
          <span class="is-line">block</span>
          <span class="is-cliff">after a split</span>
          <span class="is-merge">after a merge</span>
        </span>
        <span class="mono">…ff</span>
      </figcaption>
    </figure>
  )
}

const describe = ({ workchain, shard, seqno, tx_count: count, masterchain_block_ref: ref }: Block): string =>
  `${formatRoute({ page: 'block', workchain, shard, seqno })}\n${count} transactions, in masterchain block ${ref.seqno}`

const Reshards = ({ blocks }: { readonly blocks: readonly Block[] }) => {
  const reshards = reshardsOf(blocks)
  return (
    <Card title="Splits and merges">
      {reshards.length === 0 && (
        <Empty icon="tree">No shard was split or merged in the last {groupDigits(blocks.length)} blocks.</Empty>
      )}
      <ul class="list is-roomy">
        {reshards.map(({ kind, from, to }) => (
          <li key={`${kind} ${to[0]!.shard} ${to[0]!.seqno}`}>
            <span class="shard-name">
              <span>
                <Badge tone={kind === 'split' ? 'warn' : 'pending'}>{kind}</Badge>{' '}
                <span class="mono">{from.join(' + ')}</span>
              </span>
              <span class="reshard-to">
                {to.map((block) => (
                  <BlockLink key={block.shard} id={block} />
                ))}
              </span>
            </span>
            <TimeAgo utime={Number(to[0]!.gen_utime)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
