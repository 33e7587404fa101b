import { fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { startIndexer } from '../../src/cli/index/startIndexer.ts'
import { openNode } from '../../src/cli/serve/openNode.ts'
import { dnsZones } from '../../src/contracts/dns/domainItems.ts'
import { DecodePool } from '../../src/indexer/decode/DecodePool.ts'
import { createLiveStates } from '../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { readGlobalConfig } from '../../src/node/globalConfig.ts'
import { Metrics } from '../../src/observe/Metrics.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { createVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'
import { childArguments, childScript } from './childScript.ts'
import { createTestDatabase, silentLogger } from './databaseServer.ts'

/** Starts work beside a measurement, and returns what ends it and tells how it went. */
export type Beside = (databaseUrl: string) => Promise<() => Promise<Readonly<Record<string, number>>>>

export type LagFigures = {
  readonly blocks: number
  readonly 'transactions per s': number
  readonly p50: number
  readonly p99: number
  readonly worst: number
}

type FromNetwork =
  | { readonly globalConfig: string }
  | { readonly seqno: number; readonly transactions: number; readonly madeAt: number }

const WARM_UP_MS = 8000
const MEASURED_MS = 60_000
const POLL_MS = 4

/** How long after a block was made its rows are visible, on a network in a process of its own: with what happened, or without. */
export const measureLag = async (
  serverUrl: string,
  { classify = true, beside = [] }: { readonly classify?: boolean; readonly beside?: readonly Beside[] } = {},
): Promise<LagFigures> => {
  const child = fork(childScript(import.meta.dirname, 'lagNetworkChild'), { execArgv: [...childArguments] })
  const made = new Map<number, { readonly at: number; readonly transactions: number }>()
  const path = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: FromNetwork) => {
      if ('globalConfig' in message) resolve(message.globalConfig)
      else made.set(message.seqno, { at: message.madeAt, transactions: message.transactions })
    })
    child.once('exit', () => reject(new Error('The network ended.')))
  })
  const shutdown = createShutdown({ logger: silentLogger, timeoutMs: 20_000 })
  const { url, drop } = await createTestDatabase(serverUrl, 'migrated')
  try {
    const database = await connectDatabase({ url, logger: silentLogger, signal: shutdown.signal })
    shutdown.add('database', () => database.close())
    const { liteServers: servers, zeroState, anchor } = await readGlobalConfig(path)
    const options = { servers, zeroState, anchor, proofs: 'full', queryTimeoutMs: 10_000 } as const
    const node = await openNode({ ...options, logger: silentLogger }, shutdown)
    const vm = await createVirtualMachine({ logger: silentLogger, startAfterMs: 0 })
    shutdown.add('virtual machine', () => vm.close())
    const decoders = new DecodePool()
    shutdown.add('decoders', () => decoders.close())
    const blockSets = createBlockSetSource(node, { checkRoot: (block, signal) => decoders.checkRoot(block, signal) })
    const states = createLiveStates(createLiveChain(node), blockSets)
    const { done } = startIndexer({
      chain: { blockSets, states, zeroState: zeroState.rootHash, order: 'newestFirst' },
      database,
      vm,
      decode: (blockSet, signal) => decoders.decode(blockSet, signal),
      dnsZones: dnsZones.main,
      from: 1,
      to: undefined,
      classify,
      logger: silentLogger,
      metrics: new Metrics(),
      signal: shutdown.signal,
    })
    const endings = []
    for (const begin of beside) endings.push(await begin(url))
    const seen = await watchRange(database)
    const figures = { ...summarize(made, seen) }
    for (const end of endings.toReversed()) Object.assign(figures, await end())
    await shutdown.close('measured')
    await done
    return figures
  } finally {
    await shutdown.close('failed')
    child.disconnect()
    await drop()
  }
}

/** When each masterchain block was first seen as covered. */
const watchRange = async (database: Database): Promise<ReadonlyMap<number, number>> => {
  const client = await database.openConnection('watch')
  const seen = new Map<number, number>()
  try {
    let newest: number | undefined
    const start = performance.now()
    while (performance.now() - start < WARM_UP_MS + MEASURED_MS) {
      const { rows } = await client.query<{ last: number | null }>('SELECT max(last_seqno) AS last FROM covered_ranges')
      const last = rows[0]!.last ?? undefined
      const isWarm = performance.now() - start > WARM_UP_MS
      if (last !== undefined) {
        if (isWarm && newest !== undefined)
          for (let seqno = newest + 1; seqno <= last; seqno++) seen.set(seqno, Date.now())
        newest = last
      }
      await delay(POLL_MS)
    }
  } finally {
    await client.end()
  }
  return seen
}

const summarize = (
  made: ReadonlyMap<number, { readonly at: number; readonly transactions: number }>,
  seen: ReadonlyMap<number, number>,
): LagFigures => {
  const lags: number[] = []
  let transactions = 0
  for (const [seqno, at] of seen) {
    const block = made.get(seqno)
    if (block === undefined) continue
    lags.push(at - block.at)
    transactions += block.transactions
  }
  lags.sort((a, b) => a - b)
  const at = (share: number): number => lags[Math.floor(share * (lags.length - 1))] ?? Number.NaN
  return {
    blocks: lags.length,
    'transactions per s': Math.round((transactions * 1000) / MEASURED_MS),
    p50: at(0.5),
    p99: at(0.99),
    worst: at(1),
  }
}
