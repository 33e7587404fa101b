import { forwardFee } from '../../chain/fees.ts'
import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import { VmInputError } from '../errors.ts'
import { MAX_MERKLE_DEPTH, measureTrees } from './cellTrees.ts'
import type { TransactionState } from './TransactionState.ts'

/** Why an external message is not imported, or `undefined`. The import fee is taken at once. */
export const importMessage = (tx: TransactionState): string | undefined => {
  const { message, config, version } = tx
  if (message === undefined) return undefined
  const { info } = message
  if (info.kind === 'internal') {
    if (message.hasBadLibraries) throw new VmInputError('The inbound message brings libraries that are none.')
    const ihrFee = version >= 12 ? 0n : info.extraFlags
    tx.messageBalance = { grams: info.value.grams + ihrFee, extra: info.value.extra }
    if (info.createdLt >= tx.startLt) {
      tx.startLt = info.createdLt + 1n
      tx.endLt = tx.startLt + 1n
    }
    if (config.isBlackhole(tx.address.workchain, tx.address.hash))
      tx.messageBalance = { ...tx.messageBalance, grams: 0n }
    return undefined
  }
  tx.messageBalance = { grams: 0n, extra: NO_EXTRA_CURRENCIES }
  const { limits } = config
  const { destination } = info
  if (version >= 10 && (destination.kind !== 'std' || destination.anycast !== undefined)) {
    return 'its destination is not a standard address'
  }
  if (message.hasBadLibraries) return 'its libraries are none'
  if (message.cell.depth() > limits.maxExtMsgDepth) return 'it is too deep'
  const refs = Array.from({ length: message.cell.refCount }, (_, k) => message.cell.ref(k))
  const size = measureTrees(refs)
  if (size.bits > limits.maxMsgBits || size.cells > limits.maxMsgCells) return 'it is too large'
  if (size.merkleDepth > MAX_MERKLE_DEPTH) return 'its Merkle cells are nested too deep'
  const prices = config.forwardPrices(tx.isMasterchain)
  const fee = tx.isSpecial ? 0n : forwardFee(prices, { cells: BigInt(size.cells), bits: BigInt(size.bits) })
  if (tx.balance.grams < fee) return 'the account cannot pay for its import'
  tx.balance = { ...tx.balance, grams: tx.balance.grams - fee }
  tx.addFee(fee)
  return undefined
}
