import type { ActionView } from '../../api/v3/views/actions.ts'
import { callV3 } from '../fetch/requests.ts'
import { createLookup } from '../live/createLookup.ts'
import { hashToHex } from '../model/addresses.ts'
import { describeAction } from '../model/describeAction.ts'
import { isCertain } from '../model/transactions.ts'
import { Link } from '../route/Link.tsx'
import { Amount, JettonAmount } from './Amount.tsx'
import { Badge } from './basics.tsx'
import { ItemLink } from './ItemLink.tsx'
import { AddressLink, TimeAgo } from './links.tsx'

/** The name of an opcode; `undefined` if it is unknown or ambiguous. */
const useOpcodeName = createLookup<string>(async (opcodes) => {
  const { result } = await callV3('decode', { opcodes })
  return new Map(
    opcodes.flatMap((opcode, index) => {
      const name = result.opcodes[index]
      return name !== undefined && isCertain(name, opcode) ? [[opcode, name] as const] : []
    }),
  )
})

type ActionProps = {
  readonly action: ActionView
  /** The account of the page. */
  readonly self?: string | undefined
  readonly hasTime?: boolean
  /** Some messages are still in flight. */
  readonly isOpen?: boolean
}

/** An action in one line. */
export const ActionRow = ({ action, self, hasTime = true, isOpen = false }: ActionProps) => {
  const { title, from, to, item, amounts, note, opcode } = describeAction(action)
  const name = useOpcodeName(opcode)
  // The first bits of what a new contract gets are often no opcode at all.
  const called = name ?? (action.type === 'contract_deploy' ? undefined : opcode)
  const isParty = self !== undefined && from !== to && (from === self || to === self)
  const hasFailed = action.success === false && !isOpen
  const isPending = action.finality === 'pending'
  const hash = action.trace_id ?? action.trace_external_hash
  return (
    <li
      class={`action ${hasFailed ? 'is-failed' : ''} ${isPending ? 'is-pending' : ''} ${hasTime ? '' : 'is-timeless'}`}
    >
      <span class="action-title">
        {hash === undefined ? title : <Link to={{ page: 'trace', hash: hashToHex(hash) }}>{title}</Link>}
        {hasFailed && <Badge tone="bad">failed</Badge>}
        {isPending && <Badge tone="pending">pending</Badge>}
      </span>
      <span class="action-parties">
        {from !== undefined && <AddressLink raw={from} self={self} />}
        {to !== undefined && <span class="arrow">→</span>}
        {to !== undefined && <AddressLink raw={to} self={self} />}
        {item !== undefined && item !== to && <ItemLink raw={item} />}
        {called !== undefined && <span class="op">{called}</span>}
        {note !== undefined && <span class="action-note">{note}</span>}
      </span>
      <span class="action-amounts">
        {amounts.map(({ value, jetton, isReturned = false }) => {
          const sign = !isParty ? undefined : isReturned === (from === self) ? '+' : '−'
          return (
            <span key={`${jetton} ${isReturned}`}>
              {isReturned && sign === undefined && <span class="arrow">→ </span>}
              {jetton === undefined ? (
                <Amount value={value} sign={sign} />
              ) : (
                <JettonAmount value={value} jetton={jetton} sign={sign} />
              )}
            </span>
          )
        })}
      </span>
      {hasTime && (
        <span class="action-time">
          <TimeAgo utime={action.end_utime} />
        </span>
      )}
    </li>
  )
}
