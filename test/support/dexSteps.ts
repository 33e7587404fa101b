import type { KnownAccount } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { addressOf, body, buildTrace, type Step, writeNamed } from './actionTrace.ts'

/** A master whose jettons stand for coins. */
const PTON = '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3'

const walletOf = (owner: string, jetton: string): KnownAccount => ({
  jettonWallet: { owner: addressOf(owner), jetton: addressOf(jetton) },
})

const payloadInto = (payload: Cell | undefined) => (w: { writeBit(bit: boolean): { writeRef(cell: Cell): unknown } }) =>
  payload === undefined ? w.writeBit(false) : w.writeBit(true).writeRef(payload)

const transferBody = (to: string, amount: bigint, payload?: Cell): Cell =>
  body(0x0f8a7ea5, (w) => {
    writeNamed(writeNamed(w.writeUint64(1n).writeCoins(amount), to), 'alice')
      .writeMaybeRef(undefined)
      .writeCoins(1n)
    payloadInto(payload)(w)
  })

export const internalBody = (amount: bigint, from: string): Cell =>
  body(0x178d4519, (w) => {
    writeNamed(writeNamed(w.writeUint64(1n).writeCoins(amount), from), 'alice').writeCoins(1n)
  })

const notifyBody = (amount: bigint, from: string, payload?: Cell): Cell =>
  body(0x7362d09c, (w) => {
    writeNamed(w.writeUint64(1n).writeCoins(amount), from)
    payloadInto(payload)(w)
  })

type Sending = {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly payload?: Cell
  /** What the receiver does about it; without it, it is not told. */
  readonly sends?: readonly Step[]
}

/** Jettons from an owner to another: over wallets that are called `name/jetton`. */
export const sendJettons = (jetton: string, { from, to, amount, payload, sends }: Sending): Step => ({
  to: `${from}/${jetton}`,
  body: transferBody(to, amount, payload),
  sends: [
    {
      to: `${to}/${jetton}`,
      body: internalBody(amount, from),
      sends: [
        ...(sends === undefined ? [] : [{ to, body: notifyBody(amount, from, payload), sends }]),
        { to: from, body: body(0xd53276db) },
      ],
    },
  ],
})

/** Coins to a router, through its wallet `router/pton`. */
export const sendCoins = ({ from, to, amount, payload, sends = [] }: Sending): Step => ({
  to: `${to}/pton`,
  body: ptonBody(from, amount, payload),
  sends: [{ to, body: notifyBody(amount, from, payload), sends }],
})

/** Coins from a router: it moves jettons that stand for them, and its wallet passes on the coins. */
export const payCoins = ({ from, to, amount, payload, sends = [] }: Sending): Step => ({
  to: `${from}/pton`,
  body: transferBody(to, amount, payload),
  sends: [{ to, body: ptonBody(to, amount, payload), sends }],
})

const ptonBody = (refund: string, amount: bigint, payload?: Cell): Cell =>
  body(0x01f3835d, (w) => {
    writeNamed(w.writeUint64(1n).writeCoins(amount), refund)
    payloadInto(payload)(w)
  })

/** Wallets that are called `name/jetton`, and what is known of them. */
export const knownWallets = (...names: readonly string[]): Record<string, KnownAccount> =>
  Object.fromEntries(
    names.map((name) => {
      const [owner, jetton] = name.split('/')
      return [name, walletOf(owner!, jetton === 'pton' ? PTON : jetton!)]
    }),
  )

/** A deposit with nothing in it, as it is shown. */
export const noDeposit = {
  amount_1: null,
  amount_2: null,
  asset_1: null,
  asset_2: null,
  user_jetton_wallet_1: null,
  user_jetton_wallet_2: null,
  pool: null,
  destination_liquidity: null,
  lp_tokens_minted: null,
  target_asset_1: null,
  target_asset_2: null,
  target_amount_1: null,
  target_amount_2: null,
  vault_excesses: [],
  tick_lower: null,
  tick_upper: null,
  nft_index: null,
  nft_address: null,
} as const

/** The parts of a withdrawal that only exchanges with positions have. */
export const noPosition = {
  is_refund: null,
  burnt_nft_index: null,
  burnt_nft_address: null,
  tick_lower: null,
  tick_upper: null,
} as const

/** Every transaction of a trace, as rows have them: for a row that covers all of it. */
export const allTransactions = (root: Step): string[] =>
  buildTrace(root)
    .transactions.map(({ hash }) => hash)
    .sort()
