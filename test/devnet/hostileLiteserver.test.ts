import assert from 'node:assert/strict'
import { it } from 'node:test'
import { attacks } from '../hostile/liteserver/attacks.ts'
import { type HostileReport, runHostile } from '../hostile/liteserver/hostileRun.ts'
import { filled } from '../support/sampleMessages.ts'
import { TinyChain } from '../support/TinyChain.ts'

const SECONDS = 4
const SEED = 1

it(`stands ${SECONDS} s of hostile clients, serves the others, and gives back its memory`, async (t) => {
  const tiny = new TinyChain()
  for (let k = 0; k < 12; k++) tiny.add({ shardBlocks: 2, isKeyBlock: k % 5 === 4 })
  const blocks = [...tiny.chain.masterchain, ...tiny.chain.shard].map(({ id }) => id)
  const report = await runHostile({
    store: tiny.store,
    known: { blocks, accounts: [filled(1), filled(0xff), filled(0)] },
    seconds: SECONDS,
    seed: SEED,
    attackers: 4,
  })
  t.diagnostic(describeReport(report))
  expectStanding(report)
})

const describeReport = ({ attacks: made, served, worstMs, heldBeforeMib, heldAfterMib, peakMib }: HostileReport) => {
  const all = [...made.values()].reduce((sum, count) => sum + count, 0)
  const memory = `${heldBeforeMib.toFixed(1)} MiB before, ${peakMib.toFixed(1)} at most, ${heldAfterMib.toFixed(1)} after`
  return `seed ${SEED}: ${all} attacks, ${served} others served, the slowest in ${worstMs.toFixed(0)} ms; ${memory}`
}

const expectStanding = (report: HostileReport): void => {
  assert.deepEqual(report.bugs, [])
  for (const [name] of attacks) assert.ok((report.attacks.get(name) ?? 0) > 0, `${name} was not tried`)
  assert.ok(report.served > 5, `${report.served} questions of clients that behave were answered`)
  assert.ok(report.worstMs < 3000, `a client that behaves waited ${report.worstMs} ms`)
  assert.equal(report.connectionsLeft, 0)
  assert.ok(report.heldAfterMib < report.heldBeforeMib + 16, `${report.heldAfterMib} MiB are still held`)
}
