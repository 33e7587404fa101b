import type pg from 'pg'
import { formatRawAddress, parseAddressKey } from '../../../src/primitives/Address.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { openClient } from '../../../src/store/connect/openClient.ts'

/** Things of an index to ask for. Addresses are raw, hashes hexadecimal. */
export type IndexSample = {
  /** Accounts with a short history and with a long one, and those with the longest. */
  readonly accounts: readonly string[]
  readonly busiest: readonly string[]
  /** Contracts of the masterchain that every block runs: nearly all of their transactions received nothing. */
  readonly system: readonly string[]
  /** The most frequent opcodes, hexadecimal. */
  readonly opcodes: readonly string[]
  readonly transactions: readonly string[]
  readonly messages: readonly string[]
  readonly traces: readonly string[]
  readonly walletOwners: readonly string[]
  readonly transferOwners: readonly string[]
  readonly itemOwners: readonly string[]
  readonly jettons: readonly string[]
  readonly collections: readonly string[]
  readonly seqnos: { readonly first: number; readonly last: number }
  readonly times: { readonly first: number; readonly last: number }
  readonly lts: { readonly first: bigint; readonly last: bigint }
}

const MANY = 1000
const BUSIEST = 10

/** The same of the same index. */
export const sampleIndex = async (url: string): Promise<IndexSample> => {
  const client = await openClient({ url, name: 'bench', statementTimeoutMs: 120_000 })
  try {
    await client.query('SELECT setseed(0.5)')
    const column = (text: string) => readColumn(client, text)
    const some = (from: string, name: string) =>
      column(`SELECT ${name} AS value FROM (SELECT ${name} FROM ${from} ORDER BY random() LIMIT ${MANY}) AS picked`)
    // A transaction that is picked at random is more likely one of a busy account.
    const ordinary = 'get_byte(account, 0) = 0'
    const [accounts, active] = [
      await some(`latest_account_states WHERE ${ordinary}`, 'account'),
      await some(`transactions WHERE ${ordinary}`, 'account'),
    ]
    const busiest = (condition: string) =>
      column(
        `SELECT account AS value FROM transactions WHERE ${condition} GROUP BY account ORDER BY count(*) DESC LIMIT ${BUSIEST}`,
      )
    const { rows } = await client.query<IndexSample['seqnos'] & { from: number; to: number }>(
      'SELECT min(mc_seqno) AS first, max(mc_seqno) AS last, min(gen_utime) AS from, max(gen_utime) AS to FROM indexed_blocks',
    )
    const { first, last, from, to } = rows[0]!
    const lts = await client.query<IndexSample['lts']>(
      'SELECT min(start_lt) AS first, max(start_lt) AS last FROM blocks',
    )
    const opcodes = await client.query<{ opcode: number }>(
      `SELECT in_opcode AS opcode FROM transactions WHERE in_opcode IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT ${BUSIEST}`,
    )
    if (opcodes.rows.length === 0)
      throw new Error(
        'The index has no message with an opcode, which the filters of this bench ask for. Let its network have token traffic (dev --demo), or leave --data-dir out: the bench then grows an index that has all it needs.',
      )
    return {
      opcodes: opcodes.rows.map(({ opcode }) => `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`),
      accounts: mix(accounts.map(addressOf), active.map(addressOf)),
      busiest: (await busiest(ordinary)).map(addressOf),
      system: (await busiest(`NOT ${ordinary} AND in_hash IS NULL`)).map(addressOf),
      transactions: (await some('transactions', 'hash')).map(toHex),
      messages: (await some('transactions WHERE in_hash IS NOT NULL', 'in_hash')).map(toHex),
      traces: (await some('traces', 'trace_id')).map(toHex),
      walletOwners: (await some('jetton_wallets', 'owner')).map(addressOf),
      transferOwners: (await some('jetton_transfers', 'destination')).map(addressOf),
      itemOwners: (await some('nft_items WHERE owner_address IS NOT NULL', 'owner_address')).map(addressOf),
      jettons: (await some('jetton_masters', 'address')).map(addressOf),
      collections: (await some('nft_collections', 'address')).map(addressOf),
      lts: lts.rows[0]!,
      seqnos: { first, last },
      times: { first: from, last: to },
    }
  } finally {
    await client.end()
  }
}

const readColumn = async (client: pg.Client, text: string): Promise<Uint8Array[]> => {
  const { rows } = await client.query<{ value: Uint8Array }>(text)
  if (rows.length === 0) throw new Error(`The index has nothing to ask for: ${text}`)
  return rows.map(({ value }) => value)
}

const addressOf = (key: Uint8Array): string => {
  const address = parseAddressKey(key)
  if (typeof address === 'string') throw new Error('An account has a whole address.')
  return formatRawAddress(address)
}

const mix = (a: readonly string[], b: readonly string[]): string[] =>
  a.flatMap((each, k) => (b[k] === undefined ? [each] : [each, b[k]]))
