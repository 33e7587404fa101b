import { AugDict } from '../../../src/codec/cell/AugDict.ts'
import { ZERO_CURRENCY } from '../../../src/codec/tlb/CurrencyCollection.ts'
import type { BlockParts } from './alterStep.ts'
import { afterSplit, busy, type Mutation, master, minting, more, totals } from './Mutation.ts'

const flow = (member: keyof BlockParts['flow'], at: Mutation['at'], complains: RegExp): Mutation => ({
  name: `${member} in the value flow`,
  at,
  change: ({ flow: old }) => ({ flow: { ...old, [member]: more(old[member] ?? ZERO_CURRENCY) } }),
  complains,
})

export const money: readonly Mutation[] = [
  flow('fromPrevBlk', busy, /from_prev_blk: /),
  flow('toNextBlk', busy, /to_next_blk: /),
  flow('imported', busy, / imported: /),
  flow('exported', busy, / exported: /),
  flow('feesCollected', busy, /fees_collected: /),
  flow('burned', busy, /minted less burned: /),
  flow('feesImported', master, /fees_imported: /),
  flow('recovered', master, / recovered: /),
  flow('created', master, / created: /),
  flow('minted', busy, /minted less burned: /),
  flow('created', busy, /value flow, which adds up: /),
  flow('fromPrevBlk', afterSplit, /from_prev_blk: /),
  totals(
    'the fees of validators',
    busy,
    ({ totals: old }) => ({ totalValidatorFees: more(old.totalValidatorFees) }),
    /total_validator_fees: /,
  ),
  totals(
    'the fees of validators after a split',
    afterSplit,
    ({ totals: old }) => ({ totalValidatorFees: more(old.totalValidatorFees) }),
    /total_validator_fees: /,
  ),
  totals('the total balance', busy, ({ totals: old }) => ({ totalBalance: more(old.totalBalance) }), /total_balance: /),
  {
    name: 'the sum of balances',
    at: busy,
    change: ({ accounts: { type, root, rootExtra } }) => ({
      accounts: new AugDict(type, root, { ...rootExtra, balance: more(rootExtra.balance) }),
    }),
    complains: /sums of accounts, the whole/,
  },
  {
    name: 'the global balance',
    at: master,
    change: ({ stateMaster }) => ({
      stateMaster: { ...stateMaster!, globalBalance: more(stateMaster!.globalBalance) },
    }),
    complains: /global_balance: /,
  },
  {
    name: 'a missing message about minted money',
    at: minting,
    change: ({ master: old }) => ({ master: { ...old!, mintMsg: undefined } }),
    complains: /mint_msg: true/,
  },
  {
    name: 'a missing message about fees',
    at: master,
    change: ({ master: old }) => ({ master: { ...old!, recoverCreateMsg: undefined } }),
    complains: /recover_create_msg: true/,
  },
]
