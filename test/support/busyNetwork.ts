import { setTimeout as delay } from 'node:timers/promises'
import { NodeRefusedError } from '../../src/chain/errors.ts'
import type { RunningNetwork } from '../../src/cli/dev/startNetwork.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { createSigner, type OutgoingMessage, type Signer } from '../../src/devnet/contracts/messages.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { createWallet, type Wallet } from '../../src/devnet/wallets/wallets.ts'
import { LiteClient } from '../../src/node/LiteClient.ts'
import { fromBase64 } from '../../src/primitives/base64.ts'
import { createRandom, type Random } from './ownWorkload.ts'

const GRAM = 1_000_000_000n
const EVERYTHING_AND_GO = 160

type Payer = { readonly wallet: Wallet; readonly key: Signer; seqno: number; isGone: boolean }

export type BusyOptions = {
  readonly payers: number
  readonly seed: number
  /** How often a payer sends, on average, before it pays itself away and is gone. */
  readonly sendsPerLeave?: number
}

/** What keeps a network busy: wallets that pay each other, nobody, strangers, and themselves away. */
export class BusyPayers {
  private readonly network: RunningNetwork
  private readonly client: LiteClient
  private readonly random: Random
  private readonly payers: Payer[]
  private readonly sendsPerLeave: number
  sent = 0
  private turn = 0

  constructor(network: RunningNetwork, { payers, seed, sendsPerLeave = 60 }: BusyOptions) {
    this.network = network
    this.sendsPerLeave = sendsPerLeave
    this.random = createRandom(seed)
    const { host, port, key } = network.liteserver
    this.client = new LiteClient({ host, port, publicKey: fromBase64(key) })
    this.payers = Array.from({ length: payers }, () => {
      const signer = createSigner(this.random.bytes(32))
      return { wallet: createWallet('v4r2', signer.publicKey, -239), key: signer, seqno: 0, isGone: false }
    })
  }

  get addresses(): Wallet['address'][] {
    return this.payers.map(({ wallet }) => wallet.address)
  }

  async fund(): Promise<void> {
    await Promise.all(this.payers.map(({ wallet }) => this.network.controls.faucet(wallet.address, 1000n * GRAM)))
    await this.settle()
  }

  /** Everybody sends once; it is over when all of it has been taken up. */
  async round(): Promise<void> {
    await this.sendFrom(this.payers)
    await this.settle()
  }

  /** Some of them send, in turn. */
  async send(count: number): Promise<void> {
    const there = this.payers.filter(({ isGone }) => !isGone)
    const chosen = Array.from({ length: count }, (_, k) => there[(this.turn + k) % there.length]!)
    this.turn += count
    await this.sendFrom(chosen)
  }

  close(): void {
    this.client.close()
  }

  private async sendFrom(payers: readonly Payer[]): Promise<void> {
    const validUntil = this.network.controls.getStatus().utime + 600
    await Promise.all(
      payers
        .filter(({ isGone }) => !isGone)
        .map(async (payer) => {
          const { wallet, key, seqno } = payer
          const messages = this.chooseMessages(payer)
          const message = signTransfer(wallet, key, { seqno, validUntil, messages }, { deploy: seqno === 0 })
          try {
            await this.client.query('liteServer.sendMessage', { body: encodeBoc([message]) })
            payer.seqno++
            this.sent++
          } catch (error) {
            // Its money is still under way, or what it sent before.
            if (!(error instanceof NodeRefusedError)) throw error
            payer.isGone = false
          }
        }),
    )
  }

  private chooseMessages(payer: Payer): OutgoingMessage[] {
    const { random } = this
    if (payer.seqno > 2 && random.below(this.sendsPerLeave) === 0) {
      payer.isGone = true
      const { address } = this.payers[random.below(this.payers.length)]!.wallet
      return [{ destination: address, value: 0n, bounce: false, mode: EVERYTHING_AND_GO }]
    }
    return Array.from({ length: 1 + random.below(4) }, () => this.chooseMessage())
  }

  private chooseMessage(): OutgoingMessage {
    const { random } = this
    const value = BigInt(1 + random.below(50)) * 1_000_000n
    const other = this.payers[random.below(this.payers.length)]!.wallet.address
    switch (random.below(6)) {
      case 0:
        return { destination: { workchain: 0, hash: random.bytes(32) }, value, bounce: false }
      case 1:
        return { destination: { workchain: 0, hash: random.bytes(32) }, value, bounce: true, body: bodyOf(random) }
      case 2:
        return { destination: other, value: 10n ** 17n, bounce: true }
      case 3:
        return { destination: { workchain: -1, hash: random.bytes(32) }, value: value + GRAM, bounce: true }
      default:
        return { destination: other, value, bounce: true, body: bodyOf(random) }
    }
  }

  private async settle(): Promise<void> {
    do await delay(20)
    while (this.network.controls.getStatus().waitingMessages > 0)
  }
}

const bodyOf = (random: Random) =>
  new CellWriter()
    .writeUint(0, 32)
    .writeBytes(random.bytes(1 + random.below(60)))
    .toCell()
