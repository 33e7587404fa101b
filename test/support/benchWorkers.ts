import type { BenchChild } from './benchChild.ts'
import { type BenchService, startService } from './benchService.ts'
import type { BenchNetwork } from './benchV2Network.ts'
import { createQuestions } from './benchV2Questions.ts'
import { formatTable } from './formatTable.ts'
import { type RawRequest, runLoad } from './httpLoad.ts'
import { median } from './measure.ts'

const CONNECTIONS = 64
const ROUNDS = 5
const ROUND_MS = 2000

type Round = { readonly perSecond: number; readonly cpuUs: number }

/** The first is work of the service alone; the others fill two processors with one worker already, with the client or the virtual machine. */
const loads = { history: 'getTransactions', kept: 'getTransactions, kept', mixed: 'mixed' } as const

type LoadKey = keyof typeof loads

/**
 * The command `serve` with several workers beside the same with one. The client and the node share the processors with them, so the rate
 * cannot grow as the workers do; what a request costs, all processes of the service together, should stay the same.
 */
export const compareWorkers = async (workers: string, network: BenchChild<BenchNetwork>, folder: string) => {
  const settings = ['--global-config', network.ready.globalConfig]
  const one = await startService([...settings, '--data-dir', `${folder}/one`])
  const many = await startService([...settings, '--data-dir', `${folder}/many`, '--workers', workers])
  try {
    const rows = []
    const figures: Record<string, number> = { workers: Number(workers) }
    for (const [key, load] of Object.entries(loads) as [LoadKey, string][]) {
      const [alone, together] = await raceBoth(key, [one, many], network.ready)
      const ratio = together.perSecond / alone.perSecond
      const cpuRatio = together.cpuUs / alone.cpuUs
      for (const [name, { perSecond, cpuUs }] of [
        ['one worker', alone] as const,
        [`${workers} workers`, together] as const,
      ]) {
        rows.push({
          load,
          served: name,
          'per second': Math.round(perSecond),
          'cpu µs of a request': cpuUs,
          'times one': name === 'one worker' ? 1 : ratio,
        })
      }
      figures[`workers_${key}_rps`] = together.perSecond
      figures[`workers_${key}_ratio`] = ratio
      figures[`workers_${key}_cpu_ratio`] = cpuRatio
    }
    console.log(`\n${formatTable(rows)}`)
    return figures
  } finally {
    await Promise.all([one.close(), many.close()])
  }
}

/** In turns, so that a busy machine slows both alike; the median over the rounds. */
const raceBoth = async (
  load: LoadKey,
  services: readonly [BenchService, BenchService],
  network: BenchNetwork,
): Promise<readonly [Round, Round]> => {
  const measured = services.map((service) => ({
    service,
    next: nextOf(load, service.url, network),
    rounds: [] as Round[],
  }))
  for (let round = -1; round < ROUNDS; round++) {
    for (const { service, next, rounds } of measured) {
      const result = await runRound(service, next)
      // The first is to warm up.
      if (round >= 0) rounds.push(result)
    }
  }
  const [alone, together] = measured.map(({ rounds }) => ({
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
  }))
  return [alone!, together!]
}

const nextOf = (load: LoadKey, url: string, network: BenchNetwork): (() => RawRequest) => {
  const questions = createQuestions(url, network)
  return load === 'kept' ? questions.kept('getTransactions') : questions[load]
}

const runRound = async (service: BenchService, next: () => RawRequest): Promise<Round> => {
  const before = await service.readCpuMs()
  const { requests, seconds, failures } = await runLoad(service.url, next, {
    connections: CONNECTIONS,
    durationMs: ROUND_MS,
  })
  const cpuMs = (await service.readCpuMs()) - before
  if (failures.size > 0) throw new Error(`There were answers with the statuses ${[...failures.keys()].join(', ')}.`)
  return { perSecond: requests / seconds, cpuUs: (1000 * cpuMs) / requests }
}
