import type { BlockDraft } from './BlockDraft.ts'
import { deliverExternals, deliverNew, deliverQueued, type ExternalsDone } from './deliver.ts'
import { dequeueDelivered, listInbound } from './inbound.ts'
import { injectMessages } from './injectMessages.ts'
import type { Neighbour } from './Neighbour.ts'
import { overrideAccounts } from './overrideAccounts.ts'
import type { FindEndLt } from './processed.ts'
import { listQueue } from './QueuedMessage.ts'
import type { AccountOverride, ExternalMessage, InjectedMessage } from './StepOrder.ts'

/** What a block is to hold besides what follows from the chain. */
export type BlockOrder = {
  readonly externals: readonly ExternalMessage[]
  readonly injected: readonly InjectedMessage[]
  readonly overrides: readonly AccountOverride[]
}

export type MessageSources = {
  /** All shards whose queues are looked into, itself left out. */
  readonly neighbours: readonly Neighbour[]
  readonly findEndLt: FindEndLt
  readonly holdInternal: boolean
}

/** What runs besides messages, in a masterchain block. */
export type OwnRuns = { begin(): Promise<void>; end(): Promise<void> }

export type MessagesRun = ExternalsDone & {
  /** No message waits that the block could have taken. */
  readonly isInboundEmpty: boolean
}

/** Runs everything that a block has to run, in the order of the reference. */
export const runMessages = async (
  draft: BlockDraft,
  { externals, injected, overrides }: BlockOrder,
  { neighbours, findEndLt, holdInternal }: MessageSources,
  ownRuns?: OwnRuns,
): Promise<MessagesRun> => {
  const { base } = draft.context
  const { ident, genLt: endLt, processed } = base
  const own: Neighbour = { ident, endLt, processed, messages: listQueue(base.outQueue) }
  const all = [own, ...neighbours]
  overrideAccounts(draft, overrides)
  dequeueDelivered(draft, own.messages, all, findEndLt)
  await ownRuns?.begin()
  const { waiting, passed } = listInbound(draft, all, findEndLt)
  for (const message of passed) draft.pass(message)
  const delivered = holdInternal ? 0 : await deliverQueued(draft, waiting)
  const isInboundEmpty = delivered === waiting.length
  await injectMessages(draft, injected)
  const done = await deliverExternals(draft, externals)
  // New messages may not overtake those that wait.
  await deliverNew(draft, { enqueueOnly: !isInboundEmpty || holdInternal })
  await ownRuns?.end()
  await deliverNew(draft, { enqueueOnly: true })
  return { ...done, isInboundEmpty }
}
