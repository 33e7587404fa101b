import { openPrevRef, prevRefCell } from '../../../src/codec/tlb/BlockInfo.ts'
import type { BlockParts } from './alterStep.ts'
import { afterSplit, busy, keyBlock, type Mutation, master, splitting, totals } from './Mutation.ts'

const info = (
  name: string,
  at: Mutation['at'],
  patch: (parts: BlockParts) => Partial<BlockParts['info']>,
  complains: RegExp,
): Mutation => ({ name, at, change: (parts) => ({ info: { ...parts.info, ...patch(parts) } }), complains })

export const headers: readonly Mutation[] = [
  {
    name: 'the network',
    at: busy,
    change: ({ globalId }) => ({ globalId: globalId + 1 }),
    complains: /global_id: -777 /,
  },
  info('the vertical number', busy, () => ({ vertSeqno: 1 }), /vert_seq_no: 0 /),
  info(
    'the end of the previous block',
    busy,
    ({ info: old }) => {
      const [previous] = openPrevRef(old)
      return { prevRef: prevRefCell([{ ...previous, endLt: previous.endLt + 1n }]) }
    },
    /end_lt in prev_ref/,
  ),
  info(
    'the end of the masterchain block',
    busy,
    ({ info: old }) => ({ masterRef: { ...old.masterRef!, endLt: old.masterRef!.endLt + 1n } }),
    /end_lt in master_ref: /,
  ),
  info(
    'a masterchain block older than that of the previous block',
    busy,
    ({ info: old }) => ({ masterRef: { ...old.masterRef!, seqno: old.masterRef!.seqno - 5 } }),
    /master_ref: block \d+ or a later one/,
  ),
  info('the time', busy, ({ info: old }) => ({ genUtime: old.genUtime - 100 }), /gen_utime: \d+ or later/),
  info('the first logical time', busy, ({ info: old }) => ({ startLt: old.startLt + 1_000_000n }), /start_lt: /),
  info('the last logical time', busy, ({ info: old }) => ({ endLt: old.endLt + 1n }), / end_lt: /),
  info('the last key block', keyBlock, () => ({ prevKeyBlockSeqno: 5 }), /prev_key_block_seqno: 0 /),
  info(
    'the oldest reference',
    busy,
    ({ info: old }) => ({ minRefMcSeqno: old.minRefMcSeqno - 1 }),
    /min_ref_mc_seqno: /,
  ),
  info('the software', busy, () => ({ genSoftware: undefined }), /gen_software, which capability 8/),
  info('the wish to merge', busy, ({ info: old }) => ({ wantMerge: !old.wantMerge }), /want_merge: /),
  info('the wish to split', busy, () => ({ wantSplit: true }), /want_split: /),
  info('a split without a plan', busy, () => ({ beforeSplit: true }), /window of the split for before_split: open/),
  info(
    'a split that is not said',
    afterSplit,
    () => ({ afterSplit: false }),
    /The state of \(0,4000000000000000,22\) is not there/,
  ),
  info(
    'the session',
    busy,
    ({ info: old }) => ({ genCatchainSeqno: old.genCatchainSeqno + 1 }),
    /gen_catchain_seqno: /,
  ),
  info('the validators', busy, () => ({ genValidatorListHashShort: 7 }), /gen_validator_list_hash_short: /),
  info('a key block without a new configuration', master, () => ({ keyBlock: true }), /key_block: false/),
  totals('the masterchain block in the state', busy, () => ({ masterRef: undefined }), /master_ref of the state/),
  totals(
    'the history of load',
    busy,
    ({ totals: old }) => ({ overloadHistory: old.overloadHistory ^ 4n }),
    /overload_history: /,
  ),
  {
    name: 'the time in the state',
    at: busy,
    change: ({ state }) => ({ state: { ...state, genLt: state.genLt + 1n } }),
    complains: /gen_lt of the state/,
  },
  {
    name: 'a split that the state does not say',
    at: splitting,
    change: ({ state }) => ({ state: { ...state, beforeSplit: false } }),
    complains: /before_split of the state: true/,
  },
]
