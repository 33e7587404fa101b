// A network of the lag measurement in a process of its own: a block every 400 ms, about 60 transactions a second. It tells its
// parent when each block was made.
import { setTimeout as delay } from 'node:timers/promises'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { BusyPayers } from './busyNetwork.ts'

const BLOCK_MS = 400
const SENDERS = 6

const note = (line: string): void => {
  const { message, seqno, transactions } = JSON.parse(line) as { message: string; seqno: number; transactions: number }
  // The other side may just have gone.
  if (message === 'block produced') process.send?.({ seqno, transactions, madeAt: Date.now() }, () => undefined)
}
const network = await startNetwork({
  mining: { mode: 'interval', intervalMs: BLOCK_MS, emptyBlocks: true },
  demo: true,
  logger: createLogger({ level: 'debug', format: 'json', colours: false, write: note }),
})
const payers = new BusyPayers(network, { payers: 200, seed: 3 })
await payers.fund()
process.on('disconnect', () => process.exit(0))
process.send?.({ globalConfig: network.globalConfig.path })
for (;;) {
  const next = delay(BLOCK_MS)
  await payers.send(SENDERS)
  await next
}
