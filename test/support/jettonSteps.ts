import type { KnownAccount } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { addressOf, body, type Step, writeNamed } from './actionTrace.ts'

export type JettonSending = {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly payload?: Cell
  /** What the receiver does with them. */
  readonly sends?: readonly Step[]
}

/** The wallet of an owner, by its name. */
export const walletOf = (owner: string): string => `wallet of ${owner}`

/** What is known of a wallet. */
export const walletFacts = (owner: string, jetton = 'master'): KnownAccount => ({
  jettonWallet: { owner: addressOf(owner), jetton: addressOf(jetton) },
})

/** Facts of the wallets of these owners. */
export const walletsOf = (owners: readonly string[], jetton = 'master'): Record<string, KnownAccount> =>
  Object.fromEntries(owners.map((owner) => [walletOf(owner), walletFacts(owner, jetton)]))

const internal = (opcode: number, amount: bigint, from: string): Cell =>
  body(opcode, (w) => {
    w.writeUint64(7n).writeCoins(amount)
    writeNamed(writeNamed(w, from), from).writeCoins(1n)
  })

/** New jettons, or such that come from another wallet, as a wallet gets them. */
export const internalTransfer = (amount: bigint, from: string): Cell => internal(0x178d4519, amount, from)

/** As {@link internalTransfer}, of jettons that are locked for a while. */
export const lockedTransfer = (amount: bigint, from: string): Cell => internal(0xb2583ed5, amount, from)

/** Jettons from one owner to another, who is told of them. */
export const sendJettons = ({ from, to, amount, payload, sends = [] }: JettonSending): Step => ({
  to: walletOf(from),
  body: body(0x0f8a7ea5, (w) => {
    w.writeUint64(7n).writeCoins(amount)
    writeNamed(writeNamed(w, to), from).writeMaybeRef(undefined).writeCoins(1n).writeMaybeRef(payload)
  }),
  sends: [
    {
      to: walletOf(to),
      body: internalTransfer(amount, from),
      sends: [{ to, body: body(0x7362d09c), sends }],
    },
  ],
})
