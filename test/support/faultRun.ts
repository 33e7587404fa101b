import { setTimeout as delay } from 'node:timers/promises'
import { ProvenNode } from '../../src/node/ProvenNode.ts'
import { NodePool } from '../../src/node/pool/NodePool.ts'
import { TrustedChain } from '../../src/node/TrustedChain.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { type AccountQuestion, type Fault, faults, ReplayServer, readDialogues, readRequests } from './replayServer.ts'
import { waitUntil } from './waitUntil.ts'

export type FaultReport = {
  readonly reads: number
  readonly wrong: number
  readonly failed: readonly string[]
  readonly slowestMs: number
  readonly faultsShown: Readonly<Record<Fault, number>>
  readonly linesLogged: number
  /** How often a server was put aside for an untruth. */
  readonly putAside: number
  /** Sockets that are still open a moment after everything was closed. */
  readonly leakedConnections: number
  readonly leakedTimers: number
}

const countTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

/** Steady reads on three servers of which at most two misbehave at any time, each as `seed` has it. */
export const runFaults = async (seconds: number, seed: number): Promise<FaultReport> => {
  const dialogues = readDialogues()
  const { head, zeroState, questions } = readRequests(dialogues)
  // One stream for each purpose: how often servers are read must not change how they are disturbed.
  const random = createRandom(seed)
  const randomRead = createRandom(seed + 1)
  const timersBefore = countTimers()
  const servers = [1, 2, 3].map((number) => new ReplayServer(dialogues, head, zeroState, 40 + number))
  const addresses = await Promise.all(servers.map((server) => server.listen()))
  const lines: string[] = []
  const logger = createLogger({ level: 'info', format: 'json', colours: false, write: (line) => void lines.push(line) })
  const pool = new NodePool(addresses, {
    logger,
    healthMs: 200,
    // Long enough that an honest server on a busy machine keeps to it.
    timeoutMs: 4000,
    connectTimeoutMs: 2000,
    backoff: { firstMs: 20, maxMs: 200 },
    // Short, so that liars are asked again and again.
    asideMs: 5,
    zeroStateRootHash: zeroState.rootHash,
  })
  await pool.start()
  const trust = new TrustedChain(pool, { mode: 'full', anchor: zeroState, logger, freshMs: 100 })
  const node = new ProvenNode(pool, trust, { cacheBytes: 0 })

  const faultsShown = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>
  const end = performance.now() + seconds * 1000
  const disturb = async (): Promise<void> => {
    while (performance.now() < end) {
      // Two servers change, and the third is mended before they do: one honest server is up at every moment.
      const honest = Math.floor(random() * servers.length)
      await servers[honest]?.setFault(undefined)
      await waitUntil('the mended server is found again', () => pool.servers[honest]?.condition === 'alive')
      await delay(200)
      for (const [k, server] of servers.entries()) {
        if (k === honest) continue
        const fault = random() < 0.15 ? undefined : faults[Math.floor(random() * faults.length)]
        if (fault !== undefined) faultsShown[fault]++
        await server.setFault(fault)
      }
      await delay(300 + random() * 500)
    }
  }

  let reads = 0
  let wrong = 0
  let slowestMs = 0
  const failed: string[] = []
  const readSteadily = async (): Promise<void> => {
    while (performance.now() < end) {
      const { account, expected } = questions[Math.floor(randomRead() * questions.length)] as AccountQuestion
      const start = performance.now()
      try {
        const state = await node.getAccountState(account)
        const found = state.kind === 'found' ? toHex(state.account.hash()) : undefined
        if (found !== expected) wrong++
      } catch (error) {
        failed.push(error instanceof Error ? error.message : String(error))
      }
      reads++
      slowestMs = Math.max(slowestMs, performance.now() - start)
      await delay(5)
    }
  }
  await Promise.all([disturb(), ...Array.from({ length: 8 }, readSteadily)])
  for (const server of servers) await server.setFault(undefined)
  await pool.close()
  const countConnections = (): number => servers.reduce((sum, { connections }) => sum + connections, 0)
  await waitUntil('connections are closed', () => countConnections() === 0, { timeoutMs: 10_000 }).catch(
    () => undefined,
  )
  const leakedConnections = countConnections()
  for (const server of servers) await server.close()
  await delay(50)
  const leakedTimers = Math.max(0, countTimers() - timersBefore)
  const putAside = lines.filter((line) => line.includes('liteserver suspended after failures')).length
  return {
    reads,
    wrong,
    failed,
    slowestMs,
    faultsShown,
    linesLogged: lines.length,
    putAside,
    leakedConnections,
    leakedTimers,
  }
}

/** A small generator of numbers below 1, the same for the same seed. */
const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Ten seconds in the test run; FAULT_SECONDS and FAULT_SEED for a longer one. */
export const faultRunSettings = (env: NodeJS.ProcessEnv): { readonly seconds: number; readonly seed: number } => ({
  seconds: Number(env['FAULT_SECONDS'] ?? 10),
  seed: Number(env['FAULT_SEED'] ?? 1),
})
