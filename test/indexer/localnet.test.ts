import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type IndexedChain, openLocalStates } from '../../src/cli/index/openChain.ts'
import { createLiveStates, createLocalStates } from '../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { addressKeyOf, parseAddress } from '../../src/primitives/Address.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { STORED_MESSAGE_KIND } from '../../src/store/schema/codes.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { fixturePath, listFixtures, readFixtureJson } from '../support/fixtures.ts'
import { indexChain } from '../support/indexing.ts'
import { openLocalnetNode, openPackages } from '../support/localnetSources.ts'
import { readRecordedActors, readRecordedTransactions } from '../support/recordedTransactions.ts'
import { assertSameIndex } from '../support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../support/sampleIndex/dumpIndex.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'

after(closeSharedMachine)

const LAST = 400

test('the recorded chain gives the same rows from its liteserver, newest first, and from its packages', {
  timeout: 300_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const node = await openLocalnetNode(t)
  const { rootHash: zeroState } = await node.getZeroState()
  const liveBlockSets = createBlockSetSource(node)
  const live: IndexedChain = {
    blockSets: liveBlockSets,
    states: createLiveStates(createLiveChain(node), liveBlockSets),
    zeroState,
    order: 'newestFirst',
  }
  const fromServer = await openFreshDatabase(t)
  const first = await indexChain(t, live, fromServer, { to: LAST })
  assert.deepEqual(first.logged, [])

  const packages = openPackages()
  const blockSets = createBlockSetSource(packages)
  const stateFiles = ['zerostate', 'basestate0'].map((name) => fixturePath(`localnet/config/${name}.boc`))
  const states = await openLocalStates(tempFolder(t), { stateFiles, source: packages, blockSets, sync: false })
  t.after(() => states.close())
  const kept: IndexedChain = { blockSets, states: createLocalStates(states), zeroState, order: 'ascending' }
  const fromPackages = await openFreshDatabase(t)
  const second = await indexChain(t, kept, fromPackages, { to: LAST })
  assert.deepEqual(second.logged, [])

  assertSameIndex(await dumpIndex(fromServer), await dumpIndex(fromPackages))
  await checkTransactions(fromServer)
  await checkTraces(fromServer)
  await checkBalances(fromServer)
  await checkTokens(fromServer)
  for (const { progress, metrics } of [first, second]) {
    assert.match(metrics.format(), /^chaincenter_indexer_detected_contracts_total\{table="jetton_wallets"\} [1-9]/m)
    t.diagnostic(`${progress.transactions} transactions, ${progress.transactionsPerSecond.toFixed(0)} per second`)
  }
})

const EMPTY_CELL = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'

const toKey = (address: string): string => hexOf(addressKeyOf(parseAddress(address)))
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const query = async <Row>(database: Database, text: string, values: unknown[] = []): Promise<Row[]> =>
  database.transaction(async (client) => (await client.query(text, values)).rows as Row[])

/** Transactions and messages, hash for hash, against those that another program read from the blocks. */
const checkTransactions = async (database: Database): Promise<void> => {
  const recorded = readRecordedTransactions()
  const rows = await query<Record<string, unknown>>(
    database,
    `SELECT encode(account, 'hex') AS account, lt::text, encode(hash, 'hex') AS hash, prev_lt::text,
       encode(coalesce(prev_hash, decode(repeat('00', 32), 'hex')), 'hex') AS prev_hash, now, total_fees::text,
       coalesce(encode(state_before, 'hex'), '90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4') AS old_state_hash,
       encode(state_after, 'hex') AS new_state_hash, out_count, encode(in_hash, 'hex') AS in_hash,
       encode(in_source, 'hex') AS in_source, in_value::text, in_created_lt::text,
       encode(in_body_hash, 'hex') AS in_body_hash, block_seqno
     FROM transactions t ORDER BY t.account, t.lt`,
  )
  const expected = recorded
    .map(({ block, account, in_msg, out_msgs, ...transaction }) => ({
      account: toKey(account),
      lt: transaction.lt,
      hash: transaction.hash,
      prev_lt: transaction.prev_lt,
      prev_hash: transaction.prev_hash,
      now: transaction.now,
      total_fees: transaction.total_fees,
      old_state_hash: transaction.old_state_hash,
      new_state_hash: transaction.new_state_hash,
      out_count: out_msgs.length,
      in_hash: in_msg?.hash ?? null,
      in_source: in_msg?.type === 'internal' ? toKey(in_msg.src!) : null,
      in_value: in_msg?.value ?? null,
      in_created_lt: in_msg?.created_lt ?? null,
      in_body_hash: in_msg === undefined || in_msg.body_hash === EMPTY_CELL ? null : in_msg.body_hash,
      block_seqno: Number(block.split('_')[2]),
    }))
    .sort((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : Number(BigInt(a.lt) - BigInt(b.lt))))
  assert.equal(rows.length, expected.length)
  for (const [k, row] of rows.entries()) assert.deepEqual({ ...row }, expected[k])

  // A message is one row, whoever sent and received it; only one from outside may come several times.
  const stored = await query<{ hash: string }>(
    database,
    `SELECT encode(in_hash, 'hex') AS hash FROM transactions WHERE in_hash IS NOT NULL
     UNION ALL SELECT encode(hash, 'hex') FROM unreceived_messages`,
  )
  const received = recorded.flatMap(({ in_msg }) => (in_msg === undefined ? [] : [in_msg]))
  const fromOutside = received.filter(({ type }) => type === 'external-in').map(({ hash }) => hash)
  const others = [...received, ...recorded.flatMap(({ out_msgs }) => out_msgs)].filter(
    ({ type }) => type !== 'external-in',
  )
  assert.deepEqual(
    stored.map(({ hash }) => hash).sort(),
    [...fromOutside, ...new Set(others.map(({ hash }) => hash))].sort(),
  )
}

/**
 * The counts are those of the recording: 1600 transactions without a message, 184 messages from outside, 401 of the blocks
 * themselves; 1750 internal messages, all of them received, and 498 that left.
 */
const checkTraces = async (database: Database): Promise<void> => {
  const [traces] = await query<Record<string, number>>(
    database,
    `SELECT count(*)::int AS traces, sum(transactions)::int AS transactions, sum(messages)::int AS messages,
       (SELECT count(*)::int FROM open_traces) AS open, (SELECT count(*)::int FROM unreceived_messages) AS unreceived,
       (SELECT count(*)::int FROM transactions WHERE in_bits & 7 = ${STORED_MESSAGE_KIND.system}) AS system
     FROM traces`,
  )
  const expected = { traces: 1600 + 184 + 401, transactions: 3935, messages: 184 + 401 + 1750 + 498 }
  assert.deepEqual({ ...traces }, { ...expected, open: 0, unreceived: 498, system: 401 })
}

type AccountAnswer = {
  readonly status: number
  readonly request: { readonly query?: { readonly address?: string } }
  readonly response: {
    readonly result: {
      readonly balance: string
      readonly last_transaction_id: { readonly lt: string }
      readonly extra_currencies: readonly { readonly id: number; readonly amount: string }[]
    }
  }
}

const ADDRESS = /^(-?\d+:[0-9a-f]{64}|[\w+/-]{48})$/i

/** Accounts against what the original server said of them, where they have not changed since. */
const checkBalances = async (database: Database): Promise<void> => {
  const checked = new Map<string, Readonly<Record<string, string>>>()
  for (const path of listFixtures('localnet/api-v2/python/getAddressInformation', '.json')) {
    const { status, request, response } = readFixtureJson<AccountAnswer>(path)
    const { address = '' } = request.query ?? {}
    // Some questions name no account.
    if (status !== 200 || !ADDRESS.test(address)) continue
    const { balance, last_transaction_id: last, extra_currencies: extra } = response.result
    const [row] = await query<{ balance: string; extra: Record<string, string> | null }>(
      database,
      'SELECT balance::text, balance_extra AS extra FROM latest_account_states WHERE account = $1 AND last_lt = $2',
      [addressKeyOf(parseAddress(address)), last.lt],
    )
    if (row === undefined) continue
    assert.equal(row.balance, String(balance), address)
    const amounts = Object.fromEntries(extra.map(({ id, amount }) => [id >>> 0, amount]))
    assert.deepEqual(row.extra ?? {}, amounts, address)
    checked.set(toKey(address), amounts)
  }
  assert.deepEqual(checked.get(toKey(readRecordedActors().walletA)), { 239: '12345' })
  // Of this one no block shows them since it handed some on.
  assert.deepEqual(checked.get(`ff${'00'.repeat(32)}`), { 239: '666666654321', 4294967279: '1000000000000' })
  assert.ok([...checked.values()].some((amounts) => Object.keys(amounts).length === 0))
  const [unknown] = await query<Record<string, number>>(
    database,
    `SELECT (SELECT count(*)::int FROM latest_account_states WHERE balance_extra = '"unknown"') AS accounts,
       (SELECT count(*)::int FROM transactions WHERE balance_extra = '"unknown"') AS transactions`,
  )
  assert.deepEqual({ ...unknown }, { accounts: 0, transactions: 248 })
}

type TokenAnswer = {
  readonly status: number
  readonly request: { readonly query?: { readonly address?: string } }
  readonly response: { readonly result: Readonly<Record<string, unknown>> & { readonly contract_type: string } }
}

/** Tokens against what the original server said of them. */
const checkTokens = async (database: Database): Promise<void> => {
  const answers = listFixtures('localnet/api-v2/python/getTokenData', '.json')
    .map((path) => readFixtureJson<TokenAnswer>(path))
    .filter(({ status, request }) => status === 200 && request.query?.address !== undefined)
  const seen = new Map<string, number>()
  const find = async (table: string, address: string): Promise<Record<string, unknown>> =>
    (
      await query<Record<string, unknown>>(database, `SELECT * FROM ${table} WHERE address = $1`, [
        addressKeyOf(parseAddress(address)),
      ])
    )[0]!
  const key = (address: unknown): string | undefined => (address === null ? undefined : toKey(String(address)))
  const hex = (value: unknown): string | undefined => (value === null ? undefined : hexOf(value as Uint8Array))
  for (const { request, response } of answers) {
    const { address = '' } = request.query!
    const { result } = response
    seen.set(result.contract_type, (seen.get(result.contract_type) ?? 0) + 1)
    switch (result.contract_type) {
      case 'jetton_master': {
        const row = await find('jetton_masters', address)
        assert.equal(String(row['total_supply']), String(result['total_supply']))
        assert.equal(row['mintable'], result['mintable'])
        assert.equal(hex(row['admin_address']), key(result['admin_address']))
        assert.deepEqual(row['content'], (result['jetton_content'] as { data: unknown }).data)
        break
      }
      case 'jetton_wallet': {
        const row = await find('jetton_wallets', address)
        assert.equal(String(row['balance']), String(result['balance']))
        assert.equal(hex(row['owner']), key(result['owner']))
        assert.equal(hex(row['jetton']), key(result['jetton']))
        break
      }
      case 'nft_collection': {
        const row = await find('nft_collections', address)
        assert.equal(String(row['next_item_index']), String(result['next_item_index']))
        assert.equal(hex(row['owner_address']), key(result['owner_address']))
        break
      }
      case 'nft_item': {
        const row = await find('nft_items', address)
        assert.equal(row['init'], result['init'])
        assert.equal(String(row['index']), String(result['index']))
        assert.equal(hex(row['owner_address']), key(result['owner_address']))
        assert.equal(hex(row['collection_address']), key(result['collection_address']))
        break
      }
      default:
        assert.fail(`a token of the kind ${result.contract_type}`)
    }
  }
  for (const kind of ['jetton_master', 'jetton_wallet', 'nft_collection', 'nft_item']) {
    assert.ok((seen.get(kind) ?? 0) > 0, `no ${kind} was recorded`)
  }
  const [events] = await query<Record<string, string>>(
    database,
    `SELECT (SELECT count(*) FROM jetton_transfers)::text AS transfers,
       (SELECT count(*) FROM jetton_transfers WHERE aborted)::text AS refused,
       (SELECT count(*) FROM jetton_burns)::text AS burns, (SELECT count(*) FROM nft_transfers)::text AS handed_on,
       (SELECT count(*) FROM nft_transfers WHERE aborted)::text AS kept`,
  )
  assert.deepEqual({ ...events }, { transfers: '2', refused: '1', burns: '1', handed_on: '2', kept: '1' })
}
