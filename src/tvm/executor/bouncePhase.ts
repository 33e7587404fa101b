import { forwardFee } from '../../chain/fees.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeCurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { ComputeSkipReason } from '../../codec/tlb/transactionPhases.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { VmInputError } from '../errors.ts'
import { Builder } from '../machine/values.ts'
import { firstPart, subtractExtra } from './amounts.ts'
import { measureTrees } from './cellTrees.ts'
import type { InboundMessage } from './inboundMessage.ts'
import { resolveDestination } from './sendMessage.ts'
import type { TransactionState } from './TransactionState.ts'

const SKIP_CODES: Record<ComputeSkipReason, number> = { no_state: -1, bad_state: -2, no_gas: -3, suspended: -4 }
const MAX_BODY_BITS = 256

/** Sends the message back with what is left of its value. */
export const runBouncePhase = (tx: TransactionState): void => {
  const message = tx.message!
  const { info } = message
  if (info.kind !== 'internal') return
  const { version, config } = tx
  const destination = resolveDestination(tx, info.source, true)
  if (destination?.kind !== 'std' && destination?.kind !== 'var') {
    throw new VmInputError('A message cannot be returned to its source.')
  }
  const body = bouncedBody(tx, message)
  const prices = config.forwardPrices(tx.isMasterchain || destination.workchain === masterchain)
  const extraRoot = version < 13 ? info.value.extra.root : undefined
  const size = measureTrees([extraRoot instanceof Cell ? extraRoot : undefined, ...body.refs])
  const msgSize = { cells: BigInt(size.cells), bits: BigInt(size.bits) }
  const fee = forwardFee(prices, msgSize)
  const amount = tx.messageBalance.grams - tx.gasFees - tx.actionFine
  if (amount < fee) {
    tx.bouncePhase = { kind: 'nofunds', msgSize, reqFwdFees: fee }
    return
  }
  const { extra } = tx.messageBalance
  tx.balance = {
    grams: tx.balance.grams - amount,
    extra: subtractExtra(tx.balance.extra, extra) ?? tx.balance.extra,
  }
  const collected = firstPart(prices, fee)
  tx.addFee(collected)
  const w = new CellWriter().writeUint(0b0101, 4)
  writeMsgAddress(w, info.destination)
  writeMsgAddress(w, destination)
  writeCurrencyCollection(w, { grams: amount - fee, extra })
  w.writeCoins(version >= 12 ? info.extraFlags & 3n : 0n).writeCoins(fee - collected)
  w.writeUint64(tx.startLt + 1n + BigInt(tx.outMessages.length))
    .writeUint(tx.input.now, 32)
    .writeBit(false)
  tx.endLt++
  const bodyCell = body.toCell()
  if (w.usedBits + 1 + body.bits <= 1023 && w.usedRefs + body.refs.length <= 4) {
    w.writeBit(false).writeBits(body.bytes, body.bits)
    for (const ref of body.refs) w.writeRef(ref)
  } else w.writeBit(true).writeRef(bodyCell)
  tx.outMessages.push(w.toCell())
  tx.bouncePhase = { kind: 'ok', msgSize, msgFees: collected, fwdFees: fee - collected }
}

const bouncedBody = (tx: TransactionState, { info, body }: InboundMessage): Builder => {
  if (info.kind !== 'internal') return Builder.empty
  const flags = tx.version >= 12 ? info.extraFlags : 0n
  if ((flags & 1n) === 0n) {
    if (!tx.config.bouncesBody) return Builder.empty
    const bits = Math.min(body.bits, MAX_BODY_BITS)
    return Builder.empty.withInteger(0xffffffff, 32).withBits(body.bytes, body.offset, bits)
  }
  const original =
    (flags & 2n) === 0n ? Builder.empty.withBits(body.bytes, body.offset, body.bits) : Builder.empty.withSlice(body)
  const about = writeWhole((w, value: typeof info) => {
    writeCurrencyCollection(w, value.value)
    w.writeUint64(value.createdLt).writeUint(value.createdAt, 32)
  }, info)
  const head = Builder.empty.withInteger(0xfffffffe, 32).withRef(original.toCell()).withRef(about)
  const compute = tx.computePhase!
  if (compute.kind === 'skipped') {
    return head.withInteger(0, 8).withInteger(SKIP_CODES[compute.reason], 32).withInteger(0, 1)
  }
  const reason = compute.success
    ? head.withInteger(2, 8).withInteger(tx.actionPhase!.resultCode, 32)
    : head.withInteger(1, 8).withInteger(compute.exitCode, 32)
  return reason
    .withInteger(1, 1)
    .withInteger(Number(BigInt.asUintN(32, compute.gasUsed)), 32)
    .withInteger(compute.vmSteps, 32)
}
