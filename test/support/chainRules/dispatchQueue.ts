import { toHex } from '../../../src/primitives/hex.ts'
import type { BlockContext } from './BlockContext.ts'
import type { EnvelopeView } from './EnvelopeView.ts'
import type { Findings } from './Findings.ts'
import { checkWay } from './inMessages.ts'
import { holds } from './routes.ts'
import type { DeferredMessage } from './StateView.ts'

/** Messages that wait with their sender: put there when sent, and taken out later in the order of their creation. */
export const checkDispatchQueue = (context: BlockContext, findings: Findings): void => {
  const { block, after, config } = context
  const before = listBefore(context)
  const expected = new Map([...before].map(([key, { envelope }]) => [key, envelope.hash]))
  let emitted = 0n
  for (const envelope of listEmitted(context)) {
    const key = keyOf(envelope)
    checkEmitted(context, before.get(key), envelope, findings)
    const { emittedLt } = envelope.envelope
    findings.equal(`emitted_lt of message ${envelope.message}`, emittedLt, block.info.startLt + ++emitted)
    expected.delete(key)
  }
  checkNotPassed(context, new Set([...expected.keys()].map((key) => key.split(':')[0]!)), findings)
  for (const { key, msg, envelope } of block.outMsgs.values()) {
    if (msg.kind !== 'newDeferred' || envelope === undefined) continue
    findings.equal(`deferring of message ${key}, which takes capability 256`, true, config.has.defer)
    expected.set(keyOf(envelope), envelope.hash)
  }
  const found = new Map([...after.dispatchQueue].map(([key, { envelope }]) => [key, envelope.hash]))
  findings.sameKeys('dispatch_queue', found.keys(), expected.keys())
  for (const [key, hash] of found)
    if (expected.has(key)) findings.equal(`dispatch_queue entry ${key}`, hash, expected.get(key))
  for (const entry of after.dispatchQueue.values()) {
    const rule = `dispatch_queue entry ${entry.account}:${entry.key}`
    findings.equal(`enqueued_lt of ${rule}`, entry.enqueuedLt, entry.envelope.info.createdLt)
    findings.equal(`key of ${rule}`, `${entry.account}:${entry.key}`, keyOf(entry.envelope))
    checkWay(rule, entry.envelope, 0, 0, findings)
  }
  after.queue.extra?.dispatchQueue.forEach((id, { messages, count }) => {
    findings.equal(`count in dispatch_queue of ${toHex(id)}`, count, messages.entries().length)
  })
}

const keyOf = ({ info: { source, createdLt } }: EnvelopeView): string =>
  `${source.kind === 'std' ? toHex(source.hash) : source.kind}:${createdLt}`

const listBefore = ({ before, own }: BlockContext): Map<string, DeferredMessage> =>
  new Map(
    before.flatMap(({ dispatchQueue }) => [...dispatchQueue].filter(([, { envelope }]) => holds(own, envelope.source))),
  )

/** The messages that left dispatch queues, in the order in which they did. */
const listEmitted = ({ block }: BlockContext): EnvelopeView[] =>
  [...block.inMsgs.values()]
    .filter(({ msg }) => msg.kind === 'deferredFinal' || msg.kind === 'deferredTransit')
    .map(({ envelope }) => envelope!)
    .sort((a, b) => (a.lt < b.lt ? -1 : 1))

/** It waited there, and now has the time of its leaving; nothing else of the envelope is changed. */
const checkEmitted = (
  context: BlockContext,
  waited: DeferredMessage | undefined,
  view: EnvelopeView,
  findings: Findings,
): void => {
  const name = `message ${view.message}, taken out of the dispatch queue`
  if (waited === undefined) {
    findings.fail(name, 'an entry there', 'none')
    return
  }
  findings.equal(name, view.message, waited.envelope.message)
  findings.equal(
    `fwd_fee_remaining of ${name}`,
    view.envelope.fwdFeeRemaining,
    waited.envelope.envelope.fwdFeeRemaining,
  )
  checkWay(name, view, 0, 0, findings)
  const earlier = [...listBefore(context).values()].filter(
    ({ account, key }) => account === waited.account && key < waited.key,
  )
  const emitted = new Map(listEmitted(context).map((other) => [keyOf(other), other.lt]))
  for (const { account, key } of earlier) {
    const lt = emitted.get(`${account}:${key}`)
    findings.isTrue(`order of ${name}`, lt !== undefined && lt < view.lt, `after that of lt ${key}`, view.lt)
  }
}

/** A sender with messages still waiting can send nothing past them. */
const checkNotPassed = ({ block }: BlockContext, waiting: ReadonlySet<string>, findings: Findings): void => {
  for (const account of waiting) {
    const sent = block.accountBlocks.get(account)?.transactions.flatMap(({ outMessages }) => outMessages) ?? []
    for (const { hash, info } of sent) {
      if (info.kind !== 'internal') continue
      findings.equal(`message ${hash} of a sender with deferred ones`, block.outMsgs.get(hash)?.msg.kind, 'newDeferred')
    }
  }
}
