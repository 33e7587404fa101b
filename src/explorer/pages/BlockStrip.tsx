import type { BlockGroup } from '../live/useBlockFeed.ts'
import { groupDigits } from '../model/amounts.ts'
import { TimeAgo } from '../parts/TimeAgo.tsx'
import { Link } from '../route/Link.tsx'

const SHOWN = 24
const MASTER_SHARD = '8000000000000000'

/** The newest masterchain blocks, in which the blocks of shards come. The newest is on the left. */
export const BlockStrip = ({ groups }: { readonly groups: readonly BlockGroup[] }) => {
  const shown = groups.slice(0, SHOWN)
  const busiest = Math.max(1, ...shown.map(({ transactions }) => transactions))
  return (
    <section class="strip" aria-label="Newest blocks">
      {shown.length === 0 &&
        Array.from({ length: 8 }, (_, index) => <span key={`empty ${index}`} class="strip-block is-empty" />)}
      {shown.map(({ seqno, utime, transactions, shards }) => (
        <Link key={seqno} to={{ page: 'block', workchain: -1, shard: MASTER_SHARD, seqno }} class="strip-block">
          <span class="strip-seqno">{groupDigits(seqno)}</span>
          <span class="strip-count">{transactions} tx</span>
          <meter class="strip-bar" min={0} max={busiest} value={transactions} aria-hidden="true" />
          <span class="strip-foot">
            <TimeAgo utime={utime} />
            <span title={`${shards.length} blocks of shards`}>{'▪'.repeat(Math.min(4, shards.length))}</span>
          </span>
        </Link>
      ))}
    </section>
  )
}
