import { type Static, Type } from 'typebox'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { EmulateRequestError } from '../../emulate/errors.ts'
import type { AccountOverride } from '../../emulate/overrides.ts'
import type { AddressedOverride } from '../../emulate/Simulation.ts'
import { type Address, parseAddress } from '../../primitives/Address.ts'
import { fromPaddedBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { optional, param, withDefault } from '../core/params.ts'

/** A bag of cells is not one. */
export class UnreadableBocError extends CodedError {
  readonly code = 'invalid_request'
}

export const closed = { additionalProperties: false } as const

/** `bad` makes the error of a text that is not base64. */
export const readBoc = (text: string, bad: (reason: string) => string): Cell => {
  const bytes = refuseAs(bad, () => fromPaddedBase64(text))
  try {
    return decodeSingleBoc(bytes)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new UnreadableBocError(`Can't deserialize message boc: ${error.message}`)
  }
}

const refuseAs = <T>(bad: (reason: string) => string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new EmulateRequestError(bad(error.message))
  }
}

export const readCell = (text: string, what: string): Cell => readBoc(text, (reason) => `invalid ${what}: ${reason}`)

export const readAddress = (text: string): Address => {
  try {
    return parseAddress(text)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new UnreadableBocError(`Invalid address format: ${text.slice(0, SHOWN)}`)
  }
}

export const SHOWN = 100
export const MAX_UINT64 = (1n << 64n) - 1n
const MAX_COINS = (1n << 120n) - 1n

export const readAmount = (text: string, bad: (reason: string) => string, most = MAX_COINS): bigint => {
  const value = /^[0-9]{1,40}$/.test(text) ? BigInt(text) : -1n
  if (value < 0n || value > most) throw new EmulateRequestError(bad(`expected a decimal number up to ${most}`))
  return value
}

export const readExtra = (amounts: Readonly<Record<string, string>>): Map<number, bigint> =>
  new Map(
    Object.entries(amounts).map(([id, amount]) => {
      if (!/^[0-9]{1,10}$/.test(id) || Number(id) > 0xffff_ffff)
        throw new EmulateRequestError(`invalid extra currency id: ${id.slice(0, SHOWN)}`)
      return [Number(id), readAmount(amount, (reason) => `invalid extra currency amount: ${reason}`)]
    }),
  )

export const AmountText = Type.String({ description: 'Amount in nano units, decimal.', examples: ['1000000000'] })
export const ExtraAmounts = Type.Record(Type.String(), Type.String(), { description: 'Amount by currency id.' })
export const Boc = (description: string) => Type.String({ description: `${description}, a bag of cells in base64.` })
const flag = (description: string) => withDefault(param(Type.Boolean({ description })), false)

const Override = Type.Object(
  {
    balance: Type.Optional(AmountText),
    extra_currencies: Type.Optional(ExtraAmounts),
    code: Type.Optional(Boc('Code; makes the account active')),
    data: Type.Optional(Boc('Data; makes the account active')),
    state_init: Type.Optional(Boc('Code, data, libraries and special flags at once')),
    shard_account: Type.Optional(Boc('A whole ShardAccount; excludes the other members')),
    status: Type.Optional(
      Type.Union([Type.Literal('nonexist'), Type.Literal('uninit'), Type.Literal('frozen')], {
        description: 'frozen needs frozen_hash.',
      }),
    ),
    frozen_hash: Type.Optional(Type.String({ description: 'Hash of the StateInit of a frozen account.' })),
    data_patch: Type.Optional(
      Type.Array(
        Type.Object({ path: Type.String({ examples: ['seqno'] }), value: Type.String({ examples: ['5'] }) }, closed),
        { description: 'Fields of the data of known wallets: seqno, wallet_id, public_key.', maxItems: 16 },
      ),
    ),
    last_paid: Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: 'Unix time.' })),
    due_payment: Type.Optional(AmountText),
    public_key: Type.Optional(
      Type.String({ description: 'Replaces the key of a known wallet: 64 hexadecimal digits, or base64.' }),
    ),
  },
  { ...closed, $id: 'AccountOverride' },
)

const readOverride = (given: Static<typeof Override>): AccountOverride => {
  if (given.shard_account !== undefined && Object.keys(given).length > 1) {
    throw new EmulateRequestError('shard_account excludes the other members of an override')
  }
  const patch = new Map<string, bigint>()
  for (const { path, value } of given.data_patch ?? []) patch.set(path, readField(path, value))
  if (given.public_key !== undefined) patch.set('public_key', readField('public_key', given.public_key))
  const cell = (name: 'code' | 'data' | 'state_init' | 'shard_account'): Cell | undefined => {
    const text = given[name]
    return text === undefined ? undefined : readCell(text, name)
  }
  return {
    balance: given.balance === undefined ? undefined : readAmount(given.balance, (reason) => `balance: ${reason}`),
    extraCurrencies: given.extra_currencies && readExtra(given.extra_currencies),
    code: cell('code'),
    data: cell('data'),
    stateInit: cell('state_init'),
    shardAccount: cell('shard_account'),
    status: given.status,
    frozenHash: given.frozen_hash === undefined ? undefined : readHash(given.frozen_hash, 'frozen_hash'),
    dataPatch: patch.size === 0 ? undefined : patch,
    lastPaid: given.last_paid,
    duePayment:
      given.due_payment === undefined ? undefined : readAmount(given.due_payment, (reason) => `due_payment: ${reason}`),
  }
}

const readHash = (text: string, name: string): Uint8Array =>
  refuseAs(
    (reason) => `${name}: ${reason}`,
    () => parseHash(text, ['hex', 'prefixed_hex', 'base64', 'unpadded_base64url']),
  )

const readField = (path: string, value: string): bigint => {
  if (/^-?[0-9]{1,80}$/.test(value) && path !== 'public_key') return BigInt(value)
  return BigInt(`0x${Buffer.from(readHash(value, path)).toString('hex')}`)
}

export const Overrides = Type.Record(Type.String(), Override, {
  description: 'Changes of accounts before the run, by address.',
})

export const readOverrides = (given: Static<typeof Overrides>): AddressedOverride[] =>
  Object.entries(given).map(([address, override]) => ({
    address: readAddress(address),
    override: readOverride(override),
  }))

const readConfig = (given: Readonly<Record<string, string>>): Map<number, Cell> =>
  new Map(
    Object.entries(given).map(([number, boc]) => {
      if (!/^-?[0-9]{1,10}$/.test(number) || Number(number) !== (Number(number) | 0))
        throw new EmulateRequestError(`invalid number of a configuration parameter: ${number.slice(0, SHOWN)}`)
      return [Number(number), readCell(boc, 'config_overrides')]
    }),
  )

const MAX_SEQNO = 0xffff_ffff

/** Where a run starts, as a request says it. */
export type WantedStart =
  | { readonly seqno: number }
  | { readonly utime: number }
  | { readonly tx: Uint8Array }
  | undefined

const At = Type.Object(
  {
    mc_block_seqno: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SEQNO })),
    utime: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SEQNO, description: 'Unix time.' })),
    tx: Type.Optional(
      Type.String({
        description:
          'Hash of a transaction: the world just before it. Time, logical time and seed are those of its block.',
      }),
    ),
  },
  closed,
)

const Block = Type.Object(
  {
    now: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SEQNO - 1, description: 'Unix time.' })),
    lt: Type.Optional(Type.String({ description: 'Logical time at which the block starts.' })),
    rand_seed: Type.Optional(Type.String({ description: 'Seed of the block: 32 bytes in base64.' })),
  },
  closed,
)

/** The block that a run takes place in, as far as it is fixed. */
export type FixedBlock = {
  readonly now: number | undefined
  readonly lt: bigint | undefined
  readonly randomSeed: Uint8Array | undefined
}

const readBlock = ({ now, lt, rand_seed: seed }: Static<typeof Block>): FixedBlock => ({
  now,
  lt: lt === undefined ? undefined : readAmount(lt, (reason) => `block.lt: ${reason}`, MAX_UINT64 - 1_000_000_000n),
  randomSeed: seed === undefined ? undefined : readHash(seed, 'block.rand_seed'),
})

const Limits = Type.Object(
  {
    transactions: Type.Optional(Type.Integer({ minimum: 1, maximum: 1024 })),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 128 })),
    gas: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  },
  closed,
)

/** Transactions whose steps are shown. */
export type RecordedChoice = 'none' | 'failed' | 'all' | readonly Address[]

/** What to show. */
export const shownParams = {
  with_actions: flag('Classify the trace.'),
  include_code_data: flag('Include code and data cells of the accounts, before and after.'),
  include_address_book: flag('Include the address book.'),
  include_metadata: flag('Include the metadata of tokens.'),
  summary: flag('Include fees, balance changes, failures and risk.'),
  vm: withDefault(
    param(
      Type.Union(
        [
          Type.Literal('none'),
          Type.Literal('failed'),
          Type.Literal('all'),
          Type.Array(Type.String(), { maxItems: 64 }),
        ],
        { description: 'Include the steps of these transactions: of failed ones, of all, or of accounts.' },
      ),
      (given): RecordedChoice => (typeof given === 'string' ? given : given.map(readAddress)),
    ),
    'none',
  ),
  supported_action_types: optional(
    param(
      Type.Array(Type.String(), {
        description: 'Action types, or shortcuts for them, that the client supports. Default: latest.',
        maxItems: 1000,
      }),
    ),
  ),
} as const

/** The world that messages run in. */
export const worldParams = {
  mc_block_seqno: optional(
    param(
      Type.Integer({
        description: 'Run on the state after this masterchain block; by default the newest.',
        minimum: 0,
        maximum: MAX_SEQNO,
      }),
    ),
  ),
  at: optional(
    param(At, (given): WantedStart => {
      const { mc_block_seqno: seqno, utime, tx } = given
      if (Object.keys(given).length !== 1) throw new EmulateRequestError('at needs one of mc_block_seqno, utime and tx')
      if (tx !== undefined) return { tx: readHash(tx, 'at.tx') }
      return seqno === undefined ? { utime: utime! } : { seqno }
    }),
  ),
  state_overrides: withDefault(param(Overrides, readOverrides), {}),
  config_overrides: withDefault(
    param(
      Type.Record(Type.String(), Type.String(), { description: 'Whole configuration parameters by number.' }),
      readConfig,
    ),
    {},
  ),
  libraries: withDefault(
    param(
      Type.Array(Type.String(), { description: 'Libraries known besides those of the chain.', maxItems: 64 }),
      (given) => given.map((text) => readCell(text, 'libraries')),
    ),
    [],
  ),
  block: withDefault(param(Block, readBlock), {}),
  limits: withDefault(param(Limits), {}),
  on_pending: flag('Start after the pending messages of the account that gets the message.'),
} as const

export const BocParam = param(Type.String({ description: 'A message as a bag of cells, base64.' }), (text) => {
  if (text === '') throw new EmulateRequestError('boc is required')
  return readBoc(text, (reason) => `invalid boc: ${reason}`)
})

export const IgnoreSignatures = Type.Union([Type.Boolean(), Type.Literal('first')], {
  description: 'Treat all signatures as valid, in the whole trace or in the first transaction only.',
})

export type IgnoredSignatures = 'none' | 'first' | 'all'

export const readIgnored = (given: boolean | 'first'): IgnoredSignatures =>
  given === 'first' ? 'first' : given ? 'all' : 'none'
