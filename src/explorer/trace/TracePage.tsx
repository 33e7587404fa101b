import { useEffect, useRef, useState } from 'preact/hooks'
import type { TraceView } from '../../api/v3/views/traces.ts'
import type { TransactionView } from '../../api/v3/views/transactions.ts'
import { callV3 } from '../fetch/requests.ts'
import { type Asked, SECOND, useRequest } from '../live/usePolling.ts'
import { isNews, useStream } from '../live/useStream.ts'
import { findHash, hashToBase64, hashToHex } from '../model/addresses.ts'
import { listNodes, type TreeNode, treeOfTrace, treeOfTransactions } from '../model/traceTree.ts'
import { findFailure } from '../model/transactions.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Badge, Card, Empty, Facts, Failure, Icon, Loading } from '../parts/basics.tsx'
import { AddressLink, Hash, When } from '../parts/links.tsx'
import { TransactionDetails } from '../parts/TransactionDetails.tsx'
import { Link } from '../route/Link.tsx'
import { setup } from '../setup.ts'
import { stateOf, TraceTree } from './TraceTree.tsx'

/** How far a trace is: pending, partly in blocks, or final (finished and indexed). */
type TraceStage = 'absent' | 'pending' | 'begun' | 'final'

export type FoundTrace = {
  readonly stage: TraceStage
  readonly trace: TraceView | undefined
  readonly tree: TreeNode | undefined
}

/** A trace by the hash of any of its transactions or messages, followed until it is whole. */
const useTrace = (hex: string | undefined): Asked<FoundTrace> => {
  const last = useRef<FoundTrace & { readonly hex: string }>(undefined)
  const [shown, show] = useState<TraceStage>('final')
  const absences = useRef(0)
  // A trace that is not there may be asked for by another hash than that of its events: such a page polls for a while.
  const isFollowed = hex !== undefined && shown !== 'final' && (shown !== 'absent' || absences.current > MAX_ABSENCES)
  const stream = useStream(
    isFollowed
      ? { types: ['trace'], trace_external_hash_norms: [hashToBase64(hex)], min_finality: 'pending' }
      : undefined,
  )
  const find = async (signal: AbortSignal): Promise<FoundTrace> => {
    if (hex === undefined) return absent
    const found = await findTrace(hashToBase64(hex), signal)
    absences.current = found.stage === 'absent' ? absences.current + 1 : 0
    show(found.stage)
    // Between the pending store and the index there is a moment in which neither has the trace.
    if (found.stage === 'absent' && last.current?.hex === hex) return last.current
    if (found.stage !== 'absent') last.current = { ...found, hex }
    return found
  }
  const isDone = ({ stage }: FoundTrace): boolean => stage === 'final' || hex === undefined
  return useRequest(`trace ${hex}`, find, { pollMs: SECOND / 2, isDone, stream, onEvent: isNews })
}

const MAX_ABSENCES = 20

const absent: FoundTrace = { stage: 'absent', trace: undefined, tree: undefined }

const findTrace = async (hash: string, signal: AbortSignal): Promise<FoundTrace> => {
  const wanted = { include_actions: true, limit: 1 } as const
  const [byMessage, byTransaction, pending] = await Promise.all([
    callV3('traces', { msg_hash: [hash], ...wanted }, signal),
    callV3('traces', { tx_hash: [hash], ...wanted }, signal),
    callV3('pendingTraces', { ext_msg_hash: [hash] }, signal),
  ])
  const whole = byMessage.result.traces[0] ?? byTransaction.result.traces[0]
  if (whole !== undefined) return { stage: 'final', trace: whole, tree: treeOfTrace(whole) }
  const [pendingTrace] = pending.result.traces
  if (pendingTrace !== undefined) {
    const hasBegun = Object.values(pendingTrace.transactions ?? {}).some(({ emulated }) => !emulated)
    return { stage: hasBegun ? 'begun' : 'pending', trace: pendingTrace, tree: treeOfTrace(pendingTrace) }
  }
  return findBegun(hash, signal)
}

/** The part of an unfinished trace that is in blocks, without a pending trace. */
const findBegun = async (hash: string, signal: AbortSignal): Promise<FoundTrace> => {
  const [received, own] = await Promise.all([
    callV3('transactionsByMessage', { msg_hash: [hash], limit: 1 }, signal),
    callV3('transactions', { hash: [hash], limit: 1 }, signal),
  ])
  const first = received.result.transactions[0] ?? own.result.transactions[0]
  if (first === undefined) return absent
  const tree = treeOfTransactions(await followMessages(first, signal))
  return { stage: tree !== undefined && isWhole(tree) ? 'final' : 'begun', trace: undefined, tree }
}

/**
 * What a developer sends in somebody's name is sent by no transaction: the index waits for that one for ever, and never has its trace. It
 * is whole when every message has arrived.
 */
const isWhole = (tree: TreeNode): boolean =>
  tree.message?.source != null && listNodes(tree).every(({ transaction }) => transaction !== undefined)

const MAX_STEPS = 12

const followMessages = async (first: TransactionView, signal: AbortSignal): Promise<TransactionView[]> => {
  const found = [first]
  let last = [first]
  for (let step = 0; step < MAX_STEPS && last.length > 0; step++) {
    const sent = last.flatMap(({ out_msgs }) =>
      out_msgs.flatMap((each) => (each.destination === null ? [] : [each.hash])),
    )
    if (sent.length === 0) break
    const { result } = await callV3('transactionsByMessage', { msg_hash: sent, direction: 'in', limit: 200 }, signal)
    const known = new Set(found.map(({ hash }) => hash))
    last = result.transactions.filter(({ hash }) => !known.has(hash))
    found.push(...last)
  }
  return found
}

const steps = [
  { title: 'Sent', about: 'the network has taken the message' },
  { title: 'Emulated', about: 'emulated before it is in a block' },
  { title: 'In blocks', about: 'the first transactions are in blocks' },
  { title: 'Final', about: 'finished and indexed' },
] as const

const reached: Record<TraceStage, number> = { absent: 0, pending: 1, begun: 2, final: 3 }

/** Progress of a trace, updated live. */
const StageLine = ({ stage }: { readonly stage: TraceStage }) => (
  <ol class="stages" aria-live="polite">
    {steps.map(({ title, about }, index) => {
      const state = index < reached[stage] || stage === 'final' ? 'done' : index === reached[stage] ? 'now' : 'ahead'
      return (
        <li key={title} class={`stage is-${state}`} aria-current={state === 'now' ? 'step' : undefined} title={about}>
          {title}
        </li>
      )
    })}
  </ol>
)

const TraceFacts = ({ nodes }: { readonly nodes: readonly TreeNode[] }) => {
  const transactions = nodes.flatMap(({ transaction }) => transaction ?? [])
  const times = transactions.map(({ now }) => now)
  const fees = transactions.reduce((sum, { total_fees }) => sum + BigInt(total_fees), 0n)
  const gas = transactions.reduce((sum, { description }) => sum + BigInt(description.compute_ph?.gas_used ?? 0), 0n)
  // An external message has no value: then it is what its receiver sends on.
  const [first] = nodes
  const sent = first?.transaction?.out_msgs.reduce((sum, message) => sum + BigInt(message.value ?? 0), 0n)
  const value = first?.message?.value ?? sent ?? 0n
  const forward = transactions.reduce(
    (sum, { out_msgs }) => sum + out_msgs.reduce((each, { fwd_fee }) => each + BigInt(fwd_fee ?? 0), 0n),
    0n,
  )
  const count = (state: ReturnType<typeof stateOf>): number => nodes.filter((node) => stateOf(node) === state).length
  const waiting = count('waiting') + count('pending')
  return (
    <Facts
      facts={[
        ['Transactions', String(transactions.length)],
        count('failed') > 0 && ['Failed', <span class="bad">{count('failed')}</span>],
        waiting > 0 && ['Pending messages', String(waiting)],
        ['Accounts', String(new Set(nodes.map(({ account }) => account)).size)],
        ['Began', times.length === 0 ? '–' : <When utime={Math.min(...times)} />],
        ['Lasted', times.length === 0 ? '–' : `${Math.max(...times) - Math.min(...times)} s`],
        ['Value', <Amount value={value} />],
        ['Fees', <Amount value={fees} />],
        ['Forward fees', <Amount value={forward} />],
        ['Gas', gas.toLocaleString('en').replaceAll(',', ' ')],
      ]}
    />
  )
}

const MAX_FAILURES = 5

/** Transactions that failed, and why. */
const TraceFailures = ({ nodes, onSelect }: { readonly nodes: readonly TreeNode[]; onSelect(path: string): void }) => {
  const failed = nodes.filter((node) => stateOf(node) === 'failed')
  if (failed.length === 0) return null
  return (
    <ul class="trace-failures">
      {failed.slice(0, MAX_FAILURES).map(({ path, account, transaction }) => (
        <li key={path} class="note is-bad">
          <Icon name="warning" />
          <AddressLink raw={account} />
          <p>{(transaction && findFailure(transaction)) ?? 'Failed.'}</p>
          <button type="button" class="button is-small" onClick={() => onSelect(path)}>
            Show
          </button>
          {setup.hasDebugger && transaction?.emulated === false && (
            <Link
              to={{ page: 'transaction', hash: hashToHex(transaction.hash), hasDebugger: true }}
              class="button is-small"
            >
              Debug
            </Link>
          )}
        </li>
      ))}
      {failed.length > MAX_FAILURES && <li class="muted small">and {failed.length - MAX_FAILURES} more</li>}
    </ul>
  )
}

export const TracePage = ({ hash }: { readonly hash: string }) => {
  const hex = findHash(hash)
  const { value: found, error } = useTrace(hex)
  const [selected, select] = useSelected(hash)
  const isFollowed = useFollowed(hash, found?.stage)
  if (hex === undefined) return <Failure error={new Error('Not a valid hash: expected 32 bytes in hex or base64.')} />
  if (found === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const { stage, trace, tree } = found
  if (tree === undefined) {
    return (
      <>
        <TraceHead hash={hash} stage={stage} hasFailed={false} />
        {isFollowed && <StageLine stage={stage} />}
        {trace?.is_incomplete === true ? (
          <Card>
            <Empty icon="tree">This trace has too many transactions to draw.</Empty>
          </Card>
        ) : (
          <Card>
            <Empty icon="clock">
              {isFollowed
                ? 'Sent. Waiting for the first transaction; this page updates by itself.'
                : 'Nothing is known of this hash yet. If the message was sent just now, it appears here within a moment.'}
            </Empty>
          </Card>
        )}
      </>
    )
  }
  const nodes = listNodes(tree)
  const current = nodes.find(({ path }) => path === selected) ?? tree
  const isOpen = nodes.some((node) => stateOf(node) === 'waiting')
  const actions = (trace?.actions ?? []).filter(({ type }) => type !== 'unknown')
  return (
    <>
      <TraceHead hash={hash} stage={stage} hasFailed={nodes.some((node) => stateOf(node) === 'failed')} />
      {isFollowed && <StageLine stage={stage} />}
      {error !== undefined && <Failure error={error} />}
      <TraceFailures nodes={nodes} onSelect={select} />
      <TraceTree root={tree} selected={current.path} onSelect={select} />
      <div class="columns is-even">
        <Card title="Transaction">
          <TransactionDetails node={current} />
        </Card>
        <div class="stack">
          {actions.length > 0 && (
            <Card title={stage === 'final' ? 'Actions' : 'Pending actions'}>
              <ul class="actions">
                {actions.map((action) => (
                  <ActionRow key={action.action_id} action={action} hasTime={false} isOpen={isOpen} />
                ))}
              </ul>
            </Card>
          )}
          <Card title="Summary" aside={trace !== undefined && <RawTrace trace={trace} stage={stage} />}>
            <TraceFacts nodes={nodes} />
          </Card>
        </div>
      </div>
    </>
  )
}

type RawProps = { readonly trace: NonNullable<FoundTrace['trace']>; readonly stage: TraceStage }

/** The request that has the trace, whatever hash the page was opened with. */
const RawTrace = ({ trace, stage }: RawProps) => {
  const isFinal = stage === 'final'
  const id = hashToHex((isFinal ? trace.trace_id : trace.external_hash) ?? '')
  const path = isFinal ? `traces?trace_id=${id}` : `pendingTraces?ext_msg_hash=${id}`
  return <a href={`${setup.base}/api/v3/${path}`}>Raw JSON</a>
}

/** The selected transaction of the tree, which is in the address bar. */
const useSelected = (hash: string): readonly [path: string, select: (path: string) => void] => {
  const read = (): string => new URLSearchParams(location.search).get('at') ?? '0'
  const [selected, setSelected] = useState(read)
  useEffect(() => setSelected(read()), [hash])
  const select = (path: string): void => {
    setSelected(path)
    history.replaceState(null, '', `${location.pathname}${path === '0' ? '' : `?at=${path}`}${location.hash}`)
  }
  return [selected, select]
}

/** Whether it was sent from this page, or seen before it was final: then its progress stays visible. */
const useFollowed = (hash: string, stage: TraceStage | undefined): boolean => {
  const [followed, follow] = useState<string>()
  useEffect(() => {
    if (location.hash === '#sent' || stage === 'pending' || stage === 'begun') follow(hash)
  }, [hash, stage])
  return followed === hash
}

const shownStages = {
  absent: { tone: 'plain', title: 'not found yet' },
  pending: { tone: 'pending', title: 'pending' },
  begun: { tone: 'pending', title: 'in progress' },
  final: { tone: 'good', title: 'final' },
} as const

type HeadProps = { readonly hash: string; readonly stage: TraceStage; readonly hasFailed: boolean }

const TraceHead = ({ hash, stage, hasFailed }: HeadProps) => (
  <header class="page-head" data-stage={stage}>
    <h1>
      Trace <Badge tone={shownStages[stage].tone}>{shownStages[stage].title}</Badge>
      {hasFailed && <Badge tone="bad">failed</Badge>}
    </h1>
    <p class="page-id">
      <Hash hash={hash} what="hash" isWhole />
    </p>
  </header>
)
