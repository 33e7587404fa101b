import { friendlyOf, interfacesOf, nameOf } from '../model/addressBook.ts'
import { describeKind, mainKind } from '../model/contractKinds.ts'
import { shorten } from '../model/Hash.ts'
import type { PlacedNode } from '../model/layoutTree.ts'
import { nameMessage } from '../model/opcodes.ts'
import type { TreeNode } from '../model/traceTree.ts'
import { findFailure } from '../model/transactionFacts.ts'
import { Amount } from '../parts/Amount.tsx'
import { Identicon } from '../parts/Identicon.tsx'

type CardProps = {
  readonly placed: PlacedNode
  readonly state: 'done' | 'failed' | 'pending' | 'waiting'
  readonly isSelected: boolean
  onSelect(): void
}

const words = { done: '', failed: 'failed', pending: 'foreseen', waiting: 'on its way' } as const

export const TraceNodeCard = ({ placed, state, isSelected, onSelect }: CardProps) => {
  const { node, x, y, width, depth } = placed
  const { account, message, transaction } = node
  const kind = mainKind(interfacesOf(account))
  return (
    <button
      type="button"
      role="treeitem"
      data-path={node.path}
      aria-level={depth + 1}
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      class={`tree-node is-${state}`}
      title={transaction === undefined ? undefined : findFailure(transaction)}
      style={{ width: `${width}px`, transform: `translate(${x}px, ${y}px)` }}
      onClick={onSelect}
    >
      <span class="tree-who">
        <Identicon raw={account} />
        <span class="tree-name">{nameOf(account) ?? shorten(friendlyOf(account), 5, 5)}</span>
        {kind !== undefined && <span class="kind">{describeKind(kind)}</span>}
      </span>
      <span class="tree-what">
        <span class="op">{message === null ? nameTick(node) : nameMessage(message)}</span>
        {words[state] !== '' && <span class="tree-state">{words[state]}</span>}
      </span>
      <span class="tree-worth">
        {message?.value == null ? (
          <span class="muted">{message === null ? 'no message' : 'from outside'}</span>
        ) : (
          <Amount value={message.value} maxFraction={6} />
        )}
      </span>
    </button>
  )
}

const nameTick = ({ transaction }: TreeNode): string => transaction?.description.type.replace('_', '-') ?? ''
