import type { Block } from '../live/useBlockFeed.ts'
import { Badge } from '../parts/Badge.tsx'
import { Hash } from '../parts/Hash.tsx'
import { TimeAgo } from '../parts/TimeAgo.tsx'
import { BlockLink } from './BlockLink.tsx'

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
