import type { RefObject, TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { describeKind, friendlyOf, interfacesOf, mainKind, nameOf } from '../model/addressBook.ts'
import { shorten } from '../model/addresses.ts'
import {
  layoutNarrow,
  layoutWide,
  NARROW_WIDTH,
  NODE_HEIGHT,
  type PlacedNode,
  type TreeLayout,
  type TreeNode,
} from '../model/traceTree.ts'
import { findFailure, nameFailure, nameMessage, outcomeOf } from '../model/transactions.ts'
import { Amount } from '../parts/Amount.tsx'
import { Identicon } from '../parts/links.tsx'

/** The width of an element, observed. */
const useWidth = <E extends HTMLElement>(): { readonly ref: RefObject<E | null>; readonly width: number } => {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    setWidth(element.clientWidth)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

type CardProps = {
  readonly placed: PlacedNode
  readonly state: 'done' | 'failed' | 'pending' | 'waiting'
  readonly isSelected: boolean
  onSelect(): void
}

const words = { done: '', failed: 'failed', pending: 'emulated', waiting: 'in flight' } as const

const TraceNodeCard = ({ placed, state, isSelected, onSelect }: CardProps) => {
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
        {words[state] !== '' && (
          <span class="tree-state">
            {(transaction && state === 'failed' && nameFailure(transaction)) || words[state]}
          </span>
        )}
      </span>
      <span class="tree-worth">
        {message?.value == null ? (
          <span class="muted">{message === null ? 'no message' : 'from outside'}</span>
        ) : (
          <Amount value={message.value} maxFraction={6} />
        )}
        {transaction !== undefined && (
          <span class="tree-fee" title="Fee">
            fee <Amount value={transaction.total_fees} maxFraction={6} hasUnit={false} />
          </span>
        )}
      </span>
    </button>
  )
}

const nameTick = ({ transaction }: TreeNode): string => transaction?.description.type.replace('_', '-') ?? ''

type TreeProps = {
  readonly root: TreeNode
  /** Path of the selected node. */
  readonly selected: string
  onSelect(path: string): void
}

/** A trace as a tree: a card for each transaction, a line for each message. */
export const TraceTree = ({ root, selected, onSelect }: TreeProps) => {
  const { ref, width } = useWidth<HTMLDivElement>()
  const isNarrow = width < NARROW_WIDTH
  const layout = isNarrow ? layoutNarrow(root, width - FRAME) : layoutWide(root)
  const tree = useRef<HTMLDivElement>(null)
  const onKey = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const next = findNeighbour(layout, selected, event.key)
    if (next === undefined) return
    event.preventDefault()
    onSelect(next)
    tree.current?.querySelector<HTMLElement>(`[data-path="${next}"]`)?.focus()
  }
  return (
    <div class="tree-frame" ref={ref}>
      {width > 0 && (
        <div
          class="tree"
          role="tree"
          aria-label="Trace"
          tabIndex={-1}
          ref={tree}
          style={{ width: `${layout.width}px`, height: `${layout.height}px` }}
          onKeyDown={onKey}
        >
          <svg class="tree-lines" width={layout.width} height={layout.height} aria-hidden="true">
            {layout.nodes.map((placed) =>
              placed.parent === undefined ? null : (
                <path
                  key={placed.node.path}
                  class={`tree-line is-${stateOf(placed.node)}`}
                  d={isNarrow ? drawElbow(placed, placed.parent) : drawCurve(placed, placed.parent)}
                />
              ),
            )}
          </svg>
          {layout.nodes.map((placed) => (
            <TraceNodeCard
              key={placed.node.path}
              placed={placed}
              state={stateOf(placed.node)}
              isSelected={placed.node.path === selected}
              onSelect={() => onSelect(placed.node.path)}
            />
          ))}
        </div>
      )}
    </div>
  )
}

/** State of a node: done, failed, emulated, or its message is in flight. */
export const stateOf = ({ transaction }: TreeNode): 'done' | 'failed' | 'pending' | 'waiting' =>
  transaction === undefined ? 'waiting' : outcomeOf(transaction)

/** Margin for the focus ring. */
const FRAME = 8
const MIDDLE = NODE_HEIGHT / 2

const drawCurve = (to: PlacedNode, from: PlacedNode): string => {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + MIDDLE, to.x, to.y + MIDDLE]
  const bend = (x1 + x2) / 2
  return `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`
}

const drawElbow = (to: PlacedNode, from: PlacedNode): string => {
  const x = from.x + 8
  const y = to.y + MIDDLE
  return to.x > x ? `M${x} ${from.y + NODE_HEIGHT}V${y - 8}q0 8 8 8H${to.x}` : `M${x} ${from.y + NODE_HEIGHT}V${to.y}`
}

/** The node that a key selects. */
const findNeighbour = ({ nodes }: TreeLayout, path: string, key: string): string | undefined => {
  const current = nodes.find(({ node }) => node.path === path)
  if (current === undefined) return undefined
  if (key === 'ArrowLeft') return current.parent?.node.path
  if (key === 'ArrowRight') return current.node.children[0]?.path
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
  const isWide = nodes.some((placed) => placed !== current && placed.depth === current.depth && placed.x === current.x)
  const column = isWide ? nodes.filter(({ depth }) => depth === current.depth) : [...nodes]
  const index = column.indexOf(current) + (key === 'ArrowDown' ? 1 : -1)
  return column[index]?.node.path
}
