import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { amountOf, gramsOf } from './amounts.ts'
import type { BlockContext } from './BlockContext.ts'
import type { TransactionView } from './BlockView.ts'
import type { Findings } from './Findings.ts'

/** The total fees of a transaction are those of its phases and, for an external message, the price of its import. */
export const checkTransactionFees = (context: BlockContext, findings: Findings): void => {
  for (const view of context.block.transactions) {
    const expected = phaseFees(view) + importFee(context, view)
    const rule = `total_fees of transaction ${view.account}:${view.tx.lt}`
    findings.equal(rule, gramsOf(amountOf(view.tx.totalFees)), expected)
    findings.isTrue(rule, view.tx.totalFees.extra.isEmpty, 'no other currencies', true)
  }
}

const phaseFees = ({ tx: { description } }: TransactionView): bigint => {
  let fees = 0n
  if ('storagePhase' in description) fees += description.storagePhase?.storageFeesCollected ?? 0n
  if ('creditPhase' in description) fees += description.creditPhase?.dueFeesCollected ?? 0n
  if ('computePhase' in description && description.computePhase.kind === 'vm') fees += description.computePhase.gasFees
  if ('action' in description) fees += description.action?.totalActionFees ?? 0n
  if ('bounce' in description && description.bounce?.kind === 'ok') fees += description.bounce.msgFees
  return fees
}

const importFee = ({ config, own, isMaster }: BlockContext, { account, inMessage }: TransactionView): bigint => {
  if (inMessage?.info.kind !== 'externalIn') return 0n
  if (isMaster && config.special.has(account)) return 0n
  const prices = config.forwardPrices(own.workchain)
  if (prices === undefined) return 0n
  const { cells, bits } = countBelow(inMessage.cell)
  const variable = prices.bitPrice * BigInt(bits) + prices.cellPrice * BigInt(cells)
  return prices.lumpPrice + ((variable + 0xffffn) >> 16n)
}

/** Cells below the root, equal ones once. */
const countBelow = (root: Cell): { cells: number; bits: number } => {
  const seen = new Set<string>()
  let bits = 0
  const visit = (cell: Cell): void => {
    for (let k = 0; k < cell.refCount; k++) {
      const child = cell.ref(k)
      const hash = toHex(child.hash())
      if (seen.has(hash)) continue
      seen.add(hash)
      bits += child.bits
      visit(child)
    }
  }
  visit(root)
  return { cells: seen.size, bits }
}
