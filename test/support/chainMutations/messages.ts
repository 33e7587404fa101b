import assert from 'node:assert/strict'
import { AugDict } from '../../../src/codec/cell/AugDict.ts'
import { openMsgEnvelope } from '../../../src/codec/tlb/MsgEnvelope.ts'
import { alterEnvelope, alterInMsg, alterOutMsg, without } from './alterParts.ts'
import { busy, deferring, dequeuing, emitting, type Mutation, more } from './Mutation.ts'

const inMsg = (
  name: string,
  kind: Parameters<typeof alterInMsg>[1],
  patch: Parameters<typeof alterInMsg>[2],
  complains: RegExp,
  at: Mutation['at'] = busy,
): Mutation => ({ name, at, change: ({ inMsgs }) => ({ inMsgs: alterInMsg(inMsgs, kind, patch) }), complains })

const outMsg = (
  name: string,
  kind: Parameters<typeof alterOutMsg>[1],
  patch: Parameters<typeof alterOutMsg>[2],
  complains: RegExp,
  at: Mutation['at'] = busy,
): Mutation => ({ name, at, change: ({ outMsgs }) => ({ outMsgs: alterOutMsg(outMsgs, kind, patch) }), complains })

const envelopeOf = (msg: object, change: Parameters<typeof alterEnvelope>[1]) => {
  assert.ok('outMsg' in msg)
  return { outMsg: alterEnvelope(msg.outMsg as Parameters<typeof alterEnvelope>[0], change) }
}

export const messages: readonly Mutation[] = [
  {
    name: 'an incoming message that is not described',
    at: busy,
    change: ({ inMsgs }) => ({ inMsgs: without(inMsgs, ({ kind }) => kind === 'external') }),
    complains: /InMsg of transaction/,
  },
  {
    name: 'an outgoing message that is not described',
    at: busy,
    change: ({ outMsgs }) => ({ outMsgs: without(outMsgs, ({ kind }) => kind === 'new') }),
    complains: /transaction of OutMsg [0-9a-f]{64}: [0-9a-f]{64} was expected, nothing/,
  },
  {
    name: 'an immediate message without its other half',
    at: busy,
    change: ({ outMsgs }) => ({ outMsgs: without(outMsgs, ({ kind }) => kind === 'immediate') }),
    complains: /OutMsg of InMsg [0-9a-f]{64}: one was expected/,
  },
  inMsg('the fee of an immediate message', 'immediate', () => ({ fwdFee: 1n }), /fwd_fee of InMsg/),
  inMsg(
    'a message from a queue as an immediate one',
    'final',
    () => ({ kind: 'immediate' }),
    /places in the envelope of InMsg/,
  ),
  inMsg(
    'an immediate message as one from a queue',
    'immediate',
    () => ({ kind: 'final' }),
    /OutMsg of InMsg .*dequeuedImmediate/,
  ),
  inMsg(
    'the envelope of a message from a queue',
    'final',
    (msg) => ({
      inMsg: alterEnvelope((msg as { inMsg: Parameters<typeof alterEnvelope>[0] }).inMsg, { fwdFeeRemaining: 1n }),
    }),
    /envelope in the import of message/,
  ),
  outMsg(
    'the places in an envelope',
    'new',
    (msg) => envelopeOf(msg, { nextAddr: { kind: 'regular', useDestBits: 96 } }),
    /places in the envelope of OutMsg/,
  ),
  outMsg(
    'the fee in an envelope',
    'new',
    (msg) => envelopeOf(msg, { fwdFeeRemaining: 1n }),
    /fwd_fee_remaining of OutMsg/,
  ),
  outMsg(
    'the depth in an envelope',
    'new',
    (msg) => {
      const { metadata } = openMsgEnvelope((msg as { outMsg: Parameters<typeof openMsgEnvelope>[0] }).outMsg)
      return envelopeOf(msg, { metadata: { ...metadata!, depth: metadata!.depth + 1 } })
    },
    /metadata of OutMsg/,
  ),
  outMsg(
    'an envelope without metadata',
    'new',
    (msg) => envelopeOf(msg, { metadata: undefined, version: 1 }),
    /metadata of OutMsg .* nothing found/,
  ),
  outMsg('an emission that was none', 'new', (msg) => envelopeOf(msg, { emittedLt: 5n }), /emitted_lt of OutMsg/),
  outMsg(
    'what an immediate message refers to',
    'immediate',
    (msg) => (msg.kind === 'immediate' ? { reimport: msg.transaction } : {}),
    /reimport in the OutMsg/,
  ),
  outMsg(
    'the block that took a message in',
    'dequeuedShort',
    () => ({ importBlockLt: 5n }),
    /import_block_lt of OutMsg/,
    dequeuing,
  ),
  outMsg(
    'the place of a dequeued message',
    'dequeuedShort',
    () => ({ nextAddrPfx: 5n }),
    /next_addr_pfx of OutMsg/,
    dequeuing,
  ),
  outMsg(
    'a deferred message as a new one',
    'newDeferred',
    () => ({ kind: 'new' }),
    /dispatch_queue|places in/,
    deferring,
  ),
  inMsg(
    'when a message left the dispatch queue',
    'deferredFinal',
    (msg) => ({
      inMsg: alterEnvelope((msg as { inMsg: Parameters<typeof alterEnvelope>[0] }).inMsg, { emittedLt: 5n }),
    }),
    /emitted_lt of message/,
    emitting,
  ),
  {
    name: 'the sum of incoming messages',
    at: busy,
    change: ({ inMsgs: { type, root, rootExtra } }) => ({
      inMsgs: new AugDict(type, root, { ...rootExtra, feesCollected: rootExtra.feesCollected + 1n }),
    }),
    complains: /sums of in_msg_descr, the whole/,
  },
  {
    name: 'the sum of outgoing messages',
    at: busy,
    change: ({ outMsgs: { type, root, rootExtra } }) => ({ outMsgs: new AugDict(type, root, more(rootExtra)) }),
    complains: /sums of out_msg_descr, the whole/,
  },
  {
    name: 'the sum of fees',
    at: busy,
    change: ({ accountBlocks: { type, root, rootExtra } }) => ({
      accountBlocks: new AugDict(type, root, more(rootExtra)),
    }),
    complains: /sums of account_blocks, the whole/,
  },
]
