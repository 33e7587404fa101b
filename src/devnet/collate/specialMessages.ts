import type { Cell } from '../../codec/cell/Cell.ts'
import { type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import type { BlockDraft } from './BlockDraft.ts'
import { excessOfExtra, isZero } from './currencies.ts'
import { deliverSpecial } from './deliver.ts'
import { specialMessage } from './injectMessages.ts'
import type { MasterView } from './MasterView.ts'
import type { NetworkRules } from './NetworkRules.ts'

/** The InMsg of each message that a masterchain block makes by itself. */
export type SpecialMessages = { readonly recoverCreateMsg: Cell | undefined; readonly mintMsg: Cell | undefined }

const NO_SENDER = { workchain: masterchain, hash: new Uint8Array(32) }
/** Smaller sums of fees stay where they are until they have grown. */
const LEAST_RECOVERED = 1_000_000_000n

/** The fees that are paid out to their collector with a block. */
export const recoveredOf = ({ feeCollector }: NetworkRules, collected: CurrencyCollection): CurrencyCollection =>
  feeCollector === undefined || collected.grams < LEAST_RECOVERED ? ZERO_CURRENCY : collected

/** Pays out fees, and mints what the configuration wants there to be more of extra currencies. */
export const deliverSpecials = async (
  draft: BlockDraft,
  { rules, extra }: MasterView,
  recovered: CurrencyCollection,
): Promise<SpecialMessages> => {
  const minted = { grams: 0n, extra: excessOfExtra(rules.toMint, extra.globalBalance.extra) }
  const { feeCollector, minter } = rules
  return {
    recoverCreateMsg: feeCollector && (await deliver(draft, feeCollector, recovered, ZERO_CURRENCY)),
    mintMsg: await deliver(draft, minter, minted, minted),
  }
}

const deliver = async (
  draft: BlockDraft,
  hash: Uint8Array,
  value: CurrencyCollection,
  minted: CurrencyCollection,
): Promise<Cell | undefined> => {
  if (isZero(value)) return undefined
  const { startLt, run } = draft.context
  const destination = { workchain: masterchain, hash }
  const message = specialMessage({ source: NO_SENDER, destination, value, bounce: true }, startLt, run.now)
  return deliverSpecial(draft, hash, message, minted)
}
