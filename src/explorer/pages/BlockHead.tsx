import { groupDigits } from '../model/amounts.ts'
import { CopyButton } from '../parts/CopyButton.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Link } from '../route/Link.tsx'
import type { BlockName } from './BlockLink.tsx'

export const BlockHead = ({ id: { workchain, shard, seqno } }: { readonly id: BlockName }) => {
  const name = `(${workchain},${shard},${seqno})`
  const page = 'block' as const
  return (
    <header class="page-head">
      <h1>
        {workchain === -1 ? 'Masterchain block' : 'Shard block'} {groupDigits(seqno)}
      </h1>
      <p class="page-id">
        <span class="with-copy">
          <span class="mono whole">{name}</span>
          <CopyButton text={name} what="block" />
        </span>
      </p>
      <span class="page-steps">
        {seqno > 1 && (
          <Link to={{ page, workchain, shard, seqno: seqno - 1 }} class="button" label="The block before">
            <Icon name="back" />
          </Link>
        )}
        <Link to={{ page, workchain, shard, seqno: seqno + 1 }} class="button" label="The next block">
          <Icon name="arrow" />
        </Link>
      </span>
    </header>
  )
}
