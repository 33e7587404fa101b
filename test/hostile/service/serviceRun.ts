import { mkdtempSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ServeProcess } from '../../support/serveProcess.ts'
import { untilIndexed } from '../../support/untilIndexed.ts'
import { type AttackReport, attackFromInside, attackFromOutside } from './attackers.ts'
import { type CoreTimes, CoreWatch, readResidentMib } from './coreTimes.ts'
import { keepPlacing, placePrey } from './prey.ts'
import { type Behaved, behave, createQuestions } from './wellBehaved.ts'

export type ServiceRunOptions = {
  readonly quietMs: number
  readonly hostileMs: number
  /** How long the service is left alone before its memory is looked at. */
  readonly restMs: number
  /** How many amplifying messages there are before it begins. */
  readonly messages: number
  /** Between two requests of one attacker. */
  readonly pauseMs: number
  /** Whether attackers and measured callers share a process; the measured callers then wait for the attackers' work, too. */
  readonly isOneProcess?: boolean
  /** Whether attackers run at a low priority, as if they were on machines of their own. */
  readonly isNice?: boolean
  /** Whether, besides, the process that measures runs at a high one, and never waits for a core that the service uses. */
  readonly isApart?: boolean
  /** Answering processes of the service: none, or one. */
  readonly workers?: number
  readonly say: (line: string) => void
}

export type ServiceReport = AttackReport & {
  readonly placed: number
  readonly asked: number
  readonly quietP99Ms: number
  readonly hostileP99Ms: number
  /** Of requests during which the host left the machine its cores, in the quiet time and during the attack, and their share of all. */
  readonly quietGivenP99Ms: number
  readonly givenP99Ms: number
  readonly givenShare: number
  readonly worstMs: number
  /** p99 of each kind of request of callers who behave: in the quiet time, and during the attack. */
  readonly p99ByPath: Readonly<Record<string, readonly [quietMs: number, hostileMs: number]>>
  readonly errors: readonly string[]
  readonly wrong: readonly string[]
  readonly startMib: number
  readonly endMib: number
  readonly worstLagMs: number
  /** What the cores were used for in the quiet time and during the attack. */
  readonly quietCores: CoreTimes
  readonly hostileCores: CoreTimes
}

const HIGH_PRIORITY = -10

/** Runs a service of its own, attacks it from all sides, and tells what callers who behave noticed of it. */
export const runHostileService = async (options: ServiceRunOptions): Promise<ServiceReport> => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-hostile-'))
  const common = ['--port', '0', '--data-dir', folder, '--block-interval', '1s', '--log-level', 'warn']
  const args = ['start', '--workers', String(options.workers ?? 0), ...common]
  const service = new ServeProcess(args, folder)
  try {
    const url = await service.url
    await untilIndexed(`${url}/api/v3`, 3)
    return await campaign(url, service, folder, options)
  } finally {
    service.send('SIGTERM')
    await Promise.race([service.exited, delay(20_000)])
    await service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

const campaign = async (
  url: string,
  service: ServeProcess,
  folder: string,
  options: ServiceRunOptions,
): Promise<ServiceReport> => {
  const { say } = options
  // After the service was started, which would inherit it.
  if (options.isApart) setPriority(HIGH_PRIORITY)
  const questions = await createQuestions(url)
  const prey = await placePrey(url, options.messages)
  await delay(Math.min(10_000, options.restMs))
  say('quiet')
  const quietWatch = new CoreWatch(service.pid, folder)
  const quiet = await during(options.quietMs, (signal) => behave(url, questions, signal))
  const quietCores = quietWatch.stop()
  const startMib = readResidentMib(service.pid)
  say(`quiet: p99 ${percentile(quiet.latencies, 0.99).toFixed(1)} ms, ${startMib.toFixed(0)} MiB; the attack begins`)
  const attack = options.isOneProcess ? attackFromInside : attackFromOutside
  const hostileWatch = new CoreWatch(service.pid, folder)
  const [hostile, placed, lag, report] = await during(options.hostileMs, (signal) =>
    Promise.all([
      behave(url, questions, signal),
      keepPlacing(url, prey, signal),
      watchLag(url, signal),
      attack(
        { url, prey, pauseMs: options.pauseMs, isNice: options.isNice === true || options.isApart === true },
        signal,
      ),
    ]),
  )
  const hostileCores = hostileWatch.stop()
  const given = listGiven(hostile, hostileWatch)
  say('the attack is over')
  await delay(options.restMs)
  return {
    ...report,
    placed,
    asked: quiet.latencies.length + hostile.latencies.length,
    quietP99Ms: percentile(quiet.latencies, 0.99),
    hostileP99Ms: percentile(hostile.latencies, 0.99),
    quietGivenP99Ms: percentile(listGiven(quiet, quietWatch), 0.99),
    givenP99Ms: percentile(given, 0.99),
    givenShare: given.length / hostile.latencies.length,
    worstMs: percentile(hostile.latencies, 1),
    p99ByPath: Object.fromEntries(
      [...hostile.byPath].map(([path, latencies]) => [
        path,
        [percentile(quiet.byPath.get(path) ?? [], 0.99), percentile(latencies, 0.99)],
      ]),
    ),
    errors: [...quiet.errors, ...hostile.errors],
    wrong: [...quiet.wrong, ...hostile.wrong],
    startMib,
    endMib: readResidentMib(service.pid),
    worstLagMs: lag,
    quietCores,
    hostileCores,
  }
}

/** Latencies of requests during which the host left the machine its cores. */
const listGiven = ({ latencies, begun }: Behaved, watch: CoreWatch): readonly number[] =>
  latencies.filter((took, k) => !watch.wasTaken(begun[k]!, begun[k]! + took))

const during = async <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  return work(controller.signal).finally(() => clearTimeout(timer))
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN

/** The longest that the index was behind the newest block, by its own headers. */
const watchLag = async (url: string, signal: AbortSignal): Promise<number> => {
  let worst = 0
  while (!signal.aborted) {
    const response = await fetch(`${url}/api/v3/masterchainInfo`).catch(() => undefined)
    await response?.arrayBuffer()
    worst = Math.max(worst, Number(response?.headers.get('x-indexed-lag-ms') ?? 0))
    await delay(250)
  }
  return worst
}
