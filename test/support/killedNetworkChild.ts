// A network that never rests, in a process of its own: what is killed beside it leaves it alone. Told so, it comes to an end and says
// where.
import { setTimeout as delay } from 'node:timers/promises'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { BusyPayers } from './busyNetwork.ts'
import type { NetworkEnd, NetworkReady } from './killedIndex.ts'

const BLOCK_MS = 400
const SENDERS = 4

const network = await startNetwork({
  shards: 4,
  demo: true,
  mining: { mode: 'interval', intervalMs: BLOCK_MS, emptyBlocks: true },
  http: {},
  keepStates: 0,
})
const payers = new BusyPayers(network, { payers: Number(process.argv[3]), seed: Number(process.argv[2]) })
let isOver = false
process.on('message', () => {
  isOver = true
})
process.on('disconnect', () => process.exit(0))
await payers.fund()
const ready: NetworkReady = { globalConfig: network.globalConfig, url: network.url }
process.send?.(ready)
while (!isOver) {
  const next = delay(BLOCK_MS)
  await payers.send(SENDERS)
  await next
}
await network.controls.setMining({ mode: 'manual' })
// One more block may have been in the making.
const findHead = (): number => network.controls.getStatus().head.seqno
let last = findHead()
for (let isStill = false; !isStill; last = findHead()) {
  await delay(3 * BLOCK_MS)
  isStill = findHead() === last
}
const end: NetworkEnd = { last, sent: payers.sent }
process.send?.(end)
