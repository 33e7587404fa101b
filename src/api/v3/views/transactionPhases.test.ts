import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyCell } from '../../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { packDescription } from '../../../codec/stored/packDescription.ts'
import { NO_EXTRA_CURRENCIES } from '../../../codec/tlb/CurrencyCollection.ts'
import { type TransactionDescr, writeTransactionDescr } from '../../../codec/tlb/TransactionDescr.ts'
import { readTexts } from '../../core/json/stringifyJson.ts'
import { toTransactionDescrView } from './transactionPhases.ts'

const storagePhase = { storageFeesCollected: 5n, storageFeesDue: 6n, statusChange: 'frozen' } as const
const storage_ph = { storage_fees_collected: '5', storage_fees_due: '6', status_change: 'frozen' }
const computePhase = { kind: 'skipped', reason: 'no_gas' } as const
const compute_ph = { skipped: true, reason: 'no_gas' }
const splitInfo = {
  curShardPfxLen: 2,
  accSplitDepth: 3,
  thisAddr: new Uint8Array(32),
  siblingAddr: new Uint8Array(32).fill(255),
}
const split_info = {
  cur_shard_pfx_len: 2,
  acc_split_depth: 3,
  this_addr: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  sibling_addr: '//////////////////////////////////////////8=',
}
const extra = NO_EXTRA_CURRENCIES.set(100, 2_500_000n)
const creditPhase = { dueFeesCollected: 1n, credit: { grams: 7n, extra } }
const credit_ph = { due_fees_collected: '1', credit: '7', credit_extra_currencies: { 100: '2500000' } }
const ends = { aborted: true, destroyed: false }

const cases: readonly [TransactionDescr, object][] = [
  [
    {
      kind: 'ord',
      creditFirst: true,
      storagePhase: undefined,
      creditPhase,
      computePhase,
      action: undefined,
      bounce: { kind: 'nofunds', msgSize: { cells: 1n, bits: 2n }, reqFwdFees: 3n },
      ...ends,
    },
    {
      type: 'ord',
      ...ends,
      credit_first: true,
      credit_ph,
      compute_ph,
      bounce: { type: 'nofunds', msg_size: { cells: '1', bits: '2' }, req_fwd_fees: '3' },
    },
  ],
  [
    { kind: 'storage', storagePhase },
    { type: 'storage', storage_ph },
  ],
  [
    { kind: 'tick_tock', isTock: false, storagePhase, computePhase, action: undefined, ...ends },
    { type: 'tick_tock', ...ends, is_tock: false, storage_ph, compute_ph },
  ],
  [
    { kind: 'split_prepare', splitInfo, storagePhase: undefined, computePhase, action: undefined, ...ends },
    { type: 'split_prepare', ...ends, compute_ph, split_info },
  ],
  [
    { kind: 'split_install', splitInfo, prepareTransaction: emptyCell, installed: true },
    { type: 'split_install', installed: true, split_info },
  ],
  [
    { kind: 'merge_prepare', splitInfo, storagePhase, aborted: true },
    { type: 'merge_prepare', aborted: true, storage_ph, split_info },
  ],
  [
    {
      kind: 'merge_install',
      splitInfo,
      prepareTransaction: emptyCell,
      storagePhase,
      creditPhase,
      computePhase,
      action: undefined,
      ...ends,
    },
    { type: 'merge_install', ...ends, storage_ph, credit_ph, compute_ph, split_info },
  ],
]

for (const [descr, expected] of cases) {
  test(`a description of type ${descr.kind} has its members and no others`, () => {
    const view = toTransactionDescrView(packDescription(writeWhole(writeTransactionDescr, descr)))
    assert.deepEqual(readTexts(view), expected)
  })
}
