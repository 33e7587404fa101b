import { openCell } from '../../codec/cell/CellReader.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import type { Address } from '../../primitives/Address.ts'
import type { OutgoingMessage, Signer } from '../contracts/messages.ts'
import { faucetAddress, faucetTransfer } from '../contracts/systemContracts.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { ControlInputError } from './errors.ts'
import { findHeadAccount } from './headContext.ts'
import type { Mempool } from './Mempool.ts'
import type { Sent } from './NetworkControls.ts'

export type FaucetOptions = {
  readonly store: ChainStore
  readonly key: Signer
  /** Seconds of network time. */
  now(): number
  readonly pool: Mempool
  /** Called when a message was added to the mempool. */
  onTaken(): void
}

type Request = OutgoingMessage & { resolve(sent: Sent): void; reject(error: unknown): void }

/** One list of actions holds no more. */
const MAX_TRANSFERS = 255
const LIFETIME = 600
/** Reserved for its own fees. */
const RESERVE = 1_000_000_000n

/** Sends coins from its own account. Concurrent requests are batched into one message. */
export class Faucet {
  readonly address: Address
  private readonly options: FaucetOptions
  private requests: Request[] = []

  constructor(options: FaucetOptions) {
    this.options = options
    this.address = faucetAddress(options.key.publicKey)
  }

  give(destination: Address, value: bigint): Promise<Sent> {
    return new Promise((resolve, reject) => {
      this.requests.push({ destination, value, bounce: false, resolve, reject })
      if (this.requests.length === 1) setImmediate(() => this.flush())
    })
  }

  private flush(): void {
    const waiting = this.requests
    this.requests = []
    for (let at = 0; at < waiting.length; at += MAX_TRANSFERS) {
      const batch = waiting.slice(at, at + MAX_TRANSFERS)
      try {
        const sent = this.send(batch)
        for (const { resolve } of batch) resolve(sent)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  private send(transfers: readonly OutgoingMessage[]): Sent {
    const { store, pool, key, now, onTaken } = this.options
    const cell = findHeadAccount(store, this.address)?.account?.account
    const account = cell && openAccount(cell)
    if (account?.kind !== 'account' || account.state.kind !== 'active' || account.state.init.data === undefined) {
      throw new ControlInputError('The faucet account does not exist any more.')
    }
    const asked = transfers.reduce((sum, { value }) => sum + value, RESERVE)
    if (asked > account.balance.grams) {
      const left = account.balance.grams > RESERVE ? account.balance.grams - RESERVE : 0n
      throw new ControlInputError(`The faucet has ${left} nanograms left, which is less than requested.`)
    }
    // Messages before this one raise the counter by one each.
    const counter = openCell(account.state.init.data).readUint(32) + pool.countFor(this.address)
    const message = faucetTransfer(key, counter, now() + LIFETIME, transfers)
    pool.addOwn(this.address, message, now())
    onTaken()
    return { messageHash: message.hash(), message }
  }
}
