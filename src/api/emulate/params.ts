import { type Static, Type } from 'typebox'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { encodeUtf8, writeComment } from '../../codec/content/text.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../codec/tlb/VmValue.ts'
import { EmulateRequestError } from '../../emulate/errors.ts'
import type { AccountOverride } from '../../emulate/overrides.ts'
import type { AddressedOverride, StartingPoint } from '../../emulate/Simulation.ts'
import type { TonConnectMessage } from '../../emulate/walletMessages.ts'
import { type Address, parseAddress, parseFriendlyAddress } from '../../primitives/Address.ts'
import { fromPaddedBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { optional, param, withDefault } from '../core/params.ts'

/** A bag of cells is not one. */
export class UnreadableBocError extends CodedError {
  readonly code = 'invalid_request'
}

const closed = { additionalProperties: false } as const

/** `bad` makes the error of a text that is not base64. */
const readBoc = (text: string, bad: (reason: string) => string): Cell => {
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

const readCell = (text: string, what: string): Cell => readBoc(text, (reason) => `invalid ${what}: ${reason}`)

const readAddress = (text: string): Address => {
  try {
    return parseAddress(text)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new UnreadableBocError(`Invalid address format: ${text.slice(0, SHOWN)}`)
  }
}

const SHOWN = 100
const MAX_UINT64 = (1n << 64n) - 1n
const MAX_COINS = (1n << 120n) - 1n

const readAmount = (text: string, bad: (reason: string) => string, most = MAX_COINS): bigint => {
  const value = /^[0-9]{1,40}$/.test(text) ? BigInt(text) : -1n
  if (value < 0n || value > most) throw new EmulateRequestError(bad(`expected a decimal number up to ${most}`))
  return value
}

const readExtra = (amounts: Readonly<Record<string, string>>): Map<number, bigint> =>
  new Map(
    Object.entries(amounts).map(([id, amount]) => {
      if (!/^[0-9]{1,10}$/.test(id) || Number(id) > 0xffff_ffff)
        throw new EmulateRequestError(`invalid extra currency id: ${id.slice(0, SHOWN)}`)
      return [Number(id), readAmount(amount, (reason) => `invalid extra currency amount: ${reason}`)]
    }),
  )

const AmountText = Type.String({ description: 'Amount in nano units, decimal.', examples: ['1000000000'] })
const ExtraAmounts = Type.Record(Type.String(), Type.String(), { description: 'Amount by currency id.' })
const Boc = (description: string) => Type.String({ description: `${description}, a bag of cells in base64.` })
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

const Overrides = Type.Record(Type.String(), Override, {
  description: 'Changes of accounts before the run, by address.',
})

const readOverrides = (given: Static<typeof Overrides>): AddressedOverride[] =>
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

const At = Type.Object(
  {
    mc_block_seqno: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SEQNO })),
    utime: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SEQNO, description: 'Unix time.' })),
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
    param(At, (given): StartingPoint => {
      const { mc_block_seqno: seqno, utime } = given
      if ((seqno === undefined) === (utime === undefined))
        throw new EmulateRequestError('at needs either mc_block_seqno or utime')
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

const TonConnectMessageView = Type.Object(
  {
    address: Type.Optional(
      Type.String({ description: 'Receiver. A user-friendly form decides about bounce; raw is bounceable.' }),
    ),
    amount: Type.Optional(AmountText),
    payload: Type.Optional(Type.Union([Boc('Body'), Type.Null()])),
    stateInit: Type.Optional(Type.Union([Boc('State to deploy with'), Type.Null()])),
    extra_currency: Type.Optional(Type.Union([ExtraAmounts, Type.Null()])),
  },
  { ...closed, $id: 'TonConnectMessage' },
)

const MAX_MESSAGES = 255
const RAW_LENGTH = 48

const readTonConnectMessage = (given: Static<typeof TonConnectMessageView>, index: number): TonConnectMessage => {
  const { address, amount, payload, stateInit, extra_currency: extra } = given
  if (address === undefined || address === '')
    throw new EmulateRequestError(`message at index ${index} cannot be empty`)
  if (amount === undefined || amount === '')
    throw new EmulateRequestError(`amount in message at index ${index} cannot be empty`)
  return {
    to: readAddress(address),
    bounce: address.length === RAW_LENGTH ? parseFriendlyAddress(address).bounceable : true,
    amount: readAmount(amount, (reason) => `invalid amount in message at index ${index}: ${reason}`, MAX_UINT64),
    payload: payload ? readBoc(payload, (reason) => `invalid message payload at index ${index}: ${reason}`) : undefined,
    init: stateInit
      ? readBoc(stateInit, (reason) => `invalid message stateInit at index ${index}: ${reason}`)
      : undefined,
    extraCurrencies: extra ? readExtra(extra) : new Map(),
  }
}

export const TonConnect = {
  from: Type.Optional(Type.String({ description: 'The wallet.' })),
  messages: Type.Optional(Type.Array(TonConnectMessageView, { maxItems: MAX_MESSAGES })),
  valid_until: Type.Optional(
    // Nanoseconds do not fit a double.
    Type.Unsafe<number | bigint | null>(Type.Unknown({ description: 'Unix time; by default in 5 minutes.' })),
  ),
  from_state_init: Type.Optional(Boc('StateInit of a wallet that is not deployed yet')),
} as const

/** A TON Connect request; without a time limit it gets one when the time of its block is known. */
export type ReadTonConnect = {
  readonly from: Address
  readonly messages: readonly TonConnectMessage[]
  readonly validUntil: number | undefined
  readonly fromInit: Cell | undefined
}

type GivenTonConnect = {
  readonly from?: string | undefined
  readonly messages?: readonly Static<typeof TonConnectMessageView>[] | undefined
  readonly valid_until?: unknown
  readonly from_state_init?: string | undefined
}

export const readTonConnect = (given: GivenTonConnect): ReadTonConnect => {
  const { from, messages = [], valid_until: until, from_state_init: init } = given
  if (from === undefined || from === '') throw new EmulateRequestError('from address is required for emulation')
  if (messages.length === 0) throw new EmulateRequestError('messages array cannot be empty')
  return {
    from: readAddress(from),
    messages: messages.map(readTonConnectMessage),
    validUntil: until === undefined || until === null ? undefined : toSeconds(until),
    fromInit: init === undefined ? undefined : readCell(init, 'from_state_init'),
  }
}

/** Some clients send milliseconds or smaller units. */
const toSeconds = (given: unknown): number => {
  const time = Number(given)
  if (typeof given === 'boolean' || typeof given === 'object' || given === '' || !(time >= 0))
    throw new EmulateRequestError('valid_until must be a Unix time')
  const divisor = time >= 1e17 ? 1e9 : time >= 1e14 ? 1e6 : time >= 1e11 ? 1e3 : 1
  return Math.min(0xffff_ffff, Math.floor(time / divisor))
}

const StackEntry = Type.Object(
  {
    type: Type.Union([Type.Literal('num'), Type.Literal('cell'), Type.Literal('slice')]),
    value: Type.String({ description: 'Number (decimal, or hexadecimal with 0x), or a bag of cells.' }),
  },
  closed,
)

const InternalMessage = Type.Object(
  {
    boc: Type.Optional(Boc('A whole message; excludes the other members')),
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.String()),
    value: Type.Optional(AmountText),
    body: Type.Optional(Boc('Body')),
    comment: Type.Optional(Type.String({ description: 'Text instead of a body.', maxLength: 1000 })),
    bounce: Type.Optional(Type.Boolean({ description: 'By default true.' })),
    state_init: Type.Optional(Boc('State to deploy with')),
    extra_currencies: Type.Optional(ExtraAmounts),
  },
  closed,
)

const StepView = Type.Object(
  {
    message: Type.Optional(InternalMessage),
    external: Type.Optional(
      Type.Object({ boc: Boc('An external-in message'), ignore_chksig: Type.Optional(IgnoreSignatures) }, closed),
    ),
    ton_connect: Type.Optional(Type.Object(TonConnect, closed)),
    run_get_method: Type.Optional(
      Type.Object(
        { address: Type.String(), method: Type.String(), stack: Type.Optional(Type.Array(StackEntry)) },
        closed,
      ),
    ),
    advance: Type.Optional(
      Type.Object(
        {
          seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
          blocks: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
        },
        closed,
      ),
    ),
    override: Type.Optional(Overrides),
    tick_tock: Type.Optional(Type.Object({ address: Type.String(), tock: Type.Boolean() }, closed)),
  },
  { ...closed, $id: 'SimulationStep', description: 'One member says what to do.' },
)

const MAX_STEPS = 32

export type SimulationStep =
  | { readonly kind: 'message'; readonly cell: Cell }
  | { readonly kind: 'internal'; readonly message: InternalOrder }
  | { readonly kind: 'external'; readonly cell: Cell; readonly ignoreSignatures: IgnoredSignatures }
  | { readonly kind: 'tonConnect'; readonly request: ReadTonConnect }
  | { readonly kind: 'method'; readonly address: Address; readonly method: string; readonly stack: VmStack }
  | { readonly kind: 'advance'; readonly seconds: number; readonly blocks: number }
  | { readonly kind: 'override'; readonly overrides: readonly AddressedOverride[] }
  | { readonly kind: 'tickTock'; readonly address: Address; readonly isTock: boolean }

export type InternalOrder = Omit<TonConnectMessage, never> & { readonly from: Address }

const readStep = (given: Static<typeof StepView>, index: number): SimulationStep => {
  const names = Object.keys(given)
  if (names.length !== 1) throw new EmulateRequestError(`step ${index} needs exactly one member`)
  const { message, external, ton_connect, run_get_method: run, advance, override, tick_tock: tick } = given
  if (message !== undefined) return readMessageStep(message, index)
  if (external !== undefined) {
    const cell = readBoc(external.boc, (reason) => `invalid boc: ${reason}`)
    return { kind: 'external', cell, ignoreSignatures: readIgnored(external.ignore_chksig ?? false) }
  }
  if (ton_connect !== undefined) return { kind: 'tonConnect', request: readTonConnect(ton_connect) }
  if (run !== undefined) {
    const { address, method, stack = [] } = run
    return { kind: 'method', address: readAddress(address), method, stack: stack.map(readStackEntry) }
  }
  if (advance !== undefined) return { kind: 'advance', seconds: advance.seconds ?? 0, blocks: advance.blocks ?? 0 }
  if (override !== undefined) return { kind: 'override', overrides: readOverrides(override) }
  return { kind: 'tickTock', address: readAddress(tick!.address), isTock: tick!.tock }
}

const readMessageStep = (given: Static<typeof InternalMessage>, index: number): SimulationStep => {
  const { boc, from, to, value, body, comment, bounce = true, state_init: init, extra_currencies: extra } = given
  if (body !== undefined && comment !== undefined) throw new EmulateRequestError('body and comment exclude each other')
  if (boc !== undefined) {
    if (Object.keys(given).length > 1) throw new EmulateRequestError('boc excludes the other members of a message')
    return { kind: 'message', cell: readBoc(boc, (reason) => `invalid boc: ${reason}`) }
  }
  if (from === undefined || to === undefined || value === undefined)
    throw new EmulateRequestError(`the message of step ${index} needs from, to and value, or boc`)
  return {
    kind: 'internal',
    message: {
      from: readAddress(from),
      to: readAddress(to),
      amount: readAmount(value, (reason) => `invalid value: ${reason}`),
      bounce,
      payload: body === undefined ? commentCell(comment) : readCell(body, 'body'),
      init: init === undefined ? undefined : readCell(init, 'state_init'),
      extraCurrencies: extra === undefined ? new Map() : readExtra(extra),
    },
  }
}

const commentCell = (text: string | undefined): Cell | undefined =>
  text === undefined ? undefined : writeWhole(writeComment, { kind: 'text', bytes: encodeUtf8(text) })

const MAX_INT = 1n << 256n

const readStackEntry = ({ type, value }: Static<typeof StackEntry>): VmValue => {
  if (type !== 'num') {
    const cell = readCell(value, 'stack entry')
    return type === 'cell' ? { kind: 'cell', cell } : { kind: 'slice', slice: wholeSlice(cell) }
  }
  const isNumber = /^-?(0x[0-9a-fA-F]{1,64}|[0-9]{1,80})$/.test(value)
  const number = isNumber ? (value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value)) : MAX_INT
  if (number >= MAX_INT || number < -MAX_INT) throw new EmulateRequestError(`invalid number: ${value.slice(0, SHOWN)}`)
  return { kind: 'int', value: number }
}

export const StepsParam = param(
  Type.Array(StepView, {
    minItems: 1,
    maxItems: MAX_STEPS,
    description: 'Each sees the world that the former ones left.',
  }),
  (given) => given.map(readStep),
)
