import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { statePair } from '../../../test/support/chainProofs.ts'
import { ProvableChain } from '../../../test/support/ProvableChain.ts'
import { verifyDispatchQueueInfo, verifyDispatchQueueMessages } from '../../../test/support/proofs/dispatchQueues.ts'
import { address, amount, envelopeCell, filled, internalMessage } from '../../../test/support/sampleMessages.ts'
import { AugDict } from '../../codec/cell/AugDict.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { openMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import {
  dispatchedMessagesType,
  dispatchQueueType,
  openOutMsgQueueInfo,
  outMsgQueueType,
  processedInfoType,
  writeOutMsgQueueInfo,
} from '../../codec/tlb/OutMsgQueueInfo.ts'
import { verifyQueueSize } from './queueProofs.ts'

const metadata = { depth: 2, initiatorAddr: address(0, 0x99), initiatorLt: 77n }
const message = (lt: bigint) => internalMessage({ value: amount(lt), createdLt: lt })
/** Three accounts with two, one and three messages; those of even time have no metadata. */
const senders: readonly (readonly [account: number, lts: readonly bigint[]])[] = [
  [0x10, [11n, 12n]],
  [0x20, [13n]],
  [0x30, [14n, 15n, 16n]],
]
const waiting = (lt: bigint) => ({
  enqueuedLt: lt,
  outMsg: lt % 2n === 0n ? envelopeCell(message(lt)) : envelopeCell(message(lt), { version: 2, metadata }),
})
const queues = writeWhole(writeOutMsgQueueInfo, {
  outQueue: AugDict.of(outMsgQueueType),
  procInfo: Dict.of(processedInfoType, []),
  extra: {
    dispatchQueue: AugDict.of(
      dispatchQueueType,
      senders.map(([account, lts]) => [
        filled(account),
        {
          messages: Dict.of(
            dispatchedMessagesType,
            lts.map((lt) => [lt, waiting(lt)]),
          ),
          count: lts.length,
        },
      ]),
    ),
    outQueueSize: 42,
  },
})
const chain = new ProvableChain()
const block = chain.addShardBlock({ queues })
const all = senders.flatMap(([account, lts]) => lts.map((lt) => ({ account: filled(account), lt })))

/** Everything in the queue, the messages themselves left out. */
const proof = statePair(block, (state) =>
  openOutMsgQueueInfo(state.outMsgQueueInfo).extra!.dispatchQueue.forEach((_, { messages }) => {
    messages.forEach((_lt, { outMsg }) => void openMsgEnvelope(outMsg))
  }),
)

test('the size of a queue', () => {
  assert.equal(verifyQueueSize(block.id, { mode: 1, id: block.id, size: 42n, proof }), 42)
  assertRefused(
    () => verifyQueueSize(block.id, { mode: 1, id: block.id, size: 41n, proof }),
    /queue size of 42, but got 41/,
  )
  assertRefused(() => verifyQueueSize(block.id, { mode: 0, id: block.id, size: 42n }), /missing from the answer/)
  const bare = chain.addShardBlock()
  const noExtra = statePair(bare, (state) => void openOutMsgQueueInfo(state.outMsgQueueInfo))
  assertRefused(
    () => verifyQueueSize(bare.id, { mode: 1, id: bare.id, size: 0n, proof: noExtra }),
    /does not count its queue/,
  )
  const empty = { mode: 1, id: bare.id, accountDispatchQueues: [], complete: true, proof: noExtra }
  assert.deepEqual(verifyDispatchQueueInfo(bare.id, { mode: 1, maxAccounts: 5 }, empty).accounts, [])
})

const summary = senders.map(([account, lts]) => ({
  addr: filled(account),
  size: BigInt(lts.length),
  minLt: lts[0]!,
  maxLt: lts.at(-1)!,
}))

test('accounts page by page, which know whether more follow', () => {
  const page = (maxAccounts: number, after: number | undefined, expected: typeof summary, complete: boolean) => {
    const request = after === undefined ? { mode: 1, maxAccounts } : { mode: 3, maxAccounts, afterAddr: filled(after) }
    const answer = { mode: request.mode, id: block.id, accountDispatchQueues: expected, complete, proof }
    return verifyDispatchQueueInfo(block.id, request, answer)
  }
  assert.equal(page(1, undefined, summary.slice(0, 1), false).accounts[0]?.size, 2)
  assert.equal(page(3, undefined, summary, true).isComplete, true)
  assert.equal(page(64, undefined, summary, true).accounts.length, 3)
  assert.equal(page(2, 0x10, summary.slice(1), true).isComplete, true)
  assert.equal(page(2, 0x15, summary.slice(1), true).isComplete, true)
  assert.deepEqual(page(2, 0x30, [], true).accounts, [])
  assertRefused(() => page(2, undefined, summary.slice(0, 2), true), /wrong about whether more accounts/)
  assertRefused(() => page(3, undefined, summary.slice(0, 2), true), /others than the proven ones/)
  const first = summary[0]!
  for (const lie of [{ size: 3n }, { minLt: 10n }, { maxLt: 13n }, { addr: filled(1) }]) {
    assertRefused(() => page(1, undefined, [{ ...first, ...lie }], false), /others than the proven ones/)
  }
})

const NO_METADATA = {
  mode: 0,
  depth: -1,
  initiator: { workchain: -0x8000_0000, id: new Uint8Array(32) },
  initiatorLt: -1n,
}
const METADATA = { mode: 0, depth: 2, initiator: { workchain: 0, id: filled(0x99) }, initiatorLt: 77n }
const stated = all.map(({ account, lt }) => ({
  addr: account,
  lt,
  hash: message(lt).hash(),
  metadata: lt % 2n === 0n ? NO_METADATA : METADATA,
}))

type Request = Parameters<typeof verifyDispatchQueueMessages>[1]

const ask = (request: Partial<Request>, messages: typeof stated, complete: boolean, messagesBoc?: Uint8Array) =>
  verifyDispatchQueueMessages(
    block.id,
    { mode: 1, addr: filled(0), afterLt: 0n, maxMessages: 64, ...request },
    { mode: 1, id: block.id, messages, complete, proof, ...(messagesBoc === undefined ? {} : { messagesBoc }) },
  )

test('messages page by page, which know nothing of what follows once full', () => {
  const whole = ask({}, stated, true)
  assert.deepEqual(
    whole.messages.map(({ lt, metadata: own }) => [lt, own?.depth]),
    all.map(({ lt }) => [lt, lt % 2n === 0n ? undefined : 2]),
  )
  assert.equal(ask({ maxMessages: 6 }, stated, false).isComplete, false)
  assert.equal(ask({ maxMessages: 2 }, stated.slice(0, 2), false).isComplete, false)
  assert.equal(ask({ addr: filled(0x10), afterLt: 11n }, stated.slice(1), true).isComplete, true)
  assert.equal(ask({ addr: filled(0x10), afterLt: 12n, maxMessages: 1 }, stated.slice(2, 3), false).isComplete, false)
  const oneAccount = { mode: 3, addr: filled(0x10) }
  assert.equal(ask(oneAccount, stated.slice(0, 2), true).isComplete, true)
  assert.equal(ask({ ...oneAccount, maxMessages: 2 }, stated.slice(0, 2), false).isComplete, false)
  assert.deepEqual(ask({ mode: 3, addr: filled(0x11) }, [], true).messages, [])
  assertRefused(() => ask({ maxMessages: 6 }, stated, true), /wrong about whether more messages/)
  assertRefused(() => ask({}, stated.slice(1), true), /others than the proven ones/)
  assertRefused(() => ask({}, [], true), /others than the proven ones/)
  const [first, ...rest] = stated
  for (const lie of [{ lt: 10n }, { hash: filled(1) }, { metadata: NO_METADATA }, { addr: filled(1) }]) {
    assertRefused(() => ask({}, [{ ...first!, ...lie }, ...rest], true), /others than the proven ones/)
  }
})

test('the messages themselves', () => {
  const mode = 5
  const cells = all.map(({ lt }) => message(lt))
  const page = ask({ mode }, stated, true, encodeBoc(cells))
  assert.deepEqual(
    page.messages.map(({ message: cell }) => cell?.hash()),
    cells.map((cell) => cell.hash()),
  )
  assertRefused(() => ask({ mode }, stated, true, encodeBoc(cells.toReversed())), /others than the proven ones/)
  assertRefused(() => ask({ mode }, stated, true, encodeBoc(cells.slice(1))), /others than the proven ones/)
  assertRefused(() => ask({ mode }, stated, true), /missing from the answer/)
})
