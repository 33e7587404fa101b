import { contractAddress } from '../../../src/devnet/contracts/contractInit.ts'
import {
  jettonBurnBody,
  jettonMintBody,
  jettonMinterInit,
  jettonTransferBody,
  jettonWalletAddress,
} from '../../../src/devnet/contracts/jettonContracts.ts'
import {
  commentBody,
  createSigner,
  type OutgoingMessage,
  offChainContent,
  onChainContent,
  type Signer,
} from '../../../src/devnet/contracts/messages.ts'
import {
  nftCollectionInit,
  nftDeployBody,
  nftItemAddress,
  nftTransferBody,
} from '../../../src/devnet/contracts/nftContracts.ts'
import type { Network } from '../../../src/devnet/network/createNetwork.ts'
import { signTransfer } from '../../../src/devnet/wallets/signTransfer.ts'
import { createWallet, type Wallet } from '../../../src/devnet/wallets/wallets.ts'
import type { Address } from '../../../src/primitives/Address.ts'
import { createRandom, type Random } from '../ownWorkload.ts'

const GRAM = 1_000_000_000n
const MESSAGES_AT_ONCE = 4
const JETTONS = 8
const HOLDERS = 12
const COLLECTIONS = 3
const ITEMS = 16
/** Blocks in which what a message causes comes to its end. */
const SETTLING_BLOCKS = 3

type Payer = {
  readonly wallet: Wallet
  readonly key: Signer
  readonly jettons: Set<Address>
  readonly items: Set<Address>
  readonly waiting: OutgoingMessage[]
  seqno: number
}

export type TrafficOptions = { readonly payers: number; readonly seed: number }

/** People who pay each other, strangers and one shop above all, in coins and jettons, and who hand on items of collections. */
export class TokenTraffic {
  private readonly network: Network
  private readonly random: Random
  private readonly payers: readonly Payer[]
  private queryId = 0n

  constructor(network: Network, { payers, seed }: TrafficOptions) {
    this.network = network
    this.random = createRandom(seed)
    this.payers = Array.from({ length: payers }, (_, k) => {
      const key = createSigner(this.random.bytes(32))
      const kind = (['v4r2', 'v5r1', 'v3r2'] as const)[k % 3]!
      const wallet = createWallet(kind, key.publicKey, -777)
      return { wallet, key, jettons: new Set(), items: new Set(), waiting: [], seqno: 0 }
    })
  }

  /** Gives everybody money and makes the tokens. */
  async prepare(): Promise<void> {
    const { controls } = this.network
    for (const { wallet } of this.payers) await controls.faucet(wallet.address, 1000n * GRAM)
    await this.settle()
    for (let number = 0; number < JETTONS; number++) this.deployJetton(number)
    for (let number = 0; number < COLLECTIONS; number++) this.deployCollection(number)
    await this.sendAll()
  }

  /** Everybody but the shop sends something. */
  async round(): Promise<void> {
    for (const payer of this.payers.slice(1)) {
      const count = 1 + this.random.below(3)
      for (let k = 0; k < count; k++) payer.waiting.push(this.chooseMessage(payer))
    }
    await this.sendAll()
  }

  private get shop(): Payer {
    return this.payers[0]!
  }

  private pick(): Payer {
    return this.payers[this.random.below(this.payers.length)]!
  }

  private deployJetton(number: number): void {
    const admin = this.payers[1 + number]!
    const content = onChainContent({ name: `Jetton ${number}`, symbol: `J${number}`, decimals: '9' })
    const init = jettonMinterInit(admin.wallet.address, content)
    const minter = contractAddress(init)
    for (let k = 0; k < HOLDERS; k++) {
      const holder = k === 0 ? this.shop : this.pick()
      const { address } = holder.wallet
      const body = jettonMintBody(this.queryId++, address, 1_000_000n * GRAM, GRAM / 10n, admin.wallet.address)
      admin.waiting.push({ destination: minter, value: GRAM / 2n, bounce: false, init, body })
      holder.jettons.add(minter)
    }
  }

  private deployCollection(number: number): void {
    const owner = this.payers[1 + JETTONS + number]!
    const init = nftCollectionInit({
      owner: owner.wallet.address,
      content: offChainContent(`https://demo.invalid/${number}/collection.json`),
      itemPrefix: `https://demo.invalid/${number}/`,
      royaltyPercent: 5,
    })
    const destination = contractAddress(init)
    for (let k = 0; k < ITEMS; k++) {
      const holder = this.pick()
      const body = nftDeployBody(this.queryId++, BigInt(k), GRAM / 10n, holder.wallet.address, `${k}.json`)
      owner.waiting.push({ destination, value: GRAM / 2n, bounce: false, init, body })
      holder.items.add(nftItemAddress(destination, BigInt(k)))
    }
  }

  private chooseMessage(payer: Payer): OutgoingMessage {
    const { random } = this
    const value = BigInt(1 + random.below(500)) * 100_000n
    const other = this.pick()
    switch (random.below(12)) {
      case 0:
        return { destination: { workchain: 0, hash: random.bytes(32) }, value, bounce: false }
      case 1:
        return { destination: { workchain: 0, hash: random.bytes(32) }, value, bounce: true, body: commentBody('lost') }
      case 2:
      case 3:
        return {
          destination: other.wallet.address,
          value,
          bounce: true,
          body: commentBody(`for ${random.below(1000)}`),
        }
      case 4:
      case 5:
      case 6:
        return this.sendJettons(payer, random.below(3) === 0 ? this.shop : other)
      case 7:
        return this.handOn(payer, other)
      default: {
        const body = commentBody(`order ${random.below(1_000_000)}`)
        return { destination: this.shop.wallet.address, value, bounce: true, body }
      }
    }
  }

  private sendJettons(payer: Payer, to: Payer): OutgoingMessage {
    const owned = [...payer.jettons]
    const { random } = this
    const { address } = payer.wallet
    const minter = owned[random.below(Math.max(1, owned.length))]
    // Who has none pays in coins.
    if (minter === undefined) return { destination: to.wallet.address, value: GRAM / 100n, bounce: true }
    const amount = BigInt(1 + random.below(100_000)) * 1_000_000n
    const destination = jettonWalletAddress(address, minter)
    if (random.below(12) === 0) {
      const body = jettonBurnBody(this.queryId++, amount, address)
      return { destination, value: GRAM / 10n, bounce: true, body }
    }
    to.jettons.add(minter)
    const isNoted = random.below(2) === 0
    const body = jettonTransferBody({
      queryId: this.queryId++,
      amount,
      destination: to.wallet.address,
      responseDestination: address,
      forwardAmount: isNoted ? 10_000_000n : 0n,
      forwardPayload: isNoted ? commentBody(`invoice ${random.below(1_000_000)}`) : undefined,
    })
    return { destination, value: GRAM / 5n, bounce: true, body }
  }

  private handOn(payer: Payer, to: Payer): OutgoingMessage {
    const [item] = payer.items
    if (item === undefined) return this.sendJettons(payer, to)
    payer.items.delete(item)
    to.items.add(item)
    const body = nftTransferBody({
      queryId: this.queryId++,
      newOwner: to.wallet.address,
      responseDestination: payer.wallet.address,
      forwardAmount: 10_000_000n,
      forwardPayload: undefined,
    })
    return { destination: item, value: GRAM / 5n, bounce: true, body }
  }

  private async sendAll(): Promise<void> {
    const { controls } = this.network
    for (;;) {
      const senders = this.payers.filter(({ waiting }) => waiting.length > 0)
      if (senders.length === 0) return
      const validUntil = controls.getStatus().utime + 600
      for (const payer of senders) {
        const messages = payer.waiting.splice(0, MESSAGES_AT_ONCE)
        const order = { seqno: payer.seqno++, validUntil, messages }
        await controls.send(signTransfer(payer.wallet, payer.key, order, { deploy: order.seqno === 0 }))
      }
      await this.settle()
    }
  }

  private async settle(): Promise<void> {
    const { controls } = this.network
    do await controls.mine(1)
    while (controls.getStatus().waitingMessages > 0)
    await controls.mine(SETTLING_BLOCKS)
  }
}
