import { packCell } from '../../codec/stored/packCell.ts'
import { accountStatusCode } from '../../store/codes/accountStatus.ts'
import type { CopyRow } from '../../store/Table.ts'
import type { tables } from '../../store/tables.ts'
import type { TouchedAccount } from '../DecodedUnit.ts'
import type { IndexBatch, ResolvedAccount } from '../IndexBatch.ts'
import type { KeySet } from './KeySet.ts'

type Row = CopyRow<typeof tables.latest_account_states>

const MAX_INT8 = 2n ** 63n - 1n

const keyOf = (account: Uint8Array): string =>
  Buffer.from(account.buffer, account.byteOffset, account.byteLength).toString('latin1')

/** The newest state of each account that a batch touches, without those of which a newer one is known to be there. */
export const listAccountRows = (
  { units, resolved }: Pick<IndexBatch, 'units' | 'resolved'>,
  hasNewer: Pick<KeySet, 'has'> | undefined,
): Row[] => {
  const newest = new Map<string, { readonly touched: TouchedAccount; readonly seqno: number }>()
  for (const { seqno, accounts } of units) {
    for (const touched of accounts) {
      if (!hasNewer?.has(touched.account)) newest.set(keyOf(touched.account), { touched, seqno })
    }
  }
  const found = new Map(resolved.map((account) => [keyOf(account.account), account]))
  return [...newest].map(([key, { touched, seqno }]) => toRow(touched, seqno, found.get(key)))
}

const toRow = (touched: TouchedAccount, seqno: number, resolved: ResolvedAccount | undefined): Row => {
  const { balance } = touched
  const isLarge = balance > MAX_INT8
  const found = resolved?.lastLt === touched.lastLt ? resolved : undefined
  const data = found?.data
  return {
    balance: isLarge ? null : balance,
    last_lt: touched.lastLt,
    now: touched.now,
    mc_seqno: seqno,
    status: accountStatusCode(touched.status),
    account: touched.account,
    hash: touched.stateHash,
    last_hash: touched.lastHash,
    frozen_hash: touched.frozenHash,
    data_hash: touched.dataHash,
    code_hash: touched.codeHash,
    balance_extra: (found ?? touched).extraCurrencies,
    large: isLarge ? { balance: String(balance) } : null,
    data: data === undefined || data === 'unknown' ? null : packCell(data),
  }
}
