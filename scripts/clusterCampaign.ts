// CHAINCENTER_TEST_CITUS=URL node --import tsx scripts/clusterCampaign.ts --kill 'COMMAND' --start 'COMMAND' [--workers 3]
//   [--add HOST:PORT] [--rounds 1] [--block-ms 400] [--away-ms 2500] [--step 11]
// Kills the servers of a Citus cluster in turn while a recorded network is indexed there and requests are asked, then adds a worker
// and moves shards to it. In the end every row and every answer is held against one server. The commands get the number of a server as
// $1: 0 is the coordinator, then the workers in their order, then the added one, which runs already. The last line is JSON.
import { parseArgs } from 'node:util'
import { missingCitus } from '../test/support/citus.ts'
import { runClusterCampaign } from '../test/support/clusterCampaign/runClusterCampaign.ts'
import { closeSharedMachine } from '../test/support/testNetwork.ts'

const { values } = parseArgs({
  options: {
    kill: { type: 'string' },
    start: { type: 'string' },
    workers: { type: 'string', default: '3' },
    add: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    'block-ms': { type: 'string', default: '400' },
    'away-ms': { type: 'string', default: '2500' },
    step: { type: 'string', default: '11' },
  },
})
const { kill, start, add } = values
const missing = missingCitus()
if (missing !== false || kill === undefined || start === undefined) {
  console.error(missing || '--kill and --start are commands.')
  process.exit(2)
}
const [host, port] = add?.split(':') ?? []
const endings: (() => unknown)[] = []
try {
  const report = await runClusterCampaign({ after: (ending: () => unknown) => void endings.unshift(ending) } as never, {
    kill,
    start,
    workers: Number(values.workers),
    added: host === undefined ? undefined : { host, port: Number(port) },
    rounds: Number(values.rounds),
    blockMs: Number(values['block-ms']),
    awayMs: Number(values['away-ms']),
    step: Number(values.step),
    say: (line) => console.log(line),
  })
  console.log(JSON.stringify(report))
} finally {
  for (const end of endings) await end()
  await closeSharedMachine()
}
