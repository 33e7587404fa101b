import { setTimeout as delay } from 'node:timers/promises'
import { type BenchChild, startChild } from '../../support/benchChild.ts'
import type { Assault, AssaultReport } from './attackersChild.ts'
import type { PreyNetwork } from './preyNetworkChild.ts'

export type HostileReport = AssaultReport & {
  /** Of a client that behaves. */
  readonly served: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /** What the server held, its garbage collected. */
  readonly heldBeforeMib: number
  readonly heldAfterMib: number
  /** What it logged. */
  readonly logged: readonly string[]
}

export type HostileOptions = Pick<Assault, 'seconds' | 'seed' | 'attackers' | 'drops'> & {
  /** How long the server is left alone before it is asked what it holds. Connections that say nothing may stay for some seconds. */
  readonly restMs: number
}

/** Little, so that what is kept on purpose cannot be taken for what is held by mistake. */
const CACHE_BYTES = String(2 * 1024 * 1024)
const PAUSE_MS = 10

/** Attacks a server from all sides for some time while a client that behaves uses it; each is a process of its own. */
export const runHostile = async (options: HostileOptions): Promise<HostileReport> => {
  const network = await startChild<PreyNetwork>('../hostile/v2/preyNetworkChild')
  const server = await startChild<{ url: string }>('benchV2Server', [network.ready.globalConfig, CACHE_BYTES])
  try {
    return await attack(server, network.ready, options)
  } finally {
    await server.close()
    await network.close()
  }
}

const attack = async (
  server: BenchChild<{ url: string }>,
  prey: PreyNetwork,
  options: HostileOptions,
): Promise<HostileReport> => {
  const { url } = server.ready
  const assault = (seconds: number, drops: number): Promise<AssaultReport> => {
    const { seed, attackers } = options
    const order: Assault = { seed, attackers, url, prey, seconds, drops }
    return startChild<AssaultReport>('../hostile/v2/attackersChild', [JSON.stringify(order)]).then(({ ready }) => ready)
  }
  // Once through everything first, so that what is loaded or made once does not count as held.
  await assault(1, 100)
  const heldBeforeMib = await settle(server, options.restMs)
  const controller = new AbortController()
  const behaving = behave(url, prey, controller.signal)
  const report = await assault(options.seconds, options.drops).finally(() => controller.abort())
  const latencies = (await behaving).sort((a, b) => a - b)
  const heldAfterMib = await settle(server, options.restMs)
  const { logged } = await server.look()
  const at = (share: number): number => latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN
  const times = { served: latencies.length, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1) }
  return { ...report, ...times, heldBeforeMib, heldAfterMib, logged }
}

/** When what is under way has ended. */
const settle = async (server: BenchChild<unknown>, restMs: number): Promise<number> => {
  await delay(restMs)
  await server.lookTidied()
  await delay(restMs / 10)
  return (await server.lookTidied()).heldMib
}

/** Asks what clients ask, one thing after another, and takes nothing but an answer. */
const behave = async (url: string, { wallets }: PreyNetwork, signal: AbortSignal): Promise<number[]> => {
  const latencies: number[] = []
  for (let k = 0; !signal.aborted; k++) {
    const address = wallets[k % wallets.length]!
    const [path, body] = questions[k % questions.length]!(address)
    const askedAt = performance.now()
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${url}/api/v2/${path}`, init)
    const text = await response.text()
    latencies.push(performance.now() - askedAt)
    if (response.status !== 200) throw new Error(`A client that behaves asked ${path} and got ${text.slice(0, 300)}`)
    await delay(PAUSE_MS)
  }
  return latencies
}

type Question = (address: string) => readonly [path: string, body?: object]

const questions: readonly Question[] = [
  () => ['getMasterchainInfo'],
  (address) => [`getAddressInformation?address=${address}`],
  (address) => [`getTransactions?address=${address}&limit=5`],
  (address) => [`getWalletInformation?address=${address}`],
  (address) => ['runGetMethod', { address, method: 'seqno', stack: [] }],
  (address) => ['jsonRPC', { id: 1, method: 'getAddressBalance', params: { address } }],
]
