import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LiteSingleEngine } from 'ton-lite-client'
import { Functions } from 'ton-lite-client/dist/schema.js'
import { childArguments, childScript } from '../../test/support/childScript.ts'
import { decodeLiteQuery } from '../../test/support/decodeLiteQuery.ts'
import { fixturePath } from '../../test/support/fixtures.ts'
import { formatTable } from '../../test/support/formatTable.ts'
import { fromHex } from '../primitives/hex.ts'
import { wholeShard } from '../primitives/shard.ts'
import { LiteClient } from './LiteClient.ts'
import { verifyAccountState } from './proofs/accountProofs.ts'

const RECORDED_ACCOUNT = fixturePath('localnet/liteserver/019-getAccountState-wallet-v3.json')
const ROUNDS = 7
const IN_FLIGHT = 16
const hash = new Uint8Array(32).fill(7)
const blockId = { workchain: -1, shard: wholeShard, seqno: 395, rootHash: hash, fileHash: hash }

type Timing = { readonly cpuUs: number; readonly perSecond: number; readonly p99Ms: number }

/** Asks `count` times with a few requests in flight. */
const runRound = async (count: number, ask: () => Promise<unknown>): Promise<Timing> => {
  globalThis.gc?.()
  const latencies: number[] = []
  let started = 0
  const lane = async (): Promise<void> => {
    while (started < count) {
      started++
      const start = performance.now()
      await ask()
      latencies.push(performance.now() - start)
    }
  }
  const cpuStart = process.cpuUsage()
  const start = performance.now()
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(cpuStart)
  latencies.sort((a, b) => a - b)
  return {
    cpuUs: (user + system) / count,
    perSecond: count / (wall / 1000),
    p99Ms: latencies[Math.floor(0.99 * latencies.length)] ?? Number.NaN,
  }
}

const medianRound = (rounds: readonly Timing[]): Timing => {
  const sorted = [...rounds].sort((a, b) => a.cpuUs - b.cpuUs)
  return sorted[sorted.length >> 1] as Timing
}

/** Rivals take turns within each round, so a busy machine slows all alike. */
const race = async <Name extends string>(
  count: number,
  rivals: Readonly<Record<Name, () => Promise<unknown>>>,
): Promise<Record<Name, Timing>> => {
  const names = Object.keys(rivals) as Name[]
  const rounds = new Map(names.map((name) => [name, [] as Timing[]]))
  for (const name of names) await runRound(count, rivals[name])
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) rounds.get(name)?.push(await runRound(count, rivals[name]))
  }
  return Object.fromEntries(names.map((name) => [name, medianRound(rounds.get(name) ?? [])])) as Record<Name, Timing>
}

const startServer = async () => {
  const script = childScript(join(import.meta.dirname, '../../test/support'), 'benchLiteServer')
  const recorded = existsSync(RECORDED_ACCOUNT) ? [RECORDED_ACCOUNT] : []
  const child = fork(script, recorded, { execArgv: [...childArguments] })
  const [{ port, publicKey }] = (await once(child, 'message')) as [{ port: number; publicKey: string }]
  return { child, address: { host: '127.0.0.1', port, publicKey: fromHex(publicKey) } }
}

export const run = async (): Promise<Record<string, number | string>> => {
  const { child, address } = await startServer()
  const ours = new LiteClient(address)
  const theirs = new LiteSingleEngine({
    host: `tcp://127.0.0.1:${address.port}`,
    publicKey: Buffer.from(address.publicKey),
  })
  await once(theirs, 'ready')
  const theirBlockId = {
    kind: 'tonNode.blockIdExt' as const,
    workchain: -1,
    shard: '-9223372036854775808',
    seqno: 395,
    rootHash: Buffer.from(hash),
    fileHash: Buffer.from(hash),
  }
  const small = await race(3000, {
    ours: () => ours.query('liteServer.getTime', {}),
    theirs: () => theirs.query(Functions.liteServer_getTime, { kind: 'liteServer.getTime' }, { timeout: 5000 }),
  })
  const large = await race(40, {
    ours: () => ours.query('liteServer.getBlock', { id: blockId }),
    theirs: () =>
      theirs.query(Functions.liteServer_getBlock, { kind: 'liteServer.getBlock', id: theirBlockId }, { timeout: 5000 }),
  })
  const proofs = existsSync(RECORDED_ACCOUNT) ? await raceProofs(ours) : undefined
  ours.close()
  theirs.close()
  child.disconnect()
  const rows = Object.entries({
    'small answer': small,
    '500 KB answer': large,
    ...(proofs && { 'account state': proofs }),
  }).flatMap(([request, result]) =>
    Object.entries(result).map(([client, timing]) => ({
      request,
      client: client === 'theirs' ? 'ton-lite-client' : client,
      'cpu µs': timing.cpuUs,
      'per second': timing.perSecond,
      'p99 ms': timing.p99Ms,
    })),
  )
  console.log(formatTable(rows))
  return {
    small_cpu_ratio: small.theirs.cpuUs / small.ours.cpuUs,
    large_cpu_ratio: large.theirs.cpuUs / large.ours.cpuUs,
    account_proof_ms: proofs === undefined ? 'no recorded answer' : proofs['ours, proof checked'].cpuUs / 1000,
  }
}

/** The same recorded account state over the wire, with its proofs looked at and not. The check alone is the difference. */
const raceProofs = async (client: LiteClient) => {
  const { request_tl_hex } = JSON.parse(readFileSync(RECORDED_ACCOUNT, 'utf8')) as { request_tl_hex: string }
  const { call } = decodeLiteQuery(fromHex(request_tl_hex))
  if (call.kind !== 'liteServer.getAccountState') throw new Error('The recorded request is another than expected.')
  const { id, account } = call
  const ask = () => client.query('liteServer.getAccountState', { id, account })
  return race(500, {
    'ours, not checked': ask,
    'ours, proof checked': async () => verifyAccountState(id, { account }, await ask()),
  })
}
