import { packCell } from '../../codec/stored/packCell.ts'
import { accountStatusCode } from '../../store/codes/accountStatus.ts'
import type { CopyRow } from '../../store/Table.ts'
import type { tables } from '../../store/tables.ts'
import type { TouchedAccount } from '../DecodedUnit.ts'
import type { IndexBatch, ResolvedAccount } from '../IndexBatch.ts'
import { newestAccountsOf } from '../newestAccounts.ts'
import type { KeySet } from './KeySet.ts'

type Row = CopyRow<typeof tables.latest_account_states>

const MAX_INT8 = 2n ** 63n - 1n

/** The newest state of each account that a batch touches, without those of which a newer one is known to be there. */
export const listAccountRows = (
  { units, resolved }: Pick<IndexBatch, 'units' | 'resolved'>,
  hasNewer: Pick<KeySet, 'has'> | undefined,
): Row[] => {
  const newest = newestAccountsOf(units)
  const matched = newest.match(resolved)
  const rows: Row[] = []
  for (const [k, { touched, seqno }] of newest.list.entries()) {
    if (!hasNewer?.has(touched.account)) rows.push(toRow(touched, seqno, matched[k]))
  }
  return rows
}

const toRow = (touched: TouchedAccount, seqno: number, found: ResolvedAccount | undefined): Row => {
  const { balance } = touched
  const isLarge = balance > MAX_INT8
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
