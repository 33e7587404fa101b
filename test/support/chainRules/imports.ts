import type { BlockContext } from './BlockContext.ts'
import { compareOrder } from './EnvelopeView.ts'
import type { Findings } from './Findings.ts'
import { listNeighbours, type Neighbour, ownBefore } from './neighbours.ts'
import { originOf } from './origins.ts'
import { compact, formatProcessed, isProcessedBy } from './processedInfo.ts'
import { holds } from './routes.ts'
import type { Processed, QueuedMessage } from './StateView.ts'

type Order = { readonly lt: bigint; readonly message: string }

const LAST_HASH = 'f'.repeat(64)

/** Messages are taken in once, in the order of their times over all queues, and the state says how far that has come. */
export const checkImports = (context: BlockContext, findings: Findings): void => {
  const { own, after, block } = context
  const before = ownBefore(context)
  const waiting = [before, ...listNeighbours(context)].flatMap(({ queue }) => queue)
  const inbound = waiting.filter(({ envelope }) => holds(own, envelope.next))
  const mcSeqno = context.isMaster ? block.info.seqno : context.masterId.seqno
  const isNewest = (entry: Processed): boolean => entry.shard === own.shard && entry.mcSeqno === mcSeqno
  const claimed = after.processed.find(isNewest)
  const earlier = before.processed.find(isNewest)
  checkTaken(context, before, inbound, claimed, findings)
  checkClaim(context, inbound, claimed, earlier, findings)
  const kept = before.processed.filter((entry) => !isNewest(entry))
  const expected = compact(claimed === undefined ? before.processed : [...kept, claimed])
  findings.sameKeys('proc_info', after.processed.map(formatProcessed), expected.map(formatProcessed))
  checkLeftBehind(context, claimed, findings)
  checkOnce(context, findings)
}

/** Just those messages come in that wait somewhere, were not taken before, and are not behind the claim. */
const checkTaken = (
  context: BlockContext,
  before: Neighbour,
  inbound: readonly QueuedMessage[],
  claimed: Order | undefined,
  findings: Findings,
): void => {
  const { inMsgs } = context.block
  const finals = new Map([...inMsgs].filter(([, { msg }]) => msg.kind === 'final'))
  for (const queued of inbound) {
    const { message, hash } = queued.envelope
    const taken = finals.get(message)
    const isDue = claimed !== undefined && compareOrder(queued.envelope, claimed) <= 0
    const isDone = isProcessedBy(context, before, queued)
    const rule = `import of message ${message} of lt ${queued.envelope.lt}`
    findings.equal(isDone ? `${rule}, which was taken in before` : rule, taken !== undefined, isDue && !isDone)
    if (taken !== undefined) findings.equal(`envelope in the ${rule}`, taken.envelope?.hash, hash)
    finals.delete(message)
  }
  for (const key of finals.keys()) findings.fail(`import of message ${key}`, 'one that waits in a queue', 'none')
}

/** The messages that the block delivered, those of its own making and those of nobody left out. */
const listDelivered = ({ block }: BlockContext): Order[] =>
  [...block.inMsgs.values()].flatMap((view) => {
    const { msg, envelope } = view
    if (envelope === undefined || msg.kind === 'deferredTransit') return []
    return msg.kind === 'immediate' && originOf(block, view) !== 'sent' ? [] : [envelope]
  })

/** The newest entry names the last message that was met or, where there was none, the end of the masterchain block. */
const checkClaim = (
  context: BlockContext,
  inbound: readonly QueuedMessage[],
  claimed: Processed | undefined,
  earlier: Processed | undefined,
  findings: Findings,
): void => {
  const delivered = listDelivered(context)
  const met: Order[] = [...delivered, ...inbound.map(({ envelope }) => envelope)]
  const { genLt } = context.master.state
  if (met.length === 0 && genLt > 0n) met.push({ lt: genLt - 1n, message: LAST_HASH })
  const last = delivered.reduce<Order | undefined>(later, earlier)
  if (claimed === undefined) {
    const mayLack = delivered.length === 0 && (inbound.length > 0 || met.length === 0)
    findings.isTrue('newest entry of proc_info', mayLack, 'one', undefined)
    return
  }
  const isMet = [...met, earlier].some((order) => order !== undefined && compareOrder(order, claimed) === 0)
  findings.isTrue('newest entry of proc_info', isMet, 'one of the messages met', formatProcessed(claimed))
  const isBehind = last === undefined || compareOrder(last, claimed) <= 0
  findings.isTrue(
    'newest entry of proc_info',
    isBehind,
    `${last?.lt}:${last?.message} or later`,
    formatProcessed(claimed),
  )
}

const later = (a: Order | undefined, b: Order): Order => (a === undefined || compareOrder(a, b) < 0 ? b : a)

/** No message for the own shard may be left in the queue if a later one was delivered. */
const checkLeftBehind = ({ block, own }: BlockContext, claimed: Order | undefined, findings: Findings): void => {
  for (const { key, msg, envelope } of block.outMsgs.values()) {
    if (msg.kind !== 'new' || envelope === undefined || claimed === undefined || !holds(own, envelope.next)) continue
    const isLater = compareOrder(envelope, claimed) > 0
    findings.isTrue(`message ${key} left in the queue`, isLater, `one later than ${claimed.lt}`, envelope.lt)
  }
}

/** Over the whole chain an internal message leads to one transaction. */
const checkOnce = ({ block, memory }: BlockContext, findings: Findings): void => {
  for (const { key, msg, transaction } of block.inMsgs.values()) {
    if (transaction === undefined || msg.kind === 'external') continue
    findings.isTrue(`delivery of message ${key}`, !memory.delivered.has(key), 'one', 'a second one')
    memory.delivered.add(key)
  }
}
