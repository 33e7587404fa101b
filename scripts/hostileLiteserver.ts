// node --import tsx scripts/hostileLiteserver.ts [--seconds 60] [--seed 1] [--attackers 6]
// Attacks our own liteserver over the recorded local network while other clients use it. The last line is one JSON object with
// the metrics; the exit code is 1 if anything went wrong.
import { parseArgs } from 'node:util'
import type { ChainStore } from '../src/devnet/store/ChainStore.ts'
import { fromHex } from '../src/primitives/hex.ts'
import type { Known } from '../test/hostile/liteserver/hostileRequest.ts'
import { runHostile } from '../test/hostile/liteserver/hostileRun.ts'
import { readFixture } from '../test/support/fixtures.ts'
import { formatTable, roundFigure } from '../test/support/formatTable.ts'
import { loadLocalnetStore } from '../test/support/localnetStore.ts'
import { filled } from '../test/support/sampleMessages.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    attackers: { type: 'string', default: '6' },
  },
})
const [seconds, seed, attackers] = [values.seconds, values.seed, values.attackers].map(Number)
if (![seconds, seed, attackers].every((value) => Number.isSafeInteger(value) && value! > 0)) {
  console.error('--seconds, --seed and --attackers are whole numbers above 0.')
  process.exit(2)
}

type Prey = { readonly store: ChainStore; readonly known: Known }

const loadLocalnet = async (): Promise<Prey> => {
  const store = await loadLocalnetStore()
  const blocks = Array.from({ length: 400 }, (_, k) => k + 1)
    .filter((seqno) => seqno % 7 === 0)
    .flatMap((seqno) => [store.findMaster(seqno)!.id, ...store.index.listIncluded(seqno).map(({ id }) => id)])
  const lines = Buffer.from(readFixture('localnet/transactions.jsonl')).toString('utf8').split('\n').slice(0, 500)
  const names = lines.filter((line) => line !== '').map((line) => (JSON.parse(line) as { account: string }).account)
  const accounts = [...new Set(names)].map((name) => fromHex(name.split(':')[1]!))
  return { store, known: { blocks, accounts: [...accounts, filled(0), filled(0xff)] } }
}

const prey = await loadLocalnet()
const report = await runHostile({ ...prey, seconds: seconds!, seed: seed!, attackers: attackers! })

const table = (counts: ReadonlyMap<string, number>): string =>
  formatTable([...counts].sort(([a], [b]) => a.localeCompare(b)).map(([what, times]) => ({ what, times })))
console.log(`${table(report.attacks)}\n\n${table(report.outcomes)}\n`)
for (const bug of report.bugs.slice(0, 10)) console.error(bug)
const { served, worstMs, heldBeforeMib, heldAfterMib, peakMib, connectionsLeft, bugs } = report
const figures = { served, worstMs, heldBeforeMib, heldAfterMib, peakMib, connectionsLeft, bugs: bugs.length }
const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, roundFigure(value)]))
console.log(JSON.stringify({ hostile: 'liteserver', seconds, seed, ...rounded }))
const isStanding = bugs.length === 0 && connectionsLeft === 0 && heldAfterMib < heldBeforeMib + 32 && worstMs < 5000
if (!isStanding) process.exitCode = 1
