import { groupDigits } from '../model/amounts.ts'
import { Link } from '../route/Link.tsx'

export type BlockName = { readonly workchain: number; readonly shard: string; readonly seqno: number }

export const BlockLink = ({ id: { workchain, shard, seqno } }: { readonly id: BlockName }) => (
  <Link to={{ page: 'block', workchain, shard, seqno }} title={`(${workchain},${shard},${seqno})`}>
    {groupDigits(seqno)} <span class="muted">{workchain === -1 ? 'master' : `${workchain}:${shard}`}</span>
  </Link>
)
