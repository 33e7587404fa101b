import type { Frame, StackTime } from './cpuProfile.ts'

/** The work of a read, by the files that do it. The first that fits a frame has it. */
const stages: readonly (readonly [stage: string, files: RegExp])[] = [
  ['hashes of cells: the proof check', /src\/codec\/cell\/CellArena/],
  ['bags of cells read', /src\/codec\/cell\/(decodeBoc|bocHeader|cellRecord|openIndexedBoc)/],
  ['bags of cells written', /src\/codec\/cell\/(encodeBoc|bocOrder|HashIndex)/],
  ['proofs and accounts read', /src\/(node\/proofs|codec\/cell|codec\/tlb)\//],
  ['TL', /src\/codec\/tl\//],
  ['ADNL, with its socket', /src\/adnl\//],
  ['questions to the pool', /src\/node\//],
  ['the answer made', /src\/api\/v2\//],
  ['parameters, kept answers, envelope', /src\/(api\/core|cli\/serve)\//],
  ['chain and rules of the network', /src\/(devnet|chain|contracts|cli\/dev)\//],
  ['HTTP, with its sockets', /node_modules\/(fastify|find-my-way|avvio|fast-|light-my)|node:_http/],
]

const rest = 'promises, timers, the engine'

/**
 * How much of the time each stage took. A stack counts for the innermost frame that is known: what the engine and the platform do on
 * behalf of a stage is part of it.
 */
export const sumStages = (times: readonly StackTime[]): ReadonlyMap<string, number> => {
  const total = times.reduce((sum, { us }) => sum + us, 0)
  const sums = new Map<string, number>()
  for (const { stack, us } of times) {
    const stage = stageOf(stack)
    sums.set(stage, (sums.get(stage) ?? 0) + us / total)
  }
  return new Map([...sums].sort((a, b) => b[1] - a[1]))
}

const stageOf = (stack: readonly Frame[]): string => {
  if (stack[0]?.name === '(garbage collector)') return 'garbage'
  for (const { url } of stack) {
    const found = stages.find(([, files]) => files.test(url))
    if (found !== undefined) return found[0]
  }
  return rest
}
