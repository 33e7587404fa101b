// node --import tsx scripts/replicaCampaign.ts [--minutes 2] [--answerers 4] [--replicas 2] [--clients 6] [--interval 400]
// Polls the index of a busy embedded network through several answering processes over streaming replicas (Debian's PostgreSQL) that stop
// replaying, are killed (pg_ctl stop -m immediate) and come back, while the answering processes are restarted. A client that sends back
// X-Seen-Seqno must never get an older state; those without it show how often that happens otherwise. The last line is JSON.
import { parseArgs } from 'node:util'
import { type ReplicaFault, runReplicaCampaign } from '../test/support/replicaCampaign.ts'
import { missingStandby } from '../test/support/standby.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    answerers: { type: 'string', default: '4' },
    replicas: { type: 'string', default: '2' },
    clients: { type: 'string', default: '6' },
    interval: { type: 'string', default: '400' },
  },
})
const missing = missingStandby()
if (missing !== false) {
  console.error(missing)
  process.exit(2)
}
const FAULT_EVERY_MS = 2000
const turn: readonly ReplicaFault[] = ['pause', 'restart', 'resume', 'kill', 'restart', 'start']
const durationMs = Number(values.minutes) * 60_000
// Whole turns, so that in the end every replica runs.
const turns = Math.max(1, Math.floor(durationMs / FAULT_EVERY_MS / turn.length))
const endings: (() => unknown)[] = []
try {
  const { failures, ...counts } = await runReplicaCampaign(
    { after: (ending) => void endings.push(ending) },
    {
      durationMs,
      answerers: Number(values.answerers),
      replicas: Number(values.replicas),
      clients: Number(values.clients),
      intervalMs: Number(values.interval),
      faults: Array.from({ length: turns }, () => turn).flat(),
      onProgress: console.log,
    },
  )
  for (const line of failures.slice(0, 100)) console.log(line)
  console.log(JSON.stringify({ campaign: 'replicas', ...counts, passed: counts.answers, failed: failures.length }))
  process.exitCode = failures.length > 0 || counts.wentBack > 0 ? 1 : 0
} finally {
  for (const ending of endings.reverse()) await ending()
}
