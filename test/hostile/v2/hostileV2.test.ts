import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isLong } from '../../support/testLength.ts'
import { attacks } from './attacks.ts'
import { type HostileReport, runHostile } from './hostileRun.ts'

const SECONDS = isLong ? 30 : 3
const SEED = 1
const DROPS = isLong ? 1000 : 200

it(`stands ${SECONDS} s of hostile clients, serves the others, and gives back its memory`, {
  timeout: 240_000,
}, async (t) => {
  const report = await runHostile({
    seconds: SECONDS,
    seed: SEED,
    attackers: 4,
    drops: DROPS,
    restMs: isLong ? 3000 : 1500,
  })
  t.diagnostic(describeReport(report))
  assert.deepEqual(report.surprises, [])
  assert.deepEqual(report.logged, [])
  for (const [name] of attacks) assert.ok((report.attacks[name] ?? 0) > 0, `${name} was not tried`)
  assert.ok(report.served > 20, `${report.served} questions of a client that behaves were answered`)
  // On a machine that does nothing else it is a tenth of that; in the short form there may be much else.
  if (isLong) assert.ok(report.p99Ms < 2500, `a client that behaves waited ${report.p99Ms} ms`)
  assert.ok(report.heldAfterMib < report.heldBeforeMib + 32, `${report.heldAfterMib} MiB are still held`)
})

const describeReport = ({
  attacks: made,
  served,
  p50Ms,
  p99Ms,
  worstMs,
  heldBeforeMib,
  heldAfterMib,
}: HostileReport) => {
  const all = Object.values(made).reduce((sum, count) => sum + count, 0)
  const waits = `half in ${p50Ms.toFixed(0)} ms, all but one in a hundred in ${p99Ms.toFixed(0)} ms, the slowest in ${worstMs.toFixed(0)} ms`
  const memory = `${heldBeforeMib.toFixed(1)} MiB before, ${heldAfterMib.toFixed(1)} after`
  return `seed ${SEED}: ${all} attacks, ${served} others served, ${waits}; ${memory}`
}
