import { useEffect, useState } from 'preact/hooks'
import type { ActionView } from '../../api/v3/views/actions.ts'
import { callV3 } from '../fetch/requests.ts'
import { hashToHex } from '../model/addresses.ts'
import { describeAction } from '../model/describeAction.ts'
import { isCertain } from '../model/transactions.ts'
import { Link } from '../route/Link.tsx'
import { setup } from '../setup.ts'
import { Amount, JettonAmount } from './Amount.tsx'
import { Badge } from './basics.tsx'
import { AddressLink, TimeAgo } from './links.tsx'

const known = new Map<string, string>()
const listeners = new Set<() => void>()
let wanted = new Set<string>()

/** The name of an opcode, or its number if unknown or ambiguous. */
const useOpcodeName = (opcode: string | undefined): string | undefined => {
  const [, redraw] = useState(0)
  useEffect(() => {
    if (!setup.hasIndex || opcode === undefined || known.has(opcode)) return
    if (wanted.size === 0) setTimeout(() => void fetchWanted())
    wanted.add(opcode)
    const listener = (): void => redraw((count) => count + 1)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [opcode])
  return opcode === undefined ? undefined : (known.get(opcode) ?? opcode)
}

const fetchWanted = async (): Promise<void> => {
  const opcodes = [...wanted]
  wanted = new Set()
  try {
    const { result } = await callV3('decode', { opcodes })
    opcodes.forEach((opcode, index) => {
      const name = result.opcodes[index]
      known.set(opcode, name !== undefined && isCertain(name) ? name : opcode)
    })
  } catch {
    // Show the number.
  }
  for (const listener of listeners) listener()
}

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
  const { title, from, to, amounts, note, opcode } = describeAction(action)
  const called = useOpcodeName(opcode)
  const sign = self === undefined || from === to ? undefined : to === self ? '+' : from === self ? '−' : undefined
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
