// Replays every transaction of a recorded network over its liteserver, each from account and logical time alone, and says how many are
// exact. `--network main` takes the first blocks of the main network instead of the local one, `--every N` each Nth transaction.
import { parseArgs } from 'node:util'
import { fetchReplay } from '../src/debug/replay/fetchReplay.ts'
import { createLogger } from '../src/observe/Logger.ts'
import { formatRawAddress } from '../src/primitives/Address.ts'
import { createVirtualMachine } from '../src/tvm/createVirtualMachine.ts'
import { listTransactions, serveStore } from '../test/support/debugLocalnet.ts'
import { loadMainnetStore } from '../test/support/growingChain.ts'
import { loadLocalnetStore } from '../test/support/localnetStore.ts'

const { values } = parseArgs({
  options: { every: { type: 'string', default: '1' }, network: { type: 'string', default: 'local' } },
})
const every = Number(values.every)
const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
const store = values.network === 'main' ? await loadMainnetStore() : await loadLocalnetStore()
const served = await serveStore(store)
const vm = await createVirtualMachine({ logger, workers: 1 })
const begun = performance.now()
const kinds = new Map<string, number>()
let passed = 0
let failed = 0
for (const [at, target] of listTransactions(store).entries()) {
  if (at % every !== 0) continue
  const { lt } = target
  const account = formatRawAddress(target.address)
  let outcome: string
  try {
    const { verdict } = await fetchReplay(served.chain, vm, target, { signal: AbortSignal.timeout(60_000) })
    outcome = verdict.replay
    if (outcome !== 'exact') console.log(`${account} ${lt}: ${outcome}`, verdict.differences.slice(0, 5))
  } catch (error) {
    outcome = 'error'
    console.log(`${account} ${lt}: ${error instanceof Error ? error.message : String(error)}`)
  }
  kinds.set(outcome, (kinds.get(outcome) ?? 0) + 1)
  if (outcome === 'exact') passed++
  else failed++
}
const perReplay = (performance.now() - begun) / Math.max(1, passed + failed)
console.log(JSON.stringify({ ...Object.fromEntries(kinds), msPerReplay: Number(perReplay.toFixed(2)) }))
console.log(`${passed} passed, ${failed} failed`)
await vm.close()
await served.close()
process.exitCode = failed === 0 ? 0 : 1
