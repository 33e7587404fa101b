// node --import tsx scripts/chaosService.ts [--minutes 10] [--seed 1] [--least 1000] [--most 8000]
// Asks a service of several processes all the time, while its node, its database and its Redis server are killed and started again in
// turn. No answer may be wrong, failures come only while a part is away, with the codes of the contract, and end by themselves within
// 10 s of its return; nothing that was shown may be lost. The last line is JSON.
import { parseArgs } from 'node:util'
import { runChaos } from '../test/support/chaos/chaosRun.ts'
import { isRedisInstalled } from '../test/support/redisServer.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    least: { type: 'string', default: '1000' },
    most: { type: 'string', default: '8000' },
  },
})
const withRedis = isRedisInstalled()
if (!withRedis) console.log('There is no program redis-server: Redis is left out.')
// Each start of the database server has something to tidy up at the end of this process.
process.setMaxListeners(0)
const endings: (() => unknown)[] = []
try {
  const report = await runChaos(
    { after: (ending) => void endings.push(ending) },
    {
      seed: Number(values.seed),
      durationMs: Number(values.minutes) * 60_000,
      awayMs: { least: Number(values.least), most: Number(values.most) },
      withRedis,
      say: (line) => console.log(line),
    },
  )
  const { wrong, unexpected, ...rest } = report
  for (const line of [...wrong, ...unexpected].slice(0, 100)) console.log(line)
  console.log(JSON.stringify({ ...rest, wrong: wrong.length, unexpected: unexpected.length }))
  process.exitCode = wrong.length + unexpected.length > 0 ? 1 : 0
} finally {
  for (const ending of endings.reverse()) await ending()
}
