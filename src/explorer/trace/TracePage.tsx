import { useEffect, useState } from 'preact/hooks'
import { findHash } from '../model/Hash.ts'
import { listNodes } from '../model/traceTree.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { Badge } from '../parts/Badge.tsx'
import { Card } from '../parts/Card.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { TransactionDetails } from '../parts/TransactionDetails.tsx'
import { StageLine } from './StageLine.tsx'
import { TraceFacts } from './TraceFacts.tsx'
import { stateOf, TraceTree } from './TraceTree.tsx'
import { type TraceStage, useTrace } from './useTrace.ts'

export const TracePage = ({ hash }: { readonly hash: string }) => {
  const hex = findHash(hash)
  const { value: found, error } = useTrace(hex)
  const [selected, select] = useState('0')
  const isFollowed = useFollowed(hash, found?.stage)
  useEffect(() => select('0'), [hash])
  if (hex === undefined)
    return <Failure error={new Error('That is no hash: one has 32 bytes, in hexadecimal or base64.')} />
  if (found === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const { stage, trace, tree } = found
  if (tree === undefined) {
    return (
      <>
        <TraceHead hash={hash} stage={stage} hasFailed={false} />
        {trace?.is_incomplete === true ? (
          <Card>
            <Empty icon="tree">This trace has so many transactions that it is not drawn.</Empty>
          </Card>
        ) : (
          <Card>
            <StageLine stage={stage} />
            <Empty icon="clock">
              Nothing is known of it yet. If it was sent just now it comes within a moment; this page looks again by
              itself.
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
      <TraceTree root={tree} selected={current.path} onSelect={select} />
      <div class="columns is-even">
        <Card title="Step">
          <TransactionDetails node={current} />
        </Card>
        <div class="stack">
          {actions.length > 0 && (
            <Card title={stage === 'final' ? 'What happened' : 'What is to happen'}>
              <ul class="actions">
                {actions.map((action) => (
                  <ActionRow key={action.action_id} action={action} hasTime={false} isOpen={isOpen} />
                ))}
              </ul>
            </Card>
          )}
          <Card title="In all">
            <TraceFacts nodes={nodes} />
          </Card>
        </div>
      </div>
    </>
  )
}

/** Whether it was seen before it was whole: then how far it is remains of interest. */
const useFollowed = (hash: string, stage: TraceStage | undefined): boolean => {
  const [followed, follow] = useState<string>()
  useEffect(() => {
    if (stage !== undefined && stage !== 'final') follow(hash)
  }, [hash, stage])
  return followed === hash
}

const shownStages = {
  absent: { tone: 'plain', title: 'not seen yet' },
  foreseen: { tone: 'pending', title: 'pending' },
  begun: { tone: 'pending', title: 'under way' },
  final: { tone: 'good', title: 'final' },
} as const

type HeadProps = { readonly hash: string; readonly stage: TraceStage; readonly hasFailed: boolean }

const TraceHead = ({ hash, stage, hasFailed }: HeadProps) => (
  <header class="page-head" data-stage={stage}>
    <h1>
      Trace <Badge tone={shownStages[stage].tone}>{shownStages[stage].title}</Badge>
      {hasFailed && <Badge tone="bad">with a failure</Badge>}
    </h1>
    <p class="page-id">
      <Hash hash={hash} what="hash" isWhole />
    </p>
  </header>
)
