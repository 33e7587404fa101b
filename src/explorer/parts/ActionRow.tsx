import type { ActionView } from '../../api/v3/views/ActionView.ts'
import { useOpcodeName } from '../live/opcodeNames.ts'
import { describeAction } from '../model/describeAction.ts'
import { hashToHex } from '../model/Hash.ts'
import { Link } from '../route/Link.tsx'
import { AddressLink } from './AddressLink.tsx'
import { Amount, JettonAmount } from './Amount.tsx'
import { Badge } from './Badge.tsx'
import { TimeAgo } from './TimeAgo.tsx'

type ActionProps = {
  readonly action: ActionView
  /** The account on whose page it is shown. */
  readonly self?: string | undefined
  readonly hasTime?: boolean
  /** Some of its messages have not arrived: that is no failure yet. */
  readonly isOpen?: boolean
}

/** What happened, in one line. */
export const ActionRow = ({ action, self, hasTime = true, isOpen = false }: ActionProps) => {
  const { title, from, to, amounts, note, opcode } = describeAction(action)
  const called = useOpcodeName(opcode)
  const sign = self === undefined || from === to ? undefined : to === self ? '+' : from === self ? '−' : undefined
  const hasFailed = action.success === false && !isOpen
  const hash = action.trace_id ?? action.trace_external_hash
  return (
    <li class={`action ${hasFailed ? 'is-failed' : ''} ${hasTime ? '' : 'is-timeless'}`}>
      <span class="action-title">
        {hash === undefined ? title : <Link to={{ page: 'trace', hash: hashToHex(hash) }}>{title}</Link>}
        {hasFailed && <Badge tone="bad">failed</Badge>}
        {action.finality === 'pending' && <Badge tone="pending">pending</Badge>}
      </span>
      <span class="action-parties">
        {from !== undefined && <AddressLink raw={from} self={self} />}
        {to !== undefined && <span class="arrow">→</span>}
        {to !== undefined && <AddressLink raw={to} self={self} />}
        {called !== undefined && <span class="op">{called}</span>}
        {note !== undefined && <span class="action-note">{note}</span>}
      </span>
      <span class="action-amounts">
        {amounts.map(({ value, jetton }) =>
          jetton === undefined ? (
            <Amount key="coins" value={value} sign={sign} />
          ) : (
            <JettonAmount key={jetton} value={value} jetton={jetton} sign={sign} />
          ),
        )}
      </span>
      {hasTime && (
        <span class="action-time">
          <TimeAgo utime={action.end_utime} />
        </span>
      )}
    </li>
  )
}
