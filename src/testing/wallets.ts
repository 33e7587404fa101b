import { createHmac } from 'node:crypto'
import type { Address, Sender, SenderArguments } from '@ton/core'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { emptyCell } from '../codec/cell/CellWriter.ts'
import { createSigner, type OutgoingMessage } from '../devnet/contracts/messages.ts'
import type { Network } from '../devnet/network/createNetwork.ts'
import { WALLET_NETWORK_ID } from '../devnet/network/networkKeys.ts'
import type { DevAccount } from '../devnet/wallets/createDevAccounts.ts'
import { signTransfer } from '../devnet/wallets/signTransfer.ts'
import { createWallet, type WalletKind } from '../devnet/wallets/wallets.ts'
import { findActive, getBalance } from './accounts.ts'
import { toAddress, toCell, toCoreAddress, toCurrencies, toStateInit } from './core.ts'
import type { SendResult } from './transactions.ts'

export type WalletOptions = {
  /** Nanograms of a new wallet; default: a million coins. The ten accounts of the network have theirs already. */
  readonly balance?: bigint | undefined
  /** Kind of a new wallet; default: v4r2. */
  readonly kind?: WalletKind | undefined
}

/** A funded wallet of a test: the same name gives the same address on every network. */
export interface TestWallet {
  readonly name: string
  readonly address: Address
  readonly publicKey: Uint8Array
  /** Sends like a person who uses the wallet. Resolves when the trace of the message has ended. */
  send(args: SenderArguments): Promise<SendResult>
  /** Several messages in one transfer. */
  sendMessages(messages: readonly SenderArguments[]): Promise<SendResult>
  /** For the `send…` methods of contracts. */
  getSender(): Sender
  getBalance(): Promise<bigint>
}

/** Sends an external message and follows its trace. */
export type Submit = (message: Cell) => Promise<SendResult>

const DEFAULT_BALANCE = 1_000_000_000_000_000n

/** Opens wallets by name: a funded account of the network, or a wallet made for the name. */
export const createWallets = (
  network: Network,
  submit: Submit,
): ((name: string, options?: WalletOptions) => Promise<TestWallet>) => {
  // A wallet sends one transfer after another, so there is one for all who use it.
  const opened = new Map<string, TestWallet>()
  return async (name, { balance = DEFAULT_BALANCE, kind = 'v4r2' } = {}) => {
    const account = network.accounts.find((funded) => funded.name === name) ?? deriveAccount(name, kind)
    const { address, init } = account.wallet
    if ((await findActive(network, address)) === undefined) {
      const state = { kind: 'active', init } as const
      await network.controls.setAccount({ address, balance: toCurrencies(balance, undefined), state })
    }
    const key = `${name} ${account.wallet.kind}`
    const wallet = opened.get(key) ?? createTestWallet(network, submit, account)
    opened.set(key, wallet)
    return wallet
  }
}

type Account = Omit<DevAccount, 'mnemonic'>

const deriveAccount = (name: string, kind: WalletKind): Account => {
  const key = createSigner(new Uint8Array(createHmac('sha256', 'chaincenter test wallet').update(name).digest()))
  return { name, key, wallet: createWallet(kind, key.publicKey, WALLET_NETWORK_ID) }
}

/** Seconds for which a transfer is valid. */
const VALID_FOR = 600

const createTestWallet = (network: Network, submit: Submit, { name, key, wallet }: Account): TestWallet => {
  let last: Promise<unknown> = Promise.resolve()
  let sent = 0
  const transfer = async (messages: readonly SenderArguments[]): Promise<SendResult> => {
    const now = network.controls.getStatus().utime
    const order = {
      seqno: wallet.kind === 'highload-v3' ? nextNumber(now, sent++) : await readSeqno(network, wallet),
      validUntil: now + VALID_FOR,
      messages: messages.map((args) => toOutgoing(args, wallet.kind)),
    }
    return submit(signTransfer(wallet, key, order))
  }
  // A wallet takes the next transfer when it has carried out the one before.
  const sendMessages = (messages: readonly SenderArguments[]): Promise<SendResult> => {
    const turn = last.then(() => transfer(messages))
    last = turn.catch(() => undefined)
    return turn
  }
  const address = toCoreAddress(wallet.address)
  const send = (args: SenderArguments): Promise<SendResult> => sendMessages([args])
  return {
    name,
    address,
    publicKey: key.publicKey,
    send,
    sendMessages,
    getSender: () => ({
      address,
      send: async (args) => {
        await send(args)
      },
    }),
    getBalance: () => getBalance(network, wallet.address),
  }
}

/** The number that a wallet expects next is the first of its data; that of version 5 stands behind a bit. */
const readSeqno = async (network: Network, { kind, address }: DevAccount['wallet']): Promise<number> => {
  const r = openCell((await findActive(network, address))?.init.data ?? emptyCell)
  if (kind === 'v5r1') r.skipBits(1)
  return r.remainingBits < 32 ? 0 : r.readUint(32)
}

/** Numbers of a highload wallet, which remembers them for a day. */
const nextNumber = (now: number, sent: number): number => (now * 4 + sent) % 8_000_000

const PAY_FEES_SEPARATELY = 1
const IGNORE_ERRORS = 2

const toOutgoing = (args: SenderArguments, kind: WalletKind): OutgoingMessage => {
  const { to, value, bounce, init, body, sendMode, extracurrency } = args
  const mode = sendMode ?? PAY_FEES_SEPARATELY
  return {
    destination: toAddress(to),
    value,
    extra: toCurrencies(value, extracurrency).extra,
    bounce: bounce ?? true,
    init: init ? toStateInit(init) : undefined,
    body: body ? toCell(body) : undefined,
    // A wallet of version 5 refuses external orders without it.
    mode: kind === 'v5r1' ? mode | IGNORE_ERRORS : mode,
  }
}
