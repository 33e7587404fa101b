import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Shares of the time of one core: how much threads ran, and how much they waited although they could have run. */
export type CoreShares = { readonly runs: number; readonly waits: number }

/** By what the threads belong to. Empty where the system does not tell: only Linux does. */
export type CoreTimes = { readonly [part: string]: CoreShares }

/** To read the times of all threads takes 10 to 20 ms, in which the process that measures answers to nothing. */
const SAMPLE_MS = 5000
const MACHINE_SAMPLE_MS = 250
/** Of one core, in one such time: from here on what was measured in it is the host's. */
const TAKEN_SHARE = 0.02
/** The title of the process that answers requests. */
const ANSWERING = 'chaincenter answers'

/**
 * Tells what the cores were used for, and what waited for them. On a machine with few cores the attackers and the process that measures
 * take their share, too: how long the main thread of the service waits says how much of a latency is that.
 */
export class CoreWatch {
  private readonly service: number
  private readonly dataDir: string
  private readonly seen = new Map<string, readonly [number, number]>()
  private readonly sums = new Map<string, { run: number; wait: number }>()
  private readonly timer: NodeJS.Timeout
  private readonly begun = performance.now()
  private readonly machine = readMachine()
  private readonly machineTimer: NodeJS.Timeout
  /** Ends of times in which a virtual machine was not given its cores. */
  private readonly taken: number[] = []

  constructor(service: number, dataDir: string) {
    this.service = service
    this.dataDir = dataDir
    this.sample()
    this.timer = setInterval(() => this.sample(), SAMPLE_MS)
    let { stolen } = this.machine
    this.machineTimer = setInterval(() => {
      const before = stolen
      stolen = readMachine().stolen
      if (stolen - before > TAKEN_SHARE * MACHINE_SAMPLE_MS * 1e6) this.taken.push(performance.now())
    }, MACHINE_SAMPLE_MS)
  }

  /** Whether the host took more than a little of the cores between two moments. */
  wasTaken(from: number, to: number): boolean {
    return this.taken.some((end) => end > from && end - MACHINE_SAMPLE_MS < to)
  }

  stop(): CoreTimes {
    clearInterval(this.timer)
    clearInterval(this.machineTimer)
    this.sample()
    const total = (performance.now() - this.begun) * 1e6
    const parts = [...this.sums].map(
      ([part, { run, wait }]) => [part, { runs: run / total, waits: wait / total }] as const,
    )
    const { busy, stolen } = readMachine()
    const ours = parts.reduce((sum, [, { runs }]) => sum + runs, 0)
    return Object.fromEntries([
      ...parts,
      ['everything else on the machine', { runs: Math.max(0, (busy - this.machine.busy) / total - ours), waits: 0 }],
      ['taken by the host', { runs: (stolen - this.machine.stolen) / total, waits: 0 }],
    ])
  }

  private sample(): void {
    const main = `/proc/${this.service}/task/${this.service}`
    const children = listChildren(this.service)
    const answering = children.filter(isAnswering)
    const lanes = [...children, ...answering.flatMap(listChildren)].filter((pid) => !answering.includes(pid))
    const attackers = listChildren(process.pid).filter((pid) => pid !== this.service)
    this.add('service, main thread', [main])
    this.add(
      'service, other threads',
      listThreads(this.service).filter((thread) => thread !== main),
    )
    const answeringMain = answering.map((pid) => `/proc/${pid}/task/${pid}`)
    this.add('answering process, main thread', answeringMain)
    this.add(
      'answering process, other threads',
      answering.flatMap(listThreads).filter((thread) => !answeringMain.includes(thread)),
    )
    this.add('slow lane', lanes.flatMap(listThreads))
    this.add('database', listChildren(readPostmaster(this.dataDir)).flatMap(listThreads))
    this.add('attackers', attackers.flatMap(listThreads))
    this.add('callers that are measured', listThreads(process.pid))
  }

  private add(part: string, threads: readonly string[]): void {
    const sum = this.sums.get(part) ?? { run: 0, wait: 0 }
    for (const thread of threads) {
      const now = readTimes(thread)
      if (now === undefined) continue
      const before = this.seen.get(thread) ?? now
      this.seen.set(thread, now)
      sum.run += now[0] - before[0]
      sum.wait += now[1] - before[1]
    }
    if (threads.length > 0) this.sums.set(part, sum)
  }
}

const NANOSECONDS_OF_TICK = 1e7

/** Nanoseconds that all cores were busy, and that a virtual machine was not given. */
const readMachine = (): { readonly busy: number; readonly stolen: number } => {
  const [, line = ''] = /^cpu +(.*)$/m.exec(readText('/proc/stat')) ?? []
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, stolen = 0] = line.split(' ').map(Number)
  return { busy: (user + nice + system + irq + softIrq) * NANOSECONDS_OF_TICK, stolen: stolen * NANOSECONDS_OF_TICK }
}

/** Nanoseconds that a thread ran and waited. */
const readTimes = (thread: string): readonly [number, number] | undefined => {
  const [run, wait] = readText(join(thread, 'schedstat')).split(' ').map(Number)
  return wait === undefined ? undefined : [run!, wait]
}

const listThreads = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  } catch {
    return []
  }
}

/** Processes that any thread of a process has started. */
const listChildren = (pid: number): number[] =>
  listThreads(pid).flatMap((thread) => readText(join(thread, 'children')).split(' ').filter(Boolean).map(Number))

const readPostmaster = (dataDir: string): number =>
  Number.parseInt(readText(join(dataDir, 'postgres/data/postmaster.pid')), 10) || 0

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

const isAnswering = (pid: number): boolean => readText(`/proc/${pid}/cmdline`).startsWith(ANSWERING)

const isDatabase = (pid: number): boolean => readText(`/proc/${pid}/comm`).trim() === 'postgres'

/** Of a process and the processes that it has started, and of the slow lane that one of those has; without the embedded database. */
export const readResidentMib = (pid: number): number => {
  const children = listChildren(pid).filter((child) => !isDatabase(child))
  const pids = [pid, ...children, ...children.filter(isAnswering).flatMap(listChildren)].join(',')
  return sumMib(pids)
}

/** Of the embedded database with this data folder. What its processes share is counted once for each that uses it. */
export const readDatabaseMib = (dataDir: string): number => {
  const postmaster = readPostmaster(dataDir)
  return postmaster === 0 ? 0 : sumMib([postmaster, ...listChildren(postmaster)].join(','))
}

const sumMib = (pids: string): number => {
  const lines = execFileSync('ps', ['-o', 'rss=', '-p', pids], { encoding: 'utf8' }).trim().split('\n')
  return lines.reduce((sum, kib) => sum + Number(kib) / 1024, 0)
}
