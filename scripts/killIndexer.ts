// node --import tsx scripts/killIndexer.ts [--kills 50] [--seed 1] [--what indexer|database|both|leader]
// Runs the command `index` over a busy network and kills it, or its database, at random moments with SIGKILL. In the end every
// transaction and message of the blocks must be in the database, once, and all of it must verify. With `leader` there are two
// indexers, and the one that leads is killed or stopped. The last line is JSON.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type KillTarget, runIndexKills, runPair } from '../test/support/killIndexRun.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    what: { type: 'string', default: 'indexer' },
  },
})
const { what } = values
const [kills, seed] = [Number(values.kills), Number(values.seed)]
const folder = await mkdtemp(join(tmpdir(), 'chaincenter-kill-'))
const options = { folder, seed, say: console.log }
try {
  const report =
    what === 'leader'
      ? await runPair(
          options,
          Array.from({ length: kills }, (_, k) => (k % 2 === 0 ? 'SIGKILL' : 'SIGSTOP')),
        )
      : await runIndexKills({ ...options, kills, what: what as KillTarget })
  console.log(JSON.stringify(report))
} finally {
  await rm(folder, { recursive: true, force: true })
}
