import assert from 'node:assert/strict'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import type { IndexedChain } from '../../src/cli/index/openChain.ts'
import { startIndexer } from '../../src/cli/index/startIndexer.ts'
import { openNode } from '../../src/cli/serve/openNode.ts'
import { dnsZones } from '../../src/contracts/dns/domainItems.ts'
import { decodeBlockSet } from '../../src/indexer/decode/decodeBlockSet.ts'
import type { BlockSetSource } from '../../src/indexer/ports.ts'
import { createLiveStates } from '../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { readGlobalConfig } from '../../src/node/globalConfig.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { Metrics } from '../../src/observe/Metrics.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import { formatRawAddress, parseAddressKey } from '../../src/primitives/Address.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { findAccountStatus } from '../../src/store/schema/codes.ts'
import { BusyPayers } from './busyNetwork.ts'
import { type OtherTransaction, readOtherTransactions } from './otherReader.ts'
import { buildOtherTraces } from './otherTraces.ts'
import { shareMachine } from './testNetwork.ts'
import { waitUntil } from './waitUntil.ts'

export type IndexedNetwork = {
  readonly network: Pick<RunningNetwork, 'url'>
  readonly blockSets: BlockSetSource
  readonly last: number
}

type BusyOptions = { readonly transactions: number; readonly payers: number; readonly seed: number }

/** Who tidies up in the end: a test, or whoever else. */
type Cleanup = { after(ending: () => unknown): void }

/** Opens an embedded network as something to index, over its liteserver. */
export const openEmbeddedChain = async (
  t: Cleanup,
  network: Pick<RunningNetwork, 'globalConfig'>,
): Promise<IndexedChain> => {
  const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
  const shutdown = createShutdown({ logger, timeoutMs: 20_000 })
  t.after(() => shutdown.close('no longer needed'))
  const { liteServers: servers, zeroState, anchor } = await readGlobalConfig(network.globalConfig.path)
  const options = { servers, zeroState, anchor, proofs: 'full', queryTimeoutMs: 10_000, logger } as const
  const node = await openNode(options, shutdown)
  const blockSets = createBlockSetSource(node)
  const states = createLiveStates(createLiveChain(node), blockSets)
  return { blockSets, states, zeroState: zeroState.rootHash, order: 'newestFirst' }
}

/** Keeps a network of four shards busy while it is indexed, until it has so many transactions and all of them are there. */
export const indexBusyNetwork = async (
  t: Cleanup,
  database: Database,
  { transactions, payers: count, seed }: BusyOptions,
): Promise<IndexedNetwork> => {
  const mining = { mode: 'interval', intervalMs: 400, emptyBlocks: true } as const
  const network = await startNetwork({ shards: 4, demo: true, mining, http: {}, seed: 'chaincenter', keepStates: 0 })
  t.after(() => network.close())
  const chain = await openEmbeddedChain(t, network)
  const ending = new AbortController()
  t.after(() => ending.abort())
  const logged: string[] = []
  const indexer = startIndexer({
    chain,
    database,
    vm: await shareMachine(),
    decode: async (blockSet) => decodeBlockSet(blockSet),
    dnsZones: dnsZones.main,
    from: 1,
    to: undefined,
    logger: createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => void logged.push(line) }),
    metrics: new Metrics(),
    signal: ending.signal,
  })
  const payers = new BusyPayers(network, { payers: count, seed })
  try {
    await payers.fund()
    const end = performance.now() + 240_000
    while ((indexer.progress?.transactions ?? 0) < transactions) {
      assert.ok(performance.now() < end, `${indexer.progress?.transactions} transactions: ${logged.join('\n')}`)
      await payers.round()
    }
  } finally {
    payers.close()
  }
  await network.controls.setMining({ mode: 'manual' })
  // The network itself says which block is its last: a client may learn of it a moment later.
  const { seqno: last } = await network.controls.mine(1)
  const isThere = (): boolean => {
    const ranges = indexer.progress?.ranges ?? []
    return ranges.length === 1 && ranges[0]!.first === 1 && ranges[0]!.last >= last
  }
  await waitUntil(() => `block ${last} is indexed: ${logged.join('\n')}`, isThere, { pollMs: 50 })
  ending.abort()
  await indexer.done
  assert.deepEqual(logged, [])
  return { network, blockSets: chain.blockSets, last }
}

const query = async <Row>(database: Database, text: string): Promise<Row[]> =>
  database.transaction(async (client) => (await client.query(text)).rows as Row[])

/** Holds what is in the database against the blocks, as another library reads them, and against the live interface. */
export const checkIndexedNetwork = async (
  { network, blockSets, last }: IndexedNetwork,
  database: Database,
): Promise<Record<string, number>> => {
  const transactions = await readAll(blockSets, last)
  const rows = await query<{ hash: string; account: string; lt: bigint; trace_id: string; in_hash: string | null }>(
    database,
    `SELECT encode(hash, 'hex') AS hash, encode(account, 'hex') AS account, lt, encode(trace_id, 'hex') AS trace_id,
       encode(in_hash, 'hex') AS in_hash FROM transactions`,
  )
  const stored = new Map(rows.map((row) => [row.hash, row]))
  assert.equal(rows.length, stored.size, 'a transaction is there twice')
  assert.deepEqual([...stored.keys()].sort(), transactions.map(({ hash }) => hash).sort())

  const messages = await query<{ hash: string }>(
    database,
    `SELECT encode(in_hash, 'hex') AS hash FROM transactions WHERE in_hash IS NOT NULL
     UNION ALL SELECT encode(hash, 'hex') FROM unreceived_messages`,
  )
  const expectedMessages = new Set(
    transactions
      .flatMap(({ inMessage, outMessages }) => [...(inMessage ? [inMessage] : []), ...outMessages])
      .map(({ hash }) => hash),
  )
  assert.deepEqual(messages.map(({ hash }) => hash).sort(), [...expectedMessages].sort())

  const traces = buildOtherTraces(transactions)
  for (const { id, transactions: members } of traces) {
    for (const { hash } of members) assert.equal(stored.get(hash)!.trace_id, id)
  }
  const finished = await query<{ id: string; transactions: number; end_lt: bigint; start_lt: bigint }>(
    database,
    `SELECT encode(trace_id, 'hex') AS id, transactions, start_lt, end_lt FROM traces`,
  )
  const describe = (id: string, count: number, first: bigint, end: bigint): string => `${id} ${count} ${first} ${end}`
  const expectedTraces = traces
    .filter(({ isComplete }) => isComplete)
    .map(({ id, transactions: members }) => {
      const lts = members.map(({ lt }) => lt).sort((a, b) => (a < b ? -1 : 1))
      return describe(id, members.length, lts[0]!, lts.at(-1)!)
    })
  assert.deepEqual(
    finished.map((row) => describe(row.id, row.transactions, row.start_lt, row.end_lt)).sort(),
    expectedTraces.sort(),
  )
  const accounts = await checkAccounts(network, database, last)
  return {
    blocks: last,
    transactions: transactions.length,
    messages: expectedMessages.size,
    traces: traces.length,
    largest: Math.max(...traces.map(({ transactions: members }) => members.length)),
    accounts,
  }
}

const readAll = async (blockSets: BlockSetSource, last: number): Promise<OtherTransaction[]> => {
  const { signal } = new AbortController()
  const transactions: OtherTransaction[] = []
  for (let seqno = 1; seqno <= last; seqno++) {
    const { masterchain, shards } = await blockSets.fetchBlockSet(seqno, signal)
    for (const { id, bytes } of [masterchain, ...shards]) {
      for (const transaction of readOtherTransactions(bytes, id.workchain)) transactions.push(transaction)
    }
  }
  return transactions
}

type StateRow = {
  account: Uint8Array
  balance: bigint
  status: number
  last_lt: bigint
  last_hash: string
  code_hash: string | null
  data: Uint8Array | null
}

type AddressInformation = {
  readonly balance: string
  readonly state: string
  readonly code: string
  readonly last_transaction_id: { readonly lt: string; readonly hash: string }
}

/** Every account against what the live interface says after the same block. */
const checkAccounts = async (network: IndexedNetwork['network'], database: Database, last: number): Promise<number> => {
  const rows = await query<StateRow>(
    database,
    `SELECT account, balance, status, last_lt, encode(last_hash, 'base64') AS last_hash,
       encode(code_hash, 'base64') AS code_hash, data FROM latest_account_states`,
  )
  for (const row of rows) {
    const address = parseAddressKey(row.account)
    assert.ok(typeof address === 'object')
    const asked = `address=${formatRawAddress(address)}&seqno=${last}`
    const response = await fetch(`${network.url}/api/v2/getAddressInformation?${asked}`)
    const { ok, result } = (await response.json()) as { readonly ok: boolean; readonly result: AddressInformation }
    assert.ok(ok, JSON.stringify(result))
    assert.equal(String(result.balance), String(row.balance), asked)
    const { state, last_transaction_id: lastTransaction, code } = result
    const word = findAccountStatus(row.status)!
    assert.equal(word === 'nonexist' || word === 'uninit' ? 'uninitialized' : word, state, asked)
    assert.equal(row.code_hash !== null, code !== '', asked)
    if (word === 'nonexist') continue
    assert.deepEqual([String(row.last_lt), row.last_hash], [lastTransaction.lt, lastTransaction.hash], asked)
  }
  return rows.length
}
