// Makes the chain of the bench of the index in a process of its own: whoever indexes has not made the blocks. It tells its parent
// the highest masterchain block.
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { serveParent } from './benchChild.ts'
import { BusyPayers } from './busyNetwork.ts'

const TRANSACTIONS = 90_000
// One in sixty that sends goes away with all it has: there must be enough to the end.
const PAYERS = 480

const [folder] = process.argv.slice(2)
const mining = { mode: 'interval', intervalMs: 200, emptyBlocks: true } as const
const network = await startNetwork({ folder, mining, demo: true, shards: 2, seed: 'index bench', keepStates: 50 })
const payers = new BusyPayers(network, { payers: PAYERS, seed: 1 })
try {
  await payers.fund()
  // Every one that sends makes about four transactions.
  while (payers.sent * 4 < TRANSACTIONS) await payers.round()
  await network.controls.setMining({ mode: 'manual' })
} finally {
  payers.close()
  await network.close()
}
serveParent(network.controls.getStatus().head.seqno)
