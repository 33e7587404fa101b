import { askV3 } from '../fetch/askV3.ts'
import { useAsk } from '../live/useAsk.ts'
import type { Block } from '../live/useBlockFeed.ts'
import { SECOND } from '../live/usePolling.ts'
import { groupDigits } from '../model/amounts.ts'
import { Card } from '../parts/Card.tsx'
import { Link } from '../route/Link.tsx'

/** How the basechain is divided now: each shard as wide as its part of all addresses. */
export const ShardMap = () => {
  const { value } = useAsk(
    'shards',
    async (signal) => newestOfShards((await askV3('blocks', { workchain: 0, limit: 64 }, signal)).result.blocks),
    { pollMs: 2 * SECOND },
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

/** How many bits of an address tell that it belongs to a shard: all up to the last one that is set. */
const depthOf = (shard: string): number => bitsOf(shard).lastIndexOf('1')

const prefixOf = (shard: string): string =>
  depthOf(shard) === 0 ? 'all' : `${bitsOf(shard).slice(0, depthOf(shard))}…`

/** The newest block of each shard that is there now: together they hold every address once. */
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
