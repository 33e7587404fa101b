import type { MsgMetadata } from '../../../src/codec/tlb/MsgEnvelope.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import type { BlockContext } from './BlockContext.ts'
import type { MessageView, OutMsgView, TransactionView } from './BlockView.ts'
import type { EnvelopeView } from './EnvelopeView.ts'
import type { Findings } from './Findings.ts'
import { checkWay } from './inMessages.ts'
import { originOf } from './origins.ts'
import { routeOf } from './routes.ts'

/** Every message that a transaction sent has one OutMsg, and every OutMsg of a sent message its transaction. */
export const checkOutMessages = (context: BlockContext, findings: Findings): void => {
  const { block } = context
  const sent = new Map<string, TransactionView>()
  for (const transaction of block.transactions) {
    for (const message of transaction.outMessages) {
      findings.isTrue(`message ${message.hash}`, !sent.has(message.hash), 'it is sent once', 'it is sent twice')
      sent.set(message.hash, transaction)
      checkSent(context, transaction, message, findings)
    }
  }
  for (const view of block.outMsgs.values()) checkOutMsg(context, view, sent, findings)
}

const checkSent = (
  context: BlockContext,
  transaction: TransactionView,
  { hash, info }: MessageView,
  findings: Findings,
): void => {
  const { block, own } = context
  const view = block.outMsgs.get(hash)
  const name = `OutMsg ${hash}`
  findings.equal(`transaction of ${name}`, view?.transaction, transaction.hash)
  if (info.kind !== 'internal') {
    findings.equal(`kind of ${name}`, view?.msg.kind, 'external')
    return
  }
  const source = info.source.kind === 'std' ? toHex(info.source.hash) : info.source.kind
  findings.equal(`source of ${name}`, `${info.source.workchain}:${source}`, `${own.workchain}:${transaction.account}`)
  if (view?.envelope === undefined) {
    findings.fail(`envelope of ${name}`, 'one', 'nothing')
    return
  }
  const { envelope } = view
  findings.equal(`fwd_fee_remaining of ${name}`, envelope.envelope.fwdFeeRemaining, info.fwdFee)
  findings.equal(`emitted_lt of ${name}`, envelope.envelope.emittedLt, undefined)
  const route = view.msg.kind === 'newDeferred' ? { current: 0, next: 0 } : routeFor(context, envelope)
  checkWay(name, envelope, route.current, route.next, findings)
  const metadata = expectedMetadata(context, transaction)
  findings.equal(`metadata of ${name}`, show(envelope.envelope.metadata), show(metadata))
  findings.equal(`version of the envelope of ${name}`, envelope.envelope.version, metadata === undefined ? 1 : 2)
}

const routeFor = ({ own }: BlockContext, { source, destination }: EnvelopeView) => routeOf(own, source, destination)

const show = (metadata: MsgMetadata | undefined): string => {
  if (metadata === undefined) return 'nothing'
  const { depth, initiatorAddr, initiatorLt } = metadata
  const account = initiatorAddr.kind === 'std' ? toHex(initiatorAddr.hash) : initiatorAddr.kind
  return `depth ${depth} from ${initiatorAddr.workchain}:${account} at ${initiatorLt}`
}

/** One step more than the message that set the transaction off, or the start of a new chain of messages. */
const expectedMetadata = (
  { block, config, own }: BlockContext,
  { tx, inMessage }: TransactionView,
): MsgMetadata | undefined => {
  if (!config.has.metadata) return undefined
  const entry = inMessage && block.inMsgs.get(inMessage.hash)
  const known = entry?.envelope?.envelope.metadata
  if (known !== undefined) return { ...known, depth: known.depth + 1 }
  // A message of a time without metadata passes none on; one that no transaction sent starts anew.
  const isSent = entry?.msg.kind === 'immediate' ? originOf(block, entry) === 'sent' : entry?.envelope !== undefined
  if (isSent) return undefined
  const initiatorAddr = { kind: 'std', workchain: own.workchain, hash: tx.accountAddr, anycast: undefined } as const
  return { depth: 0, initiatorAddr, initiatorLt: tx.lt }
}

const checkOutMsg = (
  context: BlockContext,
  view: OutMsgView,
  sent: ReadonlyMap<string, TransactionView>,
  findings: Findings,
): void => {
  const { block } = context
  const { key, msg, envelope } = view
  const name = `OutMsg ${key}`
  if (envelope !== undefined) findings.equal(`key of ${name}`, key, envelope.message)
  switch (msg.kind) {
    case 'external':
    case 'new':
    case 'immediate':
    case 'newDeferred':
      findings.isTrue(`sender of ${name}`, sent.has(key), 'a transaction of the block', view.transaction)
      if (msg.kind === 'external') findings.equal(`message of ${name}`, toHex(msg.msg.hash()), key)
      if (msg.kind === 'immediate') findings.equal(`InMsg of ${name}`, block.inMsgs.get(key)?.msg.kind, 'immediate')
      return
    case 'dequeuedImmediate':
      findings.equal(`InMsg of ${name}`, block.inMsgs.get(key)?.msg.kind, 'final')
      return
    case 'deferredTransit':
      findings.equal(`InMsg of ${name}`, block.inMsgs.get(key)?.msg.kind, 'deferredTransit')
      if (envelope !== undefined) {
        const { current, next } = routeFor(context, envelope)
        checkWay(name, envelope, current, next, findings)
      }
      return
    case 'dequeuedShort':
    case 'dequeued':
      findings.equal(`form of ${name}, by capability 32`, msg.kind === 'dequeuedShort', context.config.has.shortDequeue)
      return
    default:
      findings.fail(`kind of ${name}`, 'one that a network of few shards has', msg.kind)
  }
}
