// node --import tsx scripts/killNetwork.ts [--kills 100] [--seed 1] [--shards 1]
// Runs the command `dev` under load and kills it at random moments. After each start every block that was served before must
// be there unchanged, the chain must go on, and in the end all the money must be there. The last line is JSON.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runKills } from '../test/support/killRun.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    shards: { type: 'string', default: '1' },
  },
})
const folder = await mkdtemp(join(tmpdir(), 'chaincenter-kill-'))
try {
  const report = await runKills({
    folder,
    kills: Number(values.kills),
    seed: Number(values.seed),
    arguments: ['--block-interval', '200ms', '--shards', values.shards, '--port', '0'],
    onKill: console.log,
  })
  console.log(
    JSON.stringify({
      kills: Number(values.kills),
      blocks: report.blocks,
      sent: report.sent,
      head: report.heads.at(-1),
    }),
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
