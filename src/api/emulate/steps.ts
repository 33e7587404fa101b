import { type Static, Type } from 'typebox'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { encodeUtf8, writeComment } from '../../codec/content/text.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import { parseVmInteger, type VmValue } from '../../codec/tlb/VmValue.ts'
import { EmulateRequestError } from '../../emulate/errors.ts'
import type { AddressedOverride } from '../../emulate/Simulation.ts'
import type { TonConnectMessage } from '../../emulate/walletMessages.ts'
import { type Address, parseFriendlyAddress } from '../../primitives/Address.ts'
import { param } from '../core/params.ts'
import {
  AmountText,
  Boc,
  closed,
  ExtraAmounts,
  type IgnoredSignatures,
  IgnoreSignatures,
  MAX_UINT64,
  Overrides,
  readAddress,
  readAmount,
  readBoc,
  readCell,
  readExtra,
  readIgnored,
  readOverrides,
  SHOWN,
} from './params.ts'

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

const readStackEntry = ({ type, value }: Static<typeof StackEntry>): VmValue => {
  if (type !== 'num') {
    const cell = readCell(value, 'stack entry')
    return type === 'cell' ? { kind: 'cell', cell } : { kind: 'slice', slice: wholeSlice(cell) }
  }
  const number = parseVmInteger(value)
  if (number === undefined) throw new EmulateRequestError(`invalid number: ${value.slice(0, SHOWN)}`)
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
