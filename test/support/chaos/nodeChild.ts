// A network in a process of its own, to be killed and started again: its folder and the port of its liteserver are given. It moves
// money about by itself, so that there is always something new in it.
import { setTimeout as delay } from 'node:timers/promises'
import { startNetwork } from '../../../src/cli/dev/startNetwork.ts'
import { parseAddress } from '../../../src/primitives/Address.ts'

const [folder, port] = process.argv.slice(2)
const network = await startNetwork({
  folder,
  seed: 'chaincenter',
  mining: { mode: 'interval', intervalMs: 500, emptyBlocks: true },
  keepStates: 0,
  liteserver: { port: Number(port) },
})
process.on('disconnect', () => process.exit(0))
process.send?.({ globalConfig: network.globalConfig.path, accounts: network.accounts })
// The first account stays as it is, for whoever wants to know that nothing has changed.
const moving = network.accounts.slice(1)
for (let k = 0; ; k++) {
  await network.controls
    .faucet(parseAddress(moving[k % moving.length]!.address), 1_000_000n + BigInt(k))
    .catch(() => undefined)
  await delay(300)
}
