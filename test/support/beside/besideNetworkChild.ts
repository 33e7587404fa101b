// The network under `npm run beside -- v2`: an embedded one with its liteserver, in a process of its own. Wallets with a history, jetton
// minters, and blocks with some twenty transactions: many of each, so that the same one is not asked about at the same time.
import { startNetwork } from '../../../src/cli/dev/startNetwork.ts'
import { contractAddress } from '../../../src/devnet/contracts/contractInit.ts'
import { jettonMinterInit } from '../../../src/devnet/contracts/jettonContracts.ts'
import {
  commentBody,
  createSigner,
  type OutgoingMessage,
  offChainContent,
} from '../../../src/devnet/contracts/messages.ts'
import { signTransfer } from '../../../src/devnet/wallets/signTransfer.ts'
import { createWallet } from '../../../src/devnet/wallets/wallets.ts'
import { formatRawAddress } from '../../../src/primitives/Address.ts'
import { serveParent } from '../benchChild.ts'

export type BesideNetwork = {
  readonly globalConfig: string
  /** Wallets with twenty transactions or more. */
  readonly wallets: readonly string[]
  readonly minters: readonly string[]
  /** Seqnos of basechain blocks with some twenty transactions. */
  readonly blocks: readonly number[]
}

const [count = '1000', blockCount = count] = process.argv.slice(2)
const COUNT = Number(count)
const DEPLOYED_AT_ONCE = 200
const PAID_AT_ONCE = 20
const NETWORK_ID = -239
const GRAM = 1_000_000_000n

// Whoever started it may be gone before it is ready.
process.on('disconnect', () => process.exit(0))

const network = await startNetwork({ mining: { mode: 'manual' } })
const { controls } = network

const key = createSigner(new Uint8Array(32).fill(255))
const funder = createWallet('v5r1', key.publicKey, NETWORK_ID)
await controls.faucet(funder.address, 1_000_000n * GRAM)
await controls.mine(3)

let seqno = 0
const pay = async (messages: readonly OutgoingMessage[], blocks: number): Promise<void> => {
  const order = { seqno, validUntil: controls.getStatus().utime + 600, messages }
  await controls.send(signTransfer(funder, key, order, { deploy: seqno === 0 }))
  await controls.mine(blocks)
  seqno++
}

const wallets = Array.from({ length: COUNT }, (_, k) => {
  const publicKey = new Uint8Array(32)
  new DataView(publicKey.buffer).setUint32(0, k + 1)
  return createWallet('v4r2', publicKey, NETWORK_ID)
})
const minters = Array.from({ length: COUNT }, (_, k) => {
  const init = jettonMinterInit(funder.address, offChainContent(`https://example.org/jettons/${k}.json`))
  return { address: contractAddress(init), init }
})
const deployed = [...wallets, ...minters].map(({ address: destination, init }) => ({
  destination,
  value: GRAM,
  bounce: false,
  init,
}))
for (let at = 0; at < deployed.length; at += DEPLOYED_AT_ONCE) await pay(deployed.slice(at, at + DEPLOYED_AT_ONCE), 2)

const blocks: number[] = []
for (let k = 0; k < Number(blockCount); k++) {
  const messages = Array.from({ length: PAID_AT_ONCE }, (_, j) => ({
    destination: wallets[(k * PAID_AT_ONCE + j) % COUNT]!.address,
    value: GRAM / 100n,
    bounce: false,
    body: commentBody(`payment ${k}`),
  }))
  await pay(messages, 1)
  blocks.push(controls.getStatus().shards[0]!.seqno)
}
await controls.mine(3)
// From here on as on a real network.
await controls.setMining({ mode: 'interval', intervalMs: 1000, emptyBlocks: true })
const ready: BesideNetwork = {
  globalConfig: network.globalConfig.path,
  wallets: wallets.map(({ address }) => formatRawAddress(address)),
  minters: minters.map(({ address }) => formatRawAddress(address)),
  blocks,
}
serveParent(ready)
