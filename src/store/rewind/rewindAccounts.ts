import type pg from 'pg'
import { tables } from '../tables.ts'
import { type NewestWinsTable, newestWins } from '../writer/upsertRows.ts'
import type { RewindPoint } from './RewindPoint.ts'

/**
 * Gives accounts that were touched above a masterchain block the newest state that their transactions up to it tell, and takes
 * away those that have none. The rows of what came above are still there.
 */
export const rewindAccounts = async (client: pg.ClientBase, { seqno, lt }: RewindPoint): Promise<void> => {
  await client.query(
    `CREATE TEMPORARY TABLE rewound_accounts ON COMMIT DROP AS
     SELECT a.account, t.*
     FROM (SELECT DISTINCT account FROM transactions WHERE mc_seqno > $1 AND lt >= $2) a
       LEFT JOIN LATERAL (
         SELECT p.lt, p.now, p.mc_seqno, p.end_status, p.hash, p.state_after, p.balance, p.balance_extra, p.frozen_hash,
           p.data_hash, p.code_hash, p.large
         FROM transactions p WHERE p.account = a.account AND p.mc_seqno <= $1 ORDER BY p.lt DESC LIMIT 1
       ) t ON true`,
    [seqno, lt],
  )
  await client.query('ANALYZE rewound_accounts')
  await rewindStates(client)
  for (const table of Object.keys(newestWins) as NewestWinsTable[]) {
    if (table !== 'latest_account_states') await rewindContracts(client, table)
  }
}

const rewindStates = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    'DELETE FROM latest_account_states l USING rewound_accounts r WHERE l.account = r.account AND r.lt IS NULL',
  )
  await client.query(
    `UPDATE latest_account_states l SET balance = r.balance, last_lt = r.lt, now = r.now, mc_seqno = r.mc_seqno,
       status = r.end_status, hash = r.state_after, last_hash = r.hash, frozen_hash = r.frozen_hash, data_hash = r.data_hash,
       code_hash = r.code_hash, balance_extra = r.balance_extra,
       large = CASE WHEN r.large ? 'balance' THEN jsonb_build_object('balance', r.large -> 'balance') END,
       data = CASE WHEN l.data_hash = r.data_hash THEN l.data END
     FROM rewound_accounts r WHERE l.account = r.account AND r.lt IS NOT NULL`,
  )
}

/** What was first seen above goes. The rest stays, as old as its account is now, so that whatever comes takes its place. */
const rewindContracts = async (client: pg.ClientBase, table: NewestWinsTable): Promise<void> => {
  const isSame = `c.${newestWins[table]} = r.account`
  const isNew = 'since_lt' in tables[table] ? 'c.since_lt > r.lt' : 'false'
  await client.query(`DELETE FROM ${table} c USING rewound_accounts r WHERE ${isSame} AND (r.lt IS NULL OR ${isNew})`)
  await client.query(
    `UPDATE ${table} c SET last_lt = r.lt FROM rewound_accounts r WHERE ${isSame} AND r.lt < c.last_lt`,
  )
}
