// The network of the v2 bench: an embedded one with a liteserver, and wallets that have paid each other.
import { setTimeout as pause } from 'node:timers/promises'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { createSigner } from '../../src/devnet/contracts/messages.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { createWallet } from '../../src/devnet/wallets/wallets.ts'
import { formatRawAddress } from '../../src/primitives/Address.ts'
import { serveParent } from './benchChild.ts'

export type BenchNetwork = {
  readonly globalConfig: string
  /** Wallets that have paid each other. */
  readonly wallets: readonly string[]
  /** Wallets that are there, and have done nothing since: more than are asked for between two blocks. */
  readonly crowd: readonly string[]
}

const WALLETS = 200
const CROWD = 4000
const DEPLOYED_AT_ONCE = 200
const ROUNDS = 5
const GRAM = 1_000_000_000n

const network = await startNetwork({ mining: { mode: 'instant' } })
const { controls } = network
const settle = async (): Promise<void> => {
  do await pause(20)
  while (controls.getStatus().waitingMessages > 0)
}

const wallets = Array.from({ length: WALLETS }, (_, k) => {
  const key = createSigner(new Uint8Array(32).fill(k + 1))
  return { key, wallet: createWallet('v4r2', key.publicKey, -239) }
})
await Promise.all(wallets.map(({ wallet }) => controls.faucet(wallet.address, 1000n * GRAM)))
await settle()
for (let seqno = 0; seqno < ROUNDS; seqno++) {
  const validUntil = controls.getStatus().utime + 600
  const pay = ({ key, wallet }: (typeof wallets)[number], at: number) => {
    const messages = [1, 7].map((step) => ({
      destination: wallets[(at + step) % WALLETS]!.wallet.address,
      value: GRAM / 100n,
      bounce: false,
    }))
    return controls.send(signTransfer(wallet, key, { seqno, validUntil, messages }, { deploy: seqno === 0 }))
  }
  await Promise.all(wallets.map(pay))
  await settle()
}

const funderKey = createSigner(new Uint8Array(32).fill(255))
const funder = createWallet('v5r1', funderKey.publicKey, -239)
await controls.faucet(funder.address, 100_000n * GRAM)
await settle()
const crowd = Array.from({ length: CROWD }, (_, k) => {
  const publicKey = new Uint8Array(32)
  new DataView(publicKey.buffer).setUint32(0, k + 1)
  return createWallet('v4r2', publicKey, -239)
})
for (let at = 0; at < CROWD; at += DEPLOYED_AT_ONCE) {
  const messages = crowd.slice(at, at + DEPLOYED_AT_ONCE).map(({ address, init }) => ({
    destination: address,
    value: GRAM,
    bounce: false,
    init,
  }))
  const order = { seqno: at / DEPLOYED_AT_ONCE, validUntil: controls.getStatus().utime + 600, messages }
  await controls.send(signTransfer(funder, funderKey, order, { deploy: at === 0 }))
  await settle()
}
// From here on as on a real network: answers about the newest block are good for a second.
await controls.setMining({ mode: 'interval', intervalMs: 1000, emptyBlocks: true })
const ready: BenchNetwork = {
  globalConfig: network.globalConfig.path,
  wallets: wallets.map(({ wallet }) => formatRawAddress(wallet.address)),
  crowd: crowd.map(({ address }) => formatRawAddress(address)),
}
serveParent(ready)
