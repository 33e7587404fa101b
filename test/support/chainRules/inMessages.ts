import { toHex } from '../../../src/primitives/hex.ts'
import type { BlockContext } from './BlockContext.ts'
import type { InMsgView, TransactionView } from './BlockView.ts'
import type { EnvelopeView } from './EnvelopeView.ts'
import type { Findings } from './Findings.ts'
import { originOf } from './origins.ts'
import { holds, placeOf } from './routes.ts'

/** Every transaction with a message has one InMsg, which says how the message came; every InMsg has its transaction. */
export const checkInMessages = (context: BlockContext, findings: Findings): void => {
  const { block } = context
  const byHash = new Map(block.transactions.map((view) => [view.hash, view]))
  for (const view of block.inMsgs.values()) checkInMsg(context, view, byHash, findings)
  for (const { account, tx, hash, inMessage } of block.transactions) {
    if (inMessage === undefined) continue
    const entry = block.inMsgs.get(inMessage.hash)
    const rule = `InMsg of transaction ${account}:${tx.lt}`
    findings.equal(`${rule}, in the description`, entry?.transaction, hash)
    const kind = entry?.msg.kind === 'external' ? 'externalIn' : 'internal'
    findings.equal(`kind of the message, by the ${rule}`, inMessage.info.kind, kind)
  }
}

const checkInMsg = (
  context: BlockContext,
  view: InMsgView,
  byHash: ReadonlyMap<string, TransactionView>,
  findings: Findings,
): void => {
  const { msg, key, transaction } = view
  const name = `InMsg ${key}`
  const tx = transaction === undefined ? undefined : byHash.get(transaction)
  if (transaction !== undefined) {
    findings.isTrue(`transaction of ${name}`, tx !== undefined, 'one of the account blocks', transaction)
    findings.equal(`message in the transaction of ${name}`, tx?.inMessage?.hash, key)
    checkReceiver(context, name, tx, findings)
  }
  if (view.envelope !== undefined) findings.equal(`key of ${name}`, key, view.envelope.message)
  switch (msg.kind) {
    case 'external':
      findings.equal(`message of ${name}`, toHex(msg.msg.hash()), key)
      return
    case 'immediate':
      checkImmediate(context, view, view.envelope!, findings)
      return
    case 'final':
      checkFinal(context, view, view.envelope!, findings)
      return
    case 'deferredFinal':
      findings.isTrue(`destination of ${name}`, holds(context.own, view.envelope!.destination), 'the own shard', key)
      checkFee(name, msg.fwdFee, view.envelope!, findings)
      return
    case 'deferredTransit':
      checkPassedOn(context, view, findings)
      return
    default:
      findings.fail(`kind of ${name}`, 'one that a network of few shards has', msg.kind)
  }
}

const checkReceiver = (
  { own }: BlockContext,
  name: string,
  tx: TransactionView | undefined,
  findings: Findings,
): void => {
  const info = tx?.inMessage?.info
  if (info === undefined || info.kind === 'externalOut' || tx === undefined) return
  const { destination } = info
  const isThere = destination.kind === 'std' && holds(own, placeOf(destination))
  findings.isTrue(`destination of ${name}`, isThere, 'an account of the shard', destination.kind)
  if (destination.kind === 'std')
    findings.equal(`account in the transaction of ${name}`, tx.account, toHex(destination.hash))
}

const checkFee = (name: string, fwdFee: bigint, { envelope }: EnvelopeView, findings: Findings): void => {
  findings.equal(`fwd_fee of ${name}`, fwdFee, envelope.fwdFeeRemaining)
}

/** Sent and delivered in one block: both descriptions have one envelope, and the outgoing one refers to the incoming. */
const checkImmediate = (context: BlockContext, view: InMsgView, envelope: EnvelopeView, findings: Findings): void => {
  const { block, own, options } = context
  const name = `InMsg ${view.key}`
  if (view.msg.kind === 'immediate') checkFee(name, view.msg.fwdFee, envelope, findings)
  findings.isTrue(`destination of ${name}`, holds(own, envelope.destination), 'the own shard', view.key)
  checkWay(name, envelope, 96, 96, findings)
  const origin = originOf(block, view)
  if (origin === 'injected' && !options.allowDevControls) findings.fail(`OutMsg of ${name}`, 'one', 'nothing')
  if (origin !== 'sent') return
  const out = block.outMsgs.get(view.key)!
  findings.equal(`envelope in the OutMsg of ${name}`, out.envelope?.hash, envelope.hash)
  findings.equal(`reimport in the OutMsg of ${name}`, out.inMsg, view.hash)
  findings.equal(`emitted_lt of ${name}`, envelope.envelope.emittedLt, undefined)
}

/** Taken out of a queue. Where that is the shard's own, an OutMsg says so. */
const checkFinal = (context: BlockContext, view: InMsgView, envelope: EnvelopeView, findings: Findings): void => {
  const { block, own } = context
  const name = `InMsg ${view.key}`
  if (view.msg.kind === 'final') checkFee(name, view.msg.fwdFee, envelope, findings)
  findings.isTrue(`destination of ${name}`, holds(own, envelope.destination), 'the own shard', view.key)
  const isOwn = holds(own, envelope.current)
  const out = block.outMsgs.get(view.key)
  findings.equal(`OutMsg of ${name}`, out?.msg.kind, isOwn ? 'dequeuedImmediate' : undefined)
  if (!isOwn) return
  findings.equal(`envelope in the OutMsg of ${name}`, out?.envelope?.hash, envelope.hash)
  findings.equal(`reimport in the OutMsg of ${name}`, out?.inMsg, view.hash)
}

/** Taken out of the dispatch queue for another shard: nothing but the places in the envelope changes. */
const checkPassedOn = ({ block }: BlockContext, view: InMsgView, findings: Findings): void => {
  const name = `InMsg ${view.key}`
  const out = block.outMsgs.get(view.key)
  findings.equal(`OutMsg of ${name}`, out?.msg.kind, 'deferredTransit')
  findings.equal(`envelope in the OutMsg of ${name}`, out?.envelope?.hash, view.outEnvelope?.hash)
  findings.equal(`imported in the OutMsg of ${name}`, out?.inMsg, view.hash)
  findings.equal(`message passed on by ${name}`, view.outEnvelope?.message, view.key)
  const [before, after] = [view.envelope!.envelope, view.outEnvelope!.envelope]
  findings.equal(`fwd_fee_remaining passed on by ${name}`, after.fwdFeeRemaining, before.fwdFeeRemaining)
  findings.equal(`emitted_lt passed on by ${name}`, after.emittedLt, before.emittedLt)
}

export const checkWay = (
  name: string,
  { envelope }: EnvelopeView,
  current: number,
  next: number,
  findings: Findings,
): void => {
  const show = ({ curAddr, nextAddr }: EnvelopeView['envelope']): string =>
    [curAddr, nextAddr].map((address) => (address.kind === 'regular' ? address.useDestBits : address.kind)).join(' / ')
  findings.equal(`places in the envelope of ${name}`, show(envelope), `${current} / ${next}`)
}
